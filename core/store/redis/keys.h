// The names of one mutex on Redis (spec: Simba 4.x, names); the braces are literal and make one hash tag.
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
