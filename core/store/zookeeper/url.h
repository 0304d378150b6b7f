// zookeeper://[user:password@]host[:port][/path]: a login of the scheme digest, and the path everything lies under.
#pragma once
#include <string>
#include <string_view>

#include "core/store/url_text.h"

namespace leasescope::zookeeper {

url_text::Parsed parse_url(std::string_view scheme, std::string_view rest);
std::string printable(const StoreUrl& url);

}  // namespace leasescope::zookeeper
