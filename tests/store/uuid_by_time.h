// UUIDs of version 1, which bear when and on which host they were made, as hex digits without dashes.
#pragma once
#include <algorithm>
#include <chrono>
#include <string>

#include <fmt/format.h>

namespace leasescope::tests {

// Of this moment, on a host with such a hardware address, "02:42:ac:11:00:02".
inline std::string uuid_by_time(std::string host) {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  const auto ticks =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count()) / 100 +
      122'192'928'000'000'000ULL;
  host.erase(std::remove(host.begin(), host.end(), ':'), host.end());
  return fmt::format("{:08x}{:04x}1{:03x}8a5b{}", ticks & 0xffff'ffffU, ticks >> 32U & 0xffffU, ticks >> 48U & 0xfffU,
                     host);
}

// As a UUID is written: with dashes.
inline std::string with_dashes(std::string digits) {
  for (const std::size_t at : {8U, 13U, 18U, 23U}) digits.insert(at, 1, '-');
  return digits;
}

}  // namespace leasescope::tests
