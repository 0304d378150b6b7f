// The look at one server of a quorum lock before a run: does it do what the calls need, and whom is it for?
#pragma once
#include <string>
#include <vector>

#include "core/store/redis/asker.h"
#include "core/store/store_look.h"

namespace leasescope::redis {

// Why a server is not taken whose vote would be another's too.
inline constexpr const char* kOfCluster = "it is a node of a cluster";
inline constexpr const char* kReplica = "it is a replica of another server";

// Who holds each mutex, "" for nobody, and which server it is. Errors are as they come.
Looked look_at_quorum(Asker& server, const std::vector<std::string>& mutexes);

}  // namespace leasescope::redis
