#include "simulator/campaign/replay.h"

#include <fmt/format.h>

#include "simulator/engine/trace_hash.h"

namespace leasescope {

std::string_view program_version() { return LEASESCOPE_VERSION; }

ReplayTable replay_note(std::uint64_t trace_hash, std::string failure) {
  return {std::string(program_version()), static_cast<std::int64_t>(TraceHash::kFormat), hash_text(trace_hash),
          std::move(failure)};
}

std::string differs(const ReplayTable& replay, std::uint64_t trace_hash) {
  const std::string now = hash_text(trace_hash);
  if (replay.hash == now) return {};
  const bool same =
      replay.version == program_version() && replay.trace_format == static_cast<std::int64_t>(TraceHash::kFormat);
  return fmt::format("the trace hash is {}, but {} when the file was written{}", now, replay.hash,
                     same ? std::string(" by this very version")
                          : fmt::format(": by version {} with trace format {}, while this is version {} with {}",
                                        replay.version, replay.trace_format, program_version(), TraceHash::kFormat));
}

}  // namespace leasescope
