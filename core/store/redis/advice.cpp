#include "core/store/redis/advice.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/store/password.h"
#include "core/store/redis/keys.h"
#include "core/store/redis/quorum_look.h"
#include "core/store/redis/redis_line.h"
#include "core/store/redis/resp_reader.h"
#include "core/store/redis/sentinel.h"
#include "core/store/redis/url.h"
#include "core/store/tls/session.h"

namespace leasescope::redis {
namespace {

// What our scripts call, and what calls them; what a look before a run asks.
constexpr const char* kRights =
    "+ping +eval +evalsha +script|load +get +mget +set +del +incr +pttl +pexpire +publish +subscribe +unsubscribe";

// Beside, where who waits has a place of its own.
constexpr const char* kMore[] = {"", " +zadd +zrem +zrange +zpopmin +time",
                                 " +zadd +zrem +zrange +zpopmin +time +exists"};
// The same of registers.
constexpr const char* kRightsOfRegisters = "+ping +eval +evalsha +hmget +hget +hset +hincrby +time +del";

// And of quorum locks.
constexpr const char* kRightsOfQuorums =
    "+ping +info +eval +evalsha +get +set +del +pexpireat +time +publish +subscribe +unsubscribe";

const char* rights(Family family) {
  if (family == Family::kRegister) return kRightsOfRegisters;
  return family == Family::kQuorum ? kRightsOfQuorums : kRights;
}

struct Remedy {
  const char* says;  // what is found in the error
  const char* remedy;
};

constexpr const char* kWait = "wait until it is ready";
constexpr const char* kWrongLogin = "the user or the password is wrong";
constexpr const char* kNoLogin = "it has no password set: leave it out of the URL";
constexpr const char* kWhere = "is it running, and is this its address?";

// The first that fits.
constexpr Remedy kRemedies[] = {
    {"WRONGPASS", kWrongLogin},
    {"invalid password", kWrongLogin},
    {"ERR AUTH", kNoLogin},
    {"ERR Client sent AUTH", kNoLogin},
    {"OOM", "the server is out of memory: raise its maxmemory, or let it evict (maxmemory-policy)"},
    {"READONLY", "this server is a replica that takes no writes: name the primary"},
    {"MISCONF", "the server refuses writes until it can save: see its log"},
    {"LOADING", kWait},
    {"MASTERDOWN", kWait},
    {"BUSY", kWait},
    {"CLUSTERDOWN", kWait},
    {"TRYAGAIN", kWait},
    {"expected the certificate", "name a file that is one"},
    {"expected the client's certificate", "name a file that is one"},
    {"expected the key", "name a file that is one"},
    {tls::kWantsCertificate, "name one that it accepts: ?cert=FILE&key=FILE"},
    {tls::kUntrusted, "name the authority that signed it: ?cacert=FILE, or SSL_CERT_FILE"},
    {tls::kInvalidNow, "renew it, and see that both clocks are right"},
    {tls::kOthersCertificate, "name the host as its certificate does"},
    {tls::kNoTls, "without TLS its URL begins with redis://"},
    {kSpeaksTls, "its URL begins with rediss://"},
    {kSeveralApart,
     "name one, or its sentinels (redis+sentinel://); servers that know nothing of each other are for a quorum lock "
     "(mutex.system = \"quorum\")"},
    {kOfCluster, "a quorum lock is kept by servers that know nothing of each other: name such"},
    {kReplica, "a quorum lock is kept by servers that know nothing of each other: name such"},
    {"lines=shared leads", "leave lines=shared out, so that each contender follows its mutex"},
    {"MOVED", "the nodes of this cluster point to each other: see CLUSTER NODES"},
    {"ASK ", "the nodes of this cluster point to each other: see CLUSTER NODES"},
    {"SELECT is not allowed", "a cluster has no other database than 0: leave the number out"},
    {"DB index", "name a database that it has"},
    {"knows no master", "name it as the sentinels do, behind their hosts in the URL"},
    {"it is no master", "wait until the sentinels have found another"},
    {"no answer", kWhere},
    {"refused", kWhere},
    {"reset", kWhere},
    {"closed", kWhere},
    {"No such file", kWhere},
};

constexpr const char* kOtherNode = "another node of its cluster keeps it: watch that one too";
constexpr const char* kAddressOfOne = "name the host and the port of one: redis://host:6379";

// The same of somebody who only looks, before the others.
constexpr Remedy kRemediesOfWatcher[] = {
    {"MOVED", kOtherNode},
    {"ASK ", kOtherNode},
    {kExpectsTls, "if it does, its URL begins with rediss://; if not, is this a Redis, and its address?"},
    {"is it a Redis?", kAddressOfOne},
};

constexpr const char* kWithoutRights[] = {
    "NOPERM", "can't run this command", "no permissions", "can't publish", "ACL failure", "can't access"};

std::string user_of(const StoreUrl& url) { return url.user.empty() ? "default" : url.user; }

std::string rule(const StoreUrl& url, Family family, const std::string& mutex) {
  const bool sentinels = !master_name(url).empty();
  return fmt::format("allow what the run does: ACL SETUSER {} {}{}{}{}{} ~{}* &{}*", user_of(url), rights(family),
                     url.database.empty() ? "" : " +select", sentinels ? " +role" : "",
                     sentinels || url.others.empty() ? "" : " +asking +cluster|info",
                     family != Family::kLease ? "" : kMore[static_cast<std::size_t>(waits(url))], Keys(mutex).lease,
                     Keys(mutex).lease);
}

// To the letter as the observer listens (observer.cpp), of all mutexes: its keys are gone through.
std::string rule_of_watcher(const StoreUrl& url) {
  return fmt::format(
      "let it look: ACL SETUSER {} ~simba:* &simba:* +@read +ping +subscribe +psubscribe +pubsub|numsub{}",
      user_of(url), url.database.empty() ? "" : " +select");
}

bool is_of_rights(const std::string& error) {
  return std::any_of(std::begin(kWithoutRights), std::end(kWithoutRights),
                     [&](const char* words) { return error.find(words) != std::string::npos; });
}

// Whoever it is said to; of rights that are missing nothing is said here.
std::string advice_to_anybody(const std::string& error) {
  const auto says = [&](const char* words) { return error.find(words) != std::string::npos; };
  if (says("NOAUTH") && error.rfind("sentinel ", 0) == 0)
    return "the sentinels have a password of their own: ?sentinel-password=";
  if (says("NOAUTH"))
    return fmt::format("{}: in REDISCLI_AUTH, --password-file or redis://[user]:password@host:port", kWantsPassword);
  for (const Remedy& each : kRemedies)
    if (says(each.says)) return each.remedy;
  return "is this a Redis, and its address?";
}

}  // namespace

std::string advice(const std::string& error, const StoreUrl& url, Family family, const std::string& mutex) {
  return is_of_rights(error) ? rule(url, family, mutex) : advice_to_anybody(error);
}

std::string advised_to_watcher(const std::string& error, const StoreUrl& url) {
  if (is_of_rights(error)) return error + ": " + rule_of_watcher(url);
  for (const Remedy& each : kRemediesOfWatcher)
    if (error.find(each.says) != std::string::npos) return error + ": " + each.remedy;
  return error + ": " + advice_to_anybody(error);
}

std::string advised_to_listener(const std::string& error, const StoreUrl& url) {
  if (!is_of_rights(error)) return advised_to_watcher(error, url);
  return fmt::format("{}: let it listen: ACL SETUSER {} &leasescope:belief:* +psubscribe", error, user_of(url));
}

std::string advice_on_other_keys(const StoreUrl& url) {
  return fmt::format("let it read all keys, ACL SETUSER {} ~* +@read, or leave these out: --foreign none",
                     user_of(url));
}

bool is_refusal(const RespValue& answer) {
  return answer.kind == RespValue::Kind::kError && answer.text.compare(0, 6, "NOPERM") == 0;
}

std::string advice_on_cluster(const StoreUrl& url) {
  return fmt::format("let it ask for them: ACL SETUSER {} +cluster|nodes", user_of(url));
}

}  // namespace leasescope::redis
