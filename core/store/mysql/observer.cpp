#include "core/store/mysql/observer.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/store/mysql/advice.h"
#include "core/store/mysql/errors.h"
#include "core/store/mysql/foreign/row_forms.h"
#include "core/store/mysql/texts.h"
#include "core/store/number_text.h"

namespace leasescope::mysql {
namespace {

// UTC, as its clock's expression is off by an hour around the end of summer time elsewhere; and as a text is put into
// words (texts.h). Nothing is written, whatever the login may.
constexpr const char* kSession =
    "set session time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES', autocommit = 1, "
    "lock_wait_timeout = 1; "
    "set session transaction read only; set session transaction isolation level read committed";

constexpr std::array<const char*, 4> kRaw{"acquired_at", "ttl_at", "transition_at", "version"};

// The clock stands still within a statement.
std::string rows_sql(bool fenced, const std::string& after, std::size_t most) {
  return fmt::format(
      "select mutex, owner_id, cast(ttl_at as signed) - now_ms, cast(transition_at as signed) - now_ms, {}, {}, now_ms "
      "from simba_mutex, (select cast(unix_timestamp(current_timestamp(3)) * 1000 as signed) as now_ms) as t "
      "where mutex > {} order by mutex limit {}",
      fenced ? "fencing_token" : "0", fmt::join(kRaw, ", "), literal(after), most);
}

}  // namespace

MysqlObserver::MysqlObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms, ObserverListener& listener)
    : RowObserver(loop, terms, row_forms(), listener),
      url_(url),
      line_(loop, url, url.endpoint, {kSession, has_token_sql()}, events_of_line(),
            [this](const Answer& answer) { fenced_ = answer.row == std::vector<std::string>{"1"}; }) {}

void MysqlObserver::ask(const std::string& after) {
  line_.run({rows_sql(fenced_, after, kPage), {}, [this](const Answer& answer) { on_answer(answer); }});
}

std::string MysqlObserver::advised(const Answer& answer) const {
  return advised_to_watcher({answer.error, answer.message}, url_);
}

std::string MysqlObserver::advised(const std::string& why) const {
  return advised_to_watcher({line_.error(), why}, url_);
}

void MysqlObserver::on_answer(const Answer& answer) {
  line_.proven();
  if (answer.error == kNoTable) return nothing_there(advised(answer));
  if (answer.error != 0) return refuse(advised(answer));
  std::vector<Row> rows;
  std::int64_t now_ms = 0;
  const auto add = [&rows, &now_ms](const std::vector<std::string>& cells) {
    if (cells.size() != 6 + kRaw.size()) return;
    Row& row = rows.emplace_back();
    row.mutex = cells[0];
    row.owner = cells[1];
    row.ttl_left_ms = leading_number(cells[2]);
    row.left_ms = leading_number(cells[3]);
    row.token = static_cast<Token>(leading_number(cells[4]));
    row.raw = {{"owner_id", cells[1]}, {"fencing_token", cells[4]}};
    for (std::size_t i = 0; i < kRaw.size(); ++i) row.raw.emplace_back(kRaw[i], cells[5 + i]);
    row.version = static_cast<std::uint64_t>(leading_number(cells[4 + kRaw.size()]));
    now_ms = leading_number(cells[5 + kRaw.size()]);
  };
  if (!answer.row.empty()) add(answer.row);
  for (const std::vector<std::string>& cells : answer.more) add(cells);
  if (!rows.empty()) shows_clock(now_ms);
  take(rows);
}

void MysqlObserver::ask_foreign(const char* sql) {
  line_.run({sql, {}, [this](const Answer& answer) {
               if (answer.error != 0) return refuse_foreign(advised(answer));
               std::vector<Cells> rows = answer.more;
               if (!answer.row.empty()) rows.insert(rows.begin(), answer.row);
               take_foreign(rows);
             }});
}

std::unique_ptr<Observer> observe(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                  ObserverListener& listener) {
  return std::make_unique<MysqlObserver>(loop, url, terms, listener);
}

}  // namespace leasescope::mysql
