// A recording of a ToldHistory, and whether that is what is read there.
#pragma once
#include <optional>
#include <string>

#include "core/history/recording/frame_sum.h"
#include "core/history/recording/recording_reader.h"
#include "core/history/recording/recording_writer.h"
#include "tests/support/recordings.h"

namespace leasescope::tests {

inline bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

inline RecordedOutcome told_outcome() {
  RecordedOutcome out;
  out.simulated_ns = 60'000'000'000;
  out.wall_ns = 1;
  out.inputs = UINT64_MAX;
  out.trace_hash = 0x0123456789abcdef;
  out.forked_at_ns = 6;
  out.as_expected = false;
  out.reasons = {"double_grants is 1: expected 0", ""};
  out.legal = RecordedOutcome::Legality{"lease", 2, 3, 4, 5, 6, 7, "at 1 s …", true, true};
  return out;
}

// The whole of it, as one would record a run that is over.
inline std::string record(const std::string& path, const History& history,
                          const std::optional<RecordedOutcome>& outcome) {
  auto writer = RecordingWriter::create(path);
  if (!writer) return writer.error();
  (*writer)->head(told_header());
  (*writer)->append(history);
  if (!outcome) return (*writer)->error();
  const auto done = (*writer)->finish(history, *outcome);
  return done ? std::string() : done.error();
}

// After a change by hand: as whoever would have written it so would have left it.
inline void sum_up_again(Database& database) { (void)sum_up(database); }

// What is read there is not that history; empty: it is.
inline std::string difference_of(const std::string& path, const History& history) {
  auto reader = RecordingReader::open(path);
  if (!reader) return reader.error();
  const auto read = reader->read();
  return read ? difference(history, *read) : read.error();
}

}  // namespace leasescope::tests
