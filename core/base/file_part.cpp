#include "core/base/file_part.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>

#include <fmt/format.h>

namespace leasescope {
namespace fs = std::filesystem;

// The kernel refuses longer chains as well.
fs::path end_of_links(fs::path path) {
  constexpr int kMostLinks = 40;
  std::error_code code;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, code)); ++i) {
    const fs::path to = fs::read_symlink(path, code);
    if (code) break;
    path = path.parent_path() / to;  // where `to` is absolute, that is `to`
  }
  return path;
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

FilePart make_part(const fs::path& folder, mode_t mode) {
  constexpr int kTries = 16;
  std::random_device random;
  FilePart part;
  for (int i = 0; i < kTries; ++i) {
    part.path = folder / fmt::format(".leasescope-part-{:08x}{:08x}", random(), random());
    part.descriptor = ::open(part.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (part.descriptor >= 0 || errno != EEXIST) break;
  }
  return part;
}

bool take_after(const FilePart& part, const struct stat& old) {
  struct stat now {};
  if (::fstat(part.descriptor, &now) != 0) return false;
  const bool same_owner = now.st_uid == old.st_uid && now.st_gid == old.st_gid;
  if (!same_owner && ::fchown(part.descriptor, old.st_uid, old.st_gid) != 0) return false;
  return ::fchmod(part.descriptor, old.st_mode & 07777) == 0;
}

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(descriptor, bytes.data(), bytes.size());
    if (wrote < 0 && errno != EINTR) return errno;
    if (wrote >= 0) bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return 0;
}

int refusal(const fs::path& target) {
  std::error_code code;
  if (fs::is_directory(target, code)) return EISDIR;
  const auto may_write = [](const fs::path& what) {
    return ::faccessat(AT_FDCWD, what.c_str(), W_OK, AT_EACCESS) == 0;
  };
  if (may_write(target)) return 0;
  if (errno != ENOENT) return errno;
  return may_write(folder_of(target)) ? 0 : errno;
}

std::string cannot_write(const std::string& path, int error) {
  return fmt::format("{} cannot be written: {}", path, std::strerror(error));
}

}  // namespace leasescope
