#include "core/base/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/file_part.h"

namespace leasescope {
namespace {

namespace fs = std::filesystem;

// 0, or the error's number. Closes it.
int write_and_close(int descriptor, std::string_view bytes) {
  int error = write_all(descriptor, bytes);
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

int write_in_place(const fs::path& target, std::string_view bytes) {
  const int descriptor = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return descriptor < 0 ? errno : write_and_close(descriptor, bytes);
}

enum class Done : std::uint8_t { kYes, kNo, kNotThisWay };

// Writes beside it and renames. `error`: why it was not done.
Done replace(const fs::path& target, const struct stat* old, std::string_view bytes, int& error) {
  const FilePart part = make_part(folder_of(target), old != nullptr ? 0600 : 0666);
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
  return tl::make_unexpected(cannot_write(path, error));
}

std::string why_unwritable(const std::string& path) {
  const fs::path target = end_of_links(path);
  std::error_code code;
  if (!fs::is_directory(folder_of(target), code))
    return fmt::format("{}: the folder {} does not exist", path, folder_of(fs::absolute(target)).string());
  if (fs::is_directory(target, code)) return fmt::format("{} is a folder: expected a file", path);
  const int error = refusal(target);
  return error == 0 ? std::string() : cannot_write(path, error);
}

}  // namespace leasescope
