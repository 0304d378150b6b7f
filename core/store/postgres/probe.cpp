#include "core/store/postgres/probe.h"

#include <chrono>
#include <random>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/postgres/advice.h"
#include "core/store/postgres/asker.h"
#include "core/store/postgres/pooler.h"
#include "core/store/postgres/table.h"
#include "core/store/postgres/texts.h"

namespace leasescope::postgres {
namespace {

// For all questions together.
constexpr std::chrono::milliseconds kPatience{8000};

// What the lease calls do, on a row beside the mutex's that nobody ever sees. $1: the mutex, $2: what sets it apart.
constexpr const char* kTrial[] = {
    "insert into simba_mutex (mutex, acquired_at, ttl_at, transition_at, owner_id, version, fencing_token) "
    "values (left($1, 45) || $2, 0, 0, 0, '', 0, 0)",
    "select 1 from simba_mutex m where m.mutex = left($1, 45) || $2 for update",
    "update simba_mutex m set owner_id = 'probe', version = m.version + 1, fencing_token = m.fencing_token + 1 "
    "where m.mutex = left($1, 45) || $2",
    "select pg_notify(left($1, 0) || 'leasescope_probe', $2)"};
// Likewise, what the calls of a register do: it is set, and set again.
constexpr const char* kTrialOfRegisters[] = {
    "select done from pg_temp.leasescope_cell(left($1, 45) || $2, 0, false, true, 0, 'probe', 2, 1, 1, 1000000)",
    "select done from pg_temp.leasescope_cell(left($1, 45) || $2, 0, false, true, 1, '', 0, 1, 1, 0)"};
// A session that takes and gives back, asked in one: each call needs what the one before has answered.
constexpr const char* kTrialOfFencedLocks[] = {
    "select c.answer from pg_temp.leasescope_open(left($1, 45) || $2, 'probe', 1000000) o, "
    "lateral pg_temp.leasescope_lock(left($1, 45) || $2, o.number, 1, 1, 0) l, "
    "lateral pg_temp.leasescope_unlock(left($1, 45) || $2, o.number, l.number, 2) u, "
    "lateral pg_temp.leasescope_close(left($1, 45) || $2, o.number + u.number) c",
    "select pg_notify(left($1, 0) || 'leasescope_probe', $2)"};

template <class Trials>
tl::expected<void, std::string> ask_all(Asker& server, const Trials& trials,
                                        const std::vector<std::string>& parameters) {
  for (const char* sql : trials)
    if (auto tried = server.ask(sql, parameters); !tried) return tl::unexpected(tried.error());
  return {};
}

tl::expected<void, std::string> try_calls(Asker& server, Family family, const std::string& mutex) {
  if (auto opened = server.ask("begin"); !opened) return tl::unexpected(opened.error());
  const std::string apart = fmt::format(":probe:{:08x}", std::random_device()());
  auto tried = family == Family::kRegister  ? ask_all(server, kTrialOfRegisters, {mutex, apart})
               : family == Family::kSession ? ask_all(server, kTrialOfFencedLocks, {mutex, apart})
                                            : ask_all(server, kTrial, {mutex, apart});
  if (!tried) return tried;
  if (auto closed = server.ask("rollback"); !closed) return tl::unexpected(closed.error());
  return {};
}

constexpr const char* kOwner =
    "select owner_id from simba_mutex where mutex = $1 and transition_at >= "
    "floor(extract(epoch from clock_timestamp()) * 1000)";
// By the database's clock also where its holder's stamped it. Of a lease by its version nobody can say so who has
// looked once.
constexpr const char* kOwnerOfRegister =
    "select owner_id from leasescope_register where mutex = $1 and mode in (2, 3) and stamped_by in (0, 1) "
    "and stamp > floor(extract(epoch from clock_timestamp()) * 1000000) order by cell limit 1";
constexpr const char* kOwnerOfFencedLock =
    "select s.owner_id from leasescope_lock l join leasescope_session s on s.session = l.session where l.mutex = $1 "
    "and l.held > 0 and s.expires > floor(extract(epoch from clock_timestamp()) * 1000000)";

const char* owner_sql(Family family) {
  if (family == Family::kRegister) return kOwnerOfRegister;
  return family == Family::kSession ? kOwnerOfFencedLock : kOwner;
}

}  // namespace

Looked probe(const StoreUrl& url, Family family, const std::vector<std::string>& mutexes, const std::stop_token& stop) {
  const auto refused = [&](const std::string& words) {
    return tl::unexpected(fmt::format("cannot use {}: {}", printable(url), words));
  };
  const auto failed = [&](const std::string& error) {
    return refused(fmt::format("{}: {}", error, advice(error, url, family)));
  };
  Asker server(kPatience, stop);
  if (auto connected = server.connect(url); !connected) return failed(connected.error());
  if (auto checked = check_pooler(server, url, stop); !checked) return refused(checked.error());
  if (auto said = server.ask("set lock_timeout = 3000; set statement_timeout = 5000;" + first_sql()); !said)
    return failed(said.error());
  if (auto prepared = prepare_table(server, url, family); !prepared) return refused(prepared.error());
  if (auto set_up = server.ask(session_sql(family)); !set_up) return failed(set_up.error());
  if (!mutexes.empty())
    if (auto tried = try_calls(server, family, mutexes.front()); !tried) return failed(tried.error());
  StoreLook look;
  for (const std::string& mutex : mutexes) {
    const auto row = server.ask(owner_sql(family), {mutex});
    if (!row) return failed(row.error());
    look.holders.push_back(escaped(first_text(*row), 200));
  }
  return look;
}

}  // namespace leasescope::postgres
