#include "core/base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>

#include <fmt/format.h>

namespace leasescope {
namespace {

namespace fs = std::filesystem;

// Where the links lead, also to a file that is not there yet. The kernel refuses longer chains as well.
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

// 0, or the error's number. Closes it.
int write_and_close(int descriptor, std::string_view bytes) {
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const ssize_t wrote = ::write(descriptor, bytes.data(), bytes.size());
    if (wrote >= 0) bytes.remove_prefix(static_cast<std::size_t>(wrote));
    if (wrote < 0 && errno != EINTR) error = errno;
  }
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

int write_in_place(const fs::path& target, std::string_view bytes) {
  const int descriptor = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return descriptor < 0 ? errno : write_and_close(descriptor, bytes);
}

// A file of its own, under a name that nobody has.
struct Part {
  fs::path path;
  int descriptor = -1;
};

Part make_part(const fs::path& folder, mode_t mode) {
  constexpr int kTries = 16;
  std::random_device random;
  Part part;
  for (int i = 0; i < kTries; ++i) {
    part.path = folder / fmt::format(".leasescope-part-{:08x}{:08x}", random(), random());
    part.descriptor = ::open(part.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (part.descriptor >= 0 || errno != EEXIST) break;
  }
  return part;
}

// As the file that it will replace; whether it could be made so.
bool take_after(const Part& part, const struct stat& old) {
  struct stat now {};
  if (::fstat(part.descriptor, &now) != 0) return false;
  const bool same_owner = now.st_uid == old.st_uid && now.st_gid == old.st_gid;
  if (!same_owner && ::fchown(part.descriptor, old.st_uid, old.st_gid) != 0) return false;
  return ::fchmod(part.descriptor, old.st_mode & 07777) == 0;
}

enum class Done : std::uint8_t { kYes, kNo, kNotThisWay };

// Writes beside it and renames. `error`: why it was not done.
Done replace(const fs::path& target, const struct stat* old, std::string_view bytes, int& error) {
  const Part part = make_part(folder_of(target), old != nullptr ? 0600 : 0666);
  if (part.descriptor < 0) return Done::kNotThisWay;
  if (old != nullptr && !take_after(part, *old)) {
    ::close(part.descriptor);
    ::unlink(part.path.c_str());
    return Done::kNotThisWay;
  }
  error = write_and_close(part.descriptor, bytes);
  const bool renamed = error == 0 && ::rename(part.path.c_str(), target.c_str()) == 0;
  if (renamed) return Done::kYes;
  ::unlink(part.path.c_str());
  return error != 0 ? Done::kNo : Done::kNotThisWay;
}

// 0, or the error's number.
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

std::string cannot(const std::string& path, int error) {
  return fmt::format("{} cannot be written: {}", path, std::strerror(error));
}

}  // namespace

tl::expected<void, std::string> write_whole(const std::string& path, std::string_view bytes) {
  const fs::path target = end_of_links(path);
  // A file that may only be read could be replaced, but whoever made it so did not mean that.
  int error = refusal(target);
  if (error == 0) {
    struct stat old {};
    const bool exists = ::stat(target.c_str(), &old) == 0;
    const bool plain = !exists || S_ISREG(old.st_mode);
    const Done done = plain ? replace(target, exists ? &old : nullptr, bytes, error) : Done::kNotThisWay;
    if (done == Done::kNotThisWay) error = write_in_place(target, bytes);
  }
  if (error == 0) return {};
  return tl::make_unexpected(cannot(path, error));
}

std::string why_unwritable(const std::string& path) {
  const fs::path target = end_of_links(path);
  std::error_code code;
  if (!fs::is_directory(folder_of(target), code))
    return fmt::format("{}: the folder {} does not exist", path, folder_of(fs::absolute(target)).string());
  if (fs::is_directory(target, code)) return fmt::format("{} is a folder: expected a file", path);
  const int error = refusal(target);
  return error == 0 ? std::string() : cannot(path, error);
}

}  // namespace leasescope
