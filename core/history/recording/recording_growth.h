// What has come to a recording since it was read, while its run goes on: the rest of its events, and the rest as it is.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/alerts/alert_note.h"
#include "core/history/history.h"
#include "core/history/recording/recorded_outcome.h"
#include "core/history/watch_settings.h"

namespace leasescope {

struct RecordingGrowth {
  History more;                            // all but its earlier events, which it says are forgotten
  std::optional<RecordedOutcome> outcome;  // the run has ended
  // Of a watch, all of it: what was told of alerts, and how it looks by now.
  std::optional<std::vector<AlertNote>> fired;
  std::optional<WatchSettings> watch;
};

// Looks at one recording again and again; in between it holds nothing of it, so that nobody waits for it.
class RecordingWatch {
 public:
  // `last`: the number of the last event that is known.
  RecordingWatch(std::string path, Sequence last) : path_(std::move(path)), last_(last) {}

  // Nothing when nothing has come. An error, also of a recording that is another one by now, is the last.
  tl::expected<std::optional<RecordingGrowth>, std::string> look();

 private:
  struct Stamp {
    std::int64_t size = -1, log = -1, changed = 0, log_changed = 0;
    bool operator==(const Stamp& other) const {
      return size == other.size && log == other.log && changed == other.changed && log_changed == other.log_changed;
    }
  };
  Stamp stamp() const;

  const std::string path_;
  Sequence last_;
  std::optional<std::int64_t> known_ns_;
  std::optional<Stamp> seen_;
};

}  // namespace leasescope
