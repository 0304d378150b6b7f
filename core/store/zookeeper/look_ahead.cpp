#include "core/store/zookeeper/look_ahead.h"

#include <sys/ioctl.h>
#include <sys/socket.h>

namespace leasescope::zookeeper {
namespace {

// A list of 2 000 waiters has so much, and a socket's buffer holds it whole.
constexpr std::size_t kLongest = 128 * 1024;
constexpr std::size_t kLength = 4, kHead = 16;  // before a frame; of an answer: whose, at which change, how it went
constexpr std::size_t kGreeting = 36;           // with one byte more since 3.4
constexpr std::int32_t kEvent = -1, kPing = -2, kLogin = -4;

std::int32_t number(const unsigned char* bytes) {
  return static_cast<std::int32_t>(std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
                                   std::uint32_t{bytes[2]} << 8 | std::uint32_t{bytes[3]});
}

}  // namespace

LookAhead::Found LookAhead::at(int descriptor, bool greeted, std::size_t asked) {
  unsigned char head[kLength + 4];
  const ssize_t got = ::recv(descriptor, head, sizeof(head), MSG_PEEK | MSG_DONTWAIT);
  if (got <= 0) return Found::kFrame;  // the library will find out
  if (static_cast<std::size_t>(got) < sizeof(head)) return part(descriptor, sizeof(head));
  const auto length = static_cast<std::size_t>(static_cast<std::uint32_t>(number(head)));
  if (greeted ? length < kHead || length > kLongest : length != kGreeting && length != kGreeting + 1)
    return Found::kNoise;
  const std::int32_t whose = number(head + kLength);
  if (greeted && whose != kEvent && whose != kPing && whose != kLogin && (whose < 0 || asked == 0))
    return Found::kNoise;
  int waiting = 0;
  ::ioctl(descriptor, FIONREAD, &waiting);
  if (static_cast<std::size_t>(waiting) < kLength + length) return part(descriptor, kLength + length);
  part(descriptor, 0);
  return Found::kFrame;
}

// It waited for that already, and was woken before it had come: there will be no more.
LookAhead::Found LookAhead::part(int descriptor, std::size_t wanted) {
  if (wanted == waits_for_) return wanted == 0 ? Found::kFrame : Found::kNoise;
  waits_for_ = wanted;
  const int bytes = static_cast<int>(wanted == 0 ? 1 : wanted);
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof(bytes));
  return Found::kPart;
}

}  // namespace leasescope::zookeeper
