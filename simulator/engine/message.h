// Messages in flight: plain data in a pool of slots, so that the queue moves only handles.
#pragma once
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/prefetch.h"
#include "core/history/event.h"
#include "core/store/port.h"

namespace leasescope {

struct Write {
  Name writer;
  Token token = kNoToken;
  std::uint32_t resource = 0;  // its place in the world
  std::uint32_t work = 0;      // whose write it is, and its number there: the answer bears both
  std::uint32_t number = 0;
  Duration way{};              // the answer takes as long
  std::uint64_t transfer = 0;  // at a bank, which one
  std::uint8_t step = 0;       // and what of it
};

struct Message {
  union {
    Request request;
    Reply reply;
    StoreEvent event;
    Write write;
  };
  std::uint32_t life = 0;        // of the node it goes to or comes from; a crash begins a new one
  std::uint32_t store_life = 0;  // likewise of the server a request goes to
  Sequence cause = 0;            // the event that led to it

  Message() : request() {}
};
static_assert(std::is_trivially_copyable_v<Message>);

class MessagePool {
 public:
  // A free slot, to be filled in place through `at`.
  std::uint32_t make() {
    if (free_.empty()) {
      slots_.emplace_back();
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  Message& at(std::uint32_t slot) { return slots_[slot]; }
  std::uint32_t put(const Message& message) {
    const Message copy = message;  // it may lie in the pool itself, which may move
    const std::uint32_t slot = make();
    slots_[slot] = copy;
    return slot;
  }
  // Good until the next make.
  const Message& take(std::uint32_t slot) {
    free_.push_back(slot);
    return slots_[slot];
  }
  void fetch(std::uint32_t slot) const { prefetch(&slots_[slot], &slots_[slot] + 1); }
  const Message& look(std::uint32_t slot) const { return slots_[slot]; }
  std::size_t bytes() const { return slots_.size() * sizeof(Message) + free_.size() * sizeof(std::uint32_t); }

 private:
  LargeVector<Message> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace leasescope
