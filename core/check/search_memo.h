// How far an order has come, and what of that need not be looked at again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/check/model.h"

namespace leasescope::check {

using Index = std::uint32_t;
using Indices = std::vector<Index>;
inline constexpr Index kNone = UINT32_MAX;

// Between two returns: what has taken effect so far.
struct Config {
  State state;
  Indices taken;  // ... and has not returned yet; sorted
  Indices spent;  // ... and never returns, so that nobody knows of it; sorted
};

// Whatever can follow `b` can follow `a`: what it has not spent it still can.
inline bool at_least(const Config& a, const Config& b) {
  return no_worse(a.state, b.state) && std::includes(b.spent.begin(), b.spent.end(), a.spent.begin(), a.spent.end());
}

inline void insert_sorted(Indices& into, Index op) { into.insert(std::upper_bound(into.begin(), into.end(), op), op); }
inline bool contains(const Indices& sorted, Index op) { return std::binary_search(sorted.begin(), sorted.end(), op); }

// Configurations that need not be looked at again, nor those that can do no more than one of them. Where many calls end
// unknown there are many that none of the others covers: how often two were compared is told to who counts the work.
class Memo {
 public:
  explicit Memo(std::uint64_t& compared) : compared_(&compared) {}
  // False when one that is at least as good is in it already.
  bool add(std::uint64_t place, const Config& config) {
    std::vector<Config>& alikes = by_hash_[key(place, config)];
    if (any_covers(alikes, config)) return false;
    alikes.push_back(config);
    return true;
  }
  bool covers(std::uint64_t place, const Config& config) const {
    const auto found = by_hash_.find(key(place, config));
    return found != by_hash_.end() && any_covers(found->second, config);
  }

 private:
  static bool same(const Config& a, const Config& b) { return alike(a.state, b.state) && a.taken == b.taken; }
  struct Key {
    std::uint64_t place, hash;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hasher {
    std::size_t operator()(const Key& key) const { return key.hash ^ (key.place * 0x9E3779B97F4A7C15ULL); }
  };
  static Key key(std::uint64_t place, const Config& config) {
    std::uint64_t out = hash(config.state);
    for (const Index op : config.taken) out = (out ^ op) * 0x94D049BB133111EBULL;
    return {place, out};
  }

  bool any_covers(const std::vector<Config>& others, const Config& config) const {
    return std::any_of(others.begin(), others.end(), [&](const Config& other) {
      ++*compared_;
      return same(other, config) && at_least(other, config);
    });
  }

  std::unordered_map<Key, std::vector<Config>, Hasher> by_hash_;
  std::uint64_t* compared_;
};

}  // namespace leasescope::check
