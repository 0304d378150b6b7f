#include "core/store/row_observer.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLeast = 20ms;    // between two looks
constexpr Duration kAfterEnd = 2ms;  // at the end itself it is not over yet

}  // namespace

RowObserver::RowObserver(Loop& loop, const ObserverTerms& terms, ObserverListener& listener)
    : loop_(&loop), terms_(terms), listener_(&listener), last_answer_(loop.now()), next_(loop) {
  blind_since_ = last_answer_;
}

Line::Events RowObserver::events_of_line() {
  return {[this] { look(); }, [this](const std::string& why) { on_down(why); }};
}

void RowObserver::look() {
  open_ = true;
  asked_ = loop_->now();
  ++figures_.commands;
  ask();
}

void RowObserver::on_down(const std::string& why) {
  next_.cancel();
  const TrueTime since = std::exchange(open_, false) ? std::max(last_answer_, asked_) : last_answer_;
  if (!std::exchange(blind_, true)) blind_since_ = since;
  listener_->on_blind(blind_since_, why);
}

void RowObserver::answered() {
  open_ = false;
  last_answer_ = loop_->now();
  figures_.latency = last_answer_ - asked_;
  if (std::exchange(blind_, false)) listener_->on_sighted();
}

bool RowObserver::is_wanted(const std::string& mutex) const {
  const auto& only = terms_.mutexes;
  return only.empty() || std::find(only.begin(), only.end(), mutex) != only.end();
}

void RowObserver::take(const std::vector<Row>& rows) {
  answered();
  std::set<std::string> gone = std::exchange(there_, {});
  gone.insert(terms_.mutexes.begin(), terms_.mutexes.end());
  Duration nearest = terms_.poll;
  for (const Row& row : rows) {
    if (!is_wanted(row.mutex)) continue;
    gone.erase(row.mutex);
    there_.insert(row.mutex);
    const Sighting seen = sighting_of(row);
    if (seen.left) nearest = std::min(nearest, *seen.left);
    tell(seen);
  }
  // A row that is gone, and one that was never there, is a mutex that nobody holds.
  for (const std::string& mutex : gone) {
    Sighting nobody;
    nobody.mutex = mutex;
    tell(nobody);
  }
  listener_->on_all_seen(asked_);
  look_later(nearest);
}

Sighting RowObserver::sighting_of(const Row& row) {
  Sighting seen;
  seen.mutex = row.mutex;
  seen.raw = row.raw;
  if (row.left_ms < 0 || row.owner.empty()) return seen;
  seen.owner = row.owner;
  seen.token = row.token;
  seen.left = std::chrono::milliseconds(row.left_ms);
  seen.ttl_left = std::chrono::milliseconds(row.ttl_left_ms);
  return seen;
}

void RowObserver::tell(Sighting seen) {
  seen.asked = asked_;
  seen.answered = last_answer_;
  listener_->on_seen(seen);
}

void RowObserver::nothing_there(const std::string& why) {
  answered();
  listener_->on_remark(why);
  listener_->on_all_seen(asked_);
  look_later(terms_.poll);
}

// It answers, and tells nothing.
void RowObserver::refuse(const std::string& why) {
  open_ = false;
  if (!std::exchange(blind_, true)) blind_since_ = std::max(last_answer_, asked_);
  listener_->on_blind(blind_since_, why);
  look_later(terms_.poll);
}

void RowObserver::look_later(Duration nearest_end) {
  const Duration wait = std::max(kLeast, std::min(terms_.poll, nearest_end + kAfterEnd));
  next_.arm(std::max<Duration>(Duration::zero(), wait - (loop_->now() - asked_)), [this] { look(); });
}

}  // namespace leasescope
