// Many first-in-first-out lists in one piece of memory: chunks that are used again, the one given back last first.
#pragma once
#include <array>
#include <cstdint>

#include "core/base/expect.h"
#include "core/base/large_vector.h"
#include "core/base/prefetch.h"

namespace leasescope {

// Trivially copyable values, `kPerChunk` a chunk. A list belongs to the pool that filled it, and to its copies.
template <class Value, std::uint32_t kPerChunk>
class FifoPool {
  static constexpr std::uint32_t kNone = UINT32_MAX;

 public:
  static constexpr std::uint32_t kChunk = kPerChunk;

  struct List {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;  // the same as `first` where that is the only chunk

    bool empty() const { return first == kNone; }
    bool is_short() const { return first == last; }  // at most one chunk
  };

  void append(List& list, const Value& value) {
    if (list.empty()) {
      list.first = list.last = fresh();
    } else if (chunks_[list.last].size == kChunk) {
      const std::uint32_t more = fresh();
      chunks_[list.last].next = more;
      list.last = more;
    }
    Chunk& chunk = chunks_[list.last];
    chunk.values[chunk.size++] = value;
  }

  // Hands over the values of the first chunk, in order, and takes the chunk back; `use` may append to other lists.
  template <class Use>
  void take_chunk(List& list, Use use) {
    const std::uint32_t taken = list.first;
    expect(taken < chunks_.size(), "a list that is empty, or of another pool, was asked for a chunk");
    const std::uint32_t size = chunks_[taken].size;
    if (const std::uint32_t next = chunks_[taken].next; next != kNone) prefetch(&chunks_[next], &chunks_[next] + 1);
    for (std::uint32_t i = 0; i < size; ++i) use(chunks_[taken].values[i]);
    list.first = chunks_[taken].next;
    if (list.empty()) list.last = kNone;
    chunks_[taken].next = free_;
    free_ = taken;
  }

 private:
  struct Chunk {
    std::uint32_t size = 0;
    std::uint32_t next = kNone;
    std::array<Value, kChunk> values;
  };

  std::uint32_t fresh() {
    if (free_ == kNone) {
      chunks_.emplace_back();
      return static_cast<std::uint32_t>(chunks_.size() - 1);
    }
    const std::uint32_t found = free_;
    free_ = chunks_[found].next;
    chunks_[found].size = 0;
    chunks_[found].next = kNone;
    return found;
  }

  LargeVector<Chunk> chunks_;
  std::uint32_t free_ = kNone;
};

}  // namespace leasescope
