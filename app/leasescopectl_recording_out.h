// A recording that a command makes of another history: it has its name when it is whole, and leaves nothing when it is
// not.
#pragma once
#include <memory>
#include <string>

#include "app/leasescopectl_progress.h"
#include "core/history/recording/history_source.h"
#include "core/history/recording/recording_writer.h"

namespace leasescope::ctl {

class NewRecording {
 public:
  NewRecording() = default;
  NewRecording(const NewRecording&) = delete;
  NewRecording& operator=(const NewRecording&) = delete;
  ~NewRecording();

  // Why nothing can be recorded there; empty: it is begun.
  std::string open(const std::string& path);
  // All of that history: then it has its name. The exit code; what was wrong has been said.
  int fill(HistorySource& source, Progress& progress);

 private:
  std::string finish(const History& history, const std::optional<RecordedOutcome>& outcome);
  std::string part() const { return path_ + ".part"; }

  std::string path_;
  std::unique_ptr<RecordingWriter> writer_;
};

}  // namespace leasescope::ctl
