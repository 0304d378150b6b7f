#include "core/store/redis/foreign/foreign_locks.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"

namespace leasescope::redis {
namespace {

using namespace std::chrono_literals;
using Kind = RespValue::Kind;

constexpr int kMostOpen = 64;  // looks under way
constexpr int kMostInVain = 3;
constexpr int kMostBreaks = 3;                    // whoever breaks the line so often is left alone
constexpr int kMostRefusals = 20;                 // in a row: no more is asked
constexpr Duration kBurst = 100ms;                // looks of so long may be made up for
constexpr Duration kIdle = 10min;                 // nobody has held it for so long: it is looked at once a sweep
constexpr std::size_t kMostLocks = 20'000;        // more than so many are forgotten when they are idle
constexpr Duration kForgotten = 1h;               // which keys are none
constexpr std::size_t kMostOrdinary = 8'000'000;  // that are remembered
constexpr Duration kAfterEnd = 1ms;
constexpr int kSoon = 6;             // looks after a release, until somebody else holds
constexpr Duration kLatest = 160ms;  // of which the last comes after so long, each in half the time of the next
constexpr Duration kLeast = 5ms;     // between two looks for whose sake messages come

constexpr std::int64_t kGone = -2;  // of PTTL

// Keys that are no lock by themselves: ours, and what belongs to another's.
constexpr std::array<std::string_view, 6> kNone{
    "simba:{",    "redisson_unlock_latch:", "redisson_lock_token:", "redisson_lock_queue:", "redisson_lock_timeout:",
    "leasescope:"};

// Nor has any lock so long a name: a batch of questions stays small.
constexpr std::size_t kLongestKey = 1'024;

bool is_none(std::string_view key) {
  return key.size() > kLongestKey || std::any_of(kNone.begin(), kNone.end(), [&](std::string_view each) {
           return key.substr(0, each.size()) == each;
         });
}

Words question(const std::string& key, std::string_view type) {
  if (type == "hash") return {"HGETALL", key};
  if (type == "zset") return {"ZRANGE", key, "0", std::to_string(kMostFields - 1), "WITHSCORES"};
  return {"GETRANGE", key, "0", "63"};
}

std::vector<std::string> texts_of(const RespValue& list) {
  std::vector<std::string> out;
  for (const RespValue& each : list.items) out.push_back(text_of(each));
  return out;
}

KeyContent content_of(const RespValue& answer, const RespValue& left) {
  KeyContent out;
  out.text = text_of(answer);
  const std::vector<std::string> texts = texts_of(answer);
  for (std::size_t i = 0; i + 1 < texts.size(); i += 2) out.pairs.emplace_back(texts[i], texts[i + 1]);
  if (left.kind == Kind::kInteger && left.integer >= 0) out.left = std::chrono::milliseconds(left.integer);
  return out;
}

bool are_same(const KeyContent& a, const KeyContent& b) { return a.text == b.text && a.pairs == b.pairs; }

}  // namespace

ForeignLocks::ForeignLocks(Loop& loop, const ObserverTerms& terms, Ends ends)
    : loop_(&loop),
      terms_(terms),
      ends_(std::move(ends)),
      ordinary_(kMostOrdinary),
      forgot_ordinary_(loop.now()),
      next_(loop) {}

// ---- which keys are one

void ForeignLocks::begin_round() {
  round_began_ = loop_->now();
  round_is_whole_ = true;
  if (std::exchange(lost_, false)) pump();
  if (round_began_ - forgot_ordinary_ < kForgotten) return;
  ordinary_.clear();
  refusals_ = 0;
  forgot_ordinary_ = round_began_;
  whole_ended_ = TrueTime::min();  // one of them may have become a lock since it was asked about
}

void ForeignLocks::end_round() {
  if (!round_is_whole_) return;
  whole_began_ = round_began_;
  whole_ended_ = loop_->now();
}

bool ForeignLocks::asks_for(const KeyForm& form, std::string_view type) const {
  return form.type == type &&
         (terms_.foreign == Foreign::kLikely || (terms_.foreign == Foreign::kCertain && !form.likely));
}

void ForeignLocks::consider(const std::vector<std::string>& keys, std::function<void()> done) {
  const auto batch = std::make_shared<Batch>();
  batch->done = std::move(done);
  for (const std::string& key : keys) {
    const bool is_new = locks_.count(key) == 0 && !is_none(key) && !ordinary_.has(key);
    if (!is_new || refusals_ >= kMostRefusals || !probed_.insert(key).second) continue;
    ++batch->open;
    probe({key, {}, batch});
  }
  if (batch->open == 0) batch->done();
}

// ---- one question after another, until it is known; most keys need one

void ForeignLocks::probe(const Probe& of) {
  ask(of.key, {"TYPE", of.key}, [this, of](const RespValue& answer) { on_type(of, answer); });
}

void ForeignLocks::on_type(Probe of, const RespValue& answer) {
  if (is_refused(answer)) return judge(of, Judged::kNotKnown);
  of.type = text_of(answer);
  if (of.type == "none") return judge(of, Judged::kNotKnown);  // it has gone
  if (of.type == "string" && may_be(of, {})) return read(of);
  if (of.type == "zset" && may_be(of, {}))
    return ask(of.key, {"ZCARD", of.key}, [this, of](const RespValue& size) { on_size(of, size); });
  const bool hashes =
      std::any_of(key_forms().begin(), key_forms().end(), [&](const KeyForm& form) { return asks_for(form, "hash"); });
  if (of.type == "hash" && hashes)
    return ask(of.key, {"HLEN", of.key}, [this, of](const RespValue& size) { on_size(of, size); });
  judge(of, Judged::kOrdinary);
}

void ForeignLocks::on_size(const Probe& of, const RespValue& answer) {
  if (is_refused(answer) || answer.integer == 0) return judge(of, Judged::kNotKnown);
  if (answer.integer > static_cast<std::int64_t>(kMostFields)) return judge(of, Judged::kOrdinary);
  if (of.type == "zset") return read(of);
  ask(of.key, {"HKEYS", of.key}, [this, of](const RespValue& fields) { on_fields(of, fields); });
}

void ForeignLocks::on_fields(const Probe& of, const RespValue& answer) {
  if (is_refused(answer) || answer.items.empty()) return judge(of, Judged::kNotKnown);
  may_be(of, texts_of(answer)) ? read(of) : judge(of, Judged::kOrdinary);
}

bool ForeignLocks::may_be(const Probe& of, const std::vector<std::string>& fields) const {
  return std::any_of(key_forms().begin(), key_forms().end(),
                     [&](const KeyForm& form) { return asks_for(form, of.type) && form.may_be(of.key, fields); });
}

void ForeignLocks::read(const Probe& of) {
  const auto content = std::make_shared<RespValue>();
  ask(of.key, question(of.key, of.type), [content](const RespValue& answer) { *content = answer; });
  ask(of.key, {"PTTL", of.key}, [this, of, content](const RespValue& left) {
    if (is_refused(*content) || is_refused(left) || left.integer == kGone) return judge(of, Judged::kNotKnown);
    const KeyForm* const form = form_of(of.type, content_of(*content, left));
    judge(of, form == nullptr ? Judged::kOrdinary : Judged::kLock, form);
  });
}

const KeyForm* ForeignLocks::form_of(const std::string& type, const KeyContent& content) const {
  for (const KeyForm& form : key_forms())
    if (asks_for(form, type) && form.is_one(content)) return &form;
  return nullptr;
}

void ForeignLocks::judge(const Probe& of, Judged judged, const KeyForm* form) {
  probed_.erase(of.key);
  suspects_.erase(of.key);
  if (judged == Judged::kOrdinary) ordinary_.add(of.key);
  if (judged == Judged::kLock) {
    std::unique_ptr<Lock>& lock = locks_[of.key];
    lock = std::make_unique<Lock>();
    lock->key = of.key;
    lock->form = form;
    lock->due = due_.end();
    lock->held = loop_->now();
    ++first_looks_;
    if (!form->channels.empty()) ends_.follow(*form);
    tell_absent(*lock);
    look_at(*lock, loop_->now());
    pump();
  }
  if (--of.batch->open == 0) of.batch->done();
}

bool ForeignLocks::is_refused(const RespValue& answer) {
  const bool refused = answer.kind == Kind::kError;
  if (!refused || answer.text.compare(0, 6, "NOPERM") != 0) {
    if (!refused) refusals_ = 0;
    return refused;
  }
  ++refusals_;
  ends_.remark("locks of other makers may lie in keys that this login may not read: those are not watched");
  return true;
}

// It was not there at some moment while all keys were gone through the last time.
void ForeignLocks::tell_absent(const Lock& of) {
  if (whole_ended_ == TrueTime::min()) return;
  Sighting nobody = sighting_of(of);
  nobody.asked = whole_began_;
  nobody.answered = whole_ended_;
  ends_.seen(nobody);
}

// ---- one of them

Sighting ForeignLocks::sighting_of(const Lock& of) const {
  Sighting out;
  out.mutex = of.key;
  out.maker = of.form->maker;
  out.likely = of.form->likely;
  out.system = of.system;
  out.asked = of.asked;
  out.answered = of.answered;
  return out;
}

void ForeignLocks::look_at(Lock& of, TrueTime at) {
  if (of.waits) due_.erase(of.due);
  of.due = due_.emplace(at, &of);
  of.waits = true;
}

// What is left is asked twice, as is what there is: whoever got or renewed it in between is not taken for another.
void ForeignLocks::look(Lock& of) {
  of.asked = loop_->now();
  of.heard = false;
  const std::vector<Words> besides = of.form->besides(of.key);
  of.besides.assign(besides.size(), RespValue{});
  of.open = 4 + static_cast<int>(besides.size());
  ++open_;
  const auto take = [this, &of](const Words& words, RespValue& into) {
    ask(of.key, words, [this, &of, &into](const RespValue& answer) {
      into = answer;
      of.answered = loop_->now();
      if (--of.open == 0) looked(of);
    });
  };
  take({"PTTL", of.key}, of.before);
  take(question(of.key, of.form->type), of.content);
  for (std::size_t i = 0; i < besides.size(); ++i) take(besides[i], of.besides[i]);
  take(question(of.key, of.form->type), of.again);
  take({"PTTL", of.key}, of.after);
}

bool ForeignLocks::is_between_changes(const Lock& of, bool held) const {
  const std::int64_t before = of.before.integer, after = of.after.integer;
  return after > before || held == (after == kGone) || (before == kGone) != (after == kGone) ||
         !are_same(content_of(of.content, of.before), content_of(of.again, of.before));
}

void ForeignLocks::looked(Lock& of) {
  --open_;
  suspects_.erase(of.key);
  if (of.dropped) {
    drop(of);
    return pump();
  }
  // Who may not look at it does not know that nobody holds it.
  const auto failed = [](const RespValue& answer) { return answer.kind == Kind::kError; };
  if (failed(of.before) || failed(of.after)) return hide(of);
  const bool held = !failed(of.content) && of.form->is_one(content_of(of.content, of.before));
  if (is_between_changes(of, held) && of.in_vain++ < kMostInVain) {
    look_at(of, loop_->now());
    return pump();
  }
  of.in_vain = 0;
  tell(of, held && of.after.integer != kGone);
  rest(of, held);
  pump();
}

// When its lease ends, or by the clock; those that nobody holds for long seldom, or never where there are very many.
void ForeignLocks::rest(Lock& of, bool held) {
  const TrueTime now = loop_->now();
  const bool idle = !held && now - of.held > kIdle;
  TrueTime next = now + (idle ? terms_.sweep : std::min(terms_.poll, terms_.sweep));
  if (of.heard) return look_at(of, now + kLeast);
  if (held) of.soon = 0;
  if (of.soon > 0) next = std::min<TrueTime>(next, now + kLatest / (1 << --of.soon));
  if (of.after.integer >= 0) next = std::min(next, now + std::chrono::milliseconds(of.after.integer) + kAfterEnd);
  if (!idle || locks_.size() <= kMostLocks) return look_at(of, next);
  ends_.hidden(of.key, of.form->maker, of.answered);
  locks_.erase(of.key);
}

void ForeignLocks::hide(Lock& of) {
  if (of.before.text.compare(0, 6, "NOPERM") == 0) is_refused(of.before);
  ends_.hidden(of.key, of.form->maker, of.asked);
  look_at(of, loop_->now() + terms_.sweep);
  if (!std::exchange(of.known, true) && --first_looks_ == 0) ends_.all_seen();
  pump();
}

void ForeignLocks::drop(Lock& of) {
  if (of.waits) due_.erase(of.due);
  const bool last = !of.known && --first_looks_ == 0;
  locks_.erase(std::string(of.key));
  if (last) ends_.all_seen();
}

// What lies elsewhere now, or came from there, was passed over in the round that goes on, and in the last one.
void ForeignLocks::keep_to(const std::function<bool(std::string_view key)>& keeps) {
  whole_ended_ = TrueTime::min();
  round_is_whole_ = false;
  std::vector<Lock*> others;
  for (const auto& [key, of] : locks_) {
    of->dropped = !keeps(key);
    if (of->dropped) others.push_back(of.get());
  }
  for (Lock* const of : others) {
    if (of->known) ends_.hidden(of->key, of->form->maker, loop_->now());
    if (of->open == 0) drop(*of);
  }
}

void ForeignLocks::hide_all(TrueTime since) {
  for (const auto& [key, of] : locks_)
    if (of->known && !of->dropped) ends_.hidden(key, of->form->maker, since);
}

void ForeignLocks::tell(Lock& of, bool held) {
  Sighting seen = sighting_of(of);
  if (held) {
    of.held = of.answered;
    const KeyContent content = content_of(of.content, of.after);
    if (!content.text.empty()) seen.raw.emplace_back(of.key, content.text);
    for (const auto& [field, value] : content.pairs) seen.raw.emplace_back(fmt::format("{} {}", of.key, field), value);
    seen.left = content.left;
    seen.system = "lock";
    of.form->tell(content, of.besides, seen);
    // What makes it more than that may not lie there all the time.
    if (seen.system != "lock") of.system = seen.system;
    seen.system = of.system;
  }
  const bool first = !std::exchange(of.known, true);
  if (first) --first_looks_;
  ends_.seen(seen);
  if (first && first_looks_ == 0) ends_.all_seen();
}

void ForeignLocks::heard(const std::string& channel) {
  for (const KeyForm& form : key_forms()) {
    if (form.told_of == nullptr) continue;
    for (const std::string& key : form.told_of(channel)) {
      const auto found = locks_.find(key);
      if (found == locks_.end() || found->second->form->told_of != form.told_of) continue;
      Lock& of = *found->second;
      of.soon = kSoon;
      of.heard = true;
      const TrueTime next = std::max(loop_->now(), of.asked + kLeast);
      if (of.waits && of.due->first > next) look_at(of, next);
    }
  }
  pump();
}

// ---- whose turn it is

void ForeignLocks::pump() {
  if (lost_) return;
  const Duration each = Duration(1s) / terms_.looks;
  const TrueTime now = loop_->now();
  slot_ = std::max(slot_, now - kBurst);
  // The first look at each is not kept waiting: nothing is known until then.
  const auto may = [&](const Lock& of) { return slot_ <= now || !of.known; };
  while (!due_.empty() && due_.begin()->first <= now && open_ < kMostOpen && may(*due_.begin()->second)) {
    Lock& of = *due_.begin()->second;
    due_.erase(due_.begin());
    of.waits = false;
    slot_ += each;
    look(of);
  }
  if (due_.empty() || open_ >= kMostOpen) return;
  next_.arm(std::max({due_.begin()->first - now, slot_ - now, Duration{}}), [this] { pump(); });
}

void ForeignLocks::ask(const std::string& key, const Words& words, Answer then) {
  asked_.push_back(key);
  ends_.ask(words, [this, then = std::move(then)](const RespValue& answer) {
    asked_.pop_front();
    then(answer);
  });
}

// What was to be answered when it broke may be why: at the third time it is left alone.
void ForeignLocks::lose_line(bool while_answering) {
  lost_ = true;  // until all keys are gone through again
  next_.cancel();
  probed_.clear();
  open_ = 0;
  for (const auto& [key, of] : locks_)
    if (std::exchange(of->open, 0) > 0) look_at(*of, loop_->now());
  whole_ended_ = TrueTime::min();
  const std::deque<std::string> asked = std::exchange(asked_, {});
  if (!while_answering || asked.empty() || ++suspects_[asked.front()] < kMostBreaks) return;
  suspects_.erase(asked.front());
  ordinary_.add(asked.front());
  const auto lock = locks_.find(asked.front());
  if (lock == locks_.end()) return;
  due_.erase(lock->second->due);
  if (!lock->second->known) --first_looks_;
  locks_.erase(lock);
}

}  // namespace leasescope::redis
