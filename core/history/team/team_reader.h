// Reads one recording of a team's history, as it was when the connection that reads was opened.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/event_words.h"
#include "core/history/recording/facts.h"
#include "core/history/recording/history_source.h"
#include "core/history/team/catalogue.h"

namespace leasescope::team {

class TeamReader final : public HistorySource {
 public:
  // The error names the database and the recording.
  static tl::expected<std::unique_ptr<TeamReader>, std::string> open(std::shared_ptr<TeamReading> team,
                                                                     const TeamRecording& recording);

  // "postgresql://host/db (api-1, 2026-11-29 03:00:12 UTC)"
  const std::string& path() const override { return path_; }
  const HistoryHeader& header() const override { return header_; }
  const std::optional<RecordedOutcome>& outcome() const override { return outcome_; }
  const History& frame() const override { return frame_; }
  const std::vector<AlertNote>* alerts() const override { return alerts_ ? &*alerts_ : nullptr; }
  std::uint64_t events() const override { return events_; }
  int permille() const override;
  const std::vector<std::string>& remarks() const override { return remarks_; }
  bool read_page(std::vector<Event>& events) override;
  const std::string& error() const override { return error_; }

  // Those that it tells of.
  const std::vector<std::string>& mutexes() const { return mutexes_; }

 private:
  TeamReader(std::shared_ptr<TeamReading> team, const TeamRecording& recording);
  void read_frame();
  void read_facts();
  void read_words();
  void read_names();
  void read_mutexes();
  void read_incidents();
  void read_alerts();
  void read_summary();
  void count_events();
  bool take_block(const SqlRows& rows, int row, std::vector<Event>& events);
  // None after an error.
  std::optional<SqlRows> ask(const char* sql, bool much = true);
  void fail(const std::string& why);

  std::shared_ptr<TeamReading> team_;
  const std::int64_t id_;
  std::string path_, error_;
  HistoryHeader header_;
  std::optional<RecordedOutcome> outcome_;
  History frame_;
  std::optional<std::vector<AlertNote>> alerts_;  // none: it keeps none, as one of form 1
  EventWords words_;
  std::vector<std::string> remarks_, mutexes_;
  std::int64_t names_sum_ = 0;
  std::uint64_t first_ = 1;  // of the events that are kept
  std::uint64_t events_ = 0, next_ = 1;
};

}  // namespace leasescope::team
