// postgresql://[user[:password]@][host[:port][,…]][/database], with ?options for libpq.
#pragma once
#include <string>
#include <string_view>

#include "core/store/url_text.h"

namespace leasescope::postgres {

// What the URL does not say libpq may know: by the service it names, or the environment.
url_text::Parsed parse_url(std::string_view scheme, std::string_view rest);
std::string printable(const StoreUrl& url);

}  // namespace leasescope::postgres
