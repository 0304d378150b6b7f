#include "core/store/mysql/probe.h"

#include <chrono>
#include <random>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/mysql/advice.h"
#include "core/store/mysql/asker.h"
#include "core/store/mysql/errors.h"
#include "core/store/mysql/texts.h"

namespace leasescope::mysql {
namespace {

// For all questions together.
constexpr std::chrono::milliseconds kPatience{8000};

constexpr const char* kLockableTable = "alter table simba_mutex engine = InnoDB";
constexpr const char* kAddToken = "alter table simba_mutex add column fencing_token bigint unsigned not null default 0";

// What the lease calls do, on a row beside the mutex's that nobody ever sees.
tl::expected<void, Trouble> try_calls(Asker& server, const std::string& mutex) {
  const std::string apart = fmt::format(":probe:{:08x}", std::random_device()());
  const std::string row = fmt::format("concat(left({}, 45), {})", literal(mutex), literal(apart));
  const std::string trial[] = {
      "start transaction",
      fmt::format("insert into simba_mutex (mutex, acquired_at, ttl_at, transition_at, owner_id, version) "
                  "select {}, 0, 0, 0, '', 0 from dual where not exists (select 1 from simba_mutex where mutex = {})",
                  row, row),
      fmt::format("select 1 from simba_mutex where mutex = {} for update", row),
      fmt::format("update simba_mutex set owner_id = 'probe', version = version + 1 where mutex = {}", row),
      "rollback"};
  for (const std::string& sql : trial)
    if (const auto tried = server.ask(sql); !tried) return tl::unexpected(tried.error());
  return {};
}

class Look {
 public:
  Look(const StoreUrl& url, const std::stop_token& stop) : url_(&url), server_(kPatience, stop) {}

  Looked at(const std::vector<std::string>& mutexes) {
    if (const auto connected = server_.connect(*url_); !connected) return failed(connected.error());
    const auto read_only = server_.ask(session_sql(std::chrono::seconds(3)) + "; select @@global.read_only");
    if (!read_only) return failed(read_only.error());
    if (*read_only == std::vector<std::string>{"1"}) return failed({kReadOnlyServer, "the server is read-only"});
    if (const auto table = look_at_table(); !table) return tl::unexpected(table.error());
    if (!mutexes.empty())
      if (const auto tried = try_calls(server_, mutexes.front()); !tried) return failed(tried.error());
    return holders(mutexes);
  }

 private:
  tl::unexpected<std::string> failed(const Trouble& trouble) const {
    return refused(fmt::format("{}: {}", trouble.message, advice(trouble, *url_)));
  }
  tl::unexpected<std::string> refused(const std::string& why) const {
    return tl::unexpected(fmt::format("cannot use {}: {}", printable(*url_), why));
  }
  // Asked for first: a table that is there needs no right to make one.
  tl::expected<void, std::string> look_at_table() {
    const auto engine = server_.ask(
        "select engine from information_schema.tables where table_schema = database() and table_name = 'simba_mutex'");
    if (!engine) return failed(engine.error());
    if (engine->empty()) {
      const auto made = server_.ask(table_sql());
      if (made) return {};
      if (made.error().error != kCommandDenied) return failed(made.error());
      return refused(fmt::format("{}: let it make the table (grant create on {}.* to {}), or make it there: {}",
                                 made.error().message, url_->database, url_->user, table_sql()));
    }
    if (engine->front() != "InnoDB")
      return refused(
          fmt::format("the rows of its table simba_mutex cannot be locked ({}): {}", engine->front(), kLockableTable));
    return {};
  }
  Looked holders(const std::vector<std::string>& mutexes) {
    StoreLook look;
    for (const std::string& mutex : mutexes) {
      const auto row =
          server_.ask(fmt::format("select owner_id from simba_mutex where mutex = {} and "
                                  "transition_at >= unix_timestamp(current_timestamp(3)) * 1000",
                                  literal(mutex)));
      if (!row) return failed(row.error());
      look.holders.push_back(row->empty() ? std::string() : escaped(row->front(), 200));
    }
    const auto fenced = server_.ask(has_token_sql());
    if (!fenced) return failed(fenced.error());
    if (*fenced != std::vector<std::string>{"1"})
      look.remarks.push_back(fmt::format(
          "the table simba_mutex of {} has no column fencing_token: no term has a token, and a resource cannot "
          "tell a late write from another: {}",
          printable(*url_), kAddToken));
    return look;
  }

  const StoreUrl* url_;
  Asker server_;
};

}  // namespace

Looked probe(const StoreUrl& url, Family, const std::vector<std::string>& mutexes, const std::stop_token& stop) {
  return Look(url, stop).at(mutexes);
}

}  // namespace leasescope::mysql
