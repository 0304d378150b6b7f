#include "core/store/redis/redis_store.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/redis/cell_call.h"
#include "core/store/redis/keys.h"
#include "core/store/redis/lease_call.h"
#include "core/store/redis/quorum_call.h"
#include "core/store/redis/redis_line.h"
#include "core/store/redis/scripts.h"
#include "core/store/redis/shared_lines.h"
#include "core/store/redis/tokenless_call.h"
#include "core/store/redis/url.h"

namespace leasescope::redis {
namespace {

using std::chrono::milliseconds;
using Kind = RespValue::Kind;

constexpr const char* kUnasked = "the server said what nobody had asked for: is it a Redis?";

// A stopping contender leaves the channel before it frees the lease, as Simba does; but not at any price.
constexpr Duration kLongestHold = milliseconds(100);

// Answers with a text: a number that comes late would be taken for a release's.
constexpr const char* kLeave = "redis.call('zrem', KEYS[1], ARGV[1]) return 'left'";

// In a cluster a call may be sent elsewhere so often, or be asked to come later: each time by so much more, 1.8 s in
// all.
constexpr int kMostRedirects = 16;
constexpr Duration kPause = milliseconds(15);

bool is_of_register(RequestKind kind) { return kind == RequestKind::kRead || kind == RequestKind::kCompareAndSet; }

bool grants(const Request& request) {
  return request.kind == RequestKind::kRelease && request.lease.wake_up == WakeUp::kHandOver;
}

// Of a lease alone: who asks has looked at its family.
bool is_tokenless(const Request& request) { return request.lease.wire == Wire::kTokenless; }

bool is_error(const RespValue& value, std::string_view code) {
  return value.kind == Kind::kError && value.text.compare(0, code.size(), code) == 0;
}

}  // namespace

RedisStore::RedisStore(Loop& loop, const StoreUrl& url, Family family, const StoreRoute& route, Duration timeout,
                       WireNames& names, StoreListener& listener)
    : LeaseStore(loop, names, listener),
      loop_(&loop),
      listener_of_messages_(&listener),
      family_(family),
      legacy_(is_legacy(url)),
      soon_(loop),
      hold_(loop) {
  TalkEnds requests{events_of_requests(), [this](const RespValue& answer) { on_script_answer(answer); }};
  TalkEnds messages{events_of_messages(), [this](const RespValue& value) { on_message(value); }};
  if (shares_lines(url)) {
    const auto lines = SharedLines::of(loop, url, route);
    requests_ = lines->share(false, timeout, std::move(requests));
    messages_ = lines->share(true, timeout, std::move(messages));
  } else {
    const Login login(url);
    requests_ = std::make_unique<RedisLine>(loop, url, login, way_of(url, route, false), std::move(requests));
    messages_ = std::make_unique<RedisLine>(loop, url, login, way_of(url, route, true), std::move(messages));
  }
  lead_over(*requests_, family == Family::kRegister ? nullptr : messages_.get());
}

bool RedisStore::Prepared::says(const Request& request) const {
  return request.kind == RequestKind::kRelease && request.lease.term == release.lease.term &&
         request.mutex == release.mutex && request.contender == release.contender &&
         request.lease.wire == release.lease.wire && request.lease.wake_up == release.lease.wake_up;
}

void RedisStore::line_stands() {
  if (requests_->up()) requests_->proven();
  if (requests_->up() && std::exchange(turning_, false)) call_again();
  if (messages_->up() && !channel_.empty() && asked_.empty()) ask(RequestKind::kSubscribe, 0);
}

void RedisStore::line_broke(bool messages) {
  if (!messages) {
    awaited_.clear();
    again_.clear();
    turns_to_.reset();
    turning_ = false;
    return;
  }
  asked_.clear();
  release_held_back();
}

void RedisStore::send_lease_call(const Request& request) {
  if (request.kind != RequestKind::kRelease || !holds_) return call(request);
  held_back_.push_back(request);
  hold_.arm(kLongestHold, [this] { release_held_back(); });
}

void RedisStore::subscribe(const Request& request) {
  const Keys& keys = keys_of(request.mutex);
  const bool of_quorum = family_ == Family::kQuorum;
  follow(request, of_quorum ? keys.quorum_channel_of(names_->text(request.contender)) : keys.lease);
  contender_ = request.contender;
  personal_ = of_quorum ? std::string()
              : legacy_ || is_tokenless(request) || request.lease.wake_up != WakeUp::kBroadcast
                  ? keys.channel_of(names_->text(request.contender))
                  : std::string();
  if (!ask(RequestKind::kSubscribe, request.id)) calls_.fail_soon(request.id, "not connected");
}

void RedisStore::unsubscribe(const Request& request) {
  const bool subscribed = !std::exchange(channel_, {}).empty();
  if (family_ == Family::kLease && queues(request, legacy_)) leave_queue(request);
  holds_ = subscribed && ask(RequestKind::kUnsubscribe, request.id);
  if (!holds_) calls_.fail_soon(request.id, "not connected");
}

// Whoever waits no more must not be the one who is told of the next release.
void RedisStore::leave_queue(const Request& request) {
  const std::string& queue = keys_of(request.mutex).queue;
  if (!turning_ && !turns_to_ && requests_->command({"EVAL", kLeave, "1", queue, names_->text(request.contender)}))
    awaited_.push_back({});
}

bool RedisStore::ask(RequestKind kind, std::uint64_t id) {
  std::vector<std::string> words{kind == RequestKind::kSubscribe ? "SUBSCRIBE" : "UNSUBSCRIBE"};
  if (kind == RequestKind::kSubscribe) words.push_back(channel_);
  if (kind == RequestKind::kSubscribe && !personal_.empty()) words.push_back(personal_);
  if (!messages_->command(words)) return false;
  asked_.push_back({kind, id, personal_.empty() ? std::size_t{1} : 2});
  calls_.sent(id);
  return true;
}

void RedisStore::release_held_back() {
  hold_.cancel();
  holds_ = false;
  for (const Request& request : std::exchange(held_back_, {}))
    if (calls_.open_call(request.id)) call(request);
}

void RedisStore::call(const Request& request) {
  if (turning_ || turns_to_) return again_.push_back({request.id, true});
  calls_.sent(request.id);  // before the write: the store cannot have acted earlier
  if (!call_script(request, {request.id, true})) {
    calls_.unsent(request.id);
    calls_.fail_soon(request.id, "not connected");
  }
}

// Put together once: an adapter is of one mutex, as a rule.
const Keys& RedisStore::keys_of(Name mutex) {
  if (!keys_ || keyed_ != mutex) keys_.emplace(names_->text(mutex));
  keyed_ = mutex;
  return *keys_;
}

Command RedisStore::command_for(const Request& request, const Called& how) {
  if (is_of_register(request.kind)) return spoken(cell_script(), how.by_name, cell_words(request, *names_, *loop_));
  if (is_told(request.kind)) return command_of(told_words(request, *names_, *loop_));
  if (is_of_quorum(request.kind)) return spoken(quorum_script(), how.by_name, quorum_words(request, *names_));
  if (is_tokenless(request))
    return spoken(tokenless_script(request.kind), how.by_name,
                  tokenless_words(request, keys_of(request.mutex), names_->text(request.contender)));
  Command out = lease_command(request, keys_of(request.mutex), names_->text(request.contender), legacy_, how.by_name);
  // The server writes last to whom it had something to say first: with an answer due to us before the script has run,
  // who is granted the mutex is written to before we are. (ASKING is for the next command alone.)
  return grants(request) && !how.asks ? command_of({"PING"}).followed_by(out) : out;
}

// What is between the stop and the wire is missing from a hand-off: this is put into words while nobody waits for it.
void RedisStore::prepare_release(const Request& request, const Reply& answer) {
  if (answer.owner != request.contender) return;
  Request release = request;
  release.kind = RequestKind::kRelease;
  release.lease.term = answer.token;
  if (!prepared_ || !prepared_->says(release)) prepared_ = {release, command_for(release, {0, true})};
}

bool RedisStore::call_script(const Request& request, const Called& how) {
  if (how.asks && requests_->command({"ASKING"})) awaited_.push_back({});
  const bool is_prepared = how.by_name && !how.asks && prepared_ && prepared_->says(request);
  const std::optional<Command> made = is_prepared ? std::nullopt : std::optional(command_for(request, how));
  const Command& command = made ? *made : prepared_->command;
  if (!requests_->command(command)) return false;
  for (std::size_t before = command.count(); before > 1; --before) awaited_.push_back({});
  awaited_.push_back(how);
  return true;
}

void RedisStore::redirected(const Request& request, const Called& called, const Redirect& where,
                            const std::string& words) {
  if (!requests_->turns()) return calls_.fail(request.id, fmt::format("{}: {}", kNoCluster, words));
  const bool waits = where.kind == Redirect::Kind::kWait;
  // What has been waited in all, with the pause that would come now; the server's words are to be told in time.
  const Duration waited = kPause * (called.times + 1) * (called.times + 2) / 2;
  if (called.times >= kMostRedirects || (waits && waited > request.timeout * 3 / 4))
    return calls_.fail(request.id, words);
  calls_.unsent(request.id);
  again_.push_back({request.id, true, waits ? called.asks : where.kind == Redirect::Kind::kAsk, called.times + 1});
  if (waits) return soon_.arm(kPause * (called.times + 1), [this] { call_again(); });
  turns_to_ = where.server;
}

// Every answer that is still to come on this line has come.
void RedisStore::turn() {
  turning_ = true;
  soon_.cancel();
  messages_->know(*turns_to_);
  requests_->turn_to(*std::exchange(turns_to_, {}));
}

void RedisStore::call_again() {
  if (turning_ || turns_to_) return;  // then, when it stands
  for (const Called& each : std::exchange(again_, {})) {
    const Request* const request = calls_.find(each.id);
    if (request == nullptr) continue;
    calls_.sent(each.id);
    if (call_script(*request, each)) continue;
    calls_.unsent(each.id);
    calls_.fail_soon(each.id, "not connected");
  }
}

void RedisStore::on_script_answer(const RespValue& value) {
  if (awaited_.empty()) return requests_->abandon(kUnasked);
  const Called called = awaited_.front();  // answers come in the order of the calls
  awaited_.pop_front();
  if (const Request* request = calls_.find(called.id)) take_answer(*request, called, value);
  if (turns_to_ && awaited_.empty()) turn();
}

void RedisStore::take_answer(const Request& request, const Called& called, const RespValue& value) {
  const std::uint64_t id = request.id;
  if (called.by_name && is_error(value, "NOSCRIPT")) {
    if (!call_script(request, {id, false, called.asks, called.times})) calls_.fail(id, "not connected");
    return;
  }
  if (value.kind == Kind::kError) return refused(request, called, value);
  Reply answer = answer_to(request);
  if (request.kind == RequestKind::kRelease) {
    if (value.kind != Kind::kInteger) return calls_.fail(id, "the server's answer to a release is not a number");
    answer.done = value.integer == 1;
    return calls_.finish(answer);
  }
  if (is_of_register(request.kind)) {
    const auto read = read_cell(value, request, *names_, *loop_, answer);
    return read ? calls_.finish(answer) : calls_.fail(id, read.error());
  }
  if (is_of_quorum(request.kind)) {
    const auto read = read_quorum(value, request, *names_, answer);
    return read ? calls_.finish(answer) : calls_.fail(id, read.error());
  }
  if (is_tokenless(request)) {
    const auto read = read_tokenless(value, *names_, answer);
    return read ? calls_.finish(answer) : calls_.fail(id, read.error());
  }
  if (const auto read = read_lease(value, request, *names_, answer); !read) return calls_.fail(id, read.error());
  const Request asked = request;  // its call ends
  calls_.finish(answer);
  prepare_release(asked, answer);
}

// A server that has become a replica, or one without its master, does not serve us, and another may.
void RedisStore::refused(const Request& request, const Called& called, const RespValue& error) {
  const std::string words = escaped(error.text, kLongestError);
  if (const auto where = read_redirect(error.text, requests_->server()))
    return redirected(request, called, *where, words);
  calls_.fail(request.id, words);
  if (!is_error(error, "READONLY") && !is_error(error, "MASTERDOWN")) return;
  requests_->look_elsewhere(words);
  messages_->look_elsewhere(words);
}

void RedisStore::on_message(const RespValue& value) {
  const bool event = value.kind == Kind::kList && value.items.size() == 3 && value.items[0].text == "message";
  if (!event) return on_channel_answer(value);
  const std::string& channel = value.items[1].text;
  if (family_ == Family::kQuorum) {
    auto told = channel == channel_ ? read_told(value.items[2].text, *names_, *loop_) : std::nullopt;
    if (!told) return;
    told->mutex = mutex_followed();
    return listener_of_messages_->on_store_event(*told, loop_->now());
  }
  channel == personal_ ? hear_alone(contender_, value.items[2].text) : hear(channel, value.items[2].text);
}

void RedisStore::on_channel_answer(const RespValue& answer) {
  if (asked_.empty()) return messages_->abandon(kUnasked);
  const Asked asked = asked_.front();
  const bool subscribes = asked.kind == RequestKind::kSubscribe;
  const bool fits = answer.kind == Kind::kList && answer.items.size() == 3 &&
                    answer.items[0].text == (subscribes ? "subscribe" : "unsubscribe");
  if (fits && --asked_.front().answers > 0) return;
  asked_.pop_front();
  if (fits && subscribes) messages_->proven();
  if (!subscribes) release_held_back();
  const std::string error = answer.kind == Kind::kError ? escaped(answer.text, kLongestError) : kUnasked;
  // Without the subscription the line serves nothing: it is tried again, ever more rarely.
  if (!fits) messages_->abandon(error);
  if (const Request* request = calls_.find(asked.id))
    fits ? calls_.finish(answer_to(*request)) : calls_.fail(asked.id, error);
}

}  // namespace leasescope::redis
