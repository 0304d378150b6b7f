#include "simulator/live/private_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr const char* kPrefix = "leasescope-";
constexpr const char* kLock = ".leasescope-lock";
constexpr const char* kUnready = ".leasescope-lock-unready";

// Closed at the end of its scope; a lock on it goes with it.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

bool is_ours(int fd, mode_t type) {
  struct stat about {};
  return ::fstat(fd, &about) == 0 && (about.st_mode & S_IFMT) == type && about.st_uid == ::geteuid();
}

// The lock stands before the file has the name that others look for.
int locked_file_in(const std::string& folder) {
  const std::string unready = folder + "/" + kUnready;
  Descriptor file(::open(unready.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600));
  const bool good = file.get() >= 0 && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 &&
                    ::rename(unready.c_str(), (folder + "/" + kLock).c_str()) == 0;
  return good ? file.release() : -1;
}

void remove_leftover(const std::filesystem::path& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.get() < 0 || !is_ours(folder.get(), S_IFDIR)) return;
  const Descriptor lock(::openat(folder.get(), kLock, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (lock.get() < 0 || !is_ours(lock.get(), S_IFREG) || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return;
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);  // a link in it is removed, not followed
}

}  // namespace

void remove_leftovers(const std::string& where) {
  std::error_code code;
  for (std::filesystem::directory_iterator at(where, code), end; !code && at != end; at.increment(code))
    if (at->path().filename().string().rfind(kPrefix, 0) == 0) remove_leftover(at->path());
}

tl::expected<std::unique_ptr<PrivateFolder>, std::string> PrivateFolder::make(std::size_t longest) {
  const auto pattern_in = [](const std::string& folder) { return folder + "/" + kPrefix + "XXXXXX"; };
  std::error_code code;
  std::string where = std::filesystem::temp_directory_path(code).string();
  if (code || pattern_in(where).size() > longest) where = "/tmp";
  remove_leftovers(where);
  std::string path = pattern_in(where);
  const auto failed = [&] {
    return tl::make_unexpected(fmt::format("no temporary folder in {}: {}. Make room there, or let TMPDIR name another",
                                           where, std::strerror(errno)));
  };
  if (::mkdtemp(path.data()) == nullptr) return failed();
  const int lock = locked_file_in(path);
  if (lock < 0) return failed();
  return std::unique_ptr<PrivateFolder>(new PrivateFolder(std::move(path), lock));
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  ::close(lock_);
}

}  // namespace leasescope
