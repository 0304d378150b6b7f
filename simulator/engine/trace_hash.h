// The trace hash: 64 bits over every dispatched input and every history event, names by their text.
#pragma once
#include <algorithm>
#include <array>
#include <string>

#define XXH_STATIC_LINKING_ONLY  // the state's size
#include <xxhash.h>

#include "core/history/event.h"
#include "simulator/engine/event_queue.h"

namespace leasescope {

// One input as it was dispatched; `a`, `b`, `c` are its payload.
struct DispatchedInput {
  TrueTime at{};
  Name node;
  Due due = Due::kStart;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;
  // Whose process it concerns: that of the node, or whom a server answers. What comes of the input mostly names it, so
  // its hash is at hand: that of one of 100 000 contenders is far from the processor in the table.
  Name process{UINT32_MAX};
  std::uint64_t process_hash = 0;

  std::uint64_t text_hash(Name name, const NameTable& names) const {
    return name == process ? process_hash : names.text_hash(name);
  }
};

class TraceHash {
 public:
  // What a file that keeps a hash says beside it: changes whenever the meaning of what is hashed does, so that such a
  // file of before is known to be one. It is no part of the hash.
  static constexpr std::uint64_t kFormat = 2;

  TraceHash();
  TraceHash(const TraceHash& other) { *this = other; }
  TraceHash& operator=(const TraceHash& other) {
    state_ = other.state_;
    held_ = other.held_;
    std::copy_n(other.words_.begin(), held_, words_.begin());
    return *this;
  }

  void add(const DispatchedInput& input, const NameTable& names);
  // What came of the input.
  void add(const Event& event, const DispatchedInput& input, const NameTable& names);
  std::uint64_t digest() const;

 private:
  // Room for that many more words, so that the hash is fed in long pieces: it is much faster at those.
  std::uint64_t* room(std::size_t words) {
    if (held_ + words > words_.size()) feed();
    std::uint64_t* place = words_.data() + held_;
    held_ += words;
    return place;
  }
  void feed();

  XXH3_state_t state_;
  std::size_t held_ = 0;
  std::array<std::uint64_t, 256> words_;
};

// 16 hex digits.
std::string hash_text(std::uint64_t hash);

}  // namespace leasescope
