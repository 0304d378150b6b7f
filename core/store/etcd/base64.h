// Base64 with padding (RFC 4648, 4), as which etcd's gateway writes keys and values.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace leasescope::etcd {

std::string base64(std::string_view bytes);
// Nothing where it is no such text.
std::optional<std::string> base64_decoded(std::string_view text);

}  // namespace leasescope::etcd
