#include "core/history/team/connection.h"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include <fmt/format.h>

#include "core/store/patience.h"
#include "core/store/postgres/texts.h"
#include "core/store/postgres/unasked.h"
#include "core/store/resolver.h"
#include "core/store/server_walk.h"
#include "core/time/duration_text.h"

namespace leasescope::team {
namespace {

using Kind = SqlError::Kind;

constexpr std::chrono::milliseconds kToConnect{5000};

// A server that is asked whether somebody still lives finds out within half a minute when his machine has gone without
// a word; until then his name is taken.
constexpr const char* kSettings =
    "set default_transaction_isolation = 'read committed'; set lock_timeout = '3s'; set "
    "idle_in_transaction_session_timeout = 0; "
    "set bytea_output = 'hex'; set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; "
    "set tcp_keepalives_count = 3; set tcp_user_timeout = '25s'";
// What the server says is kept is kept when it is killed.
constexpr const char* kKeeps =
    "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'";
// What is read is read as of one moment, however long that takes.
constexpr const char* kReads = "begin isolation level repeatable read read only";

bool begins(std::string_view state, std::string_view with) { return state.substr(0, with.size()) == with; }

// What becomes of it.
Kind kind_of(std::string_view state) {
  for (const char* const away : {"08", "57P", "25006"})
    if (begins(state, away)) return Kind::kAway;
  // No room, a deadlock, a lock that somebody holds, a time that is over, a partition that has just been dropped.
  for (const char* const again : {"40", "53", "55P03", "57014", "58", "23514"})
    if (begins(state, again)) return Kind::kAgain;
  return Kind::kRefused;
}

// What libpq or a server says to somebody who connects and may try for ever. It says no SQLSTATE there; of whatever is
// not among them (refused, no answer, starting up, too many clients) it is taken that it passes.
constexpr const char* kLasting[] = {
    "authentication failed",
    "no password supplied",
    "no pg_hba.conf entry",
    "pg_hba.conf rejects",
    "does not exist",
    "is not permitted to log in",
    "permission denied for",
    "certificate verify failed",
    "certificate file",
    "server certificate for",
    "does not support SSL",
    "unsupported frontend",
    "invalid ",
    "is it a PostgreSQL?",
};

bool lasts(const SqlError& error) {
  const auto says = [&](const char* words) { return error.words.find(words) != std::string::npos; };
  return error.kind == Kind::kRefused || std::any_of(std::begin(kLasting), std::end(kLasting), says);
}

}  // namespace

void Connection::Close::operator()(PGconn* connection) const { PQfinish(connection); }

std::chrono::milliseconds Limit::left() {
  const auto now = Clock::now();
  if (!heard_ && leaving_ != nullptr && leaving_->load()) {
    heard_ = true;
    end_ = std::min(end_, now + kFarewell);
  }
  return std::chrono::duration_cast<std::chrono::milliseconds>(end_ - now);
}

SqlError Connection::broken(Kind kind) const { return {kind, postgres::error_of(connection_.get()), {}}; }

// ---- the way there

Connection::Opened Connection::open(const StoreUrl& url, const ConnectionTerms& terms) {
  std::unique_ptr<Connection> out(new Connection(terms));
  const std::vector<Endpoint> servers = servers_of(url);
  Limit limit(std::min(kToConnect, terms.patience), terms.leaving);
  std::string errors;
  bool all_last = true;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    Done connected = out->connect(url, servers[i], limit.share(servers.size() - i));
    if (connected) connected = out->settle();
    if (connected) return out;
    errors += (errors.empty() ? "" : "; ") + connected.error().words;
    all_last = all_last && lasts(connected.error());
  }
  return tl::unexpected(SqlError{Kind::kAway, errors, {}, all_last});
}

Connection::Done Connection::connect(const StoreUrl& url, const Endpoint& server, Limit limit) {
  const Addresses addresses = look_up_within(server, Patience(limit.left()));
  if (!addresses) return tl::unexpected(SqlError{Kind::kAway, addresses.error(), {}});
  Done connected;
  for (std::size_t i = 0; i < addresses->size(); ++i) {
    Limit share = limit.share(addresses->size() - i);
    connected = connect(postgres::ConnInfo(url, server, (*addresses)[i]), share);
    if (connected) break;
  }
  return connected;
}

Connection::Done Connection::connect(postgres::ConnInfo info, Limit& limit) {
  info.set("application_name", terms_.called);
  connection_.reset(PQconnectStartParams(info.keywords().data(), info.values().data(), 0));
  if (connection_ == nullptr || PQstatus(connection_.get()) == CONNECTION_BAD) return tl::unexpected(broken());
  PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  intake_.begin();
  PostgresPollingStatusType status = PGRES_POLLING_WRITING;
  while (status == PGRES_POLLING_READING || status == PGRES_POLLING_WRITING) {
    if (auto waited = wait(status == PGRES_POLLING_READING ? POLLIN : POLLOUT, limit); !waited) return waited;
    status = PQconnectPoll(connection_.get());
  }
  if (status != PGRES_POLLING_OK) return tl::unexpected(broken());
  PQsetnonblocking(connection_.get(), 1);
  return {};
}

Connection::Done Connection::settle() {
  // A message of its own, before all others: see there.
  if (auto said = say(postgres::first_sql()); !said) return tl::unexpected(said.error());
  // It gives up before we do.
  const std::string timeout = fmt::format("set statement_timeout = '{}ms'; ", terms_.patience.count() * 7 / 8);
  if (auto said = say(timeout + kSettings); !said) return tl::unexpected(said.error());
  if (auto said = say(terms_.writes ? kKeeps : kReads); !said) return tl::unexpected(said.error());
  return {};
}

// ---- what is asked

Connection::Answer Connection::say(const std::string& sql) {
  intake_.begin();
  if (PQsendQuery(connection_.get(), sql.c_str()) == 0) return tl::unexpected(broken());
  return results();
}

Connection::Answer Connection::prepare(const char* sql, std::size_t values) {
  intake_.begin();
  const std::string name = fmt::format("s{}", static_cast<const void*>(sql));
  if (PQsendPrepare(connection_.get(), name.c_str(), sql, static_cast<int>(values), nullptr) == 0)
    return tl::unexpected(broken());
  Answer prepared = results();
  if (prepared) prepared_.insert(sql);
  return prepared;
}

Connection::Answer Connection::run(const char* sql, const SqlCall& call) {
  if (prepared_.count(sql) == 0)
    if (auto prepared = prepare(sql, call.values.size()); !prepared) return prepared;
  std::vector<const char*> texts;
  std::vector<int> lengths, formats;
  for (const SqlValue& value : call.values) {
    texts.push_back(value.text ? value.text->c_str() : nullptr);
    lengths.push_back(value.text ? static_cast<int>(value.text->size()) : 0);
    formats.push_back(value.bytes ? 1 : 0);
  }
  intake_.begin();
  const std::string name = fmt::format("s{}", static_cast<const void*>(sql));
  if (PQsendQueryPrepared(connection_.get(), name.c_str(), static_cast<int>(texts.size()), texts.data(), lengths.data(),
                          formats.data(), 0) == 0)
    return tl::unexpected(broken());
  return results();
}

Connection::Answer Connection::ask(const SqlCall& call) {
  Answer answer = run(call.sql, call);
  if (!answer || !call.rows || answer->changed() == *call.rows) return answer;
  if (call.otherwise != nullptr) {
    answer = run(call.otherwise, call);
    if (!answer || answer->changed() == *call.rows) return answer;
  }
  return tl::unexpected(
      SqlError{Kind::kRefused, fmt::format("{} of {} rows were there", answer->changed(), *call.rows), "rows"});
}

Connection::Answer Connection::ask_much(const SqlCall& call) {
  bounded_ = false;
  Answer answer = ask(call);
  bounded_ = true;
  return answer;
}

Connection::Answer Connection::results() {
  Limit within = limit();
  PGresult* last = nullptr;
  const auto over = [&](SqlError error) {
    PQclear(last);
    return tl::unexpected(std::move(error));
  };
  for (;;) {
    while (PQflush(connection_.get()) == 1) {
      if (auto waited = wait(POLLIN | POLLOUT, within); !waited) return over(waited.error());
      if (PQconsumeInput(connection_.get()) == 0) return over(broken());
    }
    while (PQisBusy(connection_.get()) != 0) {
      if (auto waited = wait(POLLIN, within); !waited) return over(waited.error());
      if (PQconsumeInput(connection_.get()) == 0) return over(broken());
    }
    PGresult* const next = PQgetResult(connection_.get());
    if (next == nullptr) break;
    if (postgres::wants_copy(next)) {
      PQclear(next);
      return over({Kind::kAway, postgres::kWantsCopy, {}});
    }
    // Of several statements the last result counts, but an error ends them and stays.
    if (last != nullptr && PQresultStatus(last) == PGRES_FATAL_ERROR) {
      PQclear(next);
      continue;
    }
    PQclear(last);
    last = next;
  }
  const ExecStatusType status = last == nullptr ? PGRES_FATAL_ERROR : PQresultStatus(last);
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return SqlRows(last);
  const char* const state = last == nullptr ? nullptr : PQresultErrorField(last, PG_DIAG_SQLSTATE);
  if (state == nullptr || PQstatus(connection_.get()) != CONNECTION_OK) return over(broken());
  return over({kind_of(state), postgres::one_line(PQresultErrorMessage(last)), state});
}

Connection::Done Connection::wait(short events, Limit& limit) {
  pollfd ready{PQsocket(connection_.get()), events, 0};
  int found = 0;
  for (auto left = limit.left(); found == 0 && left.count() > 0; left = limit.left()) {
    found = ::poll(&ready, 1, static_cast<int>(std::min(left, Patience::kHeard).count()));
    if (found < 0 && errno == EINTR) found = 0;
  }
  if (found <= 0)
    return tl::unexpected(
        SqlError{Kind::kAway, fmt::format("no answer within {}", format_duration(limit.whole())), {}});
  if (bounded_ && !intake_.bounded(PQsocket(connection_.get())))
    return tl::unexpected(SqlError{Kind::kAway, postgres::kTooMuch, {}});
  return {};
}

}  // namespace leasescope::team
