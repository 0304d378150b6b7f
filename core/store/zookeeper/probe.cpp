#include "core/store/zookeeper/probe.h"

#include <random>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/zookeeper/advice.h"
#include "core/store/zookeeper/asker.h"
#include "core/store/zookeeper/lock_name.h"
#include "core/store/zookeeper/node_name.h"

namespace leasescope::zookeeper {
namespace {

// For all questions together.
constexpr std::chrono::milliseconds kPatience{8000};

tl::expected<void, std::string> try_calls(Asker& server, const std::string& folder) {
  const std::string apart = fmt::format("{}:probe:{:08x}", folder, std::random_device()());
  for (std::size_t at = apart.find('/', 1); at != std::string::npos; at = apart.find('/', at + 1))
    if (const auto made = server.create(apart.substr(0, at), "", Session::Kind::kContainer); !made)
      return tl::unexpected(made.error());
  if (const auto made = server.create(apart, "", Session::Kind::kContainer); !made) return tl::unexpected(made.error());
  const auto node = server.create(apart + "/" + beginning_of(1), "probe", Session::Kind::kNumbered);
  if (!node) return tl::unexpected(node.error());
  for (const std::string& path : {*node, apart})
    if (auto removed = server.remove(path); !removed) return removed;
  return {};
}

// Whose node is the lowest.
tl::expected<std::string, std::string> holder(Asker& server, Family family, const std::string& folder) {
  const auto names = server.list(folder);
  if (!names) return tl::unexpected(names.error());
  const std::vector<std::string> all = family == Family::kSession ? line_of(*names) : in_order(*names);
  if (all.empty()) return std::string();
  const auto first = server.look(folder + "/" + all.front());
  if (!first) return tl::unexpected(first.error());
  return escaped(first->data, 200);
}

}  // namespace

Looked probe(const StoreUrl& url, Family family, const std::vector<std::string>& mutexes, const std::stop_token& stop) {
  const auto failed = [&](const std::string& error) {
    return tl::unexpected(fmt::format("cannot use {}: {}: {}", printable(url), error, advice(error)));
  };
  Asker server(kPatience, stop);
  if (const auto connected = server.connect(url); !connected) return failed(connected.error());
  const auto folder = [&](const std::string& mutex) {
    return family == Family::kSession ? lock_folder_of(mutex) : folder_of(mutex);
  };
  StoreLook look;
  for (const std::string& mutex : mutexes) {
    const auto who = holder(server, family, folder(mutex));
    if (!who) return failed(who.error());
    look.holders.push_back(*who);
  }
  if (!mutexes.empty())
    if (const auto tried = try_calls(server, folder(mutexes.front())); !tried) return failed(tried.error());
  return look;
}

}  // namespace leasescope::zookeeper
