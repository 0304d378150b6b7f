// PUBLISH by one connection, received by another, then the script that acquires, by a third: a waiter has two.
#include <hiredis/hiredis.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/store/redis/keys.h"
#include "core/store/redis/scripts.h"
#include "tests/bench/handoff/floor.h"

namespace leasescope::bench {
namespace {

struct Free {
  void operator()(redisContext* context) const { redisFree(context); }
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Connection = std::unique_ptr<redisContext, Free>;
using Answer = std::unique_ptr<redisReply, Free>;

Connection connect(const StoreUrl& url) {
  const Endpoint& at = url.endpoint;
  Connection out(at.unix_path.empty() ? redisConnect(at.host.c_str(), at.port)
                                      : redisConnectUnix(at.unix_path.c_str()));
  if (out == nullptr || out->err != 0) throw std::runtime_error(out ? out->errstr : "no memory");
  return out;
}

Answer heard(const Connection& from) {
  void* reply = nullptr;
  if (redisGetReply(from.get(), &reply) != REDIS_OK) throw std::runtime_error(from->errstr);
  Answer out(static_cast<redisReply*>(reply));
  if (out->type == REDIS_REPLY_ERROR) throw std::runtime_error(out->str);
  return out;
}

// Written at once; the answer is read by heard().
void say(const Connection& to, const char* words) {
  redisAppendCommand(to.get(), words);
  int all = 0;
  while (all == 0)
    if (redisBufferWrite(to.get(), &all) != REDIS_OK) throw std::runtime_error(to->errstr);
}

class RedisFloor final : public Floor {
 public:
  explicit RedisFloor(const StoreUrl& url) : owner_(connect(url)), messages_(connect(url)), requests_(connect(url)) {
    say(messages_, "SUBSCRIBE leasescope-floor");
    heard(messages_);
    const redis::Script& acquire = redis::scripts(Wire::kTerm).acquire;
    Answer(static_cast<redisReply*>(redisCommand(owner_.get(), "SCRIPT LOAD %s", acquire.text.c_str())));
    const redis::Keys keys("leasescope-floor-mutex");
    call_ = fmt::format("EVALSHA {} 3 {} {} {} waiter 10000", acquire.sha1, keys.lease, keys.fence, keys.token);
    clear_ = "DEL " + keys.lease;
  }

  Watch::duration sample() override {
    const auto begin = Watch::now();
    say(owner_, "PUBLISH leasescope-floor released");
    heard(messages_);
    say(requests_, call_.c_str());
    heard(requests_);
    const auto took = Watch::now() - begin;
    heard(owner_);
    say(owner_, clear_.c_str());
    heard(owner_);
    return took;
  }

  // What scripts call is not counted: what a lock's client itself asks for are scripts,
  // subscriptions, and a PING before a release that hands over.
  std::optional<std::int64_t> requests() override {
    say(owner_, "INFO commandstats");
    const Answer answer = heard(owner_);
    const std::string text(answer->str, answer->len);
    std::int64_t out = 0;
    for (const std::string_view name : {"evalsha", "eval", "script|load", "subscribe", "unsubscribe", "ping"})
      out += calls_of(text, fmt::format("cmdstat_{}:calls=", name));
    return out;
  }

 private:
  static std::int64_t calls_of(const std::string& text, const std::string& line) {
    const auto at = text.find(line);
    return at == std::string::npos ? 0 : std::strtoll(text.c_str() + at + line.size(), nullptr, 10);
  }

  Connection owner_, messages_, requests_;
  std::string call_, clear_;
};

}  // namespace

std::unique_ptr<Floor> redis_floor(const StoreUrl& url) { return std::make_unique<RedisFloor>(url); }

}  // namespace leasescope::bench
