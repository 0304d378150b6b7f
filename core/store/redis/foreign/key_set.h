// Very many keys, as a number each: whether one is among them. Eight bytes a key.
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <unordered_set>
#include <vector>

namespace leasescope::redis {

class KeySet {
 public:
  explicit KeySet(std::size_t most) : most_(most) {}

  bool has(const std::string& key) const {
    const std::size_t number = number_of(key);
    return fresh_.count(number) != 0 || std::binary_search(sorted_.begin(), sorted_.end(), number);
  }
  // One that is too many is not kept.
  void add(const std::string& key) {
    if (full()) return;
    fresh_.insert(number_of(key));
    if (fresh_.size() >= kFresh) merge();
  }
  bool full() const { return sorted_.size() + fresh_.size() >= most_; }
  void clear() {
    fresh_.clear();
    sorted_ = {};
  }

 private:
  static constexpr std::size_t kFresh = 65'536;

  static std::size_t number_of(const std::string& key) { return std::hash<std::string>()(key); }
  void merge() {
    const auto middle = static_cast<std::ptrdiff_t>(sorted_.size());
    sorted_.insert(sorted_.end(), fresh_.begin(), fresh_.end());
    fresh_.clear();
    std::sort(sorted_.begin() + middle, sorted_.end());
    std::inplace_merge(sorted_.begin(), sorted_.begin() + middle, sorted_.end());
  }

  std::size_t most_;
  std::vector<std::size_t> sorted_;
  std::unordered_set<std::size_t> fresh_;  // to be sorted in
};

}  // namespace leasescope::redis
