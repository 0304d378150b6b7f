#include "app/leasescopectl_files.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace leasescope::ctl {

std::string unwritable(const std::string& path) {
  if (path.empty()) return {};
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::error_code code;
  if (!std::filesystem::is_directory(folder, code))
    return fmt::format("{}: the folder {} does not exist", path, folder.string());
  if (std::filesystem::is_directory(path, code)) return fmt::format("{} is a folder: expected a file", path);
  const bool existed = std::filesystem::exists(path, code);
  const bool opens = std::ofstream(path, std::ios::app).good();
  if (!existed) std::filesystem::remove(path, code);
  return opens ? std::string() : fmt::format("{} cannot be written", path);
}

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  return out.good();
}

}  // namespace leasescope::ctl
