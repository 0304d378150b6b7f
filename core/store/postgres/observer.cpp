#include "core/store/postgres/observer.h"

#include <libpq-fe.h>

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "core/observe/belief.h"
#include "core/store/postgres/advice.h"
#include "core/store/postgres/foreign/row_forms.h"

namespace leasescope::postgres {
namespace {

// Nothing is set: behind a pooler the session is somebody else's the next moment.
constexpr const char* kSession = "select 1";

// The clock is read once, in the statement that reads the rows.
constexpr const char* kRows =
    "select mutex, owner_id, ttl_at - now_ms, transition_at - now_ms, fencing_token, acquired_at, ttl_at, "
    "transition_at, version from simba_mutex, "
    "(select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms) as t "
    "where mutex > $1 order by mutex limit $2";
constexpr int kFirstRaw = 5;

constexpr const char* kNoTable = "42P01";

std::string_view cell(const PGresult* result, int row, int column) { return PQgetvalue(result, row, column); }

std::int64_t number(const PGresult* result, int row, int column) {
  const std::string_view text = cell(result, row, column);
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

// The server's words, without those that show the statement.
std::string words_of(const PGresult* result) {
  const std::string all = one_line(PQresultErrorMessage(result));
  return all.substr(0, all.find(" LINE "));
}

ServerWalk::Way straight() {
  return [](const Endpoint& server) { return server; };
}

}  // namespace

PostgresObserver::PostgresObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                   ObserverListener& listener)
    : RowObserver(loop, terms, row_forms(), listener),
      url_(url),
      line_(loop, url, straight(), {kSession}, events_of_line()) {
  if (terms.beliefs) listen_for_beliefs(loop, url, listener);
}

void PostgresObserver::begin() {
  line_.connect();
  if (beliefs_ != nullptr) beliefs_->connect();
}

// On a connection of its own: the other one's session is nobody's behind a pooler, which hands no message on either.
void PostgresObserver::listen_for_beliefs(Loop& loop, const StoreUrl& url, ObserverListener& listener) {
  Line::Events events;
  events.up = [this] { beliefs_->proven(); };
  events.down = [this, &listener](const std::string& why) {
    if (!std::exchange(told_refusal_, true)) listener.on_remark("beliefs are not observed: " + advised(why));
  };
  beliefs_ = std::make_unique<PostgresLine>(
      loop, url, straight(), std::vector<std::string>{fmt::format("listen \"{}\"", kBeliefChannel)}, std::move(events),
      [&listener](std::string_view channel, std::string_view payload) {
        if (channel == kBeliefChannel) listener.on_belief(payload, {});
      });
}

std::string PostgresObserver::advised(const std::string& why) const { return advised_to_watcher(why, url_); }

void PostgresObserver::ask(const std::string& after) {
  line_.run({kRows, {after, std::to_string(kPage)}, {}, [this](const PGresult* result) {
               if (result != nullptr) on_result(result);
             }});
}

void PostgresObserver::on_result(const PGresult* result) {
  line_.proven();
  if (PQresultStatus(result) != PGRES_TUPLES_OK) {
    const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const std::string why = advised(words_of(result));
    return state != nullptr && std::string_view(state) == kNoTable ? nothing_there(why) : refuse(why);
  }
  std::vector<Row> rows(static_cast<std::size_t>(PQntuples(result)));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int at = static_cast<int>(i);
    Row& row = rows[i];
    row.mutex = cell(result, at, 0);
    row.owner = cell(result, at, 1);
    row.ttl_left_ms = number(result, at, 2);
    row.left_ms = number(result, at, 3);
    row.token = static_cast<Token>(number(result, at, 4));
    row.raw = {{"owner_id", row.owner}, {"fencing_token", std::string(cell(result, at, 4))}};
    for (int column = kFirstRaw; column < PQnfields(result); ++column)
      row.raw.emplace_back(PQfname(result, column), cell(result, at, column));
  }
  take(rows);
}

void PostgresObserver::ask_foreign(const char* sql) {
  // Whoever has a table for himself alone keeps nobody waiting here, nor anything else from being seen.
  line_.run({fmt::format("set local lock_timeout = '500ms'; set local statement_timeout = '2s'; {}", sql),
             {},
             {},
             [this](const PGresult* result) {
               if (result == nullptr) return;
               if (PQresultStatus(result) != PGRES_TUPLES_OK) return refuse_foreign(advised(words_of(result)));
               std::vector<Cells> rows(static_cast<std::size_t>(PQntuples(result)));
               for (std::size_t i = 0; i < rows.size(); ++i)
                 for (int column = 0; column < PQnfields(result); ++column)
                   rows[i].emplace_back(cell(result, static_cast<int>(i), column));
               take_foreign(rows);
             }});
}

std::unique_ptr<Observer> observe(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                  ObserverListener& listener) {
  return std::make_unique<PostgresObserver>(loop, url, terms, listener);
}

}  // namespace leasescope::postgres
