// What a user can do about what a look before a run, or somebody who watches, met with.
#pragma once
#include <string>

#include "core/store/port.h"
#include "core/store/redis/resp_reader.h"
#include "core/store/url.h"

namespace leasescope::redis {

inline constexpr const char* kSeveralApart =
    "several hosts in one URL are the nodes of a cluster here, and this server is of none";

// `error`: a server's words, or ours; `mutex`: one of those the run uses.
std::string advice(const std::string& error, const StoreUrl& url, Family family, const std::string& mutex);

// The error, and what to do about it, of somebody who only looks: he needs no other rights than to read and to listen.
std::string advised_to_watcher(const std::string& error, const StoreUrl& url);
// The same of what processes believe, which is said on channels of its own.
std::string advised_to_listener(const std::string& error, const StoreUrl& url);
// Where keys that may be locks of other makers may not be read.
std::string advice_on_other_keys(const StoreUrl& url);
// A right to ask that is missing.
bool is_refusal(const RespValue& answer);
// Where a node of a cluster may not be asked for the others.
std::string advice_on_cluster(const StoreUrl& url);

}  // namespace leasescope::redis
