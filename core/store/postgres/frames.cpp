#include "core/store/postgres/frames.h"

#include <algorithm>

#include "core/store/length_frames.h"

namespace leasescope::postgres {
namespace {

// A letter, its length without the letter, and what it says.
constexpr std::size_t kHead = 5;

class ServerFrames final : public LengthFrames {
 protected:
  std::optional<Head> head(std::string_view kept) override {
    // Before the first message stand the one-letter answers to the wish for encryption.
    if (!greeted_ && (kept[0] == 'N' || kept[0] == 'S' || kept[0] == 'G')) return Head{kept[0] == 'N' ? 1U : 0U};
    greeted_ = true;
    if (kept.size() < kHead) return std::nullopt;
    const std::size_t length = big_endian(kept, 1);
    const bool push = kept[0] == 'A';
    // PostgreSQL takes payloads of up to 8 000 bytes.
    if (length < kHead - 1 || (push && length > kLongestPush)) return Head{};
    if (push) return Head{1 + length, FrameKind::kPush, true, false};
    if (!ready_) {  // of the login
      ready_ = kept[0] == 'Z';
      return Head{1 + length};
    }
    // What it says between two replies, of a setting that has changed or as a notice, belongs to none.
    if (!replies_ && (kept[0] == 'N' || kept[0] == 'S')) return Head{1 + length};
    const bool begins = !replies_;
    replies_ = kept[0] != 'Z';
    return Head{1 + length, FrameKind::kReply, begins};
  }
  // 'A', length, pid, channel\0, payload\0
  std::string_view says(std::string_view frame) const override {
    frame = frame.substr(std::min<std::size_t>(9, frame.size()));
    const std::size_t channel = frame.find('\0');
    if (channel == std::string_view::npos) return {};
    frame.remove_prefix(channel + 1);
    return frame.substr(0, frame.find('\0'));
  }

 private:
  static constexpr std::size_t kLongestPush = 16 * 1024;

  bool greeted_ = false;
  bool ready_ = false;    // logged in
  bool replies_ = false;  // a reply is under way
};

// A request is all up to its Sync, or a simple query.
class ClientFrames final : public LengthFrames {
 protected:
  std::optional<Head> head(std::string_view kept) override {
    if (!started_) return opening(kept);
    if (kept.size() < kHead) return std::nullopt;
    const std::size_t length = big_endian(kept, 1);
    if (length < kHead - 1 || kWords.find(kept[0]) == std::string_view::npos) return Head{};
    if (kept[0] == 'p' || kept[0] == 'X') return Head{1 + length};  // a password, a farewell
    const bool begins = !asks_;
    asks_ = kEnds.find(kept[0]) == std::string_view::npos;
    return Head{1 + length, FrameKind::kRequest, begins, true, !asks_};
  }
  std::string_view says(std::string_view) const override { return {}; }

 private:
  // Without a letter: the wish for encryption, any number of times, then the version.
  std::optional<Head> opening(std::string_view kept) {
    if (kept.size() < 8) return std::nullopt;
    const std::size_t length = big_endian(kept, 0), code = big_endian(kept, 4);
    if (length < 8 || length > kLongestOpening) return Head{};
    started_ = code >> 16 == 3;
    return Head{started_ || code >> 16 == 1234 ? length : 0};
  }

  static constexpr std::size_t kLongestOpening = 10'000;
  static constexpr std::string_view kWords = "BCDEFHPQSXcdfp";
  static constexpr std::string_view kEnds = "QSF";

  bool started_ = false;
  bool asks_ = false;  // a request is under way
};

}  // namespace

std::unique_ptr<FrameReader> make_frames(Speaker speaker) {
  if (speaker == Speaker::kClient) return std::make_unique<ClientFrames>();
  return std::make_unique<ServerFrames>();
}

}  // namespace leasescope::postgres
