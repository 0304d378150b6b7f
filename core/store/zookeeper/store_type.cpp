#include "core/store/zookeeper/store_type.h"

#include <fmt/format.h>

#include "core/store/zookeeper/frames.h"
#include "core/store/zookeeper/lock_store.h"
#include "core/store/zookeeper/observer.h"
#include "core/store/zookeeper/probe.h"
#include "core/store/zookeeper/raw_commands.h"
#include "core/store/zookeeper/server.h"
#include "core/store/zookeeper/url.h"
#include "core/store/zookeeper/zookeeper_store.h"

namespace leasescope::zookeeper {
namespace {

// It stands in the URL, or is the run's own.
tl::expected<std::string, std::string> password(const StoreUrl&) { return std::string(); }

std::unique_ptr<Store> make(Loop& loop, const StoreUrl& url, Family family, const StoreRoute& route, Duration,
                            WireNames& names, StoreListener& listener) {
  if (family == Family::kSession) return std::make_unique<LockStore>(loop, url, route, names, listener);
  return std::make_unique<ZookeeperStore>(loop, url, route, names, listener);
}

std::vector<UrlWay> ways() { return {{"zookeeper://", "By its servers", 2181, {"Path"}, {}}}; }

StoreType described() {
  StoreType type;
  type.words = {"zookeeper", "zk"};
  type.ensembles = {3, 5};
  type.title = "ZooKeeper";
  type.model = "zookeeper";
  const auto ms = [](std::chrono::milliseconds each) { return fmt::format("{}ms", each.count()); };
  type.private_terms = {{"tick", ms(kTick)},
                        {"min_session", ms(kShortestSession)},
                        {"max_session", ms(kLongestSession)},
                        {"drawn_ticks", "true"}};
  type.schemes = {"zookeeper://", "zk://"};
  type.forms = {"zookeeper://[user:password@]host[:port][,host…][/path]"};
  type.ways = ways();
  type.several_hosts = "the servers of one ensemble";
  type.passwords = "only these";
  type.parse = parse_url;
  type.printable = printable;
  type.families = {Family::kNodes, Family::kSession};
  type.password = password;
  type.probe = probe;
  type.make = make;
  type.observe = observe;
  type.raw_commands = raw_commands;
  type.recipe = server_recipe;
  type.answers = answers;
  type.end_session = end_session;
  type.frames = make_frames;
  type.numbered = true;
  return type;
}

}  // namespace

const StoreType& store_type() {
  static const StoreType type = described();
  return type;
}

}  // namespace leasescope::zookeeper
