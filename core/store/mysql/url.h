// mysql://[user[:password]@]host[:port]/database, with ?options: socket, option-file, and for TLS ssl, ssl-ca,
// ssl-cert, ssl-key.
#pragma once
#include <string>
#include <string_view>

#include "core/store/url_text.h"

namespace leasescope::mysql {

url_text::Parsed parse_url(std::string_view scheme, std::string_view rest);
std::string printable(const StoreUrl& url);

}  // namespace leasescope::mysql
