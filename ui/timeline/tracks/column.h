// A long column of values that grows at its end and takes little more than it needs: kept in chunks, so that nothing
// is moved as it grows, and where std::vector would have room for as many again there is room for part of a chunk.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace leasescope {

// What is kept in blocks of `block` and has `size`: for how many to make room in the last one when it is full.
constexpr std::size_t room_in_block(std::size_t size, std::size_t block) {
  const std::size_t used = size % block;
  return std::min(block, used + (size < block ? 1 + used / 8 : block / 8));
}

// Room for an eighth more, when there is none for another.
template <class Vector>
void make_room(Vector& vector) {
  if (vector.size() == vector.capacity()) vector.reserve(vector.size() + 1 + vector.size() / 8);
}

template <class Value>
class Column {
 public:
  static constexpr std::size_t kChunk = 1024;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Value operator[](std::size_t i) const { return chunks_[i / kChunk][i % kChunk]; }
  Value& operator[](std::size_t i) { return chunks_[i / kChunk][i % kChunk]; }

  // Those from `i` to the end of its chunk lie side by side.
  const Value* from(std::size_t i) const { return chunks_[i / kChunk].data() + i % kChunk; }

  void push_back(Value value) {
    if (size_ % kChunk == 0) {
      make_room(chunks_);
      chunks_.emplace_back();
    }
    std::vector<Value>& chunk = chunks_.back();
    if (chunk.size() == chunk.capacity()) chunk.reserve(room_in_block(size_, kChunk));
    chunk.push_back(value);
    ++size_;
  }

  // ---- search in a column that does not go back; the number of all where there is none
  std::size_t first_above(Value bound) const {
    return first_that([bound](Value value) { return value > bound; });
  }
  std::size_t first_not_below(Value bound) const {
    return first_that([bound](Value value) { return value >= bound; });
  }

  // All that is taken, used or not.
  std::size_t bytes() const {
    std::size_t bytes = chunks_.capacity() * sizeof(chunks_[0]);
    for (const std::vector<Value>& chunk : chunks_) bytes += chunk.capacity() * sizeof(Value);
    return bytes;
  }

 private:
  template <class Is>
  std::size_t first_that(Is&& is) const {
    const auto is_not = [&](Value value) { return !is(value); };
    const auto chunk = std::partition_point(chunks_.begin(), chunks_.end(),
                                            [&](const std::vector<Value>& each) { return is_not(each.back()); });
    if (chunk == chunks_.end()) return size_;
    const auto found = std::partition_point(chunk->begin(), chunk->end(), is_not);
    return static_cast<std::size_t>(chunk - chunks_.begin()) * kChunk +
           static_cast<std::size_t>(found - chunk->begin());
  }

  std::vector<std::vector<Value>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace leasescope
