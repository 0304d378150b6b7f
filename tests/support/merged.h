// Recordings that are made and laid into one.
#pragma once
#include <string>
#include <vector>

#include "core/history/recording/merged_history.h"
#include "core/history/recording/recording_writer.h"
#include "tests/support/recordings.h"

namespace leasescope::tests {

// What stands in a recording; `error`: why nothing does.
struct Recorded {
  HistoryHeader header;
  History history;
  std::optional<RecordedOutcome> outcome;
  std::vector<std::string> remarks;
  std::string error;
};

// Empty, or why not.
inline std::string record(const std::string& path, const Recorded& what) {
  auto writer = RecordingWriter::create(path);
  if (!writer) return writer.error();
  (*writer)->head(what.header);
  (*writer)->append(what.history);
  if (!what.outcome) return {};
  const auto done = (*writer)->finish(what.history, *what.outcome);
  return done ? std::string() : done.error();
}

inline Recorded merged(const std::vector<std::string>& paths) {
  Recorded out;
  auto merged = MergedHistory::open(paths);
  if (!merged) {
    out.error = merged.error();
    return out;
  }
  out.header = (*merged)->header();
  out.history = (*merged)->frame();
  while ((*merged)->read_page(out.history.events)) {
  }
  out.outcome = (*merged)->outcome();
  out.remarks = (*merged)->remarks();
  out.error = (*merged)->error();
  return out;
}

// What of them is not the same; empty: all is.
inline std::string difference(const Recorded& a, const Recorded& b) {
  if (a.error != b.error) return a.error + " and " + b.error;
  if (header_line(a.header) != header_line(b.header)) return header_line(a.header) + header_line(b.header);
  if (a.outcome.has_value() != b.outcome.has_value()) return "whether it has ended";
  if (a.outcome && (a.outcome->simulated_ns != b.outcome->simulated_ns || a.outcome->inputs != b.outcome->inputs ||
                    a.outcome->wall_ns != b.outcome->wall_ns || a.outcome->not_judged != b.outcome->not_judged))
    return "what it came to";
  return difference(a.history, b.history);
}

}  // namespace leasescope::tests
