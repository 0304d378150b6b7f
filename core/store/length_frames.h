// Frames that begin with their length: what is common to the protocols that have them.
#pragma once
#include <cstddef>
#include <optional>

#include "core/store/frames.h"

namespace leasescope {

class LengthFrames : public FrameReader {
 public:
  void read(std::string_view bytes, std::vector<Frame>& out) final;

 protected:
  struct Head {
    std::size_t length = 0;  // of the whole frame in bytes; 0: from here on nothing can be told apart
    FrameKind kind = FrameKind::kBytes;
    bool begins = true;
    bool in_turn = true;
    bool ends = true;
  };

  // Of the frame that stands first; none when too little of it is there. Called once a frame.
  virtual std::optional<Head> head(std::string_view kept) = 0;
  // Of a whole push.
  virtual std::string_view says(std::string_view frame) const = 0;

  static std::uint32_t big_endian(std::string_view bytes, std::size_t at);

 private:
  bool take(std::vector<Frame>& out);

  std::string kept_;
  std::optional<Head> head_;  // of the frame under way
  std::size_t left_ = 0;      // bytes of it
  bool opaque_ = false;
};

}  // namespace leasescope
