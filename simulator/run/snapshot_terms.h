// How many snapshots of a run are kept, and what they may take.
#pragma once
#include <cstddef>
#include <cstdint>

namespace leasescope {

struct SnapshotTerms {
  std::uint64_t spacing = 50'000;                       // inputs between two
  std::size_t budget = std::size_t{256} * 1024 * 1024;  // bytes of all together; then every second one goes
};

}  // namespace leasescope
