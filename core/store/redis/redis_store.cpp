#include "core/store/redis/redis_store.h"

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <utility>

#include <fmt/format.h>

#include "core/store/owner_event.h"
#include "core/store/redis/keys.h"
#include "core/store/redis/reply.h"
#include "core/store/redis/scripts.h"

namespace leasescope::redis {
namespace {

using std::chrono::milliseconds;

// A stopping contender leaves the channel before it frees the lease, as Simba does; but not at any price.
constexpr Duration kLongestHold = milliseconds(100);

std::string text_of(Duration d) { return fmt::format("{}", d / milliseconds(1)); }

std::string_view text_of(const redisReply& reply) { return {reply.str, reply.len}; }

Element element(const redisReply& reply) {
  switch (reply.type) {
    case REDIS_REPLY_INTEGER:
      return std::int64_t{reply.integer};
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
      return std::string(text_of(reply));
    default:
      return Nil{};
  }
}

bool is_error(const redisReply& reply, std::string_view code) {
  return reply.type == REDIS_REPLY_ERROR && text_of(reply).substr(0, code.size()) == code;
}

Reply answer_to(const Request& request) {
  Reply reply;
  reply.request = request.id;
  reply.kind = request.kind;
  reply.mutex = request.mutex;
  return reply;
}

}  // namespace

struct RedisStore::Answers {
  static RedisStore* store(const redisAsyncContext* context) {
    const auto* line = static_cast<const RedisLine*>(context->data);
    return line == nullptr ? nullptr : static_cast<RedisStore*>(line->user);
  }
  static void script(redisAsyncContext* context, void* reply, void*) {
    if (RedisStore* self = store(context); self != nullptr && reply != nullptr)
      self->on_script_answer(static_cast<const redisReply*>(reply));
  }
  static void message(redisAsyncContext* context, void* reply, void*) {
    if (RedisStore* self = store(context); self != nullptr && reply != nullptr)
      self->on_message(static_cast<const redisReply*>(reply));
  }
};

RedisStore::RedisStore(Loop& loop, const StoreRoute& route, const Login& login, WireNames& names,
                       StoreListener& listener)
    : loop_(&loop),
      names_(&names),
      listener_(&listener),
      calls_(loop, listener,
             [this](const Request& request) {
               // Whatever comes on this line now would be an answer to a call nobody waits for.
               (is_of_messages(request.kind) ? messages_ : requests_).abandon("a request timed out");
             }),
      requests_(loop, route.requests, login,
                {[this] { line_up(); }, [this](const std::string& why) { line_down(false, why); }}),
      messages_(loop, route.messages, login,
                {[this] { line_up(); }, [this](const std::string& why) { line_down(true, why); }}),
      hold_(loop) {
  requests_.user = messages_.user = this;
}

void RedisStore::connect() {
  requests_.connect();
  messages_.connect();
}

void RedisStore::line_up() {
  if (messages_.up() && !channel_.empty() && subscribing_ == 0)
    messages_.command(Answers::message, {"SUBSCRIBE", channel_});
  if (!connected() || told_connected_) return;
  told_connected_ = true;
  listener_->on_connected();
}

void RedisStore::line_down(bool messages, const std::string& reason) {
  told_connected_ = false;
  listener_->on_disconnected(reason);
  if (messages) {
    subscribing_ = unsubscribing_ = 0;
    release_held_back();
  } else {
    awaited_.clear();
  }
  calls_.break_line(messages, reason);
}

void RedisStore::send(const Request& request) {
  calls_.open(request);
  if (request.wire == Wire::kTokenless) return calls_.fail_soon(request.id, "the wire form up to 3.1 is not spoken live");
  switch (request.kind) {
    case RequestKind::kSubscribe:
      return subscribe(request);
    case RequestKind::kUnsubscribe:
      return unsubscribe(request);
    case RequestKind::kRelease:
      if (unsubscribing_ != 0) {
        held_back_.push_back(request);
        hold_.arm(kLongestHold, [this] { release_held_back(); });
        return;
      }
      [[fallthrough]];
    case RequestKind::kAcquire:
    case RequestKind::kGuard:
      return send_lease_call(request);
  }
}

void RedisStore::subscribe(const Request& request) {
  mutex_ = request.mutex;
  channel_ = Keys(names_->text(request.mutex)).lease;
  if (!messages_.command(Answers::message, {"SUBSCRIBE", channel_}))
    return calls_.fail_soon(request.id, "not connected");
  subscribing_ = request.id;
  calls_.sent(request.id);
}

void RedisStore::unsubscribe(const Request& request) {
  const bool subscribed = !std::exchange(channel_, {}).empty();
  if (!subscribed || !messages_.command(nullptr, {"UNSUBSCRIBE"})) return calls_.fail_soon(request.id, "not connected");
  unsubscribing_ = request.id;
  calls_.sent(request.id);
}

void RedisStore::release_held_back() {
  hold_.cancel();
  unsubscribing_ = 0;
  for (const Request& request : std::exchange(held_back_, {}))
    if (calls_.open_call(request.id)) send_lease_call(request);
}

void RedisStore::send_lease_call(const Request& request) {
  calls_.sent(request.id);  // before the write: the store cannot have acted earlier
  if (!call_script(request, true)) {
    calls_.unsent(request.id);
    calls_.fail_soon(request.id, "not connected");
  }
}

bool RedisStore::call_script(const Request& request, bool by_name) {
  const Keys keys(names_->text(request.mutex));
  const std::string id = names_->text(request.contender);
  const auto words = [by_name](const Script& script, std::initializer_list<std::string> behind) {
    std::vector<std::string> out{by_name ? "EVALSHA" : "EVAL", by_name ? script.sha1 : script.text};
    out.insert(out.end(), behind);
    return out;
  };
  std::vector<std::string> command;
  switch (request.kind) {
    case RequestKind::kAcquire:
      command = words(scripts().acquire, {"3", keys.lease, keys.fence, keys.token, id, text_of(request.lease)});
      break;
    case RequestKind::kGuard:
      command = words(scripts().guard, {"2", keys.lease, keys.token, id, text_of(request.lease)});
      break;
    default:
      command = words(scripts().release, {"2", keys.lease, keys.token, id});
  }
  if (!requests_.command(Answers::script, command)) return false;
  awaited_.push_back(request.id);
  return true;
}

void RedisStore::on_script_answer(const redisReply* reply) {
  if (awaited_.empty()) return;
  const std::uint64_t id = awaited_.front();  // answers come in the order of the calls
  awaited_.pop_front();
  const Request* const request = calls_.find(id);
  if (request == nullptr) return;
  if (is_error(*reply, "NOSCRIPT")) {
    if (!call_script(*request, false)) calls_.fail(id, "not connected");
    return;
  }
  if (reply->type == REDIS_REPLY_ERROR) return calls_.fail(id, std::string(text_of(*reply)));
  Reply answer = answer_to(*request);
  if (request->kind == RequestKind::kRelease) {
    answer.done = reply->type == REDIS_REPLY_INTEGER && reply->integer == 1;
    return calls_.finish(answer);
  }
  std::vector<Element> elements;
  for (std::size_t i = 0; reply->type == REDIS_REPLY_ARRAY && i < reply->elements; ++i)
    elements.push_back(element(*reply->element[i]));
  const auto parsed = parse_lease_reply(elements);
  if (!parsed) return calls_.fail(id, parsed.error());
  answer.owner = parsed->owner.empty() ? Name{} : names_->intern(parsed->owner);
  answer.remaining = remaining_from(parsed->remaining_ms);
  answer.token = parsed->token;
  calls_.finish(answer);
}

void RedisStore::on_message(const redisReply* reply) {
  if (reply->type == REDIS_REPLY_ERROR) {
    if (subscribing_ != 0) calls_.fail(std::exchange(subscribing_, 0), std::string(text_of(*reply)));
    return;
  }
  if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 3) return;
  const std::string_view what = text_of(*reply->element[0]);
  if (what == "message") {
    const auto event = parse_owner_event(text_of(*reply->element[2]));
    if (!event || !event->kind()) return;  // not of Simba's making: it says nothing to us
    listener_->on_store_event({*event->kind(), mutex_, names_->intern(event->owner)}, loop_->now());
  } else if (what == "subscribe" && subscribing_ != 0) {
    if (const Request* request = calls_.find(std::exchange(subscribing_, 0))) calls_.finish(answer_to(*request));
  } else if (what == "unsubscribe" && unsubscribing_ != 0) {
    const Request* request = calls_.find(unsubscribing_);
    release_held_back();
    if (request != nullptr) calls_.finish(answer_to(*request));
  }
}

}  // namespace leasescope::redis
