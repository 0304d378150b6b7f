// The queue of what is due: a monotone radix heap, first in, first out at equal times.
#pragma once
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

#include "core/time/clock.h"
#include "simulator/engine/due.h"

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

// Ahuja, Mehlhorn, Orlin, Tarjan 1990: an entry lies in the bucket of the highest bit in which its time differs from
// the last time popped. Nothing may be pushed before that time. Looking never reorganises: what is pushed "now" after
// a look must not find the queue ahead of it.
class EventQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // Time of the next entry; max() when there is none.
  TrueTime next() const {
    if (head_ < due_.size()) return last_;
    return later_ == 0 ? TrueTime::max() : earliest_[static_cast<std::size_t>(std::countr_zero(later_))];
  }

  void push(TrueTime at, Due due, std::uint32_t node, std::uint32_t payload) {
    assert(at >= last_);
    ++size_;
    put({at, due, node, payload});
  }

  // The queue must not be empty.
  QueueEntry pop() {
    if (head_ == due_.size()) redistribute();
    --size_;
    return due_[head_++];
  }

 private:
  void put(const QueueEntry& entry) {
    const std::uint64_t difference = word(entry.at) ^ word(last_);
    if (difference == 0) {
      due_.push_back(entry);
      return;
    }
    const auto bucket = static_cast<std::size_t>(63 - std::countl_zero(difference));
    if (!(later_ >> bucket & 1) || entry.at < earliest_[bucket]) earliest_[bucket] = entry.at;
    later_ |= std::uint64_t{1} << bucket;
    buckets_[bucket].push_back(entry);
  }

  // The lowest bucket becomes the front: its earliest time is the new base, its entries move down in their order.
  void redistribute() {
    due_.clear();
    head_ = 0;
    const auto bucket = static_cast<std::size_t>(std::countr_zero(later_));
    last_ = earliest_[bucket];
    later_ &= later_ - 1;
    for (const QueueEntry& entry : buckets_[bucket]) put(entry);
    buckets_[bucket].clear();
  }

  static std::uint64_t word(TrueTime at) { return static_cast<std::uint64_t>(at.time_since_epoch().count()); }

  TrueTime last_{};
  std::uint64_t later_ = 0;  // which buckets hold something
  std::size_t head_ = 0;     // of due_
  std::size_t size_ = 0;
  std::vector<QueueEntry> due_;  // at `last_`, in order of pushing
  std::array<std::vector<QueueEntry>, 64> buckets_;
  std::array<TrueTime, 64> earliest_{};
};

}  // namespace leasescope
