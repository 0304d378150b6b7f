// Records a run while it goes on, on a thread of its own: whoever records never waits for the disk, unless he asks to.
#pragma once
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <tl/expected.hpp>

#include "core/history/recording/recording_batch.h"
#include "core/history/recording/retention.h"

namespace leasescope {

class RecordingSink;

struct RecordingTerms {
  // So many events wait for the disk at most: what comes then stays with the history until there is room.
  std::size_t most_waiting = 128 * 1024;
  // At so many they are written.
  std::size_t written_at = 32 * 1024;
  // Or after so long: a program that is killed loses no more than what came since.
  std::chrono::milliseconds written_after{500};
  std::int64_t most_pages = 0;  // RecordingFile::create, and these
  Retention retention;
  std::chrono::milliseconds retained_every = std::chrono::minutes(1);
};

// One thread calls it.
class RecordingWriter {
 public:
  // A new file; the error says why it cannot be, and what to do.
  static tl::expected<std::unique_ptr<RecordingWriter>, std::string> create(const std::string& path,
                                                                            const RecordingTerms& terms = {});
  // To wherever it goes; `name` is what an error calls it.
  RecordingWriter(std::string name, std::unique_ptr<RecordingSink> sink, const RecordingTerms& terms = {});
  // Writes what it has; a run that was not finished is one that was cut off.
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;

  // What it is a recording of.
  void head(const HistoryHeader& header);
  // Copies what has come since, as far as there is room; the rest another time. Never waits.
  // `known`: of a watch, for whoever goes on after it.
  void offer(const History& history, const std::optional<KnownUntil>& known = {});
  // What was told of alerts since, of mutexes of that history. Whoever calls it, also with none, says that the
  // recording keeps what is told of them. Never waits.
  void note(const History& history, std::vector<AlertNote> alerts);
  // All of it: waits where there is no room. Before the history forgets events or incidents, this.
  void append(const History& history);
  // Writes what it has; nothing more is taken. Waits for the disk.
  void close();
  // The run has ended: all of it is written when this returns.
  tl::expected<void, std::string> finish(const History& history, const RecordedOutcome& outcome);

  // Why nothing is recorded any more, with its name and what to do; what was written before stays. Empty: it is.
  std::string error() const;
  // The same for those who will not keep it: without what is in it.
  std::string reason() const;
  // Why nothing is written just now, though it will be; empty: it is.
  std::string away() const;
  Sequence taken() const { return taken_; }  // the number of the last event that was
  // The incidents as they were taken last, which may be before the last event was.
  const IncidentList& taken_incidents() const { return incidents_; }
  std::uint64_t written() const;  // events that are in it

 private:
  bool take_events(const History& history);
  void take_legend(const Legend& legend);
  void take_names(const History& history);
  void take_state(const History& history);
  void work();
  bool due() const;

  const std::string name_;
  const std::unique_ptr<RecordingSink> sink_;  // the thread's, but for what any may ask
  const RecordingTerms terms_;

  // ---- the caller's
  bool begun_ = false;
  Sequence taken_ = 0;
  std::size_t names_taken_ = 0;
  std::size_t faults_taken_ = 0;  // of the legend, which may learn of more while words are read
  bool tells_taken_ = false;
  IncidentList incidents_;  // as taken: what it shares with the history's has not changed

  // ---- of both, under the lock
  mutable std::mutex lock_;
  std::condition_variable came_, gone_;
  RecordingBatch waiting_;
  std::vector<Event> spare_;  // room that was used before
  bool closing_ = false;
  std::uint64_t written_ = 0;
  std::string error_, reason_;

  std::thread thread_;
};

}  // namespace leasescope
