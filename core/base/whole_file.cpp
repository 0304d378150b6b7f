#include "core/base/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace leasescope {
namespace {

// 0, or the error's number.
int write_to(const std::string& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return errno;
  errno = 0;
  int error = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() ? 0 : errno;
  if (std::fflush(file) != 0 && error == 0) error = errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

tl::expected<void, std::string> write_whole(const std::string& path, std::string_view bytes) {
  namespace fs = std::filesystem;
  std::error_code code;
  // What a link leads to is written, not the link.
  const fs::path target = fs::exists(path, code) ? fs::canonical(path, code) : fs::path(path);
  const bool plain = !fs::exists(target, code) || fs::is_regular_file(target, code);
  const std::string beside = plain ? target.string() + ".leasescope-part" : target.string();
  int error = write_to(beside, bytes);
  if (plain && error == 0 && std::rename(beside.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return {};
  if (plain) fs::remove(beside, code);
  return tl::make_unexpected(fmt::format("{} cannot be written: {}", path, std::strerror(error)));
}

}  // namespace leasescope
