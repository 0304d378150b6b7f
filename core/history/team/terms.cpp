#include "core/history/team/terms.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace leasescope::team {
namespace {

constexpr const char* kMutexes =
    "select m.recording, m.handle, m.title, m.met_ns from leasescope_history.mutex m "
    "where (md5(m.title) = md5($1::bytea) and m.title = $1::bytea) or (md5(m.name) = md5($1::bytea) and m.name = "
    "$1::bytea)";
constexpr const char* kAllMutexes = "select m.recording, m.handle, m.title, m.met_ns from leasescope_history.mutex m";
constexpr const char* kTitles =
    "select distinct m.title from leasescope_history.mutex m join leasescope_history.recording r on r.id = m.recording "
    "where $1::text = '' or r.observer = $1::text order by m.title limit $2::bigint";
// core/history/term_fold.h says why these are all.
constexpr const char* kAt =
    "with stop as (select s.begin_least, s.number from leasescope_history.term s "
    "where s.recording = $1::bigint and s.mutex = $2::bigint and s.observed = $3::boolean "
    "and s.begin_least <= $4::bigint and s.before_until <= $4::bigint "
    "order by s.begin_least desc, s.number desc limit 1) "
    "select t.observed, n.text, t.token, t.begin_lo, t.begin_hi, t.end_lo, t.end_hi, t.ended "
    "from leasescope_history.term t left join leasescope_history.name n on n.recording = t.recording and n.handle = "
    "t.owner "
    "where t.recording = $1::bigint and t.mutex = $2::bigint and t.observed = $3::boolean "
    "and t.begin_least <= $4::bigint "
    "and t.begin_least >= coalesce((select begin_least from stop), -9223372036854775808) "
    "and t.number >= coalesce((select number from stop), 0) "
    "and t.begin_lo <= $4::bigint and t.end_hi > $4::bigint order by t.number";
constexpr const char* kBetween =
    "select t.observed, n.text, t.token, t.begin_lo, t.begin_hi, t.end_lo, t.end_hi, t.ended "
    "from leasescope_history.term t left join leasescope_history.name n on n.recording = t.recording and n.handle = "
    "t.owner "
    "where t.recording = $1::bigint and t.mutex = $2::bigint and t.observed = $3::boolean "
    "and t.begin_lo <= $5::bigint and t.end_hi > $4::bigint order by t.number";

constexpr const char* kKeepsAlerts =
    "select 1 from leasescope_history.fact where recording = $1::bigint and key = 'alerts.kept'";
constexpr const char* kAlerts =
    "select alert, what, at_ns, until_ns, rule, kind, words from leasescope_history.alert "
    "where recording = $1::bigint and mutex = $2::bigint order by number";

OwnedStretch::End end_of(std::string_view word) {
  using End = OwnedStretch::End;
  for (const End each : {End::kReleased, End::kExpired, End::kTaken})
    if (text(each) == word) return each;
  return End::kLasts;
}

void take_terms(const SqlRows& rows, std::vector<TeamTerm>& out) {
  for (int row = 0; row < rows.size(); ++row) {
    TeamTerm term;
    term.observed = rows.yes(row, 0);
    term.owner = rows.bytes(row, 1);
    term.token = static_cast<Token>(rows.number(row, 2));
    term.begin_lo = rows.number(row, 3);
    term.begin_hi = rows.number(row, 4);
    term.end_lo = rows.number(row, 5);
    term.end_hi = rows.number(row, 6);
    term.end = end_of(rows.text(row, 7));
    out.push_back(std::move(term));
  }
}

// Of both kinds, with these values after them.
tl::expected<std::vector<TeamTerm>, std::string> all_of(TeamReading& team, const char* sql, const TeamMutex& of,
                                                        const std::vector<SqlValue>& more) {
  std::vector<TeamTerm> out;
  for (const bool observed : {true, false}) {
    std::vector<SqlValue> values{SqlValue(of.by.id), SqlValue(of.handle), SqlValue::of(observed)};
    values.insert(values.end(), more.begin(), more.end());
    const auto rows = team.ask_much({sql, std::move(values), std::nullopt});
    if (!rows) return tl::unexpected(rows.error());
    take_terms(*rows, out);
  }
  return out;
}

}  // namespace

tl::expected<std::vector<TeamMutex>, std::string> mutexes_of(TeamReading& team, const std::string& name,
                                                             const std::string& observer) {
  const auto recordings = team.recordings(observer);
  if (!recordings) return tl::unexpected(recordings.error());
  std::map<std::int64_t, const TeamRecording*> by_id;
  for (const TeamRecording& each : *recordings) by_id[each.id] = &each;
  const auto rows = name.empty() ? team.ask_much({kAllMutexes, {}, std::nullopt})
                                 : team.ask_much({kMutexes, {SqlValue::of_bytes(name)}, std::nullopt});
  if (!rows) return tl::unexpected(rows.error());
  std::vector<TeamMutex> out;
  for (int row = 0; row < rows->size(); ++row) {
    const auto by = by_id.find(rows->number(row, 0));
    if (by == by_id.end()) continue;
    out.push_back({*by->second, rows->number(row, 1), rows->bytes(row, 2), rows->number(row, 3)});
  }
  std::sort(out.begin(), out.end(), [](const TeamMutex& a, const TeamMutex& b) {
    return std::tie(a.by.observer, a.title, a.by.begin_ns, a.by.id) <
           std::tie(b.by.observer, b.title, b.by.begin_ns, b.by.id);
  });
  return out;
}

tl::expected<std::vector<std::string>, std::string> some_titles(TeamReading& team, const std::string& observer,
                                                                int most) {
  const auto rows = team.ask({kTitles, {SqlValue(observer), SqlValue(std::int64_t{most})}, std::nullopt});
  if (!rows) return tl::unexpected(rows.error());
  std::vector<std::string> out;
  out.reserve(static_cast<std::size_t>(rows->size()));
  for (int row = 0; row < rows->size(); ++row) out.push_back(rows->bytes(row, 0));
  return out;
}

tl::expected<std::vector<TeamTerm>, std::string> terms_at(TeamReading& team, const TeamMutex& of, std::int64_t at_ns) {
  return all_of(team, kAt, of, {SqlValue(at_ns)});
}

// Of an alert the moments are kept since its recording began.
tl::expected<std::optional<std::vector<AlertNote>>, std::string> alerts_of(TeamReading& team, const TeamMutex& of) {
  const auto kept = team.ask({kKeepsAlerts, {SqlValue(of.by.id)}, std::nullopt});
  if (!kept) return tl::unexpected(kept.error());
  if (kept->size() == 0) return std::nullopt;
  const auto rows = team.ask_much({kAlerts, {SqlValue(of.by.id), SqlValue(of.handle)}, std::nullopt});
  if (!rows) return tl::unexpected(rows.error());
  std::vector<AlertNote> out;
  const auto at = [&](int row, int column) { return TrueTime(Duration(of.by.begin_ns + rows->number(row, column))); };
  for (int row = 0; row < rows->size(); ++row) {
    const auto deed = alert_deed_of(rows->text(row, 1));
    if (!deed) continue;  // another version may note something else
    out.push_back({static_cast<std::uint64_t>(rows->number(row, 0)), *deed, at(row, 2), at(row, 3), rows->bytes(row, 4),
                   std::string(rows->text(row, 5)), Name{static_cast<std::uint32_t>(of.handle)}, rows->bytes(row, 6)});
  }
  if (of.by.state == TeamRecording::State::kGoesOn) return out;
  std::vector<AlertNote> over = over_by(out, TrueTime(Duration(of.by.end_ns)));
  out.insert(out.end(), std::make_move_iterator(over.begin()), std::make_move_iterator(over.end()));
  return out;
}

tl::expected<std::vector<TeamTerm>, std::string> terms_between(TeamReading& team, const TeamMutex& of,
                                                               std::int64_t from_ns, std::int64_t to_ns) {
  return all_of(team, kBetween, of, {SqlValue(from_ns), SqlValue(to_ns)});
}

}  // namespace leasescope::team
