#include "app/leasescopectl_kept_errors.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace leasescope::ctl {
namespace {

// Of all of them; what cannot be written is lost.
void write_all(int descriptor, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = ::write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

}  // namespace

void KeptErrors::begin() {
  if (before_ >= 0) return;
  kept_ = ::memfd_create("leasescopectl-errors", MFD_CLOEXEC);
  before_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  handed_ = taken_ = 0;
  hands_on_ = ::isatty(STDERR_FILENO) == 0;
  if (kept_ >= 0 && before_ >= 0 && ::dup2(kept_, STDERR_FILENO) >= 0) return;
  for (int* const each : {&kept_, &before_}) {
    if (*each >= 0) ::close(*each);
    *each = -1;
  }
}

// Async-signal-safe.
void KeptErrors::hand_on() const {
  char part[4096];
  for (ssize_t got = 0; (got = ::pread(kept_, part, sizeof part, handed_)) > 0; handed_ += got)
    write_all(before_, part, static_cast<std::size_t>(got));
}

std::vector<std::string> KeptErrors::take() {
  std::vector<std::string> out;
  if (before_ < 0) return out;
  if (hands_on_) hand_on();
  std::string text;
  char part[4096];
  off_t at = taken_;
  for (ssize_t got = 0; (got = ::pread(kept_, part, sizeof part, at)) > 0; at += got)
    text.append(part, static_cast<std::size_t>(got));
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    out.push_back(text.substr(begin, end - begin));
  taken_ += static_cast<off_t>(begin);
  return out;
}

void KeptErrors::end() {
  if (before_ < 0) return;
  ::dup2(before_, STDERR_FILENO);
  hand_on();
  ::close(before_);
  ::close(kept_);
  before_ = kept_ = -1;
}

void KeptErrors::give_up() const {
  if (before_ < 0) return;
  ::dup2(before_, STDERR_FILENO);
  hand_on();
}

}  // namespace leasescope::ctl
