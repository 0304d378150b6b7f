#include "simulator/engine/event_queue.h"

#include <algorithm>

namespace leasescope {

// Short slots move into the front until it holds enough. A long one is first split by the next lower digit; where there
// is none, all in it is due at once: a part of it moves, and what is pushed meanwhile for that time goes behind the
// rest.
void EventQueue::refill() {
  const auto to_front = [this](Packed entry) { sort_in(entry); };
  while (levels_ != 0) {
    const std::size_t index = lowest();
    Slot& slot = slots_[index];
    const std::size_t shift = shift_of(index / kDigits);
    const std::uint64_t begin = slot.earliest >> shift << shift;
    if (slot.list.is_short()) {
      if (front_size_ == 0) base_ = begin;
      front_end_ = begin + (std::uint64_t{1} << shift);
      close(index);
      pool_.take_chunk(slot.list, to_front);
      if (front_size_ >= kEnough) return;
    } else if (front_size_ > 0) {
      return;
    } else if (shift > 0) {
      base_ = begin;
      close(index);
      while (!slot.list.empty()) pool_.take_chunk(slot.list, [this](Packed entry) { put_later(entry); });
    } else {
      base_ = front_end_ = begin;
      pool_.take_chunk(slot.list, to_front);
      return;
    }
  }
  front_end_ = UINT64_MAX;
}

// The later half of a full front goes to the slots, whole times only: an entry left behind would lose its turn to those
// of its time when it follows them.
void EventQueue::spill() {
  if (levels_ == 0) base_ = last_;
  std::size_t spilled = kFront / 2;
  while (spilled < kFront && front_at_[spilled] == front_at_[spilled - 1]) ++spilled;
  front_end_ = front_at_[spilled - 1];
  for (std::size_t i = spilled; i > 0; --i) put_later({front_at_[i - 1], front_load_[i - 1]});
  std::copy(front_at_.begin() + spilled, front_at_.end(), front_at_.begin());
  std::copy(front_load_.begin() + spilled, front_load_.end(), front_load_.begin());
  front_size_ -= spilled;
}

void EventQueue::close(std::size_t slot) {
  const std::size_t level = slot / kDigits;
  slots_[slot].earliest = UINT64_MAX;
  digits_[level] &= digits_[level] - 1;
  if (digits_[level] == 0) levels_ &= levels_ - 1;
}

}  // namespace leasescope
