#include "ui/report/evidence.h"

#include <QCoreApplication>
#include <algorithm>
#include <optional>
#include <string_view>

#include "core/history/proved_length.h"
#include "core/observe/observer.h"
#include "core/observe/watch_record.h"
#include "ui/models/counted_time.h"
#include "ui/models/words.h"
#include "ui/report/run_account.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Report)
};

// Where a run had a wall clock, by that: evidence is laid beside logs.
CountedTime clock_of(const ReportSubject& subject) {
  CountedTime time;
  if (!subject.epoch_ns) return time;
  time.counts = Counts::kUtc;
  time.epoch_ns = *subject.epoch_ns;
  return time;
}

bool is_within(const ReportSubject& subject, TrueTime from, TrueTime to) {
  return !subject.part || (from < subject.part->second && to > subject.part->first);
}

// "03:12:04.050 … 03:12:04.250": at some moment between them.
QString between(const CountedTime& time, TrueTime lo, TrueTime hi) {
  if (lo == TrueTime::min()) return QStringLiteral("… %1").arg(time.figure(hi));
  const QString from = time.figure(lo), to = time.figure(hi);
  return from == to ? to : QStringLiteral("%1 … %2").arg(from, to);
}

// Cuts what is too much, and says so.
void bound(ReportSection& section) {
  const std::size_t all = section.table.rows.size();
  if (all <= kMostEvidence) return;
  section.note = Say::tr("The first %1 of %2: a shorter time, or one mutex alone, has them all.")
                     .arg(countText(kMostEvidence), countText(all));
  section.table.rows.resize(kMostEvidence);
}

struct Row {
  TrueTime at{};
  QStringList cells;
};

void sort_into(ReportTable& table, std::vector<Row> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.at < b.at; });
  for (Row& each : rows) table.rows.push_back(std::move(each.cells));
}

// Between the bounds of its begin and its end it may have been for longer: what is told is what is proved.
QString length_of(const ProvedLength& of) {
  const QString length = spanText(of.length);
  return of.at_least ? QStringLiteral("≥ ") + length : length;
}

QStringList owner_row(const ReportSubject& subject, const CountedTime& time, const MutexOwnership& mutex,
                      const OwnedStretch& of) {
  const NameTable& names = subject.history.names;
  const ProvedLength proved = proved_length(mutex, of, subject.history.now);
  const std::optional<TrueTime>& dark = proved.dark;
  // Of a watch that ends in order nothing is known of its last moments: nobody has to be told that.
  const bool long_dark = dark && subject.history.now - *dark > kLongestSilence;
  const QString still = long_dark ? Say::tr("not observed from %1 on: it may own it still").arg(time.figure(*dark))
                                  : Say::tr("owns it still, as far as was seen");
  return {fromText(names.text(mutex.mutex())),
          fromText(names.text(of.owner)),
          tokenMark(of.token),
          between(time, of.begin_lo, of.begin_hi),
          of.lasts() ? QString() : between(time, of.end_lo, of.end_hi),
          length_of(proved),
          of.lasts() ? still : fromText(text(of.end))};
}

ReportSection owners_of(const ReportSubject& subject, const Ownerships& owners) {
  const CountedTime time = clock_of(subject);
  std::vector<Row> rows;
  for (const MutexOwnership& mutex : owners.all())
    for (const OwnedStretch& each : mutex.owned())
      if (is_within(subject, each.begin_hi, each.lasts() ? subject.history.now : each.end_hi))
        rows.push_back({each.begin_hi, owner_row(subject, time, mutex, each)});
  ReportSection section;
  section.word = QStringLiteral("owners");
  section.title = Say::tr("Owners");
  section.table.head << Say::tr("Mutex") << Say::tr("Owner") << Say::tr("Token") << Say::tr("From, %1").arg(time.unit())
                     << Say::tr("To, %1").arg(time.unit()) << Say::tr("For") << Say::tr("Ended");
  section.table.figures = {false, false, true, true, true, true, false};
  section.note = rows.empty() ? Say::tr("Nobody was seen to own anything.")
                              : Say::tr("What lies between two moments happened at one of those in between.");
  sort_into(section.table, std::move(rows));
  bound(section);
  return section;
}

// What whoever was told did about it.
QString answer_to(const FiredAlert& alert, const CountedTime& time) {
  QStringList out;
  if (alert.acknowledged) out << Say::tr("acknowledged at %1").arg(time.figure(*alert.acknowledged));
  if (alert.muted)
    out << Say::tr("muted at %1 until %2").arg(time.figure(alert.muted->first), time.figure(alert.muted->second));
  return out.join(QStringLiteral(", "));
}

// By the rules that the watch had, as it told of them.
ReportSection fired_of(const ReportSubject& subject) {
  const CountedTime time = clock_of(subject);
  const History& history = subject.history;
  ReportSection section;
  section.word = QStringLiteral("fired");
  section.title = Say::tr("Fired");
  section.table.head << Say::tr("Rule") << Say::tr("Mutex or store") << Say::tr("From, %1").arg(time.unit())
                     << Say::tr("To, %1").arg(time.unit()) << Say::tr("For") << Say::tr("Why") << Say::tr("Answer");
  section.table.figures = {false, false, true, true, true, false, false};
  if (!subject.watch.fired) {
    section.note = Say::tr("Which alerts fired is not kept in this recording.");
    return section;
  }
  std::vector<Row> rows;
  for (const FiredAlert& alert : fired_alerts(*subject.watch.fired)) {
    const TrueTime end = alert.lasts() ? history.now : alert.to;
    if (!is_within(subject, alert.from, end)) continue;
    rows.push_back({alert.from,
                    {fromText(alert.rule), fromText(history.names.text(alert.subject)), time.figure(alert.from),
                     alert.lasts() ? QString() : time.figure(alert.to), spanText(end - alert.from),
                     fromText(alert.words), answer_to(alert, time)}});
  }
  const bool ruled = !subject.watch.settings || !subject.watch.settings->rules.empty();
  section.note = !rows.empty() ? Say::tr("Alerts as the watch told of them, by the rules that it had.")
                 : ruled       ? Say::tr("No alert fired.")
                               : Say::tr("No alert fired: the watch had no rules.");
  sort_into(section.table, std::move(rows));
  bound(section);
  return section;
}

ReportSection alerts_of(const ReportSubject& subject, const AlertEngine& engine) {
  const CountedTime time = clock_of(subject);
  const History& history = subject.history;
  std::vector<Row> rows;
  for (const Alert& alert : engine.alerts()) {
    const TrueTime end = alert.lasts() ? history.now : alert.to;
    if (!is_within(subject, alert.from, end)) continue;
    rows.push_back({alert.from,
                    {fromText(engine.rules()[alert.rule].name), fromText(history.names.text(alert.subject)),
                     time.figure(alert.from), alert.lasts() ? QString() : time.figure(alert.to),
                     spanText(end - alert.from), fromText(alert.words)}});
  }
  ReportSection section;
  section.word = QStringLiteral("alerts");
  section.title = Say::tr("Alerts");
  section.table.head << Say::tr("Rule") << Say::tr("Mutex or store") << Say::tr("From, %1").arg(time.unit())
                     << Say::tr("To, %1").arg(time.unit()) << Say::tr("For") << Say::tr("Why");
  section.table.figures = {false, false, true, true, true, false};
  section.note = !rows.empty() ? Say::tr("When the rules that were given would have held.")
                 : subject.rules.size() == 1
                     ? Say::tr("The one rule held at no time.")
                     : Say::tr("None of the %n rules held at any time.", nullptr, howMany(subject.rules.size()));
  sort_into(section.table, std::move(rows));
  bound(section);
  return section;
}

}  // namespace

bool is_of_watch(const ReportSubject& subject) { return subject.outcome.scenario == kWatchName; }

std::vector<ReportSection> evidence_of(const ReportSubject& subject, const RunAccount& account) {
  std::vector<ReportSection> out;
  if (account.owners() != nullptr) {
    out.push_back(owners_of(subject, *account.owners()));
    out.push_back(fired_of(subject));
  }
  if (account.alerts() != nullptr) out.push_back(alerts_of(subject, *account.alerts()));
  return out;
}

}  // namespace leasescope
