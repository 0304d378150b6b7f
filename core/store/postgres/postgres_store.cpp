#include "core/store/postgres/postgres_store.h"

#include <libpq-fe.h>

#include <utility>

#include <fmt/format.h>

#include "core/store/number_text.h"
#include "core/store/postgres/cell_call.h"
#include "core/store/postgres/session_call.h"
#include "core/store/postgres/texts.h"

namespace leasescope::postgres {
namespace {

using std::chrono::milliseconds;

std::int64_t ms_of(Duration d) { return std::max<std::int64_t>(1, d / milliseconds(1)); }

// Our own instead of what the server has for everybody: the wait for a row, and as long again for the rest of a call.
std::string first_with(Duration lock_timeout) {
  return fmt::format("set statement_timeout = {};\n{}", 2 * ms_of(lock_timeout), first_sql());
}

std::string session_with(Family family, Duration lock_timeout) {
  const std::int64_t ms = ms_of(lock_timeout);
  return fmt::format("set lock_timeout = {}; set idle_in_transaction_session_timeout = {};\n{}", ms, ms,
                     session_sql(family));
}

ServerWalk::Way way(const StoreUrl& url, const StoreRoute& route, bool messages) {
  return [towards = route.towards, messages, own = url.endpoint,
          begins = messages ? route.messages : route.requests](const Endpoint& server) {
    if (towards) return towards(messages, server);
    return server == own ? begins : server;
  };
}

std::int64_t number(const PGresult* result, int column) { return leading_number(PQgetvalue(result, 0, column)); }

std::string text_of(Duration d) { return std::to_string(d / milliseconds(1)); }

}  // namespace

PostgresStore::PostgresStore(Loop& loop, const StoreUrl& url, Family family, const StoreRoute& route,
                             Duration lock_timeout, WireNames& names, StoreListener& listener)
    : LeaseStore(loop, names, listener),
      loop_(&loop),
      family_(family),
      waits_(loop, [this](std::uint64_t id) { look(id); }),
      requests_(loop, url, way(url, route, false), {first_with(lock_timeout), session_with(family, lock_timeout)},
                events_of_requests()),
      messages_(loop, url, way(url, route, true), {first_with(lock_timeout)}, events_of_messages(),
                [this](std::string_view channel, std::string_view payload) { on_message(channel, payload); }) {
  lead_over(requests_, family == Family::kRegister ? nullptr : &messages_);
}

void PostgresStore::line_stands() {
  if (messages_.up() && !channel_.empty()) messages_.run({"listen " + channel_, {}, {}, {}});
  if (session_ != 0) listen_for(session_);
}

void PostgresStore::line_broke(bool messages) {
  if (!messages) waits_.end_all();
}

void PostgresStore::on_message(std::string_view channel, std::string_view payload) {
  if (family_ != Family::kSession) return hear(channel, payload);
  const auto message = parse_session_message(payload);
  if (message && channel == channel_of_session(session_)) waits_.hear(*message);
}

void PostgresStore::subscribe(const Request& request) {
  follow(request, its_channel(request.mutex));
  run(messages_, request.id, "listen " + channel_);
}

void PostgresStore::unsubscribe(const Request& request) {
  channel_.clear();
  run(messages_, request.id, "unlisten *");
}

// Put together once: an adapter is of one mutex, as a rule, and whoever waits for a release waits for its words too.
const std::string& PostgresStore::its_channel(Name mutex) {
  if (own_channel_.empty() || channel_is_of_ != mutex) own_channel_ = channel_of(names_->text(mutex));
  channel_is_of_ = mutex;
  return own_channel_;
}

void PostgresStore::send_lease_call(const Request& request) {
  const std::string mutex = names_->text(request.mutex);
  const std::string caller = names_->text(request.contender);
  const std::string by_term = request.lease.wire == Wire::kTerm ? "true" : "false";
  const std::string term = std::to_string(request.lease.term);
  const std::string& channel = its_channel(request.mutex);
  if (request.kind == RequestKind::kRelease) {
    run(requests_, request.id, "leasescope_release", {mutex, caller, channel, by_term, term}, true);
    return;
  }
  run(requests_, request.id, "leasescope_contend",
      {mutex, caller, text_of(request.lease.ttl), text_of(request.lease.length), channel,
       request.kind == RequestKind::kGuard ? "true" : "false", by_term, term},
      true);
}

void PostgresStore::send_cell_call(const Request& request) {
  run(requests_, request.id, kCellSql, cell_parameters(request, *names_, *loop_));
}

// ---- fenced locks

void PostgresStore::send_session_call(const Request& request) {
  SessionStatement call = session_statement(request, *names_);
  const bool sent = run(requests_, request.id, std::move(call.sql), std::move(call.parameters));
  if (sent && request.kind == RequestKind::kLock) waits_.begin(request);
}

void PostgresStore::look(std::uint64_t id) {
  const Request* const lock = calls_.find(id);
  if (lock == nullptr) return;
  SessionStatement call = await_statement(*lock, *names_);
  run(requests_, id, std::move(call.sql), std::move(call.parameters));
}

bool PostgresStore::only_waited(const Request& request) {
  const bool waited = waits_.waits(request.id);
  waits_.end(request.id);
  return waited;
}

// What was said before is looked for.
void PostgresStore::listen_for(std::uint64_t session) {
  session_ = session;
  messages_.run({"unlisten *; listen " + channel_of_session(session), {}, {}, [this](const PGresult* result) {
                   if (result != nullptr) waits_.look_all();
                 }});
}

void PostgresStore::on_session_result(const Request& request, const PGresult* result, Reply& answer) {
  const auto sight = read_session(result, *names_, answer);
  const std::uint64_t id = request.id;
  if (sight && sight->waits) return waits_.looked(id, sight->again);
  waits_.end(id);
  if (!sight) return calls_.fail(id, "its tables of fenced locks are not ours");
  if (request.kind == RequestKind::kOpenSession) listen_for(answer.number);
  calls_.finish(answer);
}

// ---- statements

bool PostgresStore::run(PostgresLine& line, std::uint64_t id, std::string sql, std::vector<std::string> parameters,
                        bool prepared) {
  const bool sent = line.run({std::move(sql), std::move(parameters), [this, id] { calls_.sent(id); },
                              [this, id](const PGresult* result) { on_result(id, result); }, prepared});
  if (!sent) calls_.fail_soon(id, "not connected");
  return sent;
}

void PostgresStore::on_result(std::uint64_t id, const PGresult* result) {
  const Request* const request = calls_.find(id);
  if (request == nullptr) return waits_.end(id);  // its time was over before it could go out
  if (result == nullptr) return;
  const ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    waits_.end(id);
    return calls_.fail(id, one_line(PQresultErrorMessage(result)));
  }
  Reply answer = answer_to(*request);
  if (family_ == Family::kSession) return on_session_result(*request, result, answer);
  if (request->kind == RequestKind::kRelease) {
    answer.done = PQntuples(result) == 1 && *PQgetvalue(result, 0, 0) == 't';
  } else if (request->kind == RequestKind::kRead || request->kind == RequestKind::kCompareAndSet) {
    if (!read_cell(result, *request, *names_, *loop_, answer))
      return calls_.fail(id, "its register is not one of ours");
  } else if (!is_of_messages(request->kind)) {
    if (PQntuples(result) != 1 || PQnfields(result) != 4) return calls_.fail(id, "the server's answer has no row");
    const std::string_view owner = PQgetvalue(result, 0, 0);
    answer.owner = owner.empty() ? Name{} : names_->intern(owner);
    answer.remaining = remaining_from(number(result, 1));
    answer.token = static_cast<Token>(number(result, 2));
    answer.done = request->lease.wire == Wire::kTerm && *PQgetvalue(result, 0, 3) == 't';
  }
  calls_.finish(answer);
}

}  // namespace leasescope::postgres
