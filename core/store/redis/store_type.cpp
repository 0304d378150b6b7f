#include "core/store/redis/store_type.h"

#include "core/store/redis/belief_sender.h"
#include "core/store/redis/cluster_observer.h"
#include "core/store/redis/frames.h"
#include "core/store/redis/late_answers.h"
#include "core/store/redis/probe.h"
#include "core/store/redis/raw_commands.h"
#include "core/store/redis/redis_store.h"
#include "core/store/redis/sentinel.h"
#include "core/store/redis/server.h"
#include "core/store/redis/url.h"
#include "core/store/several_stores.h"

namespace leasescope::redis {
namespace {

std::unique_ptr<Store> make(Loop& loop, const StoreUrl& url, Family family, const StoreRoute& route, Duration timeout,
                            WireNames& names, StoreListener& listener) {
  return std::make_unique<RedisStore>(loop, url, family, route, timeout, names, listener);
}

std::string fixed_wake_up(const StoreUrl& url) {
  const auto said = url.options.find("wake-up");
  if (said != url.options.end()) return "wake-up=" + said->second;
  return is_legacy(url) ? "legacy=on" : "";
}

// Sentinels lead to one server.
std::vector<StoreUrl> apart(const StoreUrl& url) {
  return master_name(url).empty() ? each_alone(url) : std::vector<StoreUrl>{url};
}

std::vector<UrlWay> ways() {
  const std::vector<UrlOption> files{
      {"cacert", "Authority", {}, true}, {"cert", "Certificate", {}, true}, {"key", "Its key", {}, true}};
  const UrlOption sentinel_user{"sentinel-user", "User of sentinels", {}};
  std::vector<UrlOption> sealed_sentinels = files;
  sealed_sentinels.push_back(sentinel_user);
  return {{"redis://", "Without TLS", 6379, {"Database"}, {}},
          {"rediss://", "Over TLS", 6379, {"Database"}, files},
          {"redis+sentinel://", "By sentinels", 26379, {"Master", "Database"}, {sentinel_user}},
          {"rediss+sentinel://", "By sentinels, over TLS", 26379, {"Master", "Database"}, sealed_sentinels},
          {"unix:", "By a socket", 0, {"Socket"}, {{"db", "Database", {}}}}};
}

StoreType described() {
  StoreType type;
  type.words = {"redis"};
  type.title = "Redis";
  type.model = "redis";
  type.families = {Family::kLease, Family::kRegister, Family::kQuorum};
  type.schemes = {"redis://", "rediss://", "redis+sentinel://", "rediss+sentinel://", "unix:"};
  type.forms = {"redis://[user:password@]host[:port][,…][/number]",
                "rediss://[user:password@]host[:port][/number][?cacert=FILE&cert=FILE&key=FILE]",
                "redis+sentinel://[user:password@]host[:port],…/master[/number]", "unix:/path/of/redis.sock"};
  type.ways = ways();
  type.several_hosts = "the nodes of a cluster, or the servers of a quorum lock";
  type.wake_ups = {WakeUp::kBroadcast, WakeUp::kQueue, WakeUp::kHandOver};
  type.fixes_wake_up = fixed_wake_up;
  type.passwords = "LEASESCOPE_REDIS_PASSWORD_FILE, REDISCLI_AUTH";
  type.parse = parse_url;
  type.printable = printable;
  type.apart = apart;
  type.shares_lines = shares_lines;
  type.password = password_of_environment;
  type.probe = probe;
  type.make = make;
  type.observe = observe;
  type.raw_commands = raw_commands;
  type.tell_beliefs = belief_sender;
  type.hears_beliefs_aside = true;
  type.recipe = server_recipe;
  type.answers = answers;
  type.cut_sessions = cut_sessions;
  type.erase = erase;
  type.follow = follow;
  type.follows = follows;
  type.lead = lead;
  type.late_answers = make_late_answers;
  type.frames = make_frames;
  return type;
}

}  // namespace

const StoreType& store_type() {
  static const StoreType type = described();
  return type;
}

}  // namespace leasescope::redis
