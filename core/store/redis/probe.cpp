#include "core/store/redis/probe.h"

#include <chrono>

#include <fmt/format.h>

#include "core/store/printable_text.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/keys.h"
#include "core/store/redis/redis_line.h"

namespace leasescope::redis {
namespace {

// For all questions together.
constexpr std::chrono::milliseconds kPatience{5000};

std::string advice(const std::string& error) {
  if (error.rfind("NOAUTH", 0) == 0) return "it wants a password: redis://[user]:password@host:port";
  if (error.rfind("WRONGPASS", 0) == 0 || error.find("invalid password") != std::string::npos)
    return "the user or the password is wrong";
  if (error.rfind("ERR AUTH", 0) == 0 || error.rfind("ERR Client sent AUTH", 0) == 0)
    return "it has no password set: leave it out of the URL";
  if (error.rfind("NOPERM", 0) == 0)
    return "the user must be allowed EVAL, EVALSHA, SUBSCRIBE, GET and the keys simba:*";
  return "is it running, and is this its address?";
}

}  // namespace

tl::expected<std::vector<std::string>, std::string> probe(const StoreUrl& url,
                                                          const std::vector<std::string>& mutexes) {
  const auto failed = [&](const std::string& error) {
    return tl::unexpected(fmt::format("cannot use {}: {}: {}", printable(url), error, advice(error)));
  };
  Asker server(kPatience);
  if (auto connected = server.connect(url.endpoint); !connected) return failed(connected.error());
  if (const auto greeted = server.ask_all(Login{url.user, url.password, url.database}.greeting()); !greeted) {
    return failed(greeted.error());
  } else if (greeted->back().text != "PONG") {
    return failed("it does not answer PING");
  }
  std::vector<Asker::Words> questions;
  for (const std::string& mutex : mutexes) questions.push_back({"GET", Keys(mutex).lease});
  const auto answers = server.ask_all(questions);
  if (!answers) return failed(answers.error());
  std::vector<std::string> owners;
  for (const RespValue& answer : *answers) owners.push_back(printable_text(answer.text, 200));
  return owners;
}

}  // namespace leasescope::redis
