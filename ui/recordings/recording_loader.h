// Reads a recording on a thread of its own. What it has read is taken in pages by whoever shows it, never faster than
// he takes them: no more than a few wait.
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/history/recording/recording_reader.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

// All of a recording but its events.
struct RecordingFrame {
  HistoryHeader header;
  tl::expected<Scenario, std::string> scenario;  // or why it is none of this program's
  std::optional<RecordedOutcome> outcome;
  History history;           // without events
  std::uint64_t events = 0;  // how many there are
  std::vector<std::string> remarks;
};

class RecordingLoader {
 public:
  explicit RecordingLoader(std::string path);
  ~RecordingLoader();  // reads no further
  RecordingLoader(const RecordingLoader&) = delete;
  RecordingLoader& operator=(const RecordingLoader&) = delete;

  const std::string& path() const { return path_; }
  // Once, when it has been opened.
  std::optional<RecordingFrame> frame();
  // The next page; empty when none is there yet.
  std::vector<Event> page();
  // Nothing will come any more, and everything was taken.
  bool done();
  // Why it could not be opened, or read to its end: what came before is right.
  std::string error();

 private:
  void work();
  bool put(std::vector<Event> page);

  static constexpr std::size_t kMostWaiting = 16;

  const std::string path_;
  std::mutex lock_;
  std::condition_variable taken_;
  std::optional<RecordingFrame> frame_;
  std::deque<std::vector<Event>> pages_;
  std::string error_;
  bool ended_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace leasescope
