#include "core/store/zookeeper/raw_commands.h"

#include <fmt/format.h>

#include "core/base/shell_word.h"
#include "core/store/url_servers.h"

namespace leasescope::zookeeper {

// A login of the scheme digest is none that zkCli.sh asks for: whoever needs one says `addauth` there.
std::vector<std::string> raw_commands(const StoreUrl& url, const Sighting& seen) {
  const std::string servers = url_text::printed_servers(url) + (url.database.empty() ? "" : "/" + url.database);
  std::vector<std::string> out;
  for (const auto& [node, owner] : seen.raw)
    out.push_back(fmt::format("zkCli.sh -server {} get {}", shell_word(servers), shell_word(node)));
  return out;
}

}  // namespace leasescope::zookeeper
