#include "core/history/team/days.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "core/history/team/observers.h"

namespace leasescope::team {
namespace {

std::string partition_of(const char* table, int day) {
  std::string date = date_of(day);
  for (char& c : date)
    if (c == '-') c = '_';
  return fmt::format("{}_{}", table, date);
}
std::string name_of(const char* table, int day) { return "leasescope_history." + partition_of(table, day); }

constexpr const char* kIsPartition =
    "select exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace "
    "where n.nspname = 'leasescope_history' and c.relname = $1::text and c.relispartition)";

// Whoever reads or writes need not wait for it, nor it for him: a partition that is made as one would lock out both,
// one that is made by itself and then taken in does not.
Done make_partition(Connection& database, const char* table, int day) {
  const auto there = database.ask({kIsPartition, {SqlValue(partition_of(table, day))}, std::nullopt});
  if (!there) return tl::unexpected(there.error());
  if (there->yes(0, 0)) return {};
  const auto made =
      database.say(fmt::format("create table if not exists {0} (like leasescope_history.{1}); "
                               "alter table leasescope_history.{1} attach partition {0} for values in ({2})",
                               name_of(table, day), table, day));
  if (!made) return tl::unexpected(made.error());
  return {};
}

Done make_day(Connection& database, int day) {
  const auto added = database.ask({"insert into leasescope_history.day values ($1::integer) on conflict do nothing",
                                   {SqlValue(std::int64_t{day})},
                                   std::nullopt});
  if (!added) return tl::unexpected(added.error());
  for (const char* const table : {"block", "term"})
    if (auto made = make_partition(database, table, day); !made) return made;
  return {};
}

// All or nothing.
template <class Do>
Done in_one(Connection& database, Do work) {
  if (auto begun = database.say("begin"); !begun) return tl::unexpected(begun.error());
  Done done = take_turn(database);
  if (done) done = work();
  if (!done) {
    database.say("rollback");
    return done;
  }
  if (auto ended = database.say("commit"); !ended) return tl::unexpected(ended.error());
  return {};
}

// Before anything is moved: of what somebody is about to change the old state would be moved, and the change be dropped
// with its day. Whoever reads goes on until tables are dropped.
constexpr const char* kNobodyWrites =
    "lock table only leasescope_history.block, only leasescope_history.term in share row exclusive mode";

// What reaches into the days that stay moves to the first of them.
constexpr const char* kMove =
    "insert into leasescope_history.term (recording, day, mutex, observed, number, owner, token, begin_lo, begin_hi, "
    "end_lo, end_hi, ended, begin_least, before_until) "
    "select t.recording, $2::integer, t.mutex, t.observed, t.number, t.owner, t.token, t.begin_lo, t.begin_hi, "
    "t.end_lo, t.end_hi, t.ended, t.begin_least, t.before_until from leasescope_history.term t "
    "where t.day = $1::integer and t.end_hi > $3::bigint "
    "and exists (select from leasescope_history.recording r where r.id = t.recording)";

// Each day with the room that its two partitions and their indexes take, the last one first.
constexpr const char* kSizes =
    "select day, coalesce(pg_total_relation_size(to_regclass('leasescope_history.block_' || written)), 0) + "
    "coalesce(pg_total_relation_size(to_regclass('leasescope_history.term_' || written)), 0) "
    "from (select day, to_char(date '1970-01-01' + day, 'YYYY_MM_DD') as written from leasescope_history.day) d "
    "order by day desc";

tl::expected<int, SqlError> first_that_stays(Connection& database, const Retention& retention) {
  const auto now = database.ask({"select (extract(epoch from clock_timestamp()) * 1000000)::bigint", {}, std::nullopt});
  if (!now) return tl::unexpected(now.error());
  const auto sizes = database.ask({kSizes, {}, std::nullopt});
  if (!sizes) return tl::unexpected(sizes.error());
  const std::int64_t now_ns = now->number(0, 0) * 1000;
  std::uint64_t bytes = 0;
  int fits = day_of(now_ns);  // from there on
  bool all_fit = true;
  for (int row = 0; row < sizes->size() && all_fit; ++row) {
    bytes += static_cast<std::uint64_t>(sizes->number(row, 1));
    all_fit = row == 0 || retention.most_bytes == 0 || bytes <= retention.most_bytes;
    if (all_fit) fits = static_cast<int>(sizes->number(row, 0));
  }
  if (!retention.keep) return fits;
  const int young = day_of(now_ns - retention.keep->count());
  return all_fit ? young : std::max(fits, young);
}

Done drop_day(Connection& database, int day, int first) {
  const auto moved = database.ask(
      {kMove, {SqlValue(std::int64_t{day}), SqlValue(std::int64_t{first}), SqlValue(first * kDayNs)}, std::nullopt});
  if (!moved) return tl::unexpected(moved.error());
  const auto dropped =
      database.say(fmt::format("drop table if exists {}, {}", name_of("block", day), name_of("term", day)));
  if (!dropped) return tl::unexpected(dropped.error());
  const auto forgotten = database.ask(
      {"delete from leasescope_history.day where day = $1::integer", {SqlValue(std::int64_t{day})}, std::nullopt});
  if (!forgotten) return tl::unexpected(forgotten.error());
  return {};
}

// Those of recordings that stay, which were over by then; one that lasts stays with all that was told of it. They are
// in no days: there are few.
constexpr const char* kForgetAlerts =
    "delete from leasescope_history.alert a using leasescope_history.recording r, leasescope_history.alert o "
    "where a.recording = r.id and o.recording = a.recording and o.alert = a.alert and o.what = 'over' "
    "and r.epoch_ns + o.at_ns < $1::bigint";

// A history of form 1 has none.
Done forget_alerts(Connection& database, int first) {
  const auto there = database.ask({"select to_regclass('leasescope_history.alert') is not null", {}, std::nullopt});
  if (!there) return tl::unexpected(there.error());
  if (!there->yes(0, 0)) return {};
  const auto forgotten = database.ask({kForgetAlerts, {SqlValue(first * kDayNs)}, std::nullopt});
  if (!forgotten) return tl::unexpected(forgotten.error());
  return {};
}

Done drop_days(Connection& database, Retained& out) {
  static const std::string kDelete = fmt::format(
      "delete from leasescope_history.recording r where "
      "coalesce((r.epoch_ns + r.now_ns) / {}, extract(epoch from r.began)::bigint / 86400) < $1::bigint and not {}",
      kDayNs, kRecordsNow);
  const auto deleted = database.ask({kDelete.c_str(), {SqlValue(std::int64_t{out.first})}, std::nullopt});
  if (!deleted) return tl::unexpected(deleted.error());
  out.recordings = deleted->changed();
  if (auto forgotten = forget_alerts(database, out.first); !forgotten) return forgotten;
  const auto days = database.ask({"select day from leasescope_history.day where day < $1::integer order by day",
                                  {SqlValue(std::int64_t{out.first})},
                                  std::nullopt});
  if (!days) return tl::unexpected(days.error());
  out.days = days->size();
  if (out.days == 0) return {};
  if (auto made = make_day(database, out.first); !made) return made;
  if (auto held = database.say(kNobodyWrites); !held) return tl::unexpected(held.error());
  for (int row = 0; row < days->size(); ++row)
    if (auto dropped = drop_day(database, static_cast<int>(days->number(row, 0)), out.first); !dropped) return dropped;
  return {};
}

}  // namespace

int day_of(std::int64_t wall_ns) {
  const std::int64_t day = wall_ns / kDayNs;
  return static_cast<int>(wall_ns % kDayNs < 0 ? day - 1 : day);
}

std::string date_of(int day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

Done make_days(Connection& database, const std::set<int>& days) {
  return in_one(database, [&]() -> Done {
    for (const int day : days)
      if (auto made = make_day(database, day); !made) return made;
    return {};
  });
}

tl::expected<Retained, SqlError> drop_older(Connection& database, const Retention& retention) {
  const auto first = first_that_stays(database, retention);
  if (!first) return tl::unexpected(first.error());
  Retained out;
  out.first = *first;
  const Done done = in_one(database, [&] { return drop_days(database, out); });
  if (!done) return tl::unexpected(done.error());
  return out;
}

}  // namespace leasescope::team
