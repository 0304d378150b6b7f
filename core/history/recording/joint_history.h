// Recordings of several observers who saw the same mutexes, as one history: README.md says what is told once.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/history_source.h"
#include "core/history/recording/joint_account.h"
#include "core/history/recording/offset_between.h"

namespace leasescope {

// One recording that has been read.
struct ObservedPart {
  std::unique_ptr<HistorySource> source;  // read to its end
  ObservedAccount account;                // by its own clock, of names of the common table
  // By handle in it, in the common table; `mutexes` has what mutexes are called there, and of all else the same.
  std::vector<Name> names, mutexes;
};

// By how much that observer's clock is ahead of the first's, and what is said of it; of the first: nothing.
struct PlacedClock {
  OffsetBounds ahead;
  // "its clock is 120 ms ± 8 ms ahead of a's by 314 grants and ends that both saw, if neither is more than 15 ppm off"
  std::string said;
};

// All of it is held in memory. Moment 0 is that of the first that began; times are those of the first one's clock.
class JointHistory final : public HistorySource {
 public:
  // Of two at least, and as many clocks; `names`: the common table.
  JointHistory(std::vector<ObservedPart> parts, const std::vector<PlacedClock>& clocks, NameTable names);

  const std::string& path() const override { return path_; }
  const HistoryHeader& header() const override { return header_; }
  // None where the watch of one had not ended.
  const std::optional<RecordedOutcome>& outcome() const override { return outcome_; }
  const History& frame() const override { return frame_; }
  const std::vector<AlertNote>* alerts() const override { return alerts_ ? &*alerts_ : nullptr; }
  std::uint64_t events() const override { return events_.size(); }
  int permille() const override;
  // What the recordings themselves remark. How far the clocks are apart is in the title.
  const std::vector<std::string>& remarks() const override { return remarks_; }
  bool read_page(std::vector<Event>& events) override;
  const std::string& error() const override { return error_; }

  // That its events are of.
  std::vector<std::string> mutexes() const;

 private:
  void join_header(const ObservedPart& part, const PlacedClock& clock);
  void join_events(std::vector<ObservedPart>& parts);
  void join_outcome(const ObservedPart& part, Duration shift, bool first);
  void join_incidents(const ObservedPart& part, Duration shift);
  void join_alerts(const ObservedPart& part, Duration shift);
  void sum_up();

  std::string path_;
  HistoryHeader header_;
  std::optional<RecordedOutcome> outcome_;
  History frame_;
  std::optional<std::vector<AlertNote>> alerts_;
  std::vector<std::string> remarks_;
  std::vector<Event> events_;
  std::size_t given_ = 0;
  std::string error_;
};

}  // namespace leasescope
