#include "core/store/postgres/session_call.h"

#include <libpq-fe.h>

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "core/store/number_text.h"

namespace leasescope::postgres {
namespace {

using std::chrono::microseconds;

constexpr std::int64_t kWaits = 100;
constexpr std::int64_t kWithoutEnd = -1;

std::string in_us(Duration d) {
  if (d == Duration::max()) return fmt::format("{}", kWithoutEnd);
  const auto us = std::chrono::ceil<microseconds>(d);
  return fmt::format("{}", us.count());
}

template <class Number>
std::string text(Number number) {
  return fmt::format("{}", number);
}

// Of a column that is not there, or empty, nothing is read.
template <class Number>
bool read(const PGresult* result, const char* name, Number& out) {
  const int column = PQfnumber(result, name);
  if (column < 0 || PQgetisnull(result, 0, column) == 1) return true;
  return read_number(PQgetvalue(result, 0, column), out);
}

std::string_view read_text(const PGresult* result, const char* name) {
  const int column = PQfnumber(result, name);
  return column < 0 ? std::string_view() : PQgetvalue(result, 0, column);
}

}  // namespace

SessionStatement session_statement(const Request& request, const WireNames& names) {
  const SessionCall& call = request.session;
  const std::string mutex = names.text(request.mutex), session = text(call.session);
  const std::string thread = text(call.thread), uid = text(call.uid);
  switch (request.kind) {
    case RequestKind::kOpenSession:
      return {"select * from pg_temp.leasescope_open($1, $2, $3)",
              {mutex, names.text(request.contender), in_us(call.wait)}};
    case RequestKind::kHeartbeat:
      return {"select * from pg_temp.leasescope_heartbeat($1, $2)", {mutex, session}};
    case RequestKind::kCloseSession:
      return {"select * from pg_temp.leasescope_close($1, $2)", {mutex, session}};
    case RequestKind::kLock:
      return {"select * from pg_temp.leasescope_lock($1, $2, $3, $4, $5)",
              {mutex, session, thread, uid, in_us(call.wait)}};
    case RequestKind::kUnlock:
      return {"select * from pg_temp.leasescope_unlock($1, $2, $3, $4)", {mutex, session, thread, uid}};
    default:
      return {"select * from pg_temp.leasescope_query($1, $2, $3)", {mutex, session, thread}};
  }
}

SessionStatement await_statement(const Request& lock, const WireNames& names) {
  return {"select * from pg_temp.leasescope_await($1, $2, $3, $4)",
          {names.text(lock.mutex), text(lock.session.session), text(lock.session.thread), text(lock.session.uid)}};
}

std::optional<SessionSight> read_session(const PGresult* result, WireNames& names, Reply& reply) {
  if (PQntuples(result) != 1) return std::nullopt;
  std::int64_t answer = -1, heartbeat = 0, again = 0;
  const bool fits = read(result, "answer", answer) && read(result, "number", reply.number) &&
                    read(result, "token", reply.token) && read(result, "heartbeat", heartbeat) &&
                    read(result, "again", again);
  if (fits && answer == kWaits) return SessionSight{true, std::max<Duration>(microseconds(again), microseconds(1000))};
  if (!fits || answer < 0 || answer > static_cast<std::int64_t>(SessionAnswer::kSessionEnded)) return std::nullopt;
  reply.answer = static_cast<std::uint8_t>(answer);
  reply.remaining = microseconds(heartbeat);
  reply.done = read_text(result, "done") == "t";
  const std::string_view owner = read_text(result, "owner");
  if (!owner.empty()) reply.owner = names.intern(owner);
  return SessionSight{};
}

std::string channel_of_session(std::uint64_t session) { return fmt::format("leasescope_session_{}", session); }

std::optional<SessionMessage> parse_session_message(std::string_view payload) {
  const std::size_t colon = payload.find(':');
  SessionMessage out;
  if (colon == std::string_view::npos || !read_number(payload.substr(0, colon), out.thread) ||
      !read_number(payload.substr(colon + 1), out.uid))
    return std::nullopt;
  return out;
}

}  // namespace leasescope::postgres
