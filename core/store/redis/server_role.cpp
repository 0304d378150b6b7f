#include "core/store/redis/server_role.h"

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/redis/sentinel.h"

namespace leasescope::redis {
namespace {

using Kind = RespValue::Kind;

// Of HELLO: names, and behind each its value.
std::string value_of(const std::vector<RespValue>& pairs, std::string_view name) {
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
    if (pairs[i].text == name) return pairs[i + 1].text;
  return {};
}

// Of INFO: lines of "name:value".
std::string value_of(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.size() > name.size() && line[name.size()] == ':' && line.substr(0, name.size()) == name)
      return std::string(line.substr(name.size() + 1));
  }
  return {};
}

std::string server_of(const std::string& what, const std::string& version) {
  constexpr std::size_t kLongest = 60;
  return version.empty() ? std::string()
                         : escaped(fmt::format("{} {}", what.empty() ? "redis" : what, version), kLongest);
}

}  // namespace

std::vector<std::string> question_for_role() { return {"HELLO", "2"}; }
std::vector<std::string> older_question_for_role() { return {"INFO"}; }

std::optional<ServerRole> read_role(const RespValue& answer) {
  if (answer.kind != Kind::kList && answer.kind != Kind::kText) return std::nullopt;
  const bool listed = answer.kind == Kind::kList;
  const std::string role = listed ? value_of(answer.items, "role") : value_of(answer.text, "role");
  const std::string mode = listed ? value_of(answer.items, "mode") : value_of(answer.text, "redis_mode");
  if (role.empty()) return std::nullopt;
  const std::string version = listed ? value_of(answer.items, "version") : value_of(answer.text, "redis_version");
  return ServerRole{role != "master", mode == "cluster",
                    server_of(listed ? value_of(answer.items, "server") : "redis", version)};
}

std::string remark_on(const ServerRole& role, const Endpoint& server) {
  if (role.tells_of_no_key())
    return fmt::format("{} is a replica in a cluster, which tells of no key: name its master", text_of(server));
  if (role.is_of_cluster)
    return fmt::format(
        "{} is a node of a cluster: only the mutexes whose keys lie on it are seen, and those of the other nodes are "
        "not; to see these, watch each master by a URL of its own",
        text_of(server));
  if (!role.is_replica) return {};
  return fmt::format(
      "{} is a replica: what is seen there lags behind its master by what nobody here knows, and a lease that has been "
      "renewed meanwhile may look over",
      text_of(server));
}

}  // namespace leasescope::redis
