#include "core/store/postgres/observer.h"

#include <libpq-fe.h>

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/number_text.h"
#include "core/store/owner_event.h"
#include "core/store/postgres/advice.h"
#include "core/store/postgres/foreign/row_forms.h"

namespace leasescope::postgres {
namespace {

// Nothing is set: behind a pooler the session is somebody else's the next moment.
constexpr const char* kSession = "select 1";

// The clock is read once, in the statement that reads the rows.
constexpr const char* kRows =
    "select mutex, owner_id, ttl_at - now_ms, transition_at - now_ms, fencing_token, acquired_at, ttl_at, "
    "transition_at, version, now_ms from simba_mutex, "
    "(select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms) as t where ";
constexpr int kFirstRaw = 5, kVersion = 8, kNow = 9;

constexpr const char* kNoTable = "42P01";

constexpr const char* kPooler = "a pooler in between may lend a session to others, so name the server itself";

std::string_view cell(const PGresult* result, int row, int column) { return PQgetvalue(result, row, column); }

std::int64_t number(const PGresult* result, int row, int column) { return leading_number(cell(result, row, column)); }

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
      loop_(&loop),
      listener_(&listener),
      line_(loop, url, straight(), {kSession}, events()),
      channels_(loop, url, ends_of_channels(terms.beliefs)),
      hears_beliefs_(terms.beliefs),
      alone_(terms.foreign == Foreign::kNone) {}

void PostgresObserver::begin() { line_.connect(); }

ObserverFigures PostgresObserver::figures() const {
  ObserverFigures out = RowObserver::figures();
  out.commands += channels_.asked();
  return out;
}

std::string PostgresObserver::server() const {
  const std::string version = line_.server_version();
  return version.empty() ? std::string() : "PostgreSQL " + version;
}

Line::Events PostgresObserver::events() {
  Line::Events out = events_of_line();
  out.up = [this, look = std::move(out.up)] {
    look_for_pooler();
    look();
  };
  return out;
}

MutexChannels::Ends PostgresObserver::ends_of_channels(bool beliefs) {
  MutexChannels::Ends out;
  out.told = [this](const std::string& mutex, std::string_view text) { hear(mutex, text); };
  out.begun = [this](const std::string& mutex) { look_again(mutex); };
  out.unheard = [this](const std::string& why) { say_unheard(why); };
  out.too_many = [this] {
    listener_->on_remark(fmt::format(
        "changes of {} mutexes are heard of at once, those of the others are seen by the next look", kMostChannels));
  };
  if (beliefs) out.belief = [this](std::string_view text) { listener_->on_belief(text, {}); };
  out.no_beliefs = [this](const std::string& why) { say_no_beliefs(advised(why)); };
  return out;
}

// Behind one a session may be another's the next moment: what LISTEN says there stays in it, and no message comes here.
// The number that such a session gives itself is not the one that the login named (pooler.h).
void PostgresObserver::look_for_pooler() {
  line_.run({"select pg_backend_pid()", {}, {}, [this](const PGresult* result) {
               if (result == nullptr) return;
               const bool answered = PQresultStatus(result) == PGRES_TUPLES_OK;
               if (answered && cell(result, 0, 0) == std::to_string(line_.named_at_login())) return channels_.open();
               const std::string why = answered ? kPooler : escaped(PQresultErrorMessage(result), kLongestError);
               say_unheard(why);
               if (hears_beliefs_) say_no_beliefs(why);
             }});
}

// Once; while the server is away altogether something else is told.
void PostgresObserver::say_unheard(const std::string& why) {
  if (!line_.up() || std::exchange(told_unheard_, true)) return;
  listener_->on_remark("changes are looked for once a poll, as nobody tells of them: " + why);
}

// Likewise.
void PostgresObserver::say_no_beliefs(const std::string& why) {
  if (!line_.up() || std::exchange(told_no_beliefs_, true)) return;
  listener_->on_remark("beliefs are not observed: " + why);
}

// Of no message it is known before which moment it was not sent: a transaction is visible before it tells, and another
// question may be answered in between.
void PostgresObserver::hear(const std::string& mutex, std::string_view text) {
  const auto said = parse_owner_event(text);
  if (said && said->kind())
    listener_->on_heard({mutex, said->owner, said->kind() == StoreEventKind::kReleased, TrueTime::min(), loop_->now()});
  look_again(mutex);
}

std::string PostgresObserver::advised(const std::string& why) const { return advised_to_watcher(why, url_); }

void PostgresObserver::ask(const std::string& after) {
  line_.run({std::string(kRows) + "mutex > $1 order by mutex limit $2",
             {after, std::to_string(kPage)},
             {},
             [this](const PGresult* result) {
               if (result != nullptr) on_result(result);
             }});
}

void PostgresObserver::ask_of(const std::vector<std::string>& mutexes) {
  std::string places;
  for (std::size_t i = 1; i <= mutexes.size(); ++i) places += fmt::format("{}${}", i == 1 ? "" : ", ", i);
  line_.run({fmt::format("{}mutex in ({})", kRows, places), mutexes, {}, [this](const PGresult* result) {
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
    row.version = static_cast<std::uint64_t>(number(result, at, kVersion));
    row.raw = {{"owner_id", row.owner}, {"fencing_token", std::string(cell(result, at, 4))}};
    for (int column = kFirstRaw; column < kNow; ++column)
      row.raw.emplace_back(PQfname(result, column), cell(result, at, column));
  }
  if (!rows.empty()) shows_clock(number(result, 0, kNow));
  take(rows);
}

void PostgresObserver::ask_foreign(const char* sql) {
  // Whoever has a table for himself alone keeps nobody waiting here, nor anything else from being seen. Behind a pooler
  // that lends a session for one statement there must be no more, and other makers' locks are not asked for.
  line_.run({alone_ ? std::string(sql)
                    : fmt::format("set local lock_timeout = '500ms'; set local statement_timeout = '2s'; {}", sql),
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
