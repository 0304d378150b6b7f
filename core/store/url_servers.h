// Several servers in one URL, host1:port1,host2:port2: the first is its endpoint, what follows its others.
#pragma once
#include <string>
#include <string_view>

#include "core/store/url_text.h"

namespace leasescope::url_text {

// [user:password@]h1[:p1],h2[:p2]; at least one. Without a port of its own a server has that one.
Done take_servers(std::string_view authority, int port, StoreUrl& url);
// "h1:1,[::1]:2"
std::string printed_servers(const StoreUrl& url);

}  // namespace leasescope::url_text
