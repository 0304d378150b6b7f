// What a user can do about what a look before a run, or somebody who watches, met with.
#pragma once
#include <string>

#include "core/store/url.h"

namespace leasescope::zookeeper {

// `error`: the client library's words, or ours.
std::string advice(const std::string& error);
// The error, and what to do about it, of somebody who only looks: he needs no other right than READ. `path`: the node
// that it is of, as the URL's path has it, "/simba"; empty: of none.
std::string advised_to_watcher(const std::string& error, const StoreUrl& url, const std::string& path = {});

}  // namespace leasescope::zookeeper
