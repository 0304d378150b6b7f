// A 4-ary heap by (time, order of pushing): what the event queue is compared with, in properties and in the bench.
#pragma once
#include <vector>

#include "simulator/engine/event_queue.h"

namespace leasescope::tests {

class HeapQueue {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  TrueTime next() const { return heap_.empty() ? TrueTime::max() : heap_.front().entry.at; }

  void push(TrueTime at, Due due, std::uint32_t node, std::uint32_t payload) {
    sift_up({{at, due, node, payload}, ++pushed_});
  }

  QueueEntry pop() {
    const QueueEntry top = heap_.front().entry;
    const Ordered last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sift_down(last);
    return top;
  }

 private:
  struct Ordered {
    QueueEntry entry;
    std::uint64_t order = 0;

    bool before(const Ordered& other) const {
      return entry.at != other.entry.at ? entry.at < other.entry.at : order < other.order;
    }
  };

  void sift_up(const Ordered& entry) {
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

  void sift_down(const Ordered& entry) {
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

  std::vector<Ordered> heap_;
  std::uint64_t pushed_ = 0;
};

}  // namespace leasescope::tests
