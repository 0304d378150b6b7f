// Reads a recording: of a run that has ended, is still going on, or whose program was killed.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/database.h"
#include "core/history/recording/event_words.h"
#include "core/history/recording/history_source.h"
#include "core/history/recording/known_until.h"
#include "core/history/recording/schema.h"

namespace leasescope {

// It sees the recording as it was when it was opened, however it grows meanwhile.
class RecordingReader final : public HistorySource {
 public:
  // The error names the file, and says what is wrong and what to do.
  static tl::expected<RecordingReader, std::string> open(const std::string& path,
                                                         const RecordingSchema& schema = RecordingSchema::current());

  const std::string& path() const override { return database_->path(); }
  std::int64_t form() const { return form_; }
  const HistoryHeader& header() const override { return header_; }
  const std::optional<RecordedOutcome>& outcome() const override { return outcome_; }
  const History& frame() const override { return frame_; }
  const std::vector<AlertNote>* alerts() const override { return alerts_ ? &*alerts_ : nullptr; }
  std::uint64_t events() const override { return events_; }
  int permille() const override;
  // Incidents of kinds that this program does not know.
  const std::vector<std::string>& remarks() const override { return remarks_; }
  // Of a watch, unless an earlier version wrote it.
  const std::optional<KnownUntil>& known() const { return known_; }

  // The next page is the one with the first event at or after `at`, or the end.
  void seek(TrueTime at);
  // Likewise, the one with the event of that number, of which it gives what comes from there on.
  void seek(std::uint64_t number);
  bool read_page(std::vector<Event>& events) override;
  // The number of the event that read_page() gives next.
  std::uint64_t next() const { return next_ + skip_; }
  const std::string& error() const override { return database_->error(); }

  // All of it. An error is one that open() or read_page() found.
  tl::expected<History, std::string> read();

 private:
  explicit RecordingReader(std::unique_ptr<Database> database);
  void read_frame();
  std::string moment_text(std::int64_t ns) const;
  void read_words();
  void read_names(const Facts& facts);
  void count_events();
  void look_at_sum();
  bool take_block(std::vector<Event>& events);

  std::unique_ptr<Database> database_;
  std::unique_ptr<Statement> blocks_;
  std::int64_t form_ = 0;
  HistoryHeader header_;
  std::optional<RecordedOutcome> outcome_;
  History frame_;
  std::optional<KnownUntil> known_;
  std::optional<std::vector<AlertNote>> alerts_;
  EventWords words_;
  std::uint64_t first_ = 1;  // of all events
  std::uint64_t events_ = 0;
  std::uint64_t next_ = 1;
  std::uint64_t skip_ = 0;  // so many of the next block were not asked for
  std::vector<std::string> remarks_;
  bool frame_changed_ = false;
};

}  // namespace leasescope
