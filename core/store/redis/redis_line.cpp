#include "core/store/redis/redis_line.h"

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <utility>

namespace leasescope::redis {

struct RedisLine::Hooks {
  static RedisLine* line(const redisAsyncContext* context) { return static_cast<RedisLine*>(context->data); }

  static void add_read(void* line) { static_cast<RedisLine*>(line)->watch(true, true); }
  static void del_read(void* line) { static_cast<RedisLine*>(line)->watch(true, false); }
  static void add_write(void* line) { static_cast<RedisLine*>(line)->watch(false, true); }
  static void del_write(void* line) { static_cast<RedisLine*>(line)->watch(false, false); }
  static void clean_up(void* line) {
    del_read(line);
    del_write(line);
  }
  static void connected(const redisAsyncContext* context, int status) {
    if (RedisLine* self = line(context)) {
      if (status == REDIS_OK) return;
      self->context_ = nullptr;  // hiredis frees it
      self->on_broken(context->errstr);
    }
  }
  static void disconnected(const redisAsyncContext* context, int) {
    if (RedisLine* self = line(context)) {
      self->context_ = nullptr;
      self->on_broken(context->err != 0 ? context->errstr : "the server closed the connection");
    }
  }
  static void greeted(redisAsyncContext* context, void* reply, void*) {
    if (RedisLine* self = line(context); self != nullptr && reply != nullptr)
      self->on_greeting(static_cast<const redisReply*>(reply));
  }
};

RedisLine::RedisLine(Loop& loop, const Endpoint& endpoint, const Login& login, Events events)
    : loop_(&loop), endpoint_(endpoint), login_(login), events_(std::move(events)), timer_(loop), broken_(loop) {}

RedisLine::~RedisLine() { drop(); }

void RedisLine::connect() {
  if (context_ == nullptr && !timer_.armed()) open();
}

void RedisLine::abandon(const std::string& reason) {
  if (context_ == nullptr) return;
  drop();
  on_broken(reason);
}

void RedisLine::open() {
  const bool local = !endpoint_.unix_path.empty();
  context_ = local ? redisAsyncConnectUnix(endpoint_.unix_path.c_str())
                   : redisAsyncConnect(endpoint_.host.c_str(), endpoint_.port);
  if (context_ == nullptr) return on_broken("out of memory");
  if (context_->err != 0) {
    const std::string reason = context_->errstr;
    redisAsyncFree(std::exchange(context_, nullptr));
    return on_broken(reason);
  }
  context_->data = this;
  context_->ev.data = this;
  context_->ev.addRead = Hooks::add_read;
  context_->ev.delRead = Hooks::del_read;
  context_->ev.addWrite = Hooks::add_write;
  context_->ev.delWrite = Hooks::del_write;
  context_->ev.cleanup = Hooks::clean_up;
  redisAsyncSetConnectCallback(context_, Hooks::connected);
  redisAsyncSetDisconnectCallback(context_, Hooks::disconnected);
  timer_.arm(kConnectTimeout, [this] { abandon("no connection within 2s"); });
  greet();
}

// The greeting's answers, not the connection, say that the server is there: a proxy or a backlog connects anybody.
void RedisLine::greet() {
  std::vector<std::vector<std::string>> words;
  if (!login_.password.empty())
    words.push_back(login_.user.empty() ? std::vector<std::string>{"AUTH", login_.password}
                                        : std::vector<std::string>{"AUTH", login_.user, login_.password});
  if (!login_.database.empty() && login_.database != "0") words.push_back({"SELECT", login_.database});
  words.push_back({"PING"});
  greetings_ = static_cast<int>(words.size());
  refusal_.clear();
  for (const auto& each : words) queue(Hooks::greeted, each);
}

void RedisLine::on_greeting(const redisReply* reply) {
  if (reply->type == REDIS_REPLY_ERROR && refusal_.empty()) refusal_ = reply->str;
  if (--greetings_ > 0) return;
  if (!refusal_.empty()) return abandon(refusal_);
  timer_.cancel();
  back_off_.reset();
  up_ = true;
  events_.up();
}

void RedisLine::on_broken(const std::string& reason) {
  up_ = false;
  // hiredis frees its context after its callbacks: the owner hears of it when that is over.
  broken_.arm(Duration::zero(), [this, reason] { events_.down(reason); });
  timer_.arm(back_off_.next(), [this] { open(); });
}

void RedisLine::drop() {
  if (context_ == nullptr) return;
  redisAsyncContext* const context = std::exchange(context_, nullptr);
  context->data = nullptr;  // the answers it still owes are nobody's
  context->ev = {};         // freed from within an answer it lives on a while, perhaps longer than this line
  watch(true, false);
  watch(false, false);
  redisAsyncFree(context);
}

void RedisLine::watch(bool read, bool on) {
  Loop::WatchId& id = read ? reads_ : writes_;
  if (!on) {
    loop_->unwatch(std::exchange(id, 0));
    return;
  }
  if (id != 0 || context_ == nullptr) return;
  id = loop_->watch(context_->c.fd, read ? Readiness::kRead : Readiness::kWrite, [this, read] {
    if (context_ == nullptr) return;
    read ? redisAsyncHandleRead(context_) : redisAsyncHandleWrite(context_);
  });
}

void RedisLine::queue(Answer answer, const std::vector<std::string>& words) {
  std::vector<const char*> texts;
  std::vector<std::size_t> lengths;
  for (const std::string& word : words) {
    texts.push_back(word.data());
    lengths.push_back(word.size());
  }
  redisAsyncCommandArgv(context_, answer, nullptr, static_cast<int>(words.size()), texts.data(), lengths.data());
}

bool RedisLine::command(Answer answer, const std::vector<std::string>& words) {
  if (!up_ || context_ == nullptr) return false;
  queue(answer, words);
  flush();
  return true;
}

// Not at the next turn: what is between the decision and the wire is missing from the lease.
void RedisLine::flush() {
#if HIREDIS_MAJOR >= 1
  // From 1.0 on hiredis forbids it inside a callback; the watch for writing is armed and fires at the next turn.
  if ((context_->c.flags & REDIS_IN_CALLBACK) != 0) return;
#endif
  redisAsyncHandleWrite(context_);
}

}  // namespace leasescope::redis
