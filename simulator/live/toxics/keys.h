// Keys that several toxics share, and how their values are read.
#pragma once
#include <fmt/format.h>

#include "core/store/store_type.h"
#include "simulator/live/toxics/toxic.h"

namespace leasescope::toxics {

inline ToxicKey time_key(std::string_view name, bool required) { return {name, ToxicKey::Type::kTime, {}, required}; }
inline ToxicKey number_key(std::string_view name, std::int64_t least, std::int64_t most) {
  return {name, ToxicKey::Type::kNumber, {}, true, least, most};
}
// The first word is the default.
inline ToxicKey word_key(std::string_view name, std::vector<std::string_view> words) {
  return {name, ToxicKey::Type::kWord, std::move(words)};
}

inline ToxicKey farewell_key() { return word_key("then", {"close", "reset", "silence"}); }
inline std::string_view farewell_words(Farewell how) {
  constexpr std::array<std::string_view, 3> kWords{"closed", "reset", "silent from now on"};
  return kWords[static_cast<std::size_t>(how)];
}

// Which of the frames it sees since it was armed, on all connections together: the `nth`, and so many from there on.
inline constexpr std::int64_t kMostFrames = 1'000'000'000;
inline ToxicKey nth_key() { return {"nth", ToxicKey::Type::kNumber, {}, false, 1, kMostFrames, 1}; }
inline ToxicKey count_key(std::int64_t unsaid = 1) {
  return {"count", ToxicKey::Type::kNumber, {}, false, 1, kMostFrames, unsaid};
}
class Count {
 public:
  Count(std::int64_t nth, std::int64_t count) : from_(nth), to_(nth + count) {}
  // The next one has come.
  bool hits() {
    ++seen_;
    return seen_ >= from_ && seen_ < to_;
  }

 private:
  std::int64_t from_;
  std::int64_t to_;
  std::int64_t seen_ = 0;
};

// A request of a client, or a reply of its store.
inline bool is_asked_frame(const Frame& frame) {
  return frame.kind == FrameKind::kRequest || frame.kind == FrameKind::kReply;
}

// Of a kind that acts on pushed messages.
inline std::string tells_nobody(const ToxicRow&, const StoreType& type) {
  return type.tells ? std::string() : fmt::format("{} sends no messages that nobody asked for", type.title);
}

template <class T>
std::unique_ptr<Toxic> make(const ToxicRow& row, std::uint64_t) {
  return std::make_unique<T>(row);
}

}  // namespace leasescope::toxics
