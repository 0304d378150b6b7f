#include "core/store/postgres/pooler.h"

#include <random>

#include <fmt/format.h>

#include "core/store/postgres/advice.h"

namespace leasescope::postgres {
namespace {

using Done = tl::expected<void, std::string>;
using std::chrono::milliseconds;

// A message between two idle sessions takes a millisecond; a pooler that has a connection left hands it out at once,
// or when it has made one.
constexpr milliseconds kToHear{1500};
constexpr milliseconds kToLend{2000};

constexpr const char* kLent =
    "a pooler in between (pgbouncer with pool_mode = transaction or statement?) lends a session for a transaction "
    "only: "
    "LISTEN and a session's settings and functions do not survive there. Name the server itself, or set pool_mode = "
    "session for this database or user";

std::string no_second(const std::string& error) {
  return fmt::format(
      "a pooler in between lends no second connection ({}): a contender has two for as long as it runs. Raise its "
      "default_pool_size to twice the number of contenders at least, or name the server itself",
      error);
}

}  // namespace

Done check_pooler(Asker& server, const StoreUrl& url, const std::stop_token& stop) {
  const auto failed = [&](const std::string& error) {
    return tl::unexpected(fmt::format("{}: {}", error, advice(error, url, Family::kLease)));
  };
  const auto number = server.ask("select pg_backend_pid()");
  if (!number) return failed(number.error());
  if (first_text(*number) == fmt::format("{}", server.named_at_login())) return {};
  const std::string channel = fmt::format("leasescope_probe_{:08x}", std::random_device()());
  if (const auto listens = server.ask("listen " + channel); !listens) return failed(listens.error());
  Asker other(kToLend, stop);
  if (const auto connected = other.connect(url); !connected) return tl::unexpected(no_second(connected.error()));
  if (const auto told = other.ask("notify " + channel); !told) return tl::unexpected(no_second(told.error()));
  const bool heard = server.hears(channel, kToHear);
  // On a session that was lent it is left behind, unless we are lent the same again: which is likely, and all we can
  // do.
  for (Asker* const each : {&server, &other})
    if (const auto left = each->ask("unlisten " + channel); !left) return failed(left.error());
  return heard ? Done() : tl::unexpected<std::string>(kLent);
}

}  // namespace leasescope::postgres
