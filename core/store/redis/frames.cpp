#include "core/store/redis/frames.h"

#include <algorithm>
#include <array>

#include "core/store/redis/resp_reader.h"

namespace leasescope::redis {
namespace {

class RespFrames final : public FrameReader {
 public:
  explicit RespFrames(Speaker speaker) : speaker_(speaker) {}

  void read(std::string_view bytes, std::vector<Frame>& out) override {
    if (broken_) return pass(std::string(bytes), out);
    kept_ += bytes;
    reader_.feed(bytes);
    std::size_t at = 0;
    for (;;) {
      const auto value = reader_.next();
      broken_ = !value;
      if (broken_ || !*value) break;
      Frame frame = told(**value);
      frame.bytes = kept_.substr(at, reader_.size_of_last());
      at += reader_.size_of_last();
      out.push_back(std::move(frame));
    }
    kept_.erase(0, at);
    if (broken_ && !kept_.empty()) pass(std::exchange(kept_, {}), out);
  }

 private:
  // A message of a channel: `message`, `pmessage` with its pattern, `smessage` of a shard.
  static bool is_push(const RespValue& value) {
    constexpr std::array<std::string_view, 2> kOfChannel{"message", "smessage"};
    const std::vector<RespValue>& items = value.items;
    if (items.size() == 4) return items[0].text == "pmessage";
    return items.size() == 3 && std::find(kOfChannel.begin(), kOfChannel.end(), items[0].text) != kOfChannel.end();
  }
  Frame told(const RespValue& value) const {
    Frame frame;
    if (speaker_ == Speaker::kClient) {
      frame.kind = FrameKind::kRequest;
    } else if (is_push(value)) {
      frame.kind = FrameKind::kPush;
      frame.in_turn = false;
      frame.says = value.items.back().text;
    } else {
      frame.kind = FrameKind::kReply;
    }
    return frame;
  }
  static void pass(std::string bytes, std::vector<Frame>& out) {
    out.push_back({FrameKind::kBytes, std::move(bytes), {}, true, false});
  }

  Speaker speaker_;
  RespReader reader_;
  std::string kept_;     // what the reader has not made a value of
  bool broken_ = false;  // nothing can be told apart any more; who reads it will see the same
};

}  // namespace

std::unique_ptr<FrameReader> make_frames(Speaker speaker) { return std::make_unique<RespFrames>(speaker); }

}  // namespace leasescope::redis
