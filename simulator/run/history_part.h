// A part of what was watched, as a history of its own.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/history_source.h"
#include "simulator/run/stretch.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

// What happened within two moments, and before it what was in force at the first: of whoever held then the grant and
// the last renewal, and since when a mutex was not observed, at their own moments. Incidents and summary are those of
// the part. Other events than those of a watch are left out where they were before it.
class HistoryPart final : public HistorySource {
 public:
  static tl::expected<std::unique_ptr<HistorySource>, std::string> of(std::unique_ptr<HistorySource> whole,
                                                                      TrueTime from, TrueTime to);

  const std::string& path() const override { return whole_->path(); }
  const HistoryHeader& header() const override { return whole_->header(); }
  const std::optional<RecordedOutcome>& outcome() const override { return outcome_; }
  // Incidents and summary once all of it has been read.
  const History& frame() const override { return frame_; }
  // Of those that were not over before it what was told by its end.
  const std::vector<AlertNote>* alerts() const override { return alerts_ ? &*alerts_ : nullptr; }
  int permille() const override { return whole_->permille(); }
  const std::vector<std::string>& remarks() const override { return whole_->remarks(); }
  bool read_page(std::vector<Event>& events) override;
  const std::string& error() const override { return whole_->error(); }

 private:
  using Numbered = std::pair<Sequence, Event>;

  HistoryPart(std::unique_ptr<HistorySource> whole, Scenario scenario, TrueTime from, TrueTime to);
  void take_alerts();
  void keep_in_force(Sequence number, const Event& event);
  void begin(Sequence before, std::vector<Event>& events);
  Sequence number_now(Sequence number) const;
  void finish();

  std::unique_ptr<HistorySource> whole_;
  const Scenario scenario_;
  const TrueTime from_, to_;
  History frame_;
  std::optional<std::vector<AlertNote>> alerts_;
  History page_;  // of the whole
  std::optional<RecordedOutcome> outcome_;
  Stretch stretch_;
  std::unordered_map<std::uint32_t, std::vector<Numbered>> in_force_;  // by mutex, until it begins
  std::vector<Sequence> kept_;                                         // numbers of those that were in force
  std::optional<Sequence> before_;                                     // once it has begun: the last that was before it
  bool over_ = false;
};

}  // namespace leasescope
