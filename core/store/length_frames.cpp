#include "core/store/length_frames.h"

#include <algorithm>
#include <utility>

namespace leasescope {

std::uint32_t LengthFrames::big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = at; i < at + 4; ++i) out = out << 8 | static_cast<unsigned char>(bytes[i]);
  return out;
}

void LengthFrames::read(std::string_view bytes, std::vector<Frame>& out) {
  kept_ += bytes;
  while (!kept_.empty() && take(out)) {
  }
}

// Takes what stands first; false when not enough of it is there.
bool LengthFrames::take(std::vector<Frame>& out) {
  if (!head_ && !opaque_) {
    const std::optional<Head> found = head(kept_);
    if (!found) return false;
    opaque_ = found->length == 0;
    if (!opaque_) {
      head_ = found;
      left_ = found->length;
    }
  }
  if (opaque_) {
    out.push_back({FrameKind::kBytes, std::exchange(kept_, {}), {}, true, false});
    return true;
  }
  // In one piece when it is not too long for that: it may have to be left out.
  if (kept_.size() < left_ && head_->length <= kMostHeld) return false;
  const std::size_t size = std::min(left_, kept_.size());
  const bool first = left_ == head_->length;
  left_ -= size;
  Frame frame{head_->kind,    kept_.substr(0, size),    {}, head_->begins && first, left_ == 0,
              head_->in_turn, head_->ends && left_ == 0};
  if (frame.kind == FrameKind::kPush && first && left_ == 0) frame.says = says(frame.bytes);
  kept_.erase(0, size);
  if (left_ == 0) head_.reset();
  out.push_back(std::move(frame));
  return true;
}

}  // namespace leasescope
