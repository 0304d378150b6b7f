// Where the next high value of a long column is, without walking to it: a pyramid of sixteens over the column, each
// with the highest of those below it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
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
    bool fresh = i >= size_;  // it had no value
    if (fresh) size_ = i + 1;
    Value value = at(i);
    std::size_t below = size_;
    for (std::size_t level = 0; below > 1; ++level) {
      const std::size_t node = i / kFan, nodes = (below + kFan - 1) / kFan;
      const bool first = levels_.size() <= level;  // has to be told of what came before it: that of its only node
      if (first) levels_.emplace_back();
      std::vector<Value>& values = levels_[level];
      const bool grows = values.size() < nodes;
      if (grows && nodes > values.capacity()) values.reserve(nodes + nodes / 8);  // not twice as many
      if (grows) values.resize(nodes, std::numeric_limits<Value>::lowest());
      const Value before = values[node];
      if (first || (value < before && !fresh))
        value = highest_in(level, node, below, at);
      else
        value = std::max(value, before);
      if (!grows && value == before) return;  // nor is anything else above it
      values[node] = value;
      fresh = grows;
      i = node;
      below = nodes;
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
    // Up, as long as whole nodes are too low; then down to the one.
    while (i < size_) {
      if (level == 0) {
        const std::size_t end = std::min(size_, (i / kFan + 1) * kFan);
        i = find(i, end, bound);
        if (i < end) return i;
      } else if (levels_[level - 1][i] > bound) {
        --level;
        i *= kFan;
        continue;
      } else {
        ++i;
      }
      while (i % kFan == 0 && level < levels_.size() && i < count(level)) {
        i /= kFan;
        ++level;
      }
      if (i >= count(level)) return size_;
    }
    return size_;
  }

  // Of all of them; of none the lowest there is.
  template <class At>
  Value highest(At&& at) const {
    if (size_ <= 1) return size_ == 0 ? std::numeric_limits<Value>::lowest() : at(0);
    return levels_.back().front();
  }

  std::size_t size() const { return size_; }
  std::size_t bytes() const {
    std::size_t bytes = levels_.capacity() * sizeof(levels_[0]);
    for (const std::vector<Value>& level : levels_) bytes += level.capacity() * sizeof(Value);
    return bytes;
  }

 private:
  std::size_t count(std::size_t level) const { return level == 0 ? size_ : levels_[level - 1].size(); }
  template <class At>
  Value highest_in(std::size_t level, std::size_t node, std::size_t below, At&& at) const {
    Value highest = std::numeric_limits<Value>::lowest();
    const std::size_t end = std::min(below, (node + 1) * kFan);
    for (std::size_t child = node * kFan; child < end; ++child) highest = std::max(highest, value(level, child, at));
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
