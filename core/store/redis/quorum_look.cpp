#include "core/store/redis/quorum_look.h"

#include <random>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/redis/keys.h"
#include "core/store/redis/scripts.h"

namespace leasescope::redis {
namespace {

constexpr const char* kNonsense = "its answer to a script makes no sense";
constexpr std::size_t kAnswers = 6;

// On keys of its own beside the mutex's: it is taken, given back, and nothing is left of it.
tl::expected<void, std::string> try_calls(Asker& server, const std::string& mutex) {
  const std::string lock = fmt::format("{}:probe:{:08x}", Keys(mutex).lease, std::random_device()());
  const std::string fence = lock + ":fence", text = quorum_script().text;
  for (const char* what : {"obtain", "give_back"}) {
    const auto said =
        server.ask({"EVAL", text, "2", lock, fence, what, "1", "1", "1000000", "0", "probe", "0", "0", "0"});
    if (!said) return tl::unexpected(said.error());
    if (said->items.size() != kAnswers || said->items[0].integer != 1) return tl::unexpected<std::string>(kNonsense);
  }
  for (const Asker::Words& words : {Asker::Words{"DEL", fence}, Asker::Words{"PUBLISH", lock, "probe"}})
    if (const auto said = server.ask(words); !said) return tl::unexpected(said.error());
  return {};
}

// The rest of the line behind that; empty: there is none.
std::string field(const std::string& info, std::string_view name) {
  const std::size_t at = info.find(name);
  if (at == std::string::npos) return {};
  const std::size_t from = at + name.size();
  return info.substr(from, info.find_first_of("\r\n", from) - from);
}

// A majority is of servers that know nothing of each other. Says which one it is: each process draws a number of its
// own.
tl::expected<std::string, std::string> stands_alone(Asker& server) {
  const auto said = server.ask_all({{"INFO", "server"}, {"INFO", "replication"}});
  if (!said) return tl::unexpected(said.error());
  const std::string &itself = (*said)[0].text, &others = (*said)[1].text;
  if (field(itself, "_mode:") == "cluster") return tl::unexpected<std::string>(kOfCluster);
  if (field(others, "role:") != "master") return tl::unexpected<std::string>(kReplica);
  std::string id = field(itself, "run_id:");
  if (id.empty()) return tl::unexpected<std::string>("its answer to INFO makes no sense");
  return id;
}

}  // namespace

Looked look_at_quorum(Asker& server, const std::vector<std::string>& mutexes) {
  StoreLook look;
  const auto id = stands_alone(server);
  if (!id) return tl::unexpected(id.error());
  look.server = *id;
  for (const std::string& mutex : mutexes) {
    if (const auto tried = try_calls(server, mutex); !tried) return tl::unexpected(tried.error());
    // Who would extend what he does not hold is told who does.
    const Keys keys(mutex);
    const auto said = server.ask({"EVALSHA", quorum_script().sha1, "2", keys.quorum, keys.quorum_fence, "extend", "0",
                                  "0", "0", "0", "", "0", "0", "0"});
    if (!said) return tl::unexpected(said.error());
    if (said->items.size() != kAnswers) return tl::unexpected<std::string>(kNonsense);
    look.holders.push_back(escaped(said->items[2].text, 200));
  }
  return look;
}

}  // namespace leasescope::redis
