// Cuts a stream into its lines; one that is too long ends it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace leasescope::etcd {

class LineCutter {
 public:
  explicit LineCutter(std::size_t longest) : longest_(longest) {}

  // Calls `line` with each that is whole now, without its end, but for empty ones; it says whether to go on. False:
  // it did not, or a line is longer than it may be.
  template <class Line>
  bool take(std::string_view bytes, Line line) {
    for (;;) {
      const std::size_t end = bytes.find('\n');
      if (begun_.size() + std::min(end, bytes.size()) > longest_) return false;
      begun_.append(bytes.substr(0, end));
      if (end == std::string_view::npos) return true;
      bytes.remove_prefix(end + 1);
      std::string whole;
      whole.swap(begun_);
      if (!whole.empty() && !line(std::string_view(whole))) return false;
    }
  }

  // What has begun and has no end yet.
  const std::string& rest() const { return begun_; }

 private:
  std::size_t longest_;
  std::string begun_;
};

}  // namespace leasescope::etcd
