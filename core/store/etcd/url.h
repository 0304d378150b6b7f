// etcd://[user:password@]host[:port][,host…][/prefix]: of which keys, by what they begin with.
#pragma once
#include <string>
#include <string_view>

#include "core/store/url_text.h"

namespace leasescope::etcd {

url_text::Parsed parse_url(std::string_view scheme, std::string_view rest);
std::string printable(const StoreUrl& url);
// Where etcdctl finds it.
tl::expected<std::string, std::string> password_of_environment(const StoreUrl& url);

}  // namespace leasescope::etcd
