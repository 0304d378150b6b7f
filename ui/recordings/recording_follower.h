// Looks ten times a second, beside the window, at what has come to a recording that is still written.
#pragma once
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/history/recording/recording_growth.h"

namespace leasescope {

class RecordingFollower {
 public:
  using Look = tl::expected<RecordingGrowth, std::string>;

  RecordingFollower(std::string path, Sequence last);
  ~RecordingFollower();  // waits for a look that is under way
  RecordingFollower(const RecordingFollower&) = delete;
  RecordingFollower& operator=(const RecordingFollower&) = delete;

  // Once, when something has come. After an error, and after the end of the run, nothing comes any more.
  std::optional<Look> taken();

 private:
  void work();

  RecordingWatch watch_;
  std::mutex lock_;
  std::condition_variable wake_;
  bool ends_ = false;
  std::optional<Look> come_;
  std::thread thread_;
};

}  // namespace leasescope
