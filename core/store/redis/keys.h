// The names of one mutex on Redis; the braces are literal, so that a cluster keeps all three keys in one slot.
#pragma once
#include <string>

namespace leasescope::redis {

struct Keys {
  std::string lease;  // also the channel its messages go to
  std::string fence;
  std::string token;

  explicit Keys(const std::string& mutex)
      : lease("simba:{" + mutex + "}"), fence(lease + ":fence"), token(lease + ":token") {}
};

}  // namespace leasescope::redis
