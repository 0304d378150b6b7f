#include "core/history/recording/recorded_alerts.h"

#include "core/history/recording/schema.h"

namespace leasescope {
namespace {

constexpr std::int64_t kMostAlerts = INT64_MAX / 1024;  // so that those of several recordings can be counted on

std::int64_t ns(TrueTime at) { return at.time_since_epoch().count(); }
TrueTime moment(std::int64_t ns) { return TrueTime(Duration(ns)); }

}  // namespace

void put_alerts(const std::vector<AlertNote>& notes, Database& database) {
  if (notes.empty()) return;
  Statement put(database,
                "INSERT INTO alert(alert, what, at_ns, until_ns, rule, kind, mutex, words) "
                "VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
  for (const AlertNote& note : notes)
    put.bind(static_cast<std::int64_t>(note.alert))
        .bind(text(note.deed))
        .bind(ns(note.at))
        .bind(ns(note.until))
        .bind(note.rule)
        .bind(note.kind)
        .bind(std::int64_t{note.subject.handle})
        .bind(note.words)
        .run();
}

std::vector<AlertNote> read_alerts(Database& database, std::size_t names) {
  std::vector<AlertNote> out;
  const auto last_name = static_cast<std::int64_t>(names) - 1;
  Statement rows(database, "SELECT alert, what, at_ns, until_ns, rule, kind, mutex, words FROM alert ORDER BY number");
  while (rows.step()) {
    const auto deed = alert_deed_of(rows.text(1));
    if (!deed) continue;
    AlertNote note;
    note.alert = static_cast<std::uint64_t>(rows.integer(0, 1, kMostAlerts));
    note.deed = *deed;
    note.at = moment(rows.integer(2));
    note.until = moment(rows.integer(3));
    note.rule = rows.text(4);
    note.kind = rows.text(5);
    note.subject = Name{static_cast<std::uint32_t>(rows.integer(6, 0, last_name))};
    note.words = rows.text(7);
    out.push_back(std::move(note));
  }
  return out;
}

void forget_alerts(Database& database, TrueTime before) {
  if (!RecordingSchema::keeps_alerts(database)) return;
  Statement forget(database,
                   "DELETE FROM alert WHERE alert IN (SELECT alert FROM alert WHERE what = 'over' AND at_ns < ?)");
  forget.bind(ns(before)).run();
}

}  // namespace leasescope
