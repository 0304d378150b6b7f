#include "simulator/import/line_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace leasescope {

std::string LineFile::open(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return fmt::format("{}: {}", path, std::strerror(ENOENT));
  if (!std::filesystem::is_regular_file(path, code))
    return fmt::format("{} is no plain file: expected a history in words", path);
  size_ = std::filesystem::file_size(path, code);
  file_.open(path, std::ios::binary);
  return file_ ? std::string() : fmt::format("{} cannot be read: {}", path, std::strerror(errno));
}

bool LineFile::fill() {
  constexpr std::size_t kAtOnce = 256 * 1024;
  buffer_.erase(0, std::exchange(at_, 0));
  const std::size_t old = buffer_.size();
  buffer_.resize(old + kAtOnce);
  file_.read(buffer_.data() + old, kAtOnce);
  buffer_.resize(old + static_cast<std::size_t>(file_.gcount()));
  return buffer_.size() > old;
}

bool LineFile::next(std::string_view& line) {
  std::size_t end = buffer_.find('\n', at_);
  while (end == std::string::npos) {
    const std::size_t seen = buffer_.size() - at_;
    if (seen > kLongest) {
      error_ = fmt::format("line {} is longer than {} MiB: expected one event a line", number_ + 1, kLongest >> 20);
      return false;
    }
    if (!fill()) break;
    end = buffer_.find('\n', seen);
  }
  whole_ = end != std::string::npos;
  if (!whole_ && at_ == buffer_.size()) return false;
  line = std::string_view(buffer_).substr(at_, whole_ ? end - at_ : std::string::npos);
  at_ += line.size() + (whole_ ? 1 : 0);
  given_ += line.size() + 1;
  ++number_;
  return true;
}

int LineFile::permille() const {
  return size_ == 0 ? 1000 : static_cast<int>(std::min<std::uint64_t>(given_, size_) * 1000 / size_);
}

}  // namespace leasescope
