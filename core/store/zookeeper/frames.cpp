#include "core/store/zookeeper/frames.h"

#include <algorithm>

#include "core/store/length_frames.h"

namespace leasescope::zookeeper {
namespace {

// A length in four bytes, and what it says: first of all the session that is wanted or given, then a number each
// (xid), that the answer bears too.
class Jute final : public LengthFrames {
 public:
  explicit Jute(Speaker speaker) : speaker_(speaker) {}

 protected:
  std::optional<Head> head(std::string_view kept) override {
    if (kept.size() < kNumbered) return std::nullopt;
    const std::size_t length = big_endian(kept, 0);
    // Also the four letters that an administrator may say instead.
    if (length < kNumbered - kLength || length > kLongest) return Head{};
    const std::size_t whole = kLength + length;
    if (!connected_) {
      connected_ = true;
      return Head{whole};
    }
    const auto number = static_cast<std::int32_t>(big_endian(kept, kLength));
    if (number == kEvent && speaker_ == Speaker::kServer) {
      if (whole > kMostHeld) return Head{};
      return Head{whole, FrameKind::kPush, true, false};
    }
    if (number < 0) return Head{whole};  // a sign of life, rights, watches set anew
    return Head{whole, speaker_ == Speaker::kClient ? FrameKind::kRequest : FrameKind::kReply, true, false};
  }
  // Behind the head of an answer: what happened, the state, the path with its length.
  std::string_view says(std::string_view frame) const override {
    constexpr std::size_t kPath = kLength + 16 + 8;
    if (frame.size() < kPath + 4) return {};
    return frame.substr(kPath + 4, std::min<std::size_t>(big_endian(frame, kPath), frame.size()));
  }

 private:
  static constexpr std::size_t kLength = 4;
  static constexpr std::size_t kNumbered = 8;
  static constexpr std::size_t kLongest = 16 * 1024 * 1024;  // sixteen times what a server takes in
  static constexpr std::int32_t kEvent = -1;

  Speaker speaker_;
  bool connected_ = false;
};

}  // namespace

std::unique_ptr<FrameReader> make_frames(Speaker speaker) { return std::make_unique<Jute>(speaker); }

}  // namespace leasescope::zookeeper
