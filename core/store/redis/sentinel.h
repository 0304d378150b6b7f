// Sentinels know which of a group of Redis servers is the master now: what they are asked, and what they answer.
#pragma once
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/redis/resp_reader.h"
#include "core/store/url.h"

namespace leasescope::redis {

// The name of the group whose master is meant; empty: the URL names the server itself.
std::string master_name(const StoreUrl& url);
// All that the URL names, in its order: sentinels, or servers.
std::vector<Endpoint> named_in(const StoreUrl& url);
// How one of the sentinels is reached: their login is another than the servers'.
StoreUrl sentinel_url(const StoreUrl& url, const Endpoint& sentinel);

std::vector<std::string> question_for_master(const std::string& name);
// Errors are for people; they do not say which sentinel answered so.
tl::expected<Endpoint, std::string> read_master(const RespValue& answer, const std::string& name);
// Of the answer to ROLE: why that server is none to be written to; empty: it is the master.
std::string no_master_by(const RespValue& role);

std::string text_of(const Endpoint& endpoint);  // "host:port"

}  // namespace leasescope::redis
