// Brings a recording that is done into one file, in as little room as it needs, and in the newest form.
#pragma once
#include <cstdint>
#include <string>

#include <tl/expected.hpp>

#include "core/history/recording/schema.h"

namespace leasescope {

struct Compacted {
  std::uint64_t before = 0;  // bytes, with what lay beside it
  std::uint64_t after = 0;
};

// Not while it is written or read: the error says so, and nothing has changed.
tl::expected<Compacted, std::string> compact_recording(const std::string& path,
                                                       const RecordingSchema& schema = RecordingSchema::current());

}  // namespace leasescope
