// What a Redis says of itself to whoever only reads: whether it is a replica, and whether it is a node of a cluster.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/store/redis/resp_reader.h"
#include "core/store/url.h"

namespace leasescope::redis {

struct ServerRole {
  bool is_replica = false;
  bool is_of_cluster = false;
  std::string server;  // what it is, as it says: "redis 7.0.15"; empty: it does not

  // Who waits for a mutex listens elsewhere too: on the master, or on any node of the cluster.
  bool hears_a_part() const { return is_replica || is_of_cluster; }
  // It points whoever asks for one to its master.
  bool tells_of_no_key() const { return is_replica && is_of_cluster; }
};

// Which an ACL forbids nobody who has logged in; it leaves the line as it is. Servers before 6.0 do not know it.
std::vector<std::string> question_for_role();
std::vector<std::string> older_question_for_role();
// Of the answer to either; none: it does not say.
std::optional<ServerRole> read_role(const RespValue& answer);
// What whoever watches that server should know of it; empty: nothing, it is a master that stands alone.
std::string remark_on(const ServerRole& role, const Endpoint& server);

}  // namespace leasescope::redis
