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
  Duration length{};                // `for`, `within` or `left`, as its kind means it
  std::int64_t count = 0;           // `more_than`

  bool operator==(const AlertRule&) const = default;
};

}  // namespace leasescope
