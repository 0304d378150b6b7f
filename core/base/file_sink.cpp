#include "core/base/file_sink.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace leasescope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAtOnce = 1 << 16;  // bytes a write

// What helps against it; empty where there is nothing to advise.
std::string remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return ". Make room there, or choose another place";
    case EACCES:
    case EPERM:
    case EROFS:
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
      return ". Choose another place";
    default:
      return {};
  }
}

}  // namespace

FileSink::FileSink(std::string path, GoOn wanted) : path_(std::move(path)), wanted_(std::move(wanted)) {}

FileSink::~FileSink() { drop(); }

// 0, or the error's number.
int FileSink::begin() {
  begun_ = true;
  target_ = end_of_links(path_);
  if (const int error = refusal(target_); error != 0) return error;
  struct stat old {};
  const bool exists = ::stat(target_.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {
    direct_ = true;
    part_.descriptor = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    return part_.descriptor < 0 ? errno : 0;
  }
  part_ = make_part(folder_of(target_), exists ? 0600 : 0666);
  if (part_.descriptor >= 0 && (!exists || take_after(part_, old))) return 0;
  drop();
  // Nothing can take the old file's place, so it gets other contents, at the end.
  aside_ = true;
  std::error_code code;
  const fs::path elsewhere = fs::temp_directory_path(code);
  if (code) return code.value();
  part_ = make_part(elsewhere, 0600);
  return part_.descriptor < 0 ? errno : 0;
}

int FileSink::flush() {
  if (!begun_)
    if (const int error = begin(); error != 0) return error;
  const int error = write_all(part_.descriptor, waiting_);
  waiting_.clear();
  return error;
}

int FileSink::close() {
  if (part_.descriptor < 0) return 0;
  return ::close(std::exchange(part_.descriptor, -1)) == 0 ? 0 : errno;
}

// The part's bytes, into the file as it is. 0, or the error's number.
int FileSink::copy_over() const {
  const int from = ::open(part_.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) return errno;
  const int to = ::open(target_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int error = to < 0 ? errno : 0;
  std::array<char, kAtOnce> bytes{};
  for (ssize_t got = 1; error == 0 && got > 0;) {
    got = ::read(from, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR)
      got = 1;
    else if (got < 0)
      error = errno;
    else
      error = write_all(to, {bytes.data(), static_cast<std::size_t>(got)});
  }
  ::close(from);
  if (to >= 0 && ::close(to) != 0 && error == 0) error = errno;
  return error;
}

bool FileSink::fail(int error) {
  error_ = error;
  drop();
  return false;
}

void FileSink::drop() {
  (void)close();
  if (!direct_ && !part_.path.empty()) ::unlink(part_.path.c_str());
  part_.path.clear();
}

bool FileSink::put(std::string_view bytes) {
  if (error_ != 0 || unwanted_) return false;
  waiting_ += bytes;
  if (waiting_.size() < kAtOnce) return true;
  const int error = flush();
  return error == 0 || fail(error);
}

bool FileSink::settle() {
  if (error_ != 0 || unwanted_) return false;
  const int error = flush();
  return error == 0 || fail(error);
}

bool FileSink::go_on(std::uint64_t done, std::uint64_t all) {
  if (error_ != 0 || unwanted_) return false;
  if (!wanted_ || wanted_(done, all)) return true;
  unwanted_ = true;
  drop();
  return false;
}

tl::expected<void, std::string> FileSink::commit() {
  if (unwanted_) return tl::make_unexpected(path_ + " was not written: it was cancelled");
  if (error_ == 0) error_ = flush();
  if (const int error = close(); error_ == 0) error_ = error;
  if (error_ == 0 && !direct_) {
    // A file that is mounted keeps its place.
    const bool renamed = !aside_ && ::rename(part_.path.c_str(), target_.c_str()) == 0;
    if (renamed) part_.path.clear();
    if (!renamed) error_ = copy_over();
  }
  drop();
  if (error_ == 0) return {};
  return tl::make_unexpected(cannot_write(path_, error_) + remedy(error_));
}

}  // namespace leasescope
