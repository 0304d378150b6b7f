// A long column of values that grows at its end and takes little more than it needs: kept in chunks, so that nothing
// is moved as it grows, and where std::vector would have room for as many again there is room for part of a chunk.
#pragma once
#include <algorithm>
#include <compare>
#include <cstddef>
#include <iterator>
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
  class Iterator;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Value& operator[](std::size_t i) const { return chunks_[i / kChunk][i % kChunk]; }
  Value& operator[](std::size_t i) { return chunks_[i / kChunk][i % kChunk]; }

  const Value& front() const { return (*this)[0]; }
  const Value& back() const { return (*this)[size_ - 1]; }
  Value& back() { return (*this)[size_ - 1]; }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

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
  // Before the one at `place`. For what comes late: all after it move on.
  void insert(std::size_t place, Value value) {
    push_back(value);
    for (std::size_t i = size_ - 1; i > place; --i) (*this)[i] = (*this)[i - 1];
    (*this)[place] = value;
  }

  // ---- search in a column that does not go back; the number of all where there is none
  std::size_t first_above(Value bound) const {
    return first_that([bound](Value value) { return value > bound; });
  }
  std::size_t first_not_below(Value bound) const {
    return first_that([bound](Value value) { return value >= bound; });
  }

  friend bool operator==(const Column& a, const Column& b) = default;

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

// For the standard library's searches; the values stay as they are.
template <class Value>
class Column<Value>::Iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using pointer = const Value*;
  using reference = const Value&;

  Iterator() = default;
  Iterator(const Column& column, std::size_t index) : column_(&column), index_(static_cast<std::ptrdiff_t>(index)) {}

  reference operator*() const { return (*column_)[static_cast<std::size_t>(index_)]; }
  pointer operator->() const { return &**this; }
  reference operator[](difference_type by) const { return *(*this + by); }
  Iterator& operator+=(difference_type by) {
    index_ += by;
    return *this;
  }
  Iterator& operator-=(difference_type by) { return *this += -by; }
  Iterator& operator++() { return *this += 1; }
  Iterator& operator--() { return *this -= 1; }
  Iterator operator++(int) {
    const Iterator before = *this;
    ++*this;
    return before;
  }
  Iterator operator--(int) {
    const Iterator before = *this;
    --*this;
    return before;
  }
  friend Iterator operator+(Iterator at, difference_type by) { return at += by; }
  friend Iterator operator+(difference_type by, Iterator at) { return at += by; }
  friend Iterator operator-(Iterator at, difference_type by) { return at -= by; }
  friend difference_type operator-(const Iterator& a, const Iterator& b) { return a.index_ - b.index_; }
  friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }
  friend std::strong_ordering operator<=>(const Iterator& a, const Iterator& b) { return a.index_ <=> b.index_; }

 private:
  const Column* column_ = nullptr;
  std::ptrdiff_t index_ = 0;
};

}  // namespace leasescope
