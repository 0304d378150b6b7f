#include "core/history/team/catalogue.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/history/team/advice.h"
#include "core/history/team/days.h"
#include "core/history/team/observers.h"

namespace leasescope::team {
namespace {

constexpr std::chrono::milliseconds kPatience{60'000};

// A day that is dropped is gone at once for whoever looks at a moment before that, and what was moved from it is not
// there yet for him: days are held before the moment is fixed, which the first select does.
constexpr const char* kBegin[] = {
    "commit", "begin isolation level repeatable read read only",
    "lock table only leasescope_history.block, only leasescope_history.term in access share mode"};

const std::string& all_sql() {
  static const std::string sql = fmt::format(
      "select r.id, r.observer, r.ended, {}, r.epoch_ns, r.now_ns, r.events, r.mutexes, "
      "(select f.text from leasescope_history.fact f where f.recording = r.id and f.key = 'store'), "
      "(select f.text from leasescope_history.fact f where f.recording = r.id and f.key = 'program'), "
      "(select min(d.day) from leasescope_history.day d) "
      "from leasescope_history.recording r where r.epoch_ns is not null and ($1::text = '' or r.observer = $1::text) "
      "order by r.epoch_ns, r.id",
      kRecordsNow);
  return sql;
}

constexpr const char* kKeepAlerts = "select recording, 0 from leasescope_history.fact where key = 'alerts.kept'";
constexpr const char* kCountAlerts =
    "select recording, count(*) from leasescope_history.alert where what = 'began' group by recording";

TeamRecording recording_of(const SqlRows& rows, int row) {
  using State = TeamRecording::State;
  TeamRecording out;
  out.id = rows.number(row, 0);
  out.observer = rows.text(row, 1);
  out.state = rows.yes(row, 2) ? State::kEnded : rows.yes(row, 3) ? State::kGoesOn : State::kBrokenOff;
  out.begin_ns = rows.number(row, 4);
  out.end_ns = out.begin_ns + rows.number(row, 5);
  out.events = static_cast<std::uint64_t>(rows.number(row, 6));
  out.mutexes = static_cast<std::uint64_t>(rows.number(row, 7));
  out.store = rows.bytes(row, 8);
  out.program = rows.bytes(row, 9);
  out.kept_ns = std::max(out.begin_ns, rows.number(row, 10) * kDayNs);
  return out;
}

}  // namespace

std::string_view text(TeamRecording::State state) {
  switch (state) {
    case TeamRecording::State::kGoesOn:
      return "goes on";
    case TeamRecording::State::kEnded:
      return "ended";
    case TeamRecording::State::kBrokenOff:
      break;
  }
  return "broken off";
}

tl::expected<std::shared_ptr<TeamReading>, std::string> TeamReading::open(const StoreUrl& url,
                                                                          const std::atomic<bool>* leaving) {
  ConnectionTerms terms;
  terms.leaving = leaving;
  terms.writes = false;
  terms.patience = kPatience;
  auto opened = Connection::open(url, terms);
  if (!opened) return tl::unexpected(told(opened.error(), url));
  if (const auto readable = expect_readable(**opened); !readable) return tl::unexpected(told(readable.error(), url));
  for (const char* const sql : kBegin)
    if (const auto begun = (*opened)->say(sql); !begun) return tl::unexpected(told(begun.error(), url));
  return std::shared_ptr<TeamReading>(new TeamReading(url, std::move(*opened)));
}

TeamReading::TeamReading(const StoreUrl& url, std::unique_ptr<Connection> database)
    : url_(url), name_(printable(url)), database_(std::move(database)) {}

tl::expected<SqlRows, std::string> TeamReading::ask(const SqlCall& call) {
  auto answer = database_->ask(call);
  if (!answer) return tl::unexpected(told(answer.error(), url_));
  return std::move(*answer);
}

tl::expected<SqlRows, std::string> TeamReading::ask_much(const SqlCall& call) {
  auto answer = database_->ask_much(call);
  if (!answer) return tl::unexpected(told(answer.error(), url_));
  return std::move(*answer);
}

tl::expected<std::vector<TeamRecording>, std::string> TeamReading::recordings(const std::string& observer) {
  const auto rows = ask_much({all_sql().c_str(), {SqlValue(observer)}, std::nullopt});
  if (!rows) return tl::unexpected(rows.error());
  std::vector<TeamRecording> out;
  out.reserve(static_cast<std::size_t>(rows->size()));
  for (int row = 0; row < rows->size(); ++row) out.push_back(recording_of(*rows, row));
  std::map<std::string, std::int64_t> next;
  for (std::size_t i = out.size(); i > 0; --i) {
    TeamRecording& each = out[i - 1];
    const auto known = next.emplace(each.observer, kEver).first;
    each.next_ns = std::exchange(known->second, each.begin_ns);
  }
  return out;
}

// Where none keeps any there may be no table of them: a history of form 1 has none.
tl::expected<std::map<std::int64_t, std::uint64_t>, std::string> TeamReading::alerts() {
  std::map<std::int64_t, std::uint64_t> out;
  for (const char* const sql : {kKeepAlerts, kCountAlerts}) {
    const auto rows = ask_much({sql, {}, std::nullopt});
    if (!rows) return tl::unexpected(rows.error());
    for (int row = 0; row < rows->size(); ++row)
      out[rows->number(row, 0)] = static_cast<std::uint64_t>(rows->number(row, 1));
    if (out.empty()) break;
  }
  return out;
}

}  // namespace leasescope::team
