#include "core/store/redis/probe.h"

#include <chrono>
#include <random>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/redis/advice.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/cell_look.h"
#include "core/store/redis/keys.h"
#include "core/store/redis/quorum_look.h"
#include "core/store/redis/redirect.h"
#include "core/store/redis/redis_line.h"
#include "core/store/redis/scripts.h"
#include "core/store/redis/sentinel.h"
#include "core/store/redis/shared_lines.h"
#include "core/store/redis/url.h"

namespace leasescope::redis {
namespace {

// For all questions together.
constexpr std::chrono::milliseconds kPatience{5000};
// Before a cluster is asked again.
constexpr std::chrono::milliseconds kPause{30};

// How long what a broken trial leaves behind lives.
constexpr const char* kLifeMs = "5000";

// A server that expects TLS ends a connection without it, and says nothing.
bool speaks_tls(const StoreUrl& url) {
  StoreUrl sealed = url;
  sealed.sealed = true;
  Asker server(std::chrono::seconds(1));
  const auto connected = server.connect(sealed);
  return connected || (server.heard() && connected.error().find(tls::kNoTls) == std::string::npos);
}

// The run's scripts by another name, on keys of its own beside the mutex's: one after another as text, then by name.
tl::expected<void, std::string> try_calls(Asker& server, const std::vector<std::string>& mutexes, Waits waits) {
  std::vector<Asker::Words> by_name;
  for (const std::string& mutex : mutexes) {
    const std::string lease = fmt::format("{}:probe:{:08x}", Keys(mutex).lease, std::random_device()());
    const std::string keys = fmt::format("{}", 3 + static_cast<int>(waits));
    by_name.push_back({"EVALSHA", probe_script().sha1, keys, lease, lease + ":fence", lease + ":token"});
    if (waits != Waits::kNowhere) by_name.back().push_back(lease + ":contender");
    if (waits == Waits::kInLine) by_name.back().push_back(lease + ":place:");
    by_name.back().emplace_back(kLifeMs);
  }
  Asker::Words text = by_name.front();
  text[0] = "EVAL";
  text[1] = probe_script().text;
  if (const auto known = server.ask(text); !known) return tl::unexpected(known.error());
  const auto answers = server.ask_all(by_name);
  if (!answers) return tl::unexpected(answers.error());
  for (const RespValue& answer : *answers) {
    if (answer.items.size() != 2 || answer.items[0].text != "granted")
      return tl::unexpected<std::string>("its answer to a script makes no sense");
    if (!answer.items[1].text.empty()) return tl::unexpected(escaped(answer.items[1].text, kLongestError));
  }
  return {};
}

// As on a server that others have used before: a call by its script's name else goes there twice the first time, and a
// release that is given up never would. Where loading is not allowed, the calls bring their text.
void load_scripts(Asker& server) {
  for (const Wire wire : {Wire::kTerm, Wire::kFenced, Wire::kTokenless})
    for (const Script* script : {&scripts(wire).acquire, &scripts(wire).guard, &scripts(wire).release})
      (void)server.ask({"SCRIPT", "LOAD", script->text});
}

// On the mutex's own channel, which changes nothing there; a message in between is nobody's answer.
tl::expected<void, std::string> try_channels(Asker& server, const std::vector<std::string>& mutexes) {
  static const std::set<std::string> kWords{"subscribe", "unsubscribe", "message"};
  std::vector<Asker::Words> questions;
  questions.reserve(2 * mutexes.size());
  for (const char* word : {"SUBSCRIBE", "UNSUBSCRIBE"})
    for (const std::string& mutex : mutexes) questions.push_back({word, Keys(mutex).lease});
  const auto answers = server.ask_all(questions);
  if (!answers) return tl::unexpected(answers.error());
  for (const RespValue& answer : *answers)
    if (answer.items.size() != 3 || kWords.count(answer.items[0].text) == 0)
      return tl::unexpected<std::string>("its answer to SUBSCRIBE makes no sense");
  return {};
}

// Who may not ask is told by the first call that is pointed elsewhere.
bool is_of_cluster(Asker& server) {
  const auto answer = server.ask({"CLUSTER", "INFO"});
  return answer && answer->text.find("cluster_state") != std::string::npos;
}

// Several hosts are the nodes of one cluster: contenders that met different servers of which none knows of the other
// would each be granted.
tl::expected<void, std::string> are_one_store(Asker& server, const StoreUrl& url) {
  if (url.others.empty() || !master_name(url).empty()) return {};
  const auto answer = server.ask({"CLUSTER", "INFO"});
  if (answer && answer->text.find("cluster_state") != std::string::npos) return {};
  const bool is_none = answer || answer.error().rfind("ERR ", 0) == 0;
  return tl::unexpected(is_none ? kSeveralApart : answer.error());
}

// Of one server, whichever keeps the mutexes. Errors are as they come.
Looked look_at(const StoreUrl& url, Family family, const std::vector<std::string>& mutexes,
               const std::stop_token& stop) {
  Asker server(kPatience, stop);
  if (auto connected = server.connect(url); !connected) return tl::unexpected(connected.error());
  if (const auto greeted = server.greet(url); !greeted) {
    const bool sealed = !server.heard() && !url.sealed && speaks_tls(url);
    return tl::unexpected(sealed ? kSpeaksTls : greeted.error());
  }
  if (shares_lines(url) && is_of_cluster(server)) return tl::unexpected<std::string>(kNoCluster);
  if (const auto one = are_one_store(server, url); !one) return tl::unexpected(one.error());
  if (family == Family::kQuorum) return look_at_quorum(server, mutexes);
  StoreLook look;
  if (family == Family::kRegister) {
    auto holders = look_at_cells(server, mutexes);
    if (!holders) return tl::unexpected(holders.error());
    look.holders = std::move(*holders);
    return look;
  }
  std::vector<Asker::Words> questions;
  questions.reserve(mutexes.size());
  for (const std::string& mutex : mutexes) questions.push_back({"GET", Keys(mutex).lease});
  const auto answers = server.ask_all(questions);
  if (!answers) return tl::unexpected(answers.error());
  for (const RespValue& answer : *answers) look.holders.push_back(escaped(answer.text, 200));
  if (mutexes.empty()) return look;
  if (const auto tried = try_calls(server, mutexes, waits(url)); !tried) return tl::unexpected(tried.error());
  load_scripts(server);
  if (const auto tried = try_channels(server, mutexes); !tried) return tl::unexpected(tried.error());
  return look;
}

// Of the node that keeps this mutex, wherever the others point to.
Looked look_in_cluster(StoreUrl url, Family family, const std::string& mutex, const Patience& patience,
                       const std::stop_token& stop) {
  for (;;) {
    Looked look = look_at(url, family, {mutex}, stop);
    const auto where = look ? std::nullopt : read_redirect(look.error(), url.endpoint);
    if (!where || patience.left() <= kPause) return look;
    if (where->kind == Redirect::Kind::kMoved) {
      url.endpoint = where->server;
      url.others.clear();
    }
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

Looked probe(const StoreUrl& url, Family family, const std::vector<std::string>& mutexes, const std::stop_token& stop) {
  const auto failed = [&](const std::string& error) {
    return tl::unexpected(fmt::format("cannot use {}: {}: {}", redis::printable(url), error,
                                      advice(error, url, family, mutexes.empty() ? "" : mutexes.front())));
  };
  Looked look = look_at(url, family, mutexes, stop);
  if (!look && !read_redirect(look.error(), url.endpoint)) return failed(look.error());
  if (look) return look;
  if (shares_lines(url)) return failed(kNoCluster);
  StoreLook whole;
  const Patience patience(kPatience, stop);
  for (const std::string& mutex : mutexes) {
    look = look_in_cluster(url, family, mutex, patience, stop);
    if (!look) return failed(look.error());
    whole.holders.push_back(look->holders.front());
  }
  return whole;
}

}  // namespace leasescope::redis
