#include "core/store/redis/probe.h"

#include <hiredis/hiredis.h>
#include <sys/time.h>

#include <memory>

#include <fmt/format.h>

#include "core/store/redis/keys.h"

namespace leasescope::redis {
namespace {

constexpr timeval kPatience{3, 0};

struct Free {
  void operator()(redisContext* context) const { redisFree(context); }
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Connection = std::unique_ptr<redisContext, Free>;

struct Said {
  std::string text;
  std::string error;
};

Said ask(redisContext* context, const std::vector<std::string>& words) {
  std::vector<const char*> texts;
  std::vector<std::size_t> lengths;
  for (const std::string& word : words) {
    texts.push_back(word.data());
    lengths.push_back(word.size());
  }
  const std::unique_ptr<redisReply, Free> reply(static_cast<redisReply*>(
      redisCommandArgv(context, static_cast<int>(words.size()), texts.data(), lengths.data())));
  if (reply == nullptr) return {"", context->errstr};
  const std::string said = reply->str == nullptr ? "" : std::string(reply->str, reply->len);
  return reply->type == REDIS_REPLY_ERROR ? Said{"", said} : Said{said, ""};
}

std::string advice(const std::string& error) {
  if (error.rfind("NOAUTH", 0) == 0) return "it wants a password: redis://[user]:password@host:port";
  if (error.rfind("WRONGPASS", 0) == 0 || error.find("invalid password") != std::string::npos)
    return "the user or the password is wrong";
  if (error.rfind("ERR AUTH", 0) == 0 || error.rfind("ERR Client sent AUTH", 0) == 0)
    return "it has no password set: leave it out of the URL";
  if (error.rfind("NOPERM", 0) == 0)
    return "the user must be allowed EVAL, EVALSHA, SUBSCRIBE, GET and the keys simba:*";
  return "is it running, and is this its address?";
}

}  // namespace

tl::expected<std::vector<std::string>, std::string> probe(const StoreUrl& url,
                                                          const std::vector<std::string>& mutexes) {
  const Endpoint& at = url.endpoint;
  const Connection connection(at.unix_path.empty() ? redisConnectWithTimeout(at.host.c_str(), at.port, kPatience)
                                                   : redisConnectUnixWithTimeout(at.unix_path.c_str(), kPatience));
  const auto failed = [&](const std::string& error) {
    return tl::unexpected(fmt::format("cannot use {}: {}: {}", printable(url), error, advice(error)));
  };
  if (connection == nullptr) return failed("out of memory");
  if (connection->err != 0) return failed(connection->errstr);
  redisSetTimeout(connection.get(), kPatience);
  std::vector<std::vector<std::string>> greeting;
  if (!url.password.empty())
    greeting.push_back(url.user.empty() ? std::vector<std::string>{"AUTH", url.password}
                                        : std::vector<std::string>{"AUTH", url.user, url.password});
  if (!url.database.empty()) greeting.push_back({"SELECT", url.database});
  greeting.push_back({"PING"});
  for (const auto& words : greeting)
    if (const Said said = ask(connection.get(), words); !said.error.empty()) return failed(said.error);
  std::vector<std::string> owners;
  for (const std::string& mutex : mutexes) {
    const Said said = ask(connection.get(), {"GET", Keys(mutex).lease});
    if (!said.error.empty()) return failed(said.error);
    owners.push_back(said.text);
  }
  return owners;
}

}  // namespace leasescope::redis
