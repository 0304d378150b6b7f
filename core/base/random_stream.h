// One stream of random numbers per (seed, name, purpose), so that one node never shifts another's draws.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/time/wide.h"

namespace leasescope {

// xoshiro256** by Blackman and Vigna, seeded through splitmix64; the samplers are our own because those of the
// standard library differ between implementations.
class RandomStream {
 public:
  RandomStream() : RandomStream(0, "", "") {}
  RandomStream(std::uint64_t seed, std::string_view name, std::string_view purpose);

  std::uint64_t next() {
    const std::uint64_t result = rotl(s_[1] * 5, 7) * 9;
    const std::uint64_t t = s_[1] << 17;
    s_[2] ^= s_[0];
    s_[3] ^= s_[1];
    s_[1] ^= s_[2];
    s_[0] ^= s_[3];
    s_[2] ^= t;
    s_[3] = rotl(s_[3], 45);
    return result;
  }

  bool operator==(const RandomStream& other) const { return std::equal(s_, s_ + 4, other.s_); }

  // Uniform in [0, bound), without bias (Lemire 2019). bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    Uint128 product = static_cast<Uint128>(next()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<Uint128>(next()) * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  // True with probability parts_per_million / 1e6.
  bool chance_ppm(std::uint32_t parts_per_million) {
    return parts_per_million != 0 && below(1'000'000) < parts_per_million;
  }

 private:
  static std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  std::uint64_t s_[4];
};

}  // namespace leasescope
