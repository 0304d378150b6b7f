// What a contender answers: effects, in order, in a fixed buffer. Nothing is called back and nothing is allocated.
#pragma once
#include <array>
#include <variant>

#include "core/base/expect.h"
#include "core/contend/input.h"
#include "core/contend/mutex_state.h"
#include "core/history/event.h"

namespace leasescope {

enum class Status : std::uint8_t { kInitial, kStarting, kRunning, kStopping };
inline constexpr int kStatuses = 4;
std::string_view text(Status status);  // "INITIAL"

struct Send {
  Request request;
};
struct Arm {
  Timer timer;
  Duration delay;  // on the contender's steady clock
};
struct Disarm {
  Timer timer;
};
// The contender told its application who owns now. Renewals are not told.
struct Notify {
  MutexState state;
};
// For the history; the world stamps it with its own time.
struct Note {
  EventKind kind;
  std::uint8_t detail = 0;
  Token token = kNoToken;
  std::int64_t a = 0;
  std::int64_t b = 0;
};
// A Start or Stop that the status forbids, or that the store failed; nothing else changed.
struct Refuse {
  LifecycleError error;
  Status status;
};

using Effect = std::variant<Send, Arm, Disarm, Notify, Note, Refuse>;

class Effects {
 public:
  static constexpr std::size_t kCapacity = 24;

  Effects() {}  // the buffer stays uninitialised on purpose: step is hot
  template <class T>
  void push(const T& effect) {
    expect(size_ < kCapacity, "a step has more effects than there is room for");
    new (&buffer_[size_++]) Effect(effect);
  }
  // A Send to be filled in place: a copy right after its fields were set would stall.
  Request& send() {
    expect(size_ < kCapacity, "a step has more effects than there is room for");
    return std::get_if<Send>(new (&buffer_[size_++]) Effect(std::in_place_type<Send>))->request;
  }
  const Effect* begin() const { return reinterpret_cast<const Effect*>(buffer_.data()); }
  const Effect* end() const { return begin() + size_; }
  std::size_t size() const { return size_; }

 private:
  struct alignas(Effect) Slot {
    std::byte bytes[sizeof(Effect)];
  };
  static_assert(std::is_trivially_copyable_v<Effect> && std::is_trivially_destructible_v<Effect>);
  std::array<Slot, kCapacity> buffer_;
  std::size_t size_ = 0;
};

}  // namespace leasescope
