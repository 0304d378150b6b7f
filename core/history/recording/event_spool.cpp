#include "core/history/recording/event_spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "core/base/file_part.h"
#include "core/history/recording/event_block.h"

namespace leasescope {
namespace {

// Before a page; the cause of what comes is not far behind it.
constexpr std::size_t kLookedBackAt = std::size_t{1} << 16;

// -1, and errno says why.
int nameless_in(const std::filesystem::path& folder) {
  std::string name = (folder / ".leasescope-events-XXXXXX").string();
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0) ::unlink(name.c_str());
  return descriptor;
}

// 0, or the error's number; -1: the file ends before that.
int read_all(int descriptor, std::uint64_t at, std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::pread(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
    if (count == 0) return -1;
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return 0;
}

}  // namespace

EventSpool::~EventSpool() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int EventSpool::open() {
  if (descriptor_ >= 0) return 0;
  descriptor_ = nameless_in(folder_);
  const int error = errno;
  if (descriptor_ >= 0) return 0;
  std::error_code code;
  const std::filesystem::path elsewhere = std::filesystem::temp_directory_path(code);
  if (!code) descriptor_ = nameless_in(elsewhere);
  return descriptor_ >= 0 ? 0 : error;
}

std::string EventSpool::append(const History& history) {
  const auto failed = [&](int error) {
    return fmt::format("the events of the run cannot be kept in {}: {}", folder_.string(), std::strerror(error));
  };
  if (const int error = open(); error != 0) return failed(error);
  if (blocks_.empty()) read_ = history.forgotten;
  while (read_ < history.last()) {
    const std::size_t count = std::min<std::size_t>(kEventsInBlock, history.last() - read_);
    pack_events(&history.event(read_ + 1), count, read_ + 1, bytes_);
    if (const int error = write_all(descriptor_, bytes_); error != 0) return failed(error);
    blocks_.push_back({size_, static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(count), read_ + 1});
    size_ += bytes_.size();
    read_ += static_cast<Sequence>(count);
  }
  return {};
}

std::string EventSpool::each_page(History& page, const std::function<bool()>& take) const {
  std::string bytes;
  for (const Block& block : blocks_) {
    if (page.events.size() >= 2 * kLookedBackAt) page.forget_all_but(kLookedBackAt);
    if (page.events.empty()) page.forgotten = block.first - 1;
    bytes.resize(block.bytes);
    const int error = read_all(descriptor_, block.at, bytes);
    if (error > 0) return fmt::format("the events of the run cannot be read again: {}", std::strerror(error));
    if (error != 0 || !unpack_events(bytes, block.events, block.first, page.events))
      return "the events of the run are not what was written of them";
    if (!take()) break;
  }
  return {};
}

}  // namespace leasescope
