// The queue of what is due: a 4-ary heap by (time, order of pushing), so that equal times are first in, first out.
#pragma once
#include <cstdint>
#include <vector>

#include "core/time/clock.h"

namespace leasescope {

// What a queue entry stands for; the low byte of its order.
enum class Due : std::uint8_t {
  kStart,
  kStop,
  kTimer0,  // Timer::kContend
  kTimer1,  // Timer::kWatchdog
  kCallbackDone,
  kWork,
  kRequestTimeout,
  kRequestArrives,
  kReplyArrives,
  kStoreEventArrives,
  kWriteArrives,
  kLeaseEnds,
  kFaultDue,
  kFaultEnds,
};

// Plain data. Timers are cancelled lazily: `payload` is the generation they were armed in, or a message's slot.
struct QueueEntry {
  TrueTime at{};
  std::uint64_t order = 0;
  std::uint32_t node = 0;
  std::uint32_t payload = 0;

  Due due() const { return static_cast<Due>(order & 0xff); }
  bool before(const QueueEntry& other) const { return at != other.at ? at < other.at : order < other.order; }
};

class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  const QueueEntry& front() const { return heap_.front(); }
  void reserve(std::size_t entries) { heap_.reserve(entries); }

  void push(TrueTime at, Due due, std::uint32_t node, std::uint32_t payload) {
    sift_up({at, (++pushed_ << 8) | static_cast<std::uint64_t>(due), node, payload});
  }

  QueueEntry pop() {
    const QueueEntry top = heap_.front();
    const QueueEntry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sift_down(last);
    return top;
  }

 private:
  void sift_up(const QueueEntry& entry) {
    heap_.push_back(entry);
    std::size_t hole = heap_.size() - 1;
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (!entry.before(heap_[parent])) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = entry;
  }

  void sift_down(const QueueEntry& entry) {
    const std::size_t size = heap_.size();
    std::size_t hole = 0;
    while (true) {
      const std::size_t first = hole * 4 + 1;
      if (first >= size) break;
      const std::size_t end = first + 4 < size ? first + 4 : size;
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child)
        if (heap_[child].before(heap_[least])) least = child;
      if (!heap_[least].before(entry)) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = entry;
  }

  std::vector<QueueEntry> heap_;
  std::uint64_t pushed_ = 0;
};

}  // namespace leasescope
