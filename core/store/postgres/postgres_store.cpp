#include "core/store/postgres/postgres_store.h"

#include <libpq-fe.h>

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "core/store/owner_event.h"
#include "core/store/postgres/texts.h"

namespace leasescope::postgres {
namespace {

using std::chrono::milliseconds;

std::string session_with(Duration lock_timeout) {
  const std::int64_t ms = std::max<std::int64_t>(1, lock_timeout / milliseconds(1));
  return fmt::format("set lock_timeout = {}; set idle_in_transaction_session_timeout = {};\n{}", ms, ms, session_sql());
}

std::int64_t number(const PGresult* result, int column) {
  const std::string_view text = PQgetvalue(result, 0, column);
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

Reply answer_to(const Request& request) {
  Reply reply;
  reply.request = request.id;
  reply.kind = request.kind;
  reply.mutex = request.mutex;
  return reply;
}

std::string text_of(Duration d) { return fmt::format("{}", d / milliseconds(1)); }

}  // namespace

PostgresStore::PostgresStore(Loop& loop, const StoreUrl& url, const StoreRoute& route, Duration lock_timeout,
                             WireNames& names, StoreListener& listener)
    : loop_(&loop),
      names_(&names),
      listener_(&listener),
      calls_(loop, listener,
             [this](const Request&) {
               // The server may still be at it; the next statement would have to wait behind it. The other line leads
               // the same way, and a listener hears nothing from a peer that has vanished.
               requests_.abandon("a request timed out");
               messages_.abandon("a request timed out");
             }),
      requests_(loop, url, route.requests, {first_sql(), session_with(lock_timeout)},
                {[this] { line_up(); }, [this](const std::string& why) { line_down(false, why); },
                 [](std::string_view, std::string_view) {}}),
      messages_(loop, url, route.messages, {"select 1"},
                {[this] { line_up(); }, [this](const std::string& why) { line_down(true, why); },
                 [this](std::string_view channel, std::string_view payload) { on_notified(channel, payload); }}) {}

void PostgresStore::connect() {
  requests_.connect();
  messages_.connect();
}

void PostgresStore::line_up() {
  if (messages_.up() && !channel_.empty()) messages_.run({"listen " + channel_, {}, {}, {}});
  if (!connected() || told_connected_) return;
  told_connected_ = true;
  listener_->on_connected();
}

void PostgresStore::line_down(bool messages, const std::string& reason) {
  told_connected_ = false;
  listener_->on_disconnected(reason);
  calls_.break_line(messages, reason);
}

void PostgresStore::send(const Request& request) {
  calls_.open(request);
  if (request.lease.wire == Wire::kTokenless)
    return calls_.fail_soon(request.id, "the wire form up to 3.1 is not spoken live");
  switch (request.kind) {
    case RequestKind::kSubscribe:
      return listen(request);
    case RequestKind::kUnsubscribe:
      return unlisten(request);
    default:
      return send_lease_call(request);
  }
}

void PostgresStore::listen(const Request& request) {
  mutex_ = request.mutex;
  channel_ = channel_of(names_->text(request.mutex));
  const std::uint64_t id = request.id;
  const bool sent = messages_.run({"listen " + channel_,
                                   {},
                                   [this, id] { calls_.sent(id); },
                                   [this, id](const PGresult* result) { on_result(id, result); }});
  if (!sent) calls_.fail_soon(id, "not connected");
}

void PostgresStore::unlisten(const Request& request) {
  channel_.clear();
  const std::uint64_t id = request.id;
  const bool sent = messages_.run({"unlisten *",
                                   {},
                                   [this, id] { calls_.sent(id); },
                                   [this, id](const PGresult* result) { on_result(id, result); }});
  if (!sent) calls_.fail_soon(id, "not connected");
}

void PostgresStore::send_lease_call(const Request& request) {
  const std::string mutex = names_->text(request.mutex);
  const std::string caller = names_->text(request.contender);
  const std::uint64_t id = request.id;
  const std::string by_term = request.lease.wire == Wire::kTerm ? "true" : "false";
  const std::string term = fmt::format("{}", request.lease.term);
  Statement call;
  if (request.kind == RequestKind::kRelease) {
    call.sql = "select released from pg_temp.leasescope_release($1, $2, $3, $4, $5)";
    call.parameters = {mutex, caller, channel_of(mutex), by_term, term};
  } else {
    call.sql = "select owner, remaining, token, done from pg_temp.leasescope_contend($1, $2, $3, $4, $5, $6, $7, $8)";
    call.parameters = {mutex,
                       caller,
                       text_of(request.lease.ttl),
                       text_of(request.lease.length),
                       channel_of(mutex),
                       request.kind == RequestKind::kGuard ? "true" : "false",
                       by_term,
                       term};
  }
  call.sent = [this, id] { calls_.sent(id); };
  call.done = [this, id](const PGresult* result) { on_result(id, result); };
  if (!requests_.run(std::move(call))) calls_.fail_soon(id, "not connected");
}

void PostgresStore::on_result(std::uint64_t id, const PGresult* result) {
  const Request* const request = calls_.find(id);
  if (request == nullptr || result == nullptr) return;
  const ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    return calls_.fail(id, one_line(PQresultErrorMessage(result)));
  }
  Reply answer = answer_to(*request);
  if (request->kind == RequestKind::kRelease) {
    answer.done = PQntuples(result) == 1 && *PQgetvalue(result, 0, 0) == 't';
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

void PostgresStore::on_notified(std::string_view channel, std::string_view payload) {
  if (channel != channel_) return;
  const auto event = parse_owner_event(payload);
  if (!event || !event->kind()) return;
  listener_->on_store_event({*event->kind(), mutex_, names_->intern(event->owner)}, loop_->now());
}

}  // namespace leasescope::postgres
