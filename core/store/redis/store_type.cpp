#include "core/store/redis/store_type.h"

#include "core/store/redis/late_answers.h"
#include "core/store/redis/probe.h"
#include "core/store/redis/push_filter.h"
#include "core/store/redis/redis_store.h"
#include "core/store/redis/server.h"
#include "core/store/redis/url.h"

namespace leasescope::redis {
namespace {

std::unique_ptr<Store> make(Loop& loop, const StoreUrl& url, Family family, const StoreRoute& route, Duration,
                            WireNames& names, StoreListener& listener) {
  return std::make_unique<RedisStore>(loop, url, family, route, names, listener);
}

StoreType described() {
  StoreType type;
  type.words = {"redis"};
  type.title = "Redis";
  type.model = "redis";
  type.families = {Family::kLease, Family::kRegister};
  type.schemes = {"redis://", "rediss://", "redis+sentinel://", "rediss+sentinel://", "unix:"};
  type.forms = {"redis://[user:password@]host[:port][,…][/number]",
                "rediss://[user:password@]host[:port][/number][?cacert=FILE&cert=FILE&key=FILE]",
                "redis+sentinel://[user:password@]host[:port],…/master[/number]", "unix:/path/of/redis.sock"};
  type.passwords = "LEASESCOPE_REDIS_PASSWORD_FILE, REDISCLI_AUTH";
  type.parse = parse_url;
  type.printable = printable;
  type.password = password_of_environment;
  type.probe = probe;
  type.make = make;
  type.recipe = server_recipe;
  type.answers = answers;
  type.cut_sessions = cut_sessions;
  type.erase = erase;
  type.push_filter = make_push_filter;
  type.late_answers = make_late_answers;
  return type;
}

}  // namespace

const StoreType& store_type() {
  static const StoreType type = described();
  return type;
}

}  // namespace leasescope::redis
