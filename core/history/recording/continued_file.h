// A recording of a watch in which the next watch of the same stores goes on: README.md says what becomes of both.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/continued_account.h"
#include "core/history/recording/recording_file.h"
#include "core/history/recording/recording_reader.h"
#include "core/history/recording/recording_sink.h"

namespace leasescope {

// Batches are those of the new watch, with its own names, numbers and moments; what is written are those of the file.
class ContinuedFile final : public RecordingSink {
 public:
  // The file holds something. `header`: of the new watch, at whose `now` this is. What is not observed is in the file
  // when this returns; reading it takes a second for some millions of events.
  static tl::expected<std::unique_ptr<ContinuedFile>, NotGoneOn> open(
      const std::string& path, const HistoryHeader& header, TrueTime now, const Retention& retention = {},
      std::chrono::milliseconds retained_every = std::chrono::minutes(1));

  std::uint64_t events_before() const { return events_before_; }
  // How long nobody looked.
  Duration gap() const { return gap_; }

  void write(const RecordingBatch& batch) override;
  void close() override { file_->close(); }
  std::uint64_t written() const override { return file_->written(); }
  const std::string& error() const override { return file_->error(); }
  const std::string& reason() const override { return file_->reason(); }

 private:
  ContinuedFile() = default;
  tl::expected<void, NotGoneOn> begin(RecordingReader& reader, const HistoryHeader& header, TrueTime now);
  std::string read(RecordingReader& reader);
  TrueTime known_of(Name mutex) const;
  Name joined(Name of) const { return names_[of.handle]; }
  Event joined(Event event) const;
  Incident joined(Incident incident) const;
  AlertNote joined(AlertNote note) const;
  void take_alerts(const RecordingReader& reader);
  void join_state(const RecordingBatch& batch, RecordingBatch& out);
  void put_ready(RecordingBatch& out);
  void put_names(RecordingBatch& out);

  std::unique_ptr<RecordingFile> file_;
  HistoryHeader header_;
  NameTable table_;          // of the file
  std::vector<Name> names_;  // of the watch, by handle
  Duration shift_{};         // of its moments
  Summary before_;
  TrueTime end_{};      // of what the file knew
  KnownUntil known_{};  // ... and of that until when it knew all
  Duration gap_{};
  std::uint64_t events_before_ = 0;
  std::uint64_t alerts_before_ = 0;
  std::vector<AlertNote> over_;  // of those that lasted when the file's watch broke off
  std::uint64_t next_ = 1;       // number of an event
  ContinuedAccount account_;
};

}  // namespace leasescope
