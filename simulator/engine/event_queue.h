// The queue of what is due: a monotone radix heap with a sorted front, first in, first out at equal times.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "core/base/expect.h"
#include "core/time/clock.h"
#include "simulator/engine/due.h"
#include "simulator/engine/fifo_pool.h"

namespace leasescope {

// Plain data. Timers are cancelled lazily: `payload` is the generation they were armed in, or a message's slot.
struct QueueEntry {
  TrueTime at{};
  std::uint32_t what = 0;  // Due in the high bits, then the node
  std::uint32_t payload = 0;

  static constexpr int kNodeBits = 27;
  QueueEntry() = default;
  QueueEntry(TrueTime when, Due due, std::uint32_t node, std::uint32_t load)
      : at(when), what(static_cast<std::uint32_t>(due) << kNodeBits | node), payload(load) {}
  Due due() const { return static_cast<Due>(what >> kNodeBits); }
  std::uint32_t node() const { return what & ((1u << kNodeBits) - 1); }
};
static_assert(sizeof(QueueEntry) == 16);

// Ahuja, Mehlhorn, Orlin, Tarjan 1990, with digits of six bits: an entry lies in the slot of the highest digit in
// which its time differs from `base_`. The slots that come next are emptied into a small sorted front, where most of
// what is pushed is also popped. Nothing may be pushed before the last time popped. Looking never reorganises: what is
// pushed "now" after a look must not find the queue ahead of it.
class EventQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // Time of the next entry; max() when there is none.
  TrueTime next() const {
    if (front_size_ > 0) return time(front_at_[front_size_ - 1]);
    return levels_ == 0 ? TrueTime::max() : time(slots_[lowest()].earliest);
  }

  void push(TrueTime at, Due due, std::uint32_t node, std::uint32_t payload) {
    expect(word(at) >= last_, "something is due before what has happened");
    ++size_;
    const QueueEntry entry(at, due, node, payload);
    place({word(at), std::uint64_t{entry.what} << 32 | payload});
  }

  // Which entry comes after that many others, where that is known already: to fetch in time what it will need.
  bool knows(std::size_t after) const { return front_size_ > after; }
  QueueEntry soon(std::size_t after) const { return entry_of(front_size_ - 1 - after); }

  // The queue must not be empty.
  QueueEntry pop() {
    if (front_size_ == 0) refill();
    expect(front_size_ > 0, "the queue was asked for more than it holds");
    --size_;
    --front_size_;
    last_ = front_at_[front_size_];
    return entry_of(front_size_);
  }

 private:
  static constexpr std::size_t kDigitBits = 6;
  static constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
  // The lowest digit has fewer, so that the slots of the others are 33 us, 2.1 ms, 134 ms … long: a lease of seconds is
  // moved as seldom as can be in worlds of a hundred, a thousand and 100 000 contenders.
  static constexpr std::size_t kLowestBits = 3;
  static constexpr std::size_t kLevels = (64 - kLowestBits + kDigitBits - 1) / kDigitBits + 1;
  static constexpr std::size_t kFront = 32;  // more would make it dear to sort one in
  static constexpr std::size_t kEnough = 8;  // a refill takes at least so many, where there are

  // An entry as two words, written and read one by one: to read in one piece what was just written in several stalls.
  struct Packed {
    std::uint64_t at;
    std::uint64_t load;
  };
  using Pool = FifoPool<Packed, 15>;
  static_assert(kEnough - 1 + Pool::kChunk <= kFront);

  struct Slot {
    Pool::List list;
    std::uint64_t earliest = UINT64_MAX;
  };

  static std::uint64_t word(TrueTime at) { return static_cast<std::uint64_t>(at.time_since_epoch().count()); }
  static TrueTime time(std::uint64_t word) { return TrueTime{Duration(static_cast<std::int64_t>(word))}; }

  QueueEntry entry_of(std::size_t place) const {
    QueueEntry entry;
    entry.at = time(front_at_[place]);
    entry.what = static_cast<std::uint32_t>(front_load_[place] >> 32);
    entry.payload = static_cast<std::uint32_t>(front_load_[place]);
    return entry;
  }

  void place(Packed entry) {
    if (entry.at < front_end_ && front_size_ == kFront) spill();
    if (entry.at < front_end_) {
      sort_in(entry);
    } else {
      put_later(entry);
    }
  }

  // The next entry is the front's last, so that what is due soon moves few.
  void sort_in(Packed entry) {
    std::size_t hole = front_size_++;
    for (; hole > 0 && front_at_[hole - 1] <= entry.at; --hole) {
      front_at_[hole] = front_at_[hole - 1];
      front_load_[hole] = front_load_[hole - 1];
    }
    front_at_[hole] = entry.at;
    front_load_[hole] = entry.load;
  }

  static std::size_t level_of(std::size_t bit) { return (bit + kDigitBits - kLowestBits) / kDigitBits; }
  static std::size_t shift_of(std::size_t level) {
    return level == 0 ? 0 : level * kDigitBits - (kDigitBits - kLowestBits);
  }

  void put_later(Packed entry) {
    const auto level = level_of(static_cast<std::size_t>(std::bit_width((entry.at ^ base_) | 1) - 1));
    const std::size_t digit = entry.at >> shift_of(level) & (kDigits - 1);
    Slot& slot = slots_[level * kDigits + digit];
    slot.earliest = entry.at < slot.earliest ? entry.at : slot.earliest;  // without a branch nobody could predict
    levels_ |= 1u << level;  // NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult): the width is not zero
    digits_[level] |= std::uint64_t{1} << digit;
    pool_.append(slot.list, entry);
  }

  // The slot that comes after the front; there must be one.
  std::size_t lowest() const {
    const auto level = static_cast<std::size_t>(std::countr_zero(levels_));
    return level * kDigits + static_cast<std::size_t>(std::countr_zero(digits_[level]));
  }

  void refill();
  void spill();
  void close(std::size_t slot);

  std::size_t size_ = 0;
  std::size_t front_size_ = 0;
  std::uint64_t front_end_ = UINT64_MAX;  // what is due before it belongs to the front
  std::uint64_t base_ = 0;                // never after the last time popped
  std::uint64_t last_ = 0;                // popped
  std::array<std::uint64_t, kFront> front_at_{};
  std::array<std::uint64_t, kFront> front_load_{};
  std::uint32_t levels_ = 0;                     // which hold something
  std::array<std::uint64_t, kLevels> digits_{};  // of each level, likewise
  std::array<Slot, kLevels * kDigits> slots_;
  Pool pool_;
};

}  // namespace leasescope
