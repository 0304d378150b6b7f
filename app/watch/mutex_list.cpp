#include "app/watch/mutex_list.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace leasescope::ctl {
namespace {

using namespace std::chrono_literals;

constexpr Duration kBetweenLooks = 250ms;  // while things change
constexpr Duration kTimeGoesBy = 1s;       // a ttl is over, an hour has gone by since a hand-off

// Letters of ASCII; others are as they are.
std::string lower(std::string_view text) {
  std::string out(text);
  for (char& each : out)
    if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
  return out;
}

template <class T>
int order_of(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

}  // namespace

std::string_view title(MutexColumn column) {
  static constexpr std::array<std::string_view, kMutexColumns> kTitles{"Mutex",       "Store",       "System",  "Owner",
                                                                       "Held for",    "Lease left",  "Waiters", "Token",
                                                                       "Hand-offs/h", "Last change", "State"};
  return kTitles[static_cast<std::size_t>(column)];
}

void MutexList::take_new(const Watch& watch) {
  const auto& mutexes = watch.mutexes();
  for (std::size_t i = lines_.size(); i < mutexes.size(); ++i) {
    const WatchedMutex& of = *mutexes[i];
    foreign_ = foreign_ || !of.maker.empty();
    Line& line = lines_.emplace_back();
    line.of = &of;
    line.searched = lower(of.name + '\n' + watch.stores()[of.source]->name + '\n' + std::string(of.maker));
  }
}

bool MutexList::is_due(const Watch& watch, TrueTime now) const {
  if (!looked_) return true;
  const Duration since = now - *looked_;
  const bool changed = changed_ || lines_.size() < watch.mutexes().size();
  return since >= (changed ? kBetweenLooks : kTimeGoesBy);
}

void MutexList::bring_up_to(const Watch& watch, TrueTime now) {
  if (!is_due(watch, now)) return;
  watch_ = &watch;
  take_new(watch);
  for (Line& line : lines_) line.row = row_of(*line.of, now);
  looked_ = now;
  changed_ = false;
  ++looks_;
  arrange();
}

void MutexList::filter(std::string_view words) {
  words_.clear();
  const std::string all = lower(words);
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find(' ', at), all.size());
    if (end > at) words_.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  arrange();
}

void MutexList::sort(MutexColumn column, bool descending) {
  column_ = column;
  descending_ = descending;
  arrange();
}

std::optional<std::size_t> MutexList::row_of_mutex(const WatchedMutex* mutex) const {
  for (std::size_t row = 0; row < order_.size(); ++row)
    if (lines_[order_[row]].of == mutex) return row;
  return {};
}

bool MutexList::bears_words(const Line& line) const {
  if (words_.empty()) return true;
  const std::string owner = lower(fmt::format("{}", fmt::join(line.row.holders, "\n")));
  const std::string token = line.row.token == kNoToken ? std::string() : std::to_string(line.row.token);
  return std::all_of(words_.begin(), words_.end(), [&](const std::string& word) {
    return line.searched.find(word) != std::string::npos || owner.find(word) != std::string::npos || word == token ||
           text(line.row.state).find(word) != std::string_view::npos;
  });
}

int MutexList::compared(const Line& a, const Line& b) const {
  switch (column_) {
    case MutexColumn::kMutex:
      return 0;  // by name, as all that are alike
    case MutexColumn::kStore:
      return order_of(watch_->stores()[a.of->source]->name, watch_->stores()[b.of->source]->name);
    case MutexColumn::kSystem:
      return order_of(system_text(a.of->book.last()), system_text(b.of->book.last()));
    case MutexColumn::kOwner:
      return order_of(a.row.owner, b.row.owner);
    case MutexColumn::kHeldFor:
      return order_of(a.row.lasts_least, b.row.lasts_least);
    case MutexColumn::kLease:
      return order_of(a.row.left.value_or(Duration::max()), b.row.left.value_or(Duration::max()));
    case MutexColumn::kWaiters:
      return order_of(a.row.waiters, b.row.waiters);
    case MutexColumn::kToken:
      return order_of(a.row.token, b.row.token);
    case MutexColumn::kHandoffs:
      return order_of(a.row.handoffs, b.row.handoffs);
    case MutexColumn::kChanged:
      return order_of(a.of->book.since_hi(), b.of->book.since_hi());
    case MutexColumn::kState:
      return order_of(a.row.state, b.row.state);
  }
  return 0;
}

// What is alike stands by name, however it is sorted.
bool MutexList::before(const Line& a, const Line& b) const {
  const int order = descending_ ? -compared(a, b) : compared(a, b);
  if (order != 0) return order < 0;
  const int names = order_of(a.of->name, b.of->name);
  if (names != 0) return descending_ && column_ == MutexColumn::kMutex ? names > 0 : names < 0;
  if (a.of->source != b.of->source) return a.of->source < b.of->source;
  return a.of->maker < b.of->maker;
}

// Rows that go, rows that come, and another order only where theirs is none any more.
void MutexList::arrange() {
  ++arranged_;
  counts_ = {};
  std::vector<bool> wanted(lines_.size());
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    wanted[i] = bears_words(lines_[i]);
    if (wanted[i]) ++counts_[static_cast<std::size_t>(lines_[i].row.state)];
  }
  order_.erase(std::remove_if(order_.begin(), order_.end(), [&](std::size_t each) { return !wanted[each]; }),
               order_.end());
  for (const std::size_t each : order_) wanted[each] = false;  // it is there
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (wanted[i]) order_.push_back(i);
  const auto in_order = [this](std::size_t a, std::size_t b) { return before(lines_[a], lines_[b]); };
  if (std::is_sorted(order_.begin(), order_.end(), in_order)) return;
  std::sort(order_.begin(), order_.end(), in_order);
  ++sorts_;
}

}  // namespace leasescope::ctl
