#include "core/store/row_observer.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace leasescope {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kEndless = std::int64_t{50} * 365 * 24 * 3600 * 1000;  // ms: an end that far off is none
constexpr long long kFarOff = 2 * kEndless;                                   // which fits as nanoseconds
constexpr Duration kPatience = 3s;                                            // for an answer
constexpr Duration kLeast = 20ms;                                             // between two looks
constexpr Duration kAfterEnd = 2ms;                                           // at the end itself it is not over yet

}  // namespace

RowObserver::RowObserver(Loop& loop, const ObserverTerms& terms, const std::vector<RowForm>& forms,
                         ObserverListener& listener)
    : loop_(&loop),
      terms_(terms),
      listener_(&listener),
      last_answer_(loop.now()),
      next_(loop),
      soon_(loop),
      patience_(loop) {
  blind_since_ = last_answer_;
  for (const RowForm& form : forms)
    if (form.ours || terms.foreign == Foreign::kLikely || (terms.foreign == Foreign::kCertain && !form.likely))
      foreign_.emplace_back(form);
}

Line::Events RowObserver::events_of_line() {
  return {[this] { look(); }, [this](const std::string& why) { on_down(why); }};
}

void RowObserver::look(const std::string& after) {
  if (after.empty()) {
    gone_ = std::exchange(there_, {});
    began_ = loop_->now();
  }
  send();
  ask(after);
}

void RowObserver::send() {
  open_ = true;
  asked_ = loop_->now();
  ++figures_.commands;
  patience_.arm(kPatience, [this] { abandon("no answer within 3s"); });
}

// By the look at all that follows it is known what was told.
void RowObserver::on_down(const std::string& why) {
  next_.cancel();
  soon_.cancel();
  patience_.cancel();
  told_.clear();
  looked_at_.clear();
  then_ = {};
  there_.merge(gone_);
  const TrueTime since = std::exchange(open_, false) ? std::max(last_answer_, asked_) : last_answer_;
  if (!std::exchange(blind_, true)) blind_since_ = since;
  listener_->on_blind(blind_since_, advised(why));
}

void RowObserver::answered() {
  open_ = false;
  patience_.cancel();
  last_answer_ = loop_->now();
  figures_.latency = last_answer_ - asked_;
  ++figures_.answers;
  if (!std::exchange(blind_, false)) return;
  listener_->on_sighted();
  for (ForeignRows& each : foreign_) each.after_gap();
}

ObserverFigures RowObserver::figures() const {
  ObserverFigures out = figures_;
  out.clock = clock_.best(loop_->now());
  return out;
}

void RowObserver::shows_clock(std::int64_t ms) {
  if (open_ && ms > 0 && ms / 1000 < ClockOffset::kMostSeconds)
    clock_.take(asked_, loop_->now(), std::chrono::milliseconds(ms), 1ms);
}

bool RowObserver::is_wanted(const std::string& mutex) const {
  const auto& only = terms_.mutexes;
  return only.empty() || std::find(only.begin(), only.end(), mutex) != only.end();
}

void RowObserver::take(const std::vector<Row>& rows) {
  if (!looked_at_.empty()) return take_told(rows);
  answered();
  for (const Row& row : rows) {
    gone_.erase(row.mutex);
    if (!is_wanted(row.mutex)) continue;
    there_.insert(row.mutex);
    see(row);
  }
  if (rows.size() == kPage) {
    if (told_.empty()) return look(rows.back().mutex);
    return look_at_told([this, last = rows.back().mutex] { look(last); });
  }
  // A row that is gone, and one that was never there, is a mutex that nobody holds.
  for (const std::string& mutex : terms_.mutexes)
    if (there_.count(mutex) == 0) gone_.insert(mutex);
  for (const std::string& mutex : std::exchange(gone_, {})) see_nobody(mutex);
  looked_through(terms_.mutexes.empty() ? there_ : std::set<std::string>(terms_.mutexes.begin(), terms_.mutexes.end()));
  at_ = 0;
  look_at_foreign();
}

void RowObserver::look_again(const std::string& mutex) {
  told_.insert(mutex);
  look_soon_at_told();
}

// Never from within the call that tells of it, so that all that has come by then is asked for at once; what is under
// way goes first, and so does a look at all that is due.
void RowObserver::look_soon_at_told() {
  if (soon_.armed()) return;
  soon_.arm(std::max<Duration>(Duration::zero(), told_asked_ + kLeast - loop_->now()), [this] {
    const bool rests = !open_ && !blind_ && next_.armed() && loop_->now() < next_at_;
    if (rests && !told_.empty()) look_at_told([this] { rest(); });
  });
}

// There is a row of each at most, so that one answer has them all. What is told meanwhile waits until `then` is done:
// however much is told, all others are looked at as well.
void RowObserver::look_at_told(Loop::Task then) {
  next_.cancel();
  then_ = std::move(then);
  while (!told_.empty() && looked_at_.size() < kPage) looked_at_.insert(told_.extract(told_.begin()));
  told_asked_ = loop_->now();
  send();
  ask_of({looked_at_.begin(), looked_at_.end()});
}

void RowObserver::take_told(const std::vector<Row>& rows) {
  answered();
  std::set<std::string> nobodys = std::exchange(looked_at_, {});
  for (const Row& row : rows)
    if (nobodys.erase(row.mutex) > 0) see(row);
  for (const std::string& mutex : nobodys) see_nobody(mutex);
  std::exchange(then_, {})();
}

// As before, or until the first lease ends of those that were just seen.
void RowObserver::rest() {
  const TrueTime now = loop_->now();
  const auto poll = terms_.poll / std::chrono::milliseconds(1);
  const std::int64_t nearest = std::min<std::int64_t>(poll, std::exchange(nearest_, INT64_MAX));
  next_at_ = std::max(not_before_, std::min(next_at_, now + std::chrono::milliseconds(nearest) + kAfterEnd));
  next_.arm(std::max<Duration>(Duration::zero(), next_at_ - now), [this] { look(); });
  if (!told_.empty()) look_soon_at_told();
}

// One after another; of some it is asked now and then whether there is anything to read.
void RowObserver::look_at_foreign() {
  if (!told_.empty()) return look_at_told([this] { look_on_at_foreign(); });
  look_on_at_foreign();
}

void RowObserver::look_on_at_foreign() {
  const auto turn = [this] { return foreign_[at_].turn(loop_->now()); };
  while (at_ < foreign_.size() && turn() == ForeignRows::Turn::kNone) ++at_;
  if (at_ < foreign_.size()) {
    tries_ = turn() == ForeignRows::Turn::kTry;
    send();
    return ask_foreign(tries_ ? foreign_[at_].form().present : foreign_[at_].form().sql);
  }
  if (!std::exchange(told_all_, true)) listener_->on_all_seen();
  const auto poll = terms_.poll / std::chrono::milliseconds(1);
  look_later(std::chrono::milliseconds(std::min<std::int64_t>(poll, std::exchange(nearest_, INT64_MAX))));
}

void RowObserver::take_foreign(const std::vector<Cells>& rows) {
  answered();
  ForeignRows& of = foreign_[at_];
  if (std::exchange(tries_, false)) {
    const bool there = !rows.empty() && rows[0].size() == 1 && rows[0][0] != "0";
    hide_foreign(of.tried(there, last_answer_, terms_.sweep));
    return look_at_foreign();
  }
  std::vector<ForeignRow> read;
  for (const Cells& cells : rows) {
    if (cells.size() < 5) continue;
    ForeignRow& row = read.emplace_back(ForeignRow{cells[0], cells[1], cells[2] == "1", {}, cells[4]});
    row.is_nobodys = cells[2] == "2";
    if (cells.size() > 5) row.token = static_cast<Token>(std::strtoll(cells[5].c_str(), nullptr, 10));
    if (!cells[3].empty()) row.left_ms = std::min(kFarOff, std::strtoll(cells[3].c_str(), nullptr, 10));
    if (row.left_ms && !row.waits) nearest_ = std::min<std::int64_t>(nearest_, std::max<std::int64_t>(1, *row.left_ms));
  }
  const ForeignRows::Seen seen = of.see(std::move(read), terms_.mutexes);
  for (const Sighting& each : seen.told) tell(each);
  hide_foreign(seen.hidden);
  if (seen.cut)
    listener_->on_remark(std::string(of.form().maker) + " " + std::string(of.form().system) +
                         ": there are more than are looked at");
  ++at_;
  look_at_foreign();
}

// What may not be read is no reason to see nothing else: it is asked for again after a while.
void RowObserver::refuse_foreign(const std::string& why) {
  answered();
  tries_ = false;
  ForeignRows& of = foreign_[at_];
  listener_->on_remark(std::string(of.form().maker) + " " + std::string(of.form().system) + ": " + why);
  hide_foreign(of.refused(last_answer_, terms_.sweep));
  ++at_;
  look_at_foreign();
}

void RowObserver::hide_foreign(const std::vector<std::string>& mutexes) {
  for (const std::string& mutex : mutexes) listener_->on_hidden(mutex, foreign_[at_].form().maker, asked_);
}

Sighting RowObserver::sighting_of(const Row& row) {
  Sighting seen;
  seen.mutex = row.mutex;
  seen.raw = row.raw;
  seen.changes = row.version;
  if (row.left_ms < 0 || row.owner.empty()) return seen;
  seen.owner = row.owner;
  seen.token = row.token;
  if (row.left_ms < kEndless) seen.left = std::chrono::milliseconds(row.left_ms);
  if (std::abs(row.ttl_left_ms) < kEndless) seen.ttl_left = std::chrono::milliseconds(row.ttl_left_ms);
  return seen;
}

void RowObserver::see(const Row& row) {
  tell(sighting_of(row));
  if (row.left_ms > 0 && !row.owner.empty()) nearest_ = std::min<std::int64_t>(nearest_, row.left_ms);
}

void RowObserver::see_nobody(const std::string& mutex) {
  Sighting nobody;
  nobody.mutex = mutex;
  tell(nobody);
}

void RowObserver::tell(Sighting seen) {
  seen.asked = asked_;
  seen.answered = last_answer_;
  listener_->on_seen(seen);
}

void RowObserver::nothing_there(const std::string& why) {
  listener_->on_remark(why);
  take({});
}

// It answers, and tells nothing.
void RowObserver::refuse(const std::string& why) {
  open_ = false;
  patience_.cancel();
  looked_at_.clear();
  then_ = {};
  there_.merge(gone_);
  if (!std::exchange(blind_, true)) blind_since_ = std::max(last_answer_, asked_);
  listener_->on_blind(blind_since_, why);
  look_later(terms_.poll);
}

// Whoever reads the whole table rests for as long as it took, at least.
void RowObserver::look_later(Duration nearest_end) {
  const Duration took = loop_->now() - began_;
  const Duration wait = std::max({kLeast, took, std::min<Duration>(terms_.poll, nearest_end + kAfterEnd) - took});
  not_before_ = loop_->now() + took;
  next_at_ = loop_->now() + wait;
  next_.arm(wait, [this] { look(); });
  if (!told_.empty()) look_soon_at_told();
}

}  // namespace leasescope
