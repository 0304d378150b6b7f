#include "core/store/postgres/late_answers.h"

#include <string>

namespace leasescope::postgres {
namespace {

// A frame of protocol version 3: a letter, its length without the letter, and what it says.
class PostgresAnswers final : public LateAnswers {
 public:
  std::vector<bool> releases(std::string_view bytes) override {
    std::vector<bool> out;
    kept_ += bytes;
    while (kept_.size() >= kHead) {
      std::size_t length = 0;
      for (std::size_t i = 1; i < kHead; ++i) length = length << 8 | static_cast<unsigned char>(kept_[i]);
      if (length < kHead - 1 || length > kLongest) return out;
      if (kept_.size() < 1 + length) return out;
      const std::string_view says = std::string_view(kept_).substr(kHead, length + 1 - kHead);
      if (kept_[0] == 'D' && says.size() == kBoolean.size() + 1 && says.substr(0, kBoolean.size()) == kBoolean)
        out.push_back(says.back() == 't');
      kept_.erase(0, 1 + length);
    }
    return out;
  }

 private:
  static constexpr std::size_t kHead = 5;
  static constexpr std::size_t kLongest = 64 * 1024;
  // One column, one byte of it: 't' or 'f' follows.
  static constexpr std::string_view kBoolean{"\0\1\0\0\0\1", 6};

  std::string kept_;
};

}  // namespace

std::unique_ptr<LateAnswers> make_late_answers() { return std::make_unique<PostgresAnswers>(); }

}  // namespace leasescope::postgres
