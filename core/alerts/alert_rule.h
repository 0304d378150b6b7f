// When somebody should be told, as its author wrote it.
#pragma once
#include <cstdint>
#include <string>

#include "core/time/clock.h"

namespace leasescope {

struct AlertKind;

struct AlertRule {
  std::string name;                 // "orders has no owner"
  const AlertKind* kind = nullptr;  // of the register
  std::string mutex = "*";          // of those that are called so; '*' and '?' as in a shell
  std::string store = "*";          // likewise, where its kind is about stores
  Duration length{};                // `for`, `within` or `left`, as its kind means it
  std::int64_t leases = 0;          // and so many millionths of the lease that it is about
  std::string written;              // the length, where that is in measures of a lease: "2 transition"
  std::int64_t count = 0;           // `more_than`

  // The whole length, where the lease is so long.
  Duration length_of(Duration lease) const;

  bool operator==(const AlertRule&) const = default;
};

// "12s"; where a lease is part of it to a thousandth of a second.
std::string length_text(const AlertRule& rule, Duration lease = {});

}  // namespace leasescope
