// The watched mutexes as the rows of a table: those that bear the words that are looked for, in the order of a column.
// There may be ten thousand, and what is said of each changes all the time: they are looked at together only when
// something has changed, or when time alone may have changed something, and never for each picture.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/observe/watched_row.h"

namespace leasescope::ctl {

enum class MutexColumn : std::uint8_t {
  kMutex,
  kStore,
  kSystem,
  kOwner,
  kHeldFor,
  kLease,
  kWaiters,
  kToken,
  kHandoffs,
  kChanged,
  kState
};
inline constexpr std::size_t kMutexColumns = 11;
std::string_view title(MutexColumn column);  // "Held for"

class MutexList {
 public:
  // What was known may be otherwise.
  void note_change() { changed_ = true; }
  // Looks at all of them where that is due. Of a watch that outlives it, and is the same each time.
  void bring_up_to(const Watch& watch, TrueTime now);

  // Only rows with each of these words, in their mutex, store, maker, owner or state, or as their token.
  void filter(std::string_view words);
  void sort(MutexColumn column, bool descending);
  MutexColumn column() const { return column_; }
  bool descending() const { return descending_; }

  std::size_t all() const { return lines_.size(); }
  std::size_t rows() const { return order_.size(); }
  const WatchedMutex& mutex(std::size_t row) const { return *lines_[order_[row]].of; }
  // Of those that bear the words, by their state.
  const std::array<std::size_t, kWatchStates>& counts() const { return counts_; }
  // Where it stands; none: it does not bear the words.
  std::optional<std::size_t> row_of_mutex(const WatchedMutex* mutex) const;
  // Whether there are locks of other makers.
  bool has_foreign() const { return foreign_; }

  // How often so far it looked at all of them, went through the rows, and put them in another order.
  std::uint64_t looks() const { return looks_; }
  std::uint64_t arranged() const { return arranged_; }
  std::uint64_t sorts() const { return sorts_; }

 private:
  struct Line {
    const WatchedMutex* of = nullptr;
    WatchedRow row;
    std::string searched;  // in lower case: what does not change
  };

  void take_new(const Watch& watch);
  bool is_due(const Watch& watch, TrueTime now) const;
  bool bears_words(const Line& line) const;
  int compared(const Line& a, const Line& b) const;
  bool before(const Line& a, const Line& b) const;
  void arrange();

  const Watch* watch_ = nullptr;
  std::vector<Line> lines_;         // as they were met
  std::vector<std::size_t> order_;  // of those that are shown
  std::array<std::size_t, kWatchStates> counts_{};
  std::vector<std::string> words_;  // in lower case
  MutexColumn column_ = MutexColumn::kMutex;
  bool descending_ = false;
  bool foreign_ = false;
  bool changed_ = true;  // since it was looked at last
  std::optional<TrueTime> looked_;
  std::uint64_t looks_ = 0, arranged_ = 0, sorts_ = 0;
};

}  // namespace leasescope::ctl
