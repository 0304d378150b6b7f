#include "core/history/history_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace leasescope {
namespace {

// All of it, or how much went before `errno`.
std::size_t write_all(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) break;
    done += static_cast<std::size_t>(wrote);
  }
  return done;
}

}  // namespace

tl::expected<HistoryFile, std::string> HistoryFile::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return tl::make_unexpected(fmt::format("{} cannot be written: {}", path, std::strerror(errno)));
  return HistoryFile(path, descriptor, true);
}

// The descriptor itself: /dev/stdout would be opened anew, with an offset of its own.
tl::expected<HistoryFile, std::string> HistoryFile::standard_output() {
  const int descriptor = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0)
    return tl::make_unexpected(fmt::format("standard output cannot be written: {}", std::strerror(errno)));
  return HistoryFile("standard output", descriptor, false);
}

HistoryFile::HistoryFile(std::string path, int descriptor, bool own)
    : path_(std::move(path)), descriptor_(descriptor), own_(own) {
  buffer_.reserve(kBuffer);
}

HistoryFile::HistoryFile(HistoryFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      own_(other.own_),
      lines_(std::move(other.lines_)),
      buffer_(std::move(other.buffer_)),
      written_(other.written_),
      before_(other.before_),
      size_(other.size_),
      failed_(std::move(other.failed_)) {}

HistoryFile::~HistoryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

tl::expected<void, std::string> HistoryFile::head(const HistoryHeader& header) {
  const std::string line = header_line(header);
  const std::size_t done = write_all(descriptor_, line);
  if (done == line.size()) {
    size_ += static_cast<long long>(done);
    return {};
  }
  failed_ = fmt::format("{} could not be written: {}", path_, std::strerror(errno));
  cut();
  return tl::make_unexpected(failed_);
}

tl::expected<void, std::string> HistoryFile::append(const History& history) {
  constexpr std::size_t kLongestLine = 4 * 1024;  // but for the names, which may be longer
  Sequence next = written_;
  while (failed_.empty() && next < history.last()) {
    lines_.add(history, next + 1, buffer_);
    ++next;
    if (buffer_.size() + kLongestLine > kBuffer) flush(next);
  }
  if (failed_.empty()) flush(next);
  if (failed_.empty()) return {};
  return tl::make_unexpected(failed_);
}

void HistoryFile::flush(Sequence up_to) {
  const std::size_t done = write_all(descriptor_, buffer_);
  if (done == buffer_.size()) {
    size_ += static_cast<long long>(done);
    written_ = up_to;
    buffer_.clear();
    return;
  }
  const std::string reason = std::strerror(errno);
  keep_whole_lines(done);
  failed_ =
      fmt::format("{} could not be written any further: {}. The {} events before are in it", path_, reason, written());
}

// Of the buffer, so much went to the file; a line cut short is taken back.
void HistoryFile::keep_whole_lines(std::size_t of_buffer) {
  const std::size_t end = of_buffer == 0 ? std::string::npos : buffer_.rfind('\n', of_buffer - 1);
  const std::size_t whole = end == std::string::npos ? 0 : end + 1;
  size_ += static_cast<long long>(whole);
  written_ +=
      static_cast<Sequence>(std::count(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(whole), '\n'));
  buffer_.clear();
  cut();
}

void HistoryFile::cut() {
  if (own_ && ::ftruncate(descriptor_, size_) != 0) return;  // a pipe or a device has no length
}

}  // namespace leasescope
