// SHA-1 in hex, the name under which Redis keeps a script (RFC 3174). Not for secrets.
#pragma once
#include <string>
#include <string_view>

namespace leasescope::redis {

std::string sha1_hex(std::string_view text);

}  // namespace leasescope::redis
