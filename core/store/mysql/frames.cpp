#include "core/store/mysql/frames.h"

#include "core/store/length_frames.h"

namespace leasescope::mysql {
namespace {

// A packet: its length in three bytes, the lowest first, and its number. A request's first is 0, its reply's is 1;
// those of the login come in another order, and before both.
class Packets final : public LengthFrames {
 public:
  explicit Packets(Speaker speaker) : speaker_(speaker) {}

 protected:
  std::optional<Head> head(std::string_view kept) override {
    if (kept.size() < kHead) return std::nullopt;
    const auto byte = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(kept[at])}; };
    const std::size_t length = byte(0) | byte(1) << 8 | byte(2) << 16, number = byte(3);
    const bool client = speaker_ == Speaker::kClient;
    if (!logged_in_ && length > 0 && kept.size() == kHead) return std::nullopt;
    if (!logged_in_ && (encrypted(byte(0), byte(1)) || (client && compressed(kept)))) return Head{};
    // Numbers go around after 255, in long replies too.
    const bool begins = client ? number == 0 : number == 1 && seen_ && !(logged_in_ && last_ == 0);
    if (!begins && logged_in_ && number != ((last_ + 1) & 0xff)) return Head{};
    logged_in_ = logged_in_ || begins;
    last_ = number;
    seen_ = true;
    if (!logged_in_) return Head{kHead + length};
    // A longer one goes on in the next packet.
    return Head{kHead + length, client ? FrameKind::kRequest : FrameKind::kReply, begins, true, length < kFull};
  }
  std::string_view says(std::string_view) const override { return {}; }

 private:
  static constexpr std::size_t kHead = 4;
  static constexpr std::size_t kFull = 0xffffff;

  static bool encrypted(std::size_t first, std::size_t second) { return first == 0x16 && second == 0x03; }
  // The client's first packet, its login, bears what it can: once both compress, nobody reads lengths any more.
  bool compressed(std::string_view kept) const {
    constexpr unsigned char kCompress = 32;
    return !seen_ && kept.size() > kHead && (static_cast<unsigned char>(kept[kHead]) & kCompress) != 0;
  }

  Speaker speaker_;
  bool logged_in_ = false;
  std::size_t last_ = 0;  // number
  bool seen_ = false;     // a packet
};

}  // namespace

std::unique_ptr<FrameReader> make_frames(Speaker speaker) { return std::make_unique<Packets>(speaker); }

}  // namespace leasescope::mysql
