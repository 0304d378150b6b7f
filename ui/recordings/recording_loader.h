// Reads a recording, a team's history, or a history in words, beside the window, and makes for its views what would
// take them long: the chart, the snapshots of the cursor's panel, the tallies of the contenders.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/history/recording/history_source.h"
#include "simulator/scenario/scenario.h"
#include "ui/models/contender_tallies.h"
#include "ui/models/moment.h"
#include "ui/recordings/history_place.h"
#include "ui/timeline/paint/chart_data.h"

namespace leasescope {

// What was made of all of a history.
struct FoldedHistory {
  ChartData chart;
  Cast cast;
  Moments moments;  // without a cast
  ContenderTallies contenders;
};

struct LoadedRecording {
  HistoryHeader header;
  Scenario scenario;
  std::optional<RecordedOutcome> outcome;
  RunFacts facts;
  std::unique_ptr<History> history;
  FoldedHistory folded;
  std::vector<std::string> remarks;
  std::optional<std::vector<AlertNote>> fired;  // none: it is not kept
  bool grows = false;                           // a recording of a run that had not ended: more may come
  bool stopped = false;                         // not all of it: nobody wanted more
  std::string error;                            // likewise: why not; what there is, is right
};

class RecordingLoader {
 public:
  explicit RecordingLoader(HistoryPlace place);
  ~RecordingLoader();  // reads no further
  RecordingLoader(const RecordingLoader&) = delete;
  RecordingLoader& operator=(const RecordingLoader&) = delete;

  const HistoryPlace& place() const { return place_; }
  // Events that have come, and how much of it all that is, in thousandths; 0 until it has been opened.
  std::uint64_t come() const { return come_; }
  int permille() const { return permille_; }
  // Reads no further: the result is what has come.
  void stop() { stop_ = true; }
  // Once, when there is one. The error is why it could not be opened.
  std::optional<tl::expected<LoadedRecording, std::string>> result();

 private:
  tl::expected<LoadedRecording, std::string> load();
  void read(HistorySource& source, LoadedRecording& into);

  const HistoryPlace place_;
  std::atomic<std::uint64_t> come_ = 0;
  std::atomic<int> permille_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex lock_;
  std::optional<tl::expected<LoadedRecording, std::string>> result_;
  std::thread thread_;
};

}  // namespace leasescope
