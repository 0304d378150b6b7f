// Reads a recording: of a run that has ended, is still going on, or whose program was killed.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/history.h"
#include "core/history/history_header.h"
#include "core/history/recording/database.h"
#include "core/history/recording/event_words.h"
#include "core/history/recording/recorded_outcome.h"
#include "core/history/recording/schema.h"

namespace leasescope {

// It sees the recording as it was when it was opened, however it grows meanwhile.
class RecordingReader {
 public:
  // The error names the file, and says what is wrong and what to do.
  static tl::expected<RecordingReader, std::string> open(const std::string& path,
                                                         const RecordingSchema& schema = RecordingSchema::current());

  const std::string& path() const { return database_->path(); }
  std::int64_t form() const { return form_; }
  const HistoryHeader& header() const { return header_; }
  // None when the run had not ended.
  const std::optional<RecordedOutcome>& outcome() const { return outcome_; }
  // Names, legend, incidents, summary and how far it is known: all but the events. `forgotten` is what was so when it
  // began.
  const History& frame() const { return frame_; }
  std::uint64_t events() const { return events_; }
  // What this program leaves out, for people: incidents of kinds that it does not know.
  const std::vector<std::string>& remarks() const { return remarks_; }

  // The next page is the one with the first event at or after `at`, or the end.
  void seek(TrueTime at);
  // Appends the next events in their order; false at the end and after an error.
  bool read_page(std::vector<Event>& events);
  // The number of the event that read_page() gives next.
  std::uint64_t next() const { return next_; }
  // Why there are no more, empty at the end: what was given before is right.
  const std::string& error() const { return database_->error(); }

  // All of it. An error is one that open() or read_page() found.
  tl::expected<History, std::string> read();

 private:
  explicit RecordingReader(std::unique_ptr<Database> database);
  void read_frame();
  void read_words();
  void read_names(const Facts& facts);
  void count_events();
  bool take_block(std::vector<Event>& events);

  std::unique_ptr<Database> database_;
  std::unique_ptr<Statement> blocks_;
  std::int64_t form_ = 0;
  HistoryHeader header_;
  std::optional<RecordedOutcome> outcome_;
  History frame_;
  EventWords words_;
  std::uint64_t first_ = 1;  // of all events
  std::uint64_t events_ = 0;
  std::uint64_t next_ = 1;
  std::vector<std::string> remarks_;
};

}  // namespace leasescope
