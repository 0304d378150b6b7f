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

}  // namespace

tl::expected<std::vector<std::string>, std::string> look_at_quorum(Asker& server,
                                                                   const std::vector<std::string>& mutexes) {
  std::vector<std::string> holders;
  for (const std::string& mutex : mutexes) {
    if (const auto tried = try_calls(server, mutex); !tried) return tl::unexpected(tried.error());
    // Who would extend what he does not hold is told who does.
    const Keys keys(mutex);
    const auto said = server.ask({"EVALSHA", quorum_script().sha1, "2", keys.quorum, keys.quorum_fence, "extend", "0",
                                  "0", "0", "0", "", "0", "0", "0"});
    if (!said) return tl::unexpected(said.error());
    if (said->items.size() != kAnswers) return tl::unexpected<std::string>(kNonsense);
    holders.push_back(escaped(said->items[2].text, 200));
  }
  return holders;
}

}  // namespace leasescope::redis
