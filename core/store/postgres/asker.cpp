#include "core/store/postgres/asker.h"

#include <libpq-fe.h>
#include <poll.h>

#include <utility>

#include "core/store/postgres/unasked.h"
#include "core/store/resolver.h"
#include "core/store/server_walk.h"

namespace leasescope::postgres {
namespace {

using Done = tl::expected<void, std::string>;

}  // namespace

void Asker::Free::operator()(PGconn* connection) const { PQfinish(connection); }
void Asker::Free::operator()(PGresult* result) const { PQclear(result); }

Asker::Asker(std::chrono::milliseconds patience, const std::stop_token& stop) : patience_(patience, stop) {}

tl::unexpected<std::string> Asker::broken() const { return tl::unexpected(error_of(connection_.get())); }

Done Asker::connect(const StoreUrl& url) {
  const std::vector<Endpoint> servers = servers_of(url);
  std::string errors;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const Done connected = connect(url, servers[i], servers.size() - 1 - i);
    if (connected) return {};
    errors += (errors.empty() ? "" : "; ") + connected.error();
  }
  return tl::unexpected(errors);
}

Done Asker::connect(const StoreUrl& url, const Endpoint& server, std::size_t others) {
  patience_.share(1 + others);
  const Addresses addresses = look_up_within(server, patience_);
  if (!addresses) return tl::unexpected(addresses.error());
  Done connected;
  for (std::size_t i = 0; i < addresses->size(); ++i) {
    patience_.share(addresses->size() - i + others);
    connected = connect(ConnInfo(url, server, (*addresses)[i]));
    patience_.share_no_more();
    if (connected) break;
  }
  return connected;
}

Done Asker::connect(const ConnInfo& info) {
  connection_.reset(PQconnectStartParams(info.keywords().data(), info.values().data(), 0));
  if (PQstatus(connection_.get()) == CONNECTION_BAD) return broken();
  Intake::narrow(PQsocket(connection_.get()));
  PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  PostgresPollingStatusType status = PGRES_POLLING_WRITING;
  while (status == PGRES_POLLING_READING || status == PGRES_POLLING_WRITING) {
    if (auto waited = wait(status == PGRES_POLLING_READING ? POLLIN : POLLOUT); !waited) return waited;
    status = PQconnectPoll(connection_.get());
  }
  if (status != PGRES_POLLING_OK) return broken();
  PQsetnonblocking(connection_.get(), 1);
  return {};
}

Asker::Answer Asker::ask(const std::string& sql, const std::vector<std::string>& parameters) {
  std::vector<const char*> texts;
  texts.reserve(parameters.size());
  for (const std::string& parameter : parameters) texts.push_back(parameter.c_str());
  intake_.begin();
  const int accepted = texts.empty() ? PQsendQuery(connection_.get(), sql.c_str())
                                     : PQsendQueryParams(connection_.get(), sql.c_str(), static_cast<int>(texts.size()),
                                                         nullptr, texts.data(), nullptr, nullptr, 0);
  if (accepted == 0) return broken();
  Result last;
  for (;;) {
    Answer next = result();
    if (!next) return next;
    if (*next == nullptr) break;
    if (wants_copy(next->get())) return tl::unexpected<std::string>(kWantsCopy);
    // Of several statements the last result counts, but an error ends them and stays.
    if (last == nullptr || PQresultStatus(last.get()) != PGRES_FATAL_ERROR) last = std::move(*next);
  }
  const ExecStatusType status = PQresultStatus(last.get());
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return last;
  return broken();
}

// The next one of what was asked last; null when that was all.
Asker::Answer Asker::result() {
  while (PQflush(connection_.get()) == 1)
    if (auto waited = wait(POLLOUT); !waited) return tl::unexpected(waited.error());
  while (PQisBusy(connection_.get()) != 0) {
    if (auto waited = wait(POLLIN); !waited) return tl::unexpected(waited.error());
    if (PQconsumeInput(connection_.get()) == 0) return broken();
  }
  return Result(PQgetResult(connection_.get()));
}

int Asker::named_at_login() const { return PQbackendPID(connection_.get()); }

bool Asker::hears(const std::string& channel, std::chrono::milliseconds within) {
  patience_.at_most(within);
  intake_.begin();
  bool heard = false, open = true;
  while (!heard && open) {
    while (PGnotify* const notice = PQnotifies(connection_.get())) {
      heard = heard || notice->relname == channel;
      PQfreemem(notice);
    }
    open = !heard && wait(POLLIN) && PQconsumeInput(connection_.get()) != 0;
  }
  patience_.share_no_more();
  return heard;
}

Done Asker::wait(short events) {
  pollfd ready{PQsocket(connection_.get()), events, 0};
  if (!patience_.wait(ready)) return tl::unexpected(patience_.over());
  if (!intake_.bounded(PQsocket(connection_.get()))) return tl::unexpected<std::string>(kTooMuch);
  return {};
}

std::string first_text(const Asker::Result& result) {
  return PQntuples(result.get()) == 0 ? std::string() : std::string(PQgetvalue(result.get(), 0, 0));
}

}  // namespace leasescope::postgres
