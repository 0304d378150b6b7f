// Where the next high value of a long column is, without walking to it: a pyramid of sixteens over the column, each
// with the highest of those below it. One stands over sixteen that are all there: what is appended, and what changes of
// the last few, costs nothing until then, and whoever looks for something looks at the last few themselves.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace leasescope {

// The column itself stays with whoever has it: `at(i)` gives its values.
template <class Value>
class Peaks {
 public:
  static constexpr std::size_t kFan = 16;

  // The value at `i` is new, or another than before; those before it have been told.
  template <class At>
  void update(std::size_t i, At&& at) {
    if (i >= size_) return append(at);
    Value value = at(i);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      i /= kFan;
      if (i >= levels_[level].size()) return;
      const Value before = levels_[level][i];
      if (value < before) value = highest_in(level, i, at);
      if (value == before) return;  // nor is anything else above it
      levels_[level][i] = value;
    }
  }

  // The first at or after `i` that is above `bound`; the number of all when there is none.
  template <class At>
  std::size_t first_above(std::size_t i, Value bound, At&& at) const {
    return first_among(i, bound, [&at](std::size_t first, std::size_t end, Value least) {
      while (first < end && at(first) <= least) ++first;
      return first;
    });
  }
  // The same where a few that follow each other are looked at at once: `find(first, end, bound)` gives the first of
  // them above it, else `end`. They are of one node.
  template <class Find>
  std::size_t first_among(std::size_t i, Value bound, Find&& find) const {
    std::size_t level = 0;
    // Up, as long as whole nodes are too low; then down to the one, or to those that no node stands over.
    while (i < size_) {
      if (i >= count(level) || (level > 0 && levels_[level - 1][i] > bound)) {
        --level;
        i *= kFan;
        continue;
      }
      if (level == 0) {
        const std::size_t end = std::min(size_, (i / kFan + 1) * kFan);
        i = find(i, end, bound);
        if (i < end) return i;
      } else {
        ++i;
      }
      while (i % kFan == 0 && i / kFan < count(level + 1)) {
        i /= kFan;
        ++level;
      }
    }
    return size_;
  }

  std::size_t size() const { return size_; }
  std::size_t bytes() const {
    std::size_t bytes = levels_.capacity() * sizeof(levels_[0]);
    for (const std::vector<Value>& level : levels_) bytes += level.capacity() * sizeof(Value);
    return bytes;
  }

 private:
  // Of the column itself, and of each level above it.
  std::size_t count(std::size_t level) const {
    return level == 0 ? size_ : level <= levels_.size() ? levels_[level - 1].size() : 0;
  }
  // One more, and each node that is complete with it.
  template <class At>
  void append(At&& at) {
    ++size_;
    for (std::size_t level = 0; count(level) % kFan == 0; ++level) {
      if (levels_.size() == level) levels_.emplace_back();
      std::vector<Value>& nodes = levels_[level];
      if (nodes.size() == nodes.capacity()) nodes.reserve(nodes.size() + 1 + nodes.size() / 8);  // not twice as many
      nodes.push_back(highest_in(level, nodes.size(), at));
    }
  }
  template <class At>
  Value highest_in(std::size_t level, std::size_t node, At&& at) const {
    Value highest = value(level, node * kFan, at);
    for (std::size_t child = node * kFan + 1; child < (node + 1) * kFan; ++child)
      highest = std::max(highest, value(level, child, at));
    return highest;
  }
  template <class At>
  Value value(std::size_t level, std::size_t i, At&& at) const {
    return level == 0 ? at(i) : levels_[level - 1][i];
  }

  std::vector<std::vector<Value>> levels_;  // from the finest
  std::size_t size_ = 0;
};

}  // namespace leasescope
