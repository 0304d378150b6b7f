// A recording as it is written to a team's database: one batch, one transaction, each once, whatever becomes of the
// connection.
#pragma once
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include <tl/expected.hpp>

#include "core/history/recording/recording_sink.h"
#include "core/history/recording/retention.h"
#include "core/history/team/batch_rows.h"
#include "core/history/team/observers.h"
#include "core/store/url.h"
#include "core/time/clock.h"

namespace leasescope::team {

struct TeamTerms {
  std::string observer;
  std::string program;                       // the version that writes
  Retention retention;                       // what is older or too much is dropped, of all observers
  std::chrono::milliseconds patience{8000};  // with each answer
};

class TeamSink final : public RecordingSink {
 public:
  struct NotBegun {
    std::string words;      // which database, without its password, and what to do
    bool may_pass = false;  // it merely could not be reached, or was busy: another time the same may do
  };
  // Begins a recording there, and makes the tables where they are missing.
  static tl::expected<std::unique_ptr<TeamSink>, NotBegun> open(const StoreUrl& url, const TeamTerms& terms);
  ~TeamSink() override;

  // Waits until it is there, for as long as the database is away.
  void write(const RecordingBatch& batch) override;
  void close() override;

  std::uint64_t written() const override { return written_; }
  const std::string& error() const override { return error_; }
  const std::string& reason() const override { return reason_; }
  void hurry() override;
  std::string away() const override;

 private:
  TeamSink(const StoreUrl& url, const TeamTerms& terms);
  Done begin();
  Done connect();
  ConnectionTerms ways() const;
  Done take_name();
  Done insert_recording();
  Done attempt(const BatchOfRows& batch);
  Done find_out(const BatchOfRows& batch);
  Done run(const BatchOfRows& batch);
  Done need_days(const std::set<int>& days);
  Done retain();
  bool wait(std::chrono::milliseconds length);
  void note_away(const std::string& why);
  void fail(const std::string& why);
  std::string words_of(const SqlError& error) const;

  const StoreUrl url_;
  const TeamTerms terms_;
  NameLock name_;
  std::unique_ptr<Connection> database_;
  std::int64_t recording_ = 0;  // its row
  std::optional<BatchRows> rows_;
  std::int64_t done_ = 0;                    // the last batch that is known to be there
  bool unsure_ = false;                      // the next may be, too
  std::set<int> days_;                       // that are known to have partitions
  std::optional<std::int64_t> retained_in_;  // the hour, since 1970
  int retain_again_ = 0;                     // after so many batches
  std::uint64_t written_ = 0;
  std::string error_, reason_;

  // ---- of both threads
  std::atomic<bool> leaving_ = false;
  std::chrono::steady_clock::time_point left_at_{};  // once it is; not changed any more
  mutable std::mutex lock_;
  std::condition_variable left_;
  std::string away_;
};

}  // namespace leasescope::team
