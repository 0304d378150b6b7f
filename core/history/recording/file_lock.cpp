#include "core/history/recording/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace leasescope {

// SQLite's own locks say nothing of a writer who has just nothing to write, and are others than this one.
std::optional<FileLock> FileLock::take(const std::string& path) {
  FileLock out(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (out.descriptor_ >= 0 && ::flock(out.descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return std::nullopt;
  return out;
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace leasescope
