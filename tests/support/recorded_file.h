// A virtual run that is recorded into a file, for tests of what opens one.
#pragma once
#include <QFile>
#include <QString>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/history/recording/recording_writer.h"
#include "simulator/run/recorded_run.h"
#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"

namespace leasescope::tests {

struct Recorded {
  History history;
  Outcome outcome;
};

// Over what is there. Without an end it is as a killed program leaves it.
inline Recorded record(const QString& path, const std::string& scenario, const std::vector<std::string>& settings = {},
                       bool ends = true) {
  const auto found = find_scenario(scenario, settings);
  VirtualRun run(*found);
  run.advance(TrueTime::max());
  run.finish();
  QFile::remove(path);
  auto writer = RecordingWriter::create(path.toStdString());
  (*writer)->head(history_header(*found, run.outcome(), TrueTime::max()));
  (*writer)->append(run.history());
  if (ends && !(*writer)->finish(run.history(), recorded(run.outcome()))) throw std::runtime_error("not recorded");
  return {run.history(), run.outcome()};
}

}  // namespace leasescope::tests
