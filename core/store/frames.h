// Cuts one side of a store's protocol into frames, so that a proxy in between can tell requests, replies and the
// messages that nobody asked for apart. What it cannot tell it lets through.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leasescope {

enum class Speaker : std::uint8_t { kClient, kServer };

// kBytes: a greeting, a login, a sign of life, what is encrypted, and all that cannot be told apart.
enum class FrameKind : std::uint8_t { kBytes, kRequest, kReply, kPush };

struct Frame {
  FrameKind kind = FrameKind::kBytes;
  std::string bytes;
  std::string says{};   // of a push: its payload, or the path it is about
  bool begins = true;   // a request, a reply or a push begins here; else this goes on with the last
  bool whole = true;    // behind it another may be put in, or be left out
  bool in_turn = true;  // the other side counts on its order: nothing may be left out before what follows
  bool ends = true;     // of a request: with this it can be answered
};

class FrameReader {
 public:
  virtual ~FrameReader() = default;

  // What can be told now, in the order of the bytes; together it is all of them but for an unfinished frame's, of which
  // at most kMostHeld are held back.
  virtual void read(std::string_view bytes, std::vector<Frame>& out) = 0;

  static constexpr std::size_t kMostHeld = 128 * 1024;
};

}  // namespace leasescope
