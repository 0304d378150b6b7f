#include "core/history/recording/recording_growth.h"

#include <sys/stat.h>

#include <fmt/format.h>

#include "core/history/recording/recording_reader.h"

namespace leasescope {

RecordingWatch::Stamp RecordingWatch::stamp() const {
  Stamp out;
  struct stat found {};
  const auto when = [&] { return std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec; };
  if (::stat(path_.c_str(), &found) == 0) {
    out.size = found.st_size;
    out.changed = when();
  }
  if (::stat((path_ + "-wal").c_str(), &found) == 0) {
    out.log = found.st_size;
    out.log_changed = when();
  }
  return out;
}

tl::expected<std::optional<RecordingGrowth>, std::string> RecordingWatch::look() {
  const Stamp now = stamp();
  if (seen_ && now == *seen_) return std::nullopt;
  auto reader = RecordingReader::open(path_);
  if (!reader) return tl::make_unexpected(reader.error());
  seen_ = now;
  const Sequence had = reader->frame().forgotten + static_cast<Sequence>(reader->events());
  if (had < last_) return tl::make_unexpected(fmt::format("{} is another recording by now: read it again", path_));
  const std::int64_t known = reader->frame().now.time_since_epoch().count();
  if (had == last_ && known == known_ns_ && !reader->outcome()) return std::nullopt;
  known_ns_ = known;
  RecordingGrowth out;
  out.more = reader->frame();
  out.more.forgotten = last_;
  reader->seek(std::uint64_t{last_} + 1);
  while (reader->read_page(out.more.events)) {
  }
  if (!reader->error().empty()) return tl::make_unexpected(reader->error());
  out.outcome = reader->outcome();
  if (reader->alerts() != nullptr) out.fired = *reader->alerts();
  out.watch = reader->header().watch;
  last_ = had;
  return out;
}

}  // namespace leasescope
