#include "core/store/postgres/postgres_line.h"

#include <libpq-fe.h>

#include <utility>

#include "core/base/escaped.h"
#include "core/store/postgres/unasked.h"
#include "core/store/socket.h"

namespace leasescope::postgres {
namespace {

constexpr std::size_t kLongestVersion = 60;

}  // namespace

PostgresLine::PostgresLine(Loop& loop, const StoreUrl& url, ServerWalk::Way way, std::vector<std::string> session,
                           Events events, Notified notified)
    : Line(loop, url.endpoint, std::move(events)),
      url_(url),
      session_(std::move(session)),
      notified_(std::move(notified)),
      servers_(resolver_, url, std::move(way)) {}

PostgresLine::~PostgresLine() { drop(false); }

// libpq would look a name up here and now, and the loop would wait.
void PostgresLine::begin() {
  servers_.next([this](const tl::expected<ServerWalk::Next, std::string>& next) {
    if (!next) return abandon(next.error());
    start(*next);
  });
}

void PostgresLine::start(const ServerWalk::Next& next) {
  const ConnInfo info(url_, next.server, next.address);
  intake_.begin();
  connection_ = PQconnectStartParams(info.keywords().data(), info.values().data(), 0);
  if (connection_ == nullptr || PQstatus(connection_) == CONNECTION_BAD) return abandon(error_of(connection_));
  Intake::narrow(PQsocket(connection_));
  PQsetNoticeProcessor(
      connection_, [](void*, const char*) {}, nullptr);
  watch(false, true, &PostgresLine::poll);
}

void PostgresLine::poll() {
  if (!intake_.bounded(PQsocket(connection_))) return abandon(kTooMuch);
  const PostgresPollingStatusType status = PQconnectPoll(connection_);
  // The socket may have changed with the step: both watches are made anew.
  watch(true, false, nullptr);
  watch(false, false, nullptr);
  switch (status) {
    case PGRES_POLLING_READING:
      return watch(true, true, &PostgresLine::poll);
    case PGRES_POLLING_WRITING:
      return watch(false, true, &PostgresLine::poll);
    case PGRES_POLLING_OK:
      return set_up();
    default:
      return abandon(error_of(connection_));
  }
}

void PostgresLine::set_up() {
  PQsetnonblocking(connection_, 1);
  watch(true, true, &PostgresLine::on_readable);
  for (const std::string& sql : session_)
    statements_.push_back({sql, {}, {}, [this](const PGresult* result) { on_set_up(result); }});
  begin_next();
}

void PostgresLine::on_set_up(const PGresult* result) {
  if (result == nullptr) return;
  if (PQresultStatus(result) == PGRES_FATAL_ERROR) return abandon(error_of(connection_));
  if (!statements_.empty()) return;
  proven();
  servers_.arrived();
  stands();
}

bool PostgresLine::run(Statement statement) {
  if (!up()) return false;
  statements_.push_back(std::move(statement));
  if (!busy_) begin_next();
  return true;
}

int PostgresLine::named_at_login() const { return PQbackendPID(connection_); }

std::string PostgresLine::server_version() const {
  const char* const said = PQparameterStatus(connection_, "server_version");
  return said == nullptr ? std::string() : escaped(said, kLongestVersion);
}

bool PostgresLine::begin_next() {
  if (statements_.empty()) return false;
  const Statement& next = statements_.front();
  busy_ = true;
  intake_.begin();
  if (next.sent) next.sent();
  if (!send(next)) {
    abandon(error_of(connection_));
    return false;
  }
  flush();
  return true;
}

bool PostgresLine::send(const Statement& statement) {
  const char* const sql = statement.sql.c_str();
  if (statement.parameters.empty()) return PQsendQuery(connection_, sql) == 1;
  std::vector<const char*> values;
  values.reserve(statement.parameters.size());
  for (const std::string& parameter : statement.parameters) values.push_back(parameter.c_str());
  const int count = static_cast<int>(values.size());
  return (statement.prepared
              ? PQsendQueryPrepared(connection_, sql, count, values.data(), nullptr, nullptr, 0)
              : PQsendQueryParams(connection_, sql, count, nullptr, values.data(), nullptr, nullptr, 0)) == 1;
}

void PostgresLine::flush() {
  if (connection_ == nullptr) return;
  const int left = PQflush(connection_);
  watch(false, left == 1, &PostgresLine::flush);
}

void PostgresLine::on_readable() {
  if (!intake_.bounded(PQsocket(connection_))) return abandon(kTooMuch);
  if (PQconsumeInput(connection_) == 0) return abandon(error_of(connection_));
  take_results();
  if (connection_ == nullptr) return;
  while (PGnotify* notice = PQnotifies(connection_)) {
    if (notified_) notified_(notice->relname, notice->extra);
    PQfreemem(notice);
    if (!busy_) intake_.begin();
    if (connection_ == nullptr) return;
  }
  flush();
}

void PostgresLine::take_results() {
  while (connection_ != nullptr && busy_ && PQisBusy(connection_) == 0) {
    PGresult* const result = PQgetResult(connection_);
    if (wants_copy(result)) {
      PQclear(result);
      return abandon(kWantsCopy);
    }
    if (result != nullptr) {
      // Of several statements the last result counts, but an error ends them and stays.
      if (last_ != nullptr && PQresultStatus(last_) == PGRES_FATAL_ERROR) {
        PQclear(result);
        continue;
      }
      PQclear(std::exchange(last_, result));
      continue;
    }
    busy_ = false;
    const Statement done = std::move(statements_.front());
    statements_.pop_front();
    PGresult* const outcome = std::exchange(last_, nullptr);
    if (PQstatus(connection_) == CONNECTION_BAD) {
      const std::string reason = error_of(connection_);
      PQclear(outcome);
      return abandon(reason);
    }
    if (done.done) done.done(outcome);
    PQclear(outcome);
    if (connection_ != nullptr && !busy_) begin_next();
  }
}

void PostgresLine::drop(bool hard) {
  servers_.cancel();
  watch(true, false, nullptr);
  watch(false, false, nullptr);
  PQclear(std::exchange(last_, nullptr));
  statements_.clear();
  busy_ = false;
  if (hard && connection_ != nullptr) forget_unsent(PQsocket(connection_));
  PQfinish(std::exchange(connection_, nullptr));
}

void PostgresLine::watch(bool read, bool on, void (PostgresLine::*what)()) {
  Loop::WatchId& id = read ? reads_ : writes_;
  loop_->unwatch(std::exchange(id, 0));
  if (!on || connection_ == nullptr) return;
  id = loop_->watch(PQsocket(connection_), read ? Readiness::kRead : Readiness::kWrite, [this, what] {
    if (connection_ != nullptr) (this->*what)();
  });
}

}  // namespace leasescope::postgres
