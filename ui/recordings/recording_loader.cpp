#include "ui/recordings/recording_loader.h"

#include "simulator/run/recorded_run.h"

namespace leasescope {

RecordingLoader::RecordingLoader(std::string path) : path_(std::move(path)), thread_([this] { work(); }) {}

RecordingLoader::~RecordingLoader() {
  {
    const std::lock_guard lock(lock_);
    stop_ = true;
  }
  taken_.notify_all();
  thread_.join();
}

void RecordingLoader::work() {
  auto reader = RecordingReader::open(path_);
  if (reader) {
    RecordingFrame frame{reader->header(),  scenario_of(reader->header(), path_),
                         reader->outcome(), reader->frame(),
                         reader->events(),  reader->remarks()};
    const std::lock_guard lock(lock_);
    frame_ = std::move(frame);
  }
  bool more = reader.has_value();
  while (more) {
    std::vector<Event> page;
    more = reader->read_page(page);
    if (!put(std::move(page))) break;
  }
  const std::lock_guard lock(lock_);
  error_ = reader ? reader->error() : reader.error();
  ended_ = true;
}

// Waits for room; false when nobody wants more.
bool RecordingLoader::put(std::vector<Event> page) {
  std::unique_lock lock(lock_);
  taken_.wait(lock, [this] { return stop_ || pages_.size() < kMostWaiting; });
  if (!page.empty()) pages_.push_back(std::move(page));
  return !stop_;
}

std::optional<RecordingFrame> RecordingLoader::frame() {
  const std::lock_guard lock(lock_);
  return std::exchange(frame_, std::nullopt);
}

std::vector<Event> RecordingLoader::page() {
  std::vector<Event> out;
  {
    const std::lock_guard lock(lock_);
    if (pages_.empty()) return out;
    out = std::move(pages_.front());
    pages_.pop_front();
  }
  taken_.notify_one();
  return out;
}

bool RecordingLoader::done() {
  const std::lock_guard lock(lock_);
  return ended_ && pages_.empty() && !frame_;
}

std::string RecordingLoader::error() {
  const std::lock_guard lock(lock_);
  return error_;
}

}  // namespace leasescope
