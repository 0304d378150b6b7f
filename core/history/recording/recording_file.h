// A recording as it is written: one batch, one transaction. It waits for the disk; RecordingWriter does not.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/database.h"
#include "core/history/recording/file_lock.h"
#include "core/history/recording/frame_sum.h"
#include "core/history/recording/recording_sink.h"
#include "core/history/recording/retention.h"

namespace leasescope {

// Why nothing can be recorded there, as far as it can be known without making anything; empty where it can.
std::string why_not_recorded(const std::string& path);

struct NotGoneOn {
  std::string words;      // which file, and what to do
  bool may_pass = false;  // another time the same may go well
};

// Whether there is a plain file with something in it.
bool holds_something(const std::string& path);

class RecordingFile final : public RecordingSink {
 public:
  // A new file, or one of no bytes: what somebody has there is not written over. `most_pages`: of 4 KiB, it grows no
  // further; 0: as far as the disk goes. `retention`: looked after at a batch, each `retained_every` at most.
  static tl::expected<std::unique_ptr<RecordingFile>, std::string> create(
      const std::string& path, std::int64_t most_pages = 0, const Retention& retention = {},
      std::chrono::milliseconds retained_every = std::chrono::minutes(1));
  // One of a watch that broke off or ended, whose form and events this program has read; `lock`: of that file. It has
  // not ended any more, and no incident of it lasts. What is written to it are names and events with the next numbers.
  static tl::expected<std::unique_ptr<RecordingFile>, NotGoneOn> go_on(
      const std::string& path, FileLock lock, const Retention& retention = {},
      std::chrono::milliseconds retained_every = std::chrono::minutes(1));
  ~RecordingFile() override;

  // All of it or, when it fails, nothing; what was written before stays. Nothing is written after a failure.
  void write(const RecordingBatch& batch) override;
  // One file is left, without another beside it, unless somebody reads it just now.
  void close() override;

  std::uint64_t written() const override { return written_; }
  std::size_t names() const { return names_; }              // that are in it
  std::size_t next_incident() const { return incidents_; }  // a number above those in it when it was opened
  const std::string& error() const override { return error_; }
  const std::string& reason() const override { return reason_; }

 private:
  explicit RecordingFile(std::unique_ptr<Database> database);
  void put_words();
  void match_words();
  void take_up();
  void put_names(const RecordingBatch& batch);
  void put_events(const RecordingBatch& batch);
  void put_block();
  void put_state(const RecordingBatch& batch);
  void put_incidents(const RecordingBatch& batch);
  void retain();
  void give_up();

  FileLock lock_;  // is given up after the file
  std::unique_ptr<Database> database_;
  std::uint64_t first_ = 1;  // the number of the first event of the last block
  std::vector<Event> last_;  // which grows until it is full
  std::string packed_;
  std::int64_t names_sum_ = 0;
  FrameSums sums_;
  std::size_t names_ = 0, incidents_ = 0;
  std::uint64_t written_ = 0;
  Retention retention_;
  std::chrono::milliseconds retained_every_{};
  std::chrono::steady_clock::time_point retained_ = std::chrono::steady_clock::now();
  std::uint64_t dropped_ = 0;  // of those written
  TrueTime now_{};
  std::string error_, reason_;
};

}  // namespace leasescope
