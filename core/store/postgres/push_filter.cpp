#include "core/store/postgres/push_filter.h"

#include <algorithm>
#include <limits>

namespace leasescope::postgres {
namespace {

class PostgresFilter final : public PushFilter {
 public:
  std::string pass(std::string_view bytes, bool drop, const Dropped& dropped) override {
    kept_ += bytes;
    std::string out;
    while (take(out, drop, dropped)) {
    }
    return out;
  }

 private:
  // Takes what stands first; false when there is nothing, or not enough of it.
  bool take(std::string& out, bool drop, const Dropped& dropped) {
    if (kept_.empty()) return false;
    if (passing_ > 0) return move(std::min(passing_, kept_.size()), out);
    // Before the first message stand the one-letter answers to the wish for encryption.
    if (!greeted_ && (kept_[0] == 'N' || kept_[0] == 'S' || kept_[0] == 'G')) {
      passing_ = kept_[0] == 'N' ? 1 : kForEver;
      return true;
    }
    greeted_ = true;
    if (kept_.size() < 5) return false;
    const std::size_t length = 1 + announced();
    const bool notice = drop && kept_[0] == 'A';
    if (length < 5 || (notice && length > kLongestNotice)) {
      passing_ = kForEver;
    } else if (!notice) {
      passing_ = length;
    } else if (kept_.size() < length) {
      return false;
    } else {
      dropped(payload(std::string_view(kept_).substr(0, length)));
      kept_.erase(0, length);
    }
    return true;
  }
  bool move(std::size_t size, std::string& out) {
    out.append(kept_, 0, size);
    kept_.erase(0, size);
    if (passing_ != kForEver) passing_ -= size;
    return true;
  }
  std::size_t announced() const {
    std::size_t length = 0;
    for (std::size_t i = 1; i <= 4; ++i) length = length << 8 | static_cast<unsigned char>(kept_[i]);
    return length;
  }
  // 'A', length, pid, channel\0, payload\0
  static std::string_view payload(std::string_view frame) {
    frame = frame.substr(std::min<std::size_t>(9, frame.size()));
    const std::size_t channel = frame.find('\0');
    if (channel == std::string_view::npos) return {};
    frame.remove_prefix(channel + 1);
    return frame.substr(0, frame.find('\0'));
  }

  static constexpr std::size_t kForEver = std::numeric_limits<std::size_t>::max();  // nothing can be told apart
  static constexpr std::size_t kLongestNotice = 16 * 1024;  // PostgreSQL takes payloads of up to 8 000 bytes

  std::string kept_;
  std::size_t passing_ = 0;  // so many bytes pass unseen
  bool greeted_ = false;
};

}  // namespace

std::unique_ptr<PushFilter> make_push_filter() { return std::make_unique<PostgresFilter>(); }

}  // namespace leasescope::postgres
