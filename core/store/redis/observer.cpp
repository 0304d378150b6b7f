#include "core/store/redis/observer.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/observe/belief.h"
#include "core/store/number_text.h"
#include "core/store/owner_event.h"
#include "core/store/redis/advice.h"
#include "core/store/redis/redirect.h"
#include "core/store/redis/sentinel.h"

namespace leasescope::redis {
namespace {

using namespace std::chrono_literals;
using Kind = RespValue::Kind;

constexpr std::string_view kBegin = "simba:{";
constexpr const char* kPattern = "simba:{*";
// To the letter as rights give it: an ACL does not see that another one is narrower.
constexpr const char* kChannels = "simba:*";
constexpr const char* kBeliefs = "leasescope:belief:*";
// What is behind the mutex in a key of ours; whose rest is free ends with a colon.
constexpr std::array<std::string_view, 5> kEnds{":fence", ":token", ":contender", ":line", ":place:"};

constexpr int kLeastBatch = 10;                       // keys of one SCAN, about
constexpr std::size_t kMostUnwritten = 1024 * 1024;   // a batch of questions, each with a key
constexpr std::size_t kMostAnswer = 4 * 1024 * 1024;  // of them, with what else they are called
constexpr const char* kMostWaiters = "99";            // of a queue, from 0
constexpr int kMostLooks = 256;                       // under way
constexpr int kMostInVain = 3;
constexpr Duration kPatience = 2s;  // for an answer
constexpr Duration kBetweenPings = 250ms;
constexpr Duration kLeast = 5ms;  // between two looks at one mutex
// Going through all keys keeps a server busy for a hundredth of the time at most, where a sweep is not to wait longer.
constexpr int kShare = 100;
constexpr Duration kLongestRest = 10min;
constexpr Duration kCountedAgain = 1s;  // who waits, where nobody had
constexpr Duration kAfterEnd = 1ms;     // a lease is over when the server's clock says so

Token token_of(const RespValue& value) {
  Token out = kNoToken;
  return read_number(text_of(value), out) ? out : kNoToken;
}

bool is_led_on(const RespValue& answer) {
  const auto where = read_redirect(answer.text, Endpoint{});
  return where && where->kind != Redirect::Kind::kWait;
}

}  // namespace

std::string mutex_of(std::string_view key) {
  if (key.substr(0, kBegin.size()) != kBegin) return {};
  const std::string_view rest = key.substr(kBegin.size());
  if (rest.empty()) return {};
  if (rest.size() > 1 && rest.back() == '}') return std::string(rest.substr(0, rest.size() - 1));
  const std::size_t closed = rest.rfind("}:");
  if (closed == std::string_view::npos || closed == 0) return {};
  const std::string_view end = rest.substr(closed + 1);
  const auto is_ours = [&](std::string_view ours) {
    return ours.back() == ':' ? end.substr(0, ours.size()) == ours : end == ours;
  };
  return std::any_of(kEnds.begin(), kEnds.end(), is_ours) ? std::string(rest.substr(0, closed)) : std::string();
}

RedisObserver::RedisObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms, ObserverListener& listener,
                             ClusterListener* cluster)
    : loop_(&loop),
      url_(url),
      terms_(terms),
      listener_(&listener),
      cluster_(cluster),
      foreign_(loop, terms,
               {[this](const Words& words, ForeignLocks::Answer then) { ask_of_foreign(words, std::move(then)); },
                [this](const Sighting& seen) { listener_->on_seen(seen); },
                [this](const std::string& mutex, std::string_view maker, TrueTime since) {
                  listener_->on_hidden(mutex, maker, since);
                },
                [this] { tell_if_all(); },
                [this](const std::string& remark) { listener_->on_remark(remark + ": " + advice_on_other_keys(url_)); },
                [this](const KeyForm& form) { follow(form); }}),
      may_hear_beliefs_(terms.beliefs),
      next_(loop),
      scan_next_(loop),
      silence_(loop),
      ping_(loop) {
  Login login(url);
  login.to_master = false;  // a replica tells as much
  requests_ = std::make_unique<RedisLine>(
      loop, url, login, nullptr,
      TalkEnds{{[this] { on_requests_up(); }, [this](const std::string& why) { on_requests_down(why); }},
               [this](const RespValue& answer) { on_answer(answer); }});
  messages_ = std::make_unique<RedisLine>(
      loop, url, login, nullptr,
      TalkEnds{{[this] { on_messages_up(); }, [this](const std::string&) { on_messages_down(); }},
               [this](const RespValue& value) { on_message(value); }});
  requests_->keep_at_most(kMostUnwritten);
  requests_->take_at_most(kMostAnswer);
}

void RedisObserver::begin() {
  last_answer_ = budgeted_ = blind_since_ = loop_->now();
  for (const std::string& mutex : terms_.mutexes)
    if (keeps(Keys(mutex).lease)) watched(mutex);
  requests_->connect();
  messages_->connect();
  check_silence();
}

// ---- the line of questions

void RedisObserver::on_requests_up() {
  requests_->proven();
  may_ask_time_ = may_ask_for_cluster_ = true;
  rescans_ = false;
  awaits_cluster_ = cluster_ != nullptr && !slots_;  // until its role is known, and of a cluster its nodes
  scan();
  pump();
}

void RedisObserver::on_requests_down(const std::string& why) {
  // A batch whose names are too long to be taken is asked for in smaller ones.
  const bool foreign = !questions_.empty() && questions_.front().what == Asked::kForeign;
  if (!questions_.empty() && questions_.front().what == Asked::kScan) batch_ = std::max(kLeastBatch, batch_ / 5);
  const TrueTime since = questions_.empty() ? last_answer_ : std::max(last_answer_, questions_.front().asked);
  // Of what was heard since then no look has told.
  if (!questions_.empty()) nothing_until_ = std::min(nothing_until_, questions_.front().asked);
  questions_.clear();
  looks_open_ = 0;
  next_.cancel();
  scan_next_.cancel();
  foreign_.lose_line(foreign);
  cursor_ = kStart;
  for (const auto& [name, of] : watched_) {
    of->open = 0;
    if (!of->waits) look_at(*of, loop_->now());
  }
  if (!std::exchange(blind_, true)) blind_since_ = since;
  listener_->on_blind(blind_since_, advised_to_watcher(why, url_));  // again, when the reason may be another
}

// A change is published; what was before a PING has come by its answer, and is told when its look is answered. What
// came before its messages did is known by a look after that.
TrueTime RedisObserver::quiet_until(const std::string& mutex) const {
  const auto found = watched_.find(mutex);
  if (found == watched_.end() || found->second->seen.asked < followed_) return TrueTime::min();
  return questions_.empty() ? nothing_until_ : std::min(nothing_until_, questions_.front().asked);
}

void RedisObserver::ask(Asked what, Watched* of, const std::vector<std::string>& words) {
  if (!requests_->command(words)) return;
  questions_.push_back({what, of, loop_->now(), {}});
  ++figures_.commands;
  if (of != nullptr && of->open++ == 0) ++looks_open_;
}

void RedisObserver::ask_of_foreign(const Words& words, ForeignLocks::Answer then) {
  if (!requests_->command(words)) return;
  questions_.push_back({Asked::kForeign, nullptr, loop_->now(), std::move(then)});
  ++figures_.commands;
}

void RedisObserver::on_answer(const RespValue& answer) {
  if (questions_.empty()) return requests_->abandon("the server said what nobody had asked for: is it a Redis?");
  const Question question = std::move(questions_.front());
  questions_.pop_front();
  last_answer_ = loop_->now();
  figures_.latency = last_answer_ - question.asked;
  ++figures_.answers;
  quickest_ = std::min(quickest_, figures_.latency);
  if (std::exchange(blind_, false)) listener_->on_sighted();
  if (question.what == Asked::kForeign) return question.then(answer);
  if (question.what == Asked::kRole || question.what == Asked::kOlderRole) return on_role(answer, question.what);
  if (question.what == Asked::kTime) return on_time(answer, question.asked);
  if (question.what == Asked::kCluster) return on_cluster(answer);
  if (answer.kind == Kind::kError) on_refused(answer, question);
  if (question.what == Asked::kScan) return on_scanned(answer, question.asked);
  on_looked(*question.of, question.what, answer);
}

// One who may read keys may not be let count subscribers; that is no reason to see nothing. A cluster's messages are of
// the mutexes of all its nodes: that those of others are not seen is said once (server_role.h), and of whichever is
// asked for by name the node's word tells where it is.
void RedisObserver::on_refused(const RespValue& answer, const Question& question) {
  if (question.what == Asked::kListeners && is_refusal(answer)) return;
  if (question.of != nullptr && is_led_on(answer)) {
    question.of->elsewhere = true;
    if (terms_.mutexes.empty() || awaits_cluster_ || slots_) return;
  }
  listener_->on_remark(advised(answer));
}

// Who may read keys may not be let ask for the time; nothing else rests on it.
void RedisObserver::on_time(const RespValue& answer, TrueTime asked) {
  may_ask_time_ = answer.kind == Kind::kList && answer.items.size() == 2;
  if (!may_ask_time_) return;
  const auto part = [&](std::size_t at) { return static_cast<std::int64_t>(token_of(answer.items[at])); };
  const std::int64_t seconds = part(0), rest = part(1);
  if (seconds <= 0 || seconds >= ClockOffset::kMostSeconds || rest < 0 || rest >= 1'000'000) return;
  clock_.take(asked, last_answer_, std::chrono::seconds(seconds) + std::chrono::microseconds(rest), 1us);
}

ObserverFigures RedisObserver::figures() const {
  ObserverFigures out = figures_;
  out.clock = clock_.best(loop_->now());
  return out;
}

std::string RedisObserver::advised(const RespValue& error) const {
  return advised_to_watcher(escaped(error.text, kLongestError), url_);
}

// Asked at each round: a failover makes a master of a replica under a line that stays.
void RedisObserver::on_role(const RespValue& answer, Asked what) {
  const auto role = read_role(answer);
  if (!role && what == Asked::kRole) return ask(Asked::kOlderRole, nullptr, older_question_for_role());
  if (!role) await_no_cluster();
  if (!role)
    return listener_->on_remark(fmt::format("whether it is a replica or a node of a cluster it does not say{}{}",
                                            answer.text.empty() ? "" : ": ", escaped(answer.text, kLongestError)));
  if (role_.is_replica && !role->is_replica)
    listener_->on_remark(text_of(requests_->server()) + " is a master: what is seen there lags no more");
  role_ = *role;
  if (role_.is_of_cluster && cluster_ != nullptr && may_ask_for_cluster_) return ask_for_cluster();
  say_role();
  await_no_cluster();
}

void RedisObserver::say_role() {
  std::string remark = remark_on(role_, requests_->server());
  if (role_.is_of_cluster && !may_ask_for_cluster_) remark += "; or " + advice_on_cluster(url_);
  if (!remark.empty()) listener_->on_remark(remark);
  if (role_.tells_of_no_key()) listener_->on_rest_refused(remark);
}

void RedisObserver::scan() {
  const bool foreign = terms_.foreign != Foreign::kNone;
  if (cursor_ == kStart) ask(Asked::kRole, nullptr, question_for_role());
  if (cursor_ == kStart && may_ask_time_) ask(Asked::kTime, nullptr, {"TIME"});
  if (foreign && cursor_ == kStart) foreign_.begin_round();
  if (!terms_.mutexes.empty()) {
    if (!foreign) return on_batch(kStart, loop_->now());
    return foreign_.consider(terms_.mutexes, [this, asked = loop_->now()] { on_batch(kStart, asked); });
  }
  ask(Asked::kScan, nullptr,
      foreign ? Words{"SCAN", cursor_, "COUNT", std::to_string(batch_)}
              : Words{"SCAN", cursor_, "MATCH", kPattern, "COUNT", std::to_string(batch_)});
}

void RedisObserver::on_scanned(const RespValue& answer, TrueTime asked) {
  scan_cost_ += std::max(Duration{}, last_answer_ - asked - quickest_);  // but for the way there and back
  const bool understood = answer.kind == Kind::kList && answer.items.size() == 2 &&
                          answer.items[1].kind == Kind::kList && answer.items[0].kind == Kind::kText;
  if (answer.kind == Kind::kError) listener_->on_rest_refused(advised(answer));
  if (!understood) return scan_next_.arm(terms_.sweep, [this] { scan(); });
  std::vector<std::string> others;
  for (const RespValue& each : answer.items[1].items) {
    const std::string key = text_of(each);
    if (!keeps(key)) continue;  // it is on its way, and not served here yet
    const std::string mutex = mutex_of(key);
    mutex.empty() ? others.push_back(key) : void(watched(mutex));
  }
  pump();
  const std::string next = answer.items[0].text;
  if (terms_.foreign == Foreign::kNone) return on_batch(next, asked);
  foreign_.consider(others, [this, next, asked] { on_batch(next, asked); });
}

// The next batch is asked for when the server has had as long for others as it had for this one, and more.
void RedisObserver::on_batch(const std::string& cursor, TrueTime asked) {
  if (rescans_) return rescan();
  cursor_ = cursor;
  if (cursor_ == kStart) {
    scanned_ = true;
    foreign_.end_round();
  }
  Duration rest = std::max<Duration>(1ms, 2 * (loop_->now() - asked));
  if (cursor_ == kStart)
    rest = std::clamp(kShare * std::exchange(scan_cost_, {}), terms_.sweep, std::max(terms_.sweep, kLongestRest));
  scan_next_.arm(rest, [this] { scan(); });
  tell_if_all();  // the last batch may bring nothing new
}

// What is left is asked twice: whoever was granted it, or renewed it, in between has more left than before.
void RedisObserver::look(Watched& of) {
  const TrueTime now = loop_->now();
  of.again = of.refused = of.elsewhere = false;
  of.seen = Sighting{};
  of.seen.mutex = of.mutex;
  of.seen.asked = now;
  ask(Asked::kBefore, &of, {"PTTL", of.keys.lease});
  ask(Asked::kState, &of, {"MGET", of.keys.lease, of.keys.token, of.keys.fence});
  ask(Asked::kLeft, &of, {"PTTL", of.keys.lease});
  of.counts = now >= of.count_due;
  if (!of.counts) return;
  of.count_due = now + terms_.sweep;
  ask(Asked::kListeners, &of, {"PUBSUB", "NUMSUB", of.keys.lease});
  ask(Asked::kQueue, &of, {"ZRANGE", of.keys.queue, "0", kMostWaiters});
  ask(Asked::kLine, &of, {"ZRANGE", of.keys.line, "0", kMostWaiters});
}

void RedisObserver::on_looked(Watched& of, Asked what, const RespValue& answer) {
  switch (what) {
    case Asked::kBefore:
      of.refused |= answer.kind != Kind::kInteger;
      of.before = answer.integer;
      break;
    case Asked::kLeft:
      of.refused |= answer.kind != Kind::kInteger;
      of.left = answer.integer;
      of.seen.answered = loop_->now();
      break;
    case Asked::kState:
      of.refused |= answer.kind != Kind::kList || answer.items.size() != 3;
      if (of.refused) break;
      of.seen.owner = text_of(answer.items[0]);
      of.seen.token = token_of(answer.items[1]);
      of.seen.changes = of.seen.token;  // it stays when nobody holds
      for (std::size_t i = 0; i < 3; ++i)
        if (const std::string text = text_of(answer.items[i]); !text.empty())
          of.seen.raw.emplace_back(i == 0 ? of.keys.lease : i == 1 ? of.keys.token : of.keys.fence, text);
      break;
    case Asked::kListeners:
      of.listeners.reset();
      if (answer.kind != Kind::kList || answer.items.size() != 2) break;
      of.listeners = static_cast<std::uint32_t>(std::max<std::int64_t>(0, answer.items[1].integer));
      of.counted_by = loop_->now();
      break;
    default:
      if (what == Asked::kQueue) of.queue.clear();
      if (answer.kind != Kind::kList) break;
      for (const RespValue& who : answer.items) of.queue.push_back(text_of(who));
      of.counted_by = loop_->now();
  }
  if (--of.open > 0) return;
  --looks_open_;
  if (!of.dropped) return over(of);
  drop(of);
  pump();
}

bool RedisObserver::is_between_changes(const Watched& of) const {
  const bool held = !of.seen.owner.empty();
  return of.left > of.before || held == (of.left == -2) || (of.before == -2) != (of.left == -2);
}

void RedisObserver::over(Watched& of) {
  if (of.refused) return hide(of);
  if (is_between_changes(of) && of.in_vain++ < kMostInVain) {
    if (of.counts) of.count_due = TrueTime::min();  // whoever is the owner by then is counted among them
    look_at(of, loop_->now());
    return pump();
  }
  of.in_vain = 0;
  if (of.left == -2) of.seen.owner.clear();
  if (!of.seen.owner.empty() && of.left >= 0) of.seen.left = std::chrono::milliseconds(of.left);
  // As they were counted last; its owner listens as well.
  of.seen.queue = of.queue;
  if (!role_.hears_a_part()) of.seen.waiters = of.listeners;
  of.seen.waiters_are_of_now = of.counts;
  of.seen.waiters_counted = of.counted_by;
  if (of.seen.waiters && !of.seen.owner.empty() && *of.seen.waiters > 0) --*of.seen.waiters;
  if (std::exchange(of.owner, of.seen.owner) != of.seen.owner) of.count_due = TrueTime::min();
  note_waiters(of);
  if (!std::exchange(of.known, true)) --first_looks_;
  listener_->on_seen(of.seen);
  look_at(of, of.again ? loop_->now() : next_look(of));
  tell_if_all();
  pump();
}

// Whoever has just given it up listens for a moment longer: that somebody waits is soon counted anew.
void RedisObserver::note_waiters(Watched& of) {
  if (!of.counts) return;
  const bool awaited = of.seen.waiters.value_or(0) > 0;
  const bool before = std::exchange(of.awaited, awaited);
  of.newly_awaited = awaited && !before;
  if (of.newly_awaited) of.count_due = loop_->now() + std::min(kCountedAgain, terms_.sweep);
}

// Who may not look at it does not know that nobody holds it. One of another node, which was only heard of, is not
// waited for; where all keys are on another one, all is.
void RedisObserver::hide(Watched& of) {
  look_at(of, loop_->now() + terms_.sweep);
  if (of.elsewhere && awaits_cluster_) return pump();  // whoever keeps it is about to be asked
  listener_->on_hidden(of.mutex, {}, of.seen.asked);
  if (of.elsewhere && slots_) cluster_->on_led_on();
  const bool waited_for = !of.elsewhere || !terms_.mutexes.empty() || role_.tells_of_no_key();
  if (!waited_for && !std::exchange(of.known, true)) --first_looks_;
  tell_if_all();
  pump();
}

void RedisObserver::tell_if_all() {
  const bool all = scanned_ && !awaits_cluster_ && first_looks_ == 0 && foreign_.all_seen();
  if (all && !std::exchange(told_all_, true)) listener_->on_all_seen();
}

// When its lease ends; where nobody tells of changes, by the clock.
TrueTime RedisObserver::next_look(const Watched& of) const {
  const TrueTime now = loop_->now();
  TrueTime next = now + (follows_ ? terms_.sweep : std::min(terms_.poll, terms_.sweep));
  if (of.seen.left) next = std::min(next, of.seen.answered + *of.seen.left + kAfterEnd);
  if (of.newly_awaited) next = std::min(next, of.count_due);
  return std::max(next, now + kLeast);
}

// ---- whose turn it is

RedisObserver::Watched& RedisObserver::watched(const std::string& mutex) {
  std::unique_ptr<Watched>& of = watched_[mutex];
  if (of == nullptr) {
    of = std::make_unique<Watched>(mutex);
    of->due = due_.end();
    ++first_looks_;
    look_at(*of, loop_->now());
  }
  return *of;
}

void RedisObserver::look_at(Watched& of, TrueTime at) {
  if (of.open > 0) {
    of.again = true;
    return;
  }
  if (of.waits) {
    if (of.due->first <= at) return;
    due_.erase(of.due);
  }
  of.due = due_.emplace(at, &of);
  of.waits = true;
}

// The first look at each is not kept waiting: nothing is known until then.
void RedisObserver::pump() {
  if (!requests_->up()) return;
  const TrueTime now = loop_->now();
  const double each = static_cast<double>(terms_.looks) / 1e9;
  budget_ = std::min(budget_ + static_cast<double>((now - budgeted_).count()) * each, double{kMostLooks});
  budgeted_ = now;
  while (!due_.empty() && due_.begin()->first <= now && looks_open_ < kMostLooks && (budget_ >= 1 || !told_all_)) {
    Watched& of = *due_.begin()->second;
    due_.erase(due_.begin());
    of.waits = false;
    if (told_all_) budget_ -= 1;
    look(of);
  }
  if (due_.empty() || looks_open_ >= kMostLooks) return;
  const auto refilled = Duration(static_cast<std::int64_t>(std::max(0.0, 1 - budget_) / each));
  const Duration wait = std::max(due_.begin()->first - now, told_all_ ? refilled : Duration{});
  next_.arm(std::max<Duration>(wait, Duration{}), [this] { pump(); });
}

void RedisObserver::check_silence() {
  const bool silent = !questions_.empty() && loop_->now() - questions_.front().asked > kPatience;
  if (silent) requests_->abandon("no answer within 2s");
  silence_.arm(kPatience / 4, [this] { check_silence(); });
}

// ---- the line of messages

void RedisObserver::on_messages_up() {
  subscribes_.clear();
  ping_open_ = false;
  if (may_follow_) subscribe(To::kOurs, kChannels);
  if (may_hear_beliefs_) subscribe(To::kBeliefs, kBeliefs);
  if (may_follow_foreign_)
    for (const std::string& pattern : foreign_channels_) subscribe(To::kForeign, pattern);
}

void RedisObserver::subscribe(To to, const std::string& pattern) {
  if (messages_->command(std::vector<std::string>{"PSUBSCRIBE", pattern})) subscribes_.push_back(to);
}

// As soon as there is such a lock: who has none hears of none.
void RedisObserver::follow(const KeyForm& form) {
  for (const std::string& pattern : form.channels) {
    if (std::find(foreign_channels_.begin(), foreign_channels_.end(), pattern) != foreign_channels_.end()) continue;
    foreign_channels_.push_back(pattern);
    if (messages_->up() && may_follow_foreign_) subscribe(To::kForeign, pattern);
  }
}

void RedisObserver::on_messages_down() {
  ping_open_ = false;
  ping_.cancel();
  if (!std::exchange(follows_, false)) return;
  for (const auto& [name, of] : watched_) look_at(*of, loop_->now() + terms_.poll);
  pump();
}

// The answer to what was asked for first: a refusal, or that it is so.
void RedisObserver::on_subscribed(const RespValue& value) {
  To to = To::kOurs;
  if (!subscribes_.empty()) {
    to = subscribes_.front();
    subscribes_.pop_front();
  }
  if (value.kind == Kind::kError) {
    if (is_refusal(value))
      (to == To::kBeliefs ? may_hear_beliefs_ : to == To::kForeign ? may_follow_foreign_ : may_follow_) = false;
    if (to == To::kBeliefs)
      return listener_->on_remark("beliefs are not observed: " +
                                  advised_to_listener(escaped(value.text, kLongestError), url_));
    const char* const what = to == To::kForeign ? "releases of Redisson's locks are seen by the next poll"
                                                : "changes are looked for now and then, as nobody tells of them";
    return listener_->on_remark(fmt::format("{}: {}", what, advised(value)));
  }
  messages_->proven();
  if (to != To::kOurs) return keep_asking();
  follows_ = true;
  followed_ = loop_->now();
  // What came before nobody heard.
  for (const auto& [name, of] : watched_) look_at(*of, loop_->now());
  pump();
  keep_asking();
}

void RedisObserver::on_message(const RespValue& value) {
  const std::string what = value.items.empty() ? value.text : text_of(value.items[0]);
  if (value.kind == Kind::kError || what == "psubscribe") return on_subscribed(value);
  if (what == "pong" || what == "PONG") {
    if (!blind_) nothing_until_ = ping_sent_;
    ping_open_ = false;
  }
  if (what == "pmessage" && value.items.size() == 4) heard(text_of(value.items[2]), text_of(value.items[3]));
}

// Messages come in the order of the answers: what comes after that of a PING was sent after it was asked.
void RedisObserver::keep_asking() {
  if (!ping_open_) {
    ping_sent_ = loop_->now();
    ping_open_ = messages_->command(std::vector<std::string>{"PING"});
    ++figures_.commands;
  } else if (loop_->now() - ping_sent_ > kPatience) {
    return messages_->abandon("no answer within 2s");
  }
  ping_.arm(kBetweenPings, [this] { keep_asking(); });
}

// On the mutex's channel to all, or on that of one contender, which bears its id behind the mutex.
void RedisObserver::heard(const std::string& channel, const std::string& text) {
  constexpr std::string_view kBeliefsOf = std::string_view(kBeliefs).substr(0, kBeliefChannel.size() + 1);
  if (channel.compare(0, kBeliefsOf.size(), kBeliefsOf) == 0)
    return listener_->on_belief(text, std::string_view(channel).substr(kBeliefsOf.size()));
  if (channel.compare(0, kBegin.size(), kBegin) != 0) return foreign_.heard(channel);
  if (!keeps(channel)) return;  // all nodes tell of all
  const std::size_t closed = channel.rfind('}');
  if (closed == std::string::npos || channel.substr(0, kBegin.size()) != kBegin || closed <= kBegin.size()) return;
  const std::string mutex = channel.substr(kBegin.size(), closed - kBegin.size());
  const std::string id = closed + 2 < channel.size() ? channel.substr(closed + 2) : std::string();
  if (!id.empty() && (channel[closed + 1] != ':' || id.compare(0, 6, "quorum") == 0)) return;
  if (!terms_.mutexes.empty() && watched_.find(mutex) == watched_.end()) return;
  Watched& of = watched(mutex);
  const auto tell = [&](const std::string& owner, bool released) {
    listener_->on_heard({mutex, owner, released, nothing_until_, loop_->now()});
  };
  if (granted_by(text)) {
    tell(id, false);
  } else if (const auto said = parse_owner_event(text)) {
    if (said->kind() == StoreEventKind::kReleased) tell(said->owner, true);
    if (said->kind() == StoreEventKind::kAcquired) tell(said->owner, false);
  }
  look_at(of, loop_->now());
  pump();
}

}  // namespace leasescope::redis
