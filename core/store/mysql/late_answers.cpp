#include "core/store/mysql/late_answers.h"

#include <string>

namespace leasescope::mysql {
namespace {

// A packet: its length in three bytes, the lowest first, a number, and what it says. A release is answered by a row of
// one column of its own name.
class MysqlAnswers final : public LateAnswers {
 public:
  std::vector<bool> releases(std::string_view bytes) override {
    std::vector<bool> out;
    kept_ += bytes;
    while (kept_.size() >= kHead) {
      const auto byte = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(kept_[at])}; };
      const std::size_t length = byte(0) | byte(1) << 8 | byte(2) << 16;
      if (length > kLongest) return out;
      if (kept_.size() < kHead + length) return out;
      const std::string_view says = std::string_view(kept_).substr(kHead, length);
      if (says.substr(0, kColumn.size()) == kColumn) {
        of_release_ = says.find(kReleased) != std::string_view::npos;
      } else if (of_release_ && says.size() == 2 && says[0] == 1) {
        out.push_back(says[1] == '1');
        of_release_ = false;
      }
      kept_.erase(0, kHead + length);
    }
    return out;
  }

 private:
  static constexpr std::size_t kHead = 4;
  static constexpr std::size_t kLongest = 64 * 1024;
  // Texts with their lengths before them: the catalogue of every column, and this one's name.
  static constexpr std::string_view kColumn{"\3def", 4};
  static constexpr std::string_view kReleased{"\10released", 9};

  std::string kept_;
  bool of_release_ = false;
};

}  // namespace

std::unique_ptr<LateAnswers> make_late_answers() { return std::make_unique<MysqlAnswers>(); }

}  // namespace leasescope::mysql
