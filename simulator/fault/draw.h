// What is worth drawing for a time or a number of a fault: declared by its kind, sampled by the swarm. A value.
#pragma once
#include <algorithm>

#include "core/base/random_stream.h"
#include "core/time/clock.h"

namespace leasescope {

struct Draw {
  enum class Shape : std::uint8_t { kNothing, kUniform, kLogUniform };

  Shape shape = Shape::kNothing;  // a key that says nothing keeps its default
  bool in_leases = false;         // from and to are millionths of a lease
  bool either_sign = false;       // and half of them are negative
  std::int64_t from = 0;          // inclusive, as is `to`: ns or a number
  std::int64_t to = 0;

  // Small and large ones are equally worth a try: log-uniform (uniform within each doubling).
  static constexpr Draw time(Duration from, Duration to) {
    return {Shape::kLogUniform, false, false, from.count(), to.count()};
  }
  static constexpr Draw leases(double from, double to) {
    return {Shape::kLogUniform, true, false, static_cast<std::int64_t>(from * 1e6),
            static_cast<std::int64_t>(to * 1e6)};
  }
  static constexpr Draw number(std::int64_t from, std::int64_t to) { return {Shape::kUniform, false, false, from, to}; }
  static constexpr Draw magnitude(std::int64_t from, std::int64_t to) {
    return {Shape::kLogUniform, false, false, from, to};
  }
  constexpr Draw forth_and_back() const {
    Draw out = *this;
    out.either_sign = true;
    return out;
  }

  bool draws() const { return shape != Shape::kNothing; }

  // In ns, or the number itself.
  std::int64_t sample(Duration lease, RandomStream& stream) const {
    const bool negative = either_sign && (stream.next() & 1) != 0;
    const std::int64_t low = in_leases ? scaled(from, lease) : from;
    const std::int64_t high = std::max(low, in_leases ? scaled(to, lease) : to);
    const std::int64_t value =
        shape == Shape::kLogUniform ? log_uniform(low, high, stream) : uniform(low, high, stream);
    return negative ? -value : value;
  }

 private:
  static std::int64_t scaled(std::int64_t millionths, Duration lease) {
    return static_cast<std::int64_t>(static_cast<Int128>(millionths) * lease.count() / 1'000'000);
  }
  static std::int64_t uniform(std::int64_t low, std::int64_t high, RandomStream& stream) {
    return low + static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(high - low) + 1));
  }
  // Integers only, so that it is the same on every machine.
  static std::int64_t log_uniform(std::int64_t low, std::int64_t high, RandomStream& stream) {
    low = std::max<std::int64_t>(low, 1);
    std::uint64_t doublings = 0;
    while (low <= high >> (doublings + 1)) ++doublings;
    const auto doubling = static_cast<int>(stream.below(doublings + 1));
    const std::int64_t begin = low << doubling;
    return uniform(begin, std::max(begin, std::min(high, begin + (begin - 1))), stream);
  }
};

}  // namespace leasescope
