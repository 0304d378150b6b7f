#include "ui/report/report_text.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <QCoreApplication>
#include <QDateTime>
#include <QTimeZone>

#include "core/observe/watch_record.h"
#include "simulator/campaign/replay.h"
#include "simulator/engine/trace_hash.h"
#include "simulator/run/outcome_text.h"
#include "simulator/scenario/scenario_text.h"
#include "ui/models/contenders_model.h"
#include "ui/models/incidents_model.h"
#include "ui/models/words.h"
#include "ui/report/evidence.h"
#include "ui/report/run_account.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Report)
};

Cast cast_of(const ReportSubject& subject) {
  Cast cast;
  cast.reset(subject.data.facts().legend.contenders);
  cast.sync(subject.history);
  return cast;
}

// ---- what it was

QString mutexes_text(const ReportSubject& subject) {
  QStringList names;
  for (const std::string& each : subject.mutexes) names << fromText(each);
  return names.join(QStringLiteral(", "));
}

QString wall_time(std::int64_t ns) {
  return QDateTime::fromMSecsSinceEpoch(ns / 1'000'000).toUTC().toString(QStringLiteral("yyyy-MM-dd hh:mm:ss")) +
         QStringLiteral(" UTC");
}

QString when_text(const ReportSubject& subject) {
  const Outcome& outcome = subject.outcome;
  if (outcome.world == "virtual") return Say::tr("in virtual time, %1 s").arg(secondsText(outcome.simulated));
  if (!subject.epoch_ns) return QStringLiteral("%1 s").arg(secondsText(outcome.simulated));
  return Say::tr("from %1, %2 s").arg(wall_time(*subject.epoch_ns), secondsText(outcome.simulated));
}

NamedTexts facts_of(const ReportSubject& subject) {
  const Outcome& outcome = subject.outcome;
  NamedTexts facts{{Say::tr("World"), fromText(outcome.world)},
                   {Say::tr("Store"), fromText(subject.data.facts().store)},
                   {Say::tr("Seed"), QString::number(outcome.seed)},
                   {Say::tr("When"), when_text(subject)}};
  if (subject.part)
    facts.emplace_back(
        Say::tr("Reported"),
        QStringLiteral("%1 – %2 s").arg(secondsText(subject.part->first), secondsText(subject.part->second)));
  if (!subject.mutexes.empty()) facts.emplace_back(Say::tr("Mutexes"), mutexes_text(subject));
  if (outcome.forked_at) facts.emplace_back(Say::tr("Forked"), Say::tr("at %1 s").arg(secondsText(*outcome.forked_at)));
  if (outcome.trace_hash) facts.emplace_back(Say::tr("Trace"), fromText(hash_text(*outcome.trace_hash)));
  return facts;
}

QString legality_words(const LegalVerdict& legal) {
  const QString model = fromText(check::text(legal.model.kind));
  if (legal.illegal > 0) return Say::tr("illegal: %1").arg(fromText(legal.reason));
  if (legal.too_many || legal.undecided > 0) return Say::tr("undecided");
  return Say::tr("%1, legal by the model %2").arg(countText(legal.calls), model);
}

std::vector<SummaryItem> summary_of(const ReportSubject& subject) {
  const Summary& s = subject.outcome.summary;
  const auto count = [](std::uint64_t n) { return countText(n); };
  std::vector<SummaryItem> items{
      {Say::tr("belief overlap"), spanText(s.belief_overlap)},
      {Say::tr("double grants"), count(s.double_grants), s.double_grants > 0},
      {Say::tr("stale writes rejected"), count(s.stale_writes_rejected)},
      {Say::tr("stale writes accepted"), count(s.stale_writes_accepted), s.stale_writes_accepted > 0},
      {Say::tr("fence regressions"), count(s.fence_regressions), s.fence_regressions > 0},
      {fromText(unheld_word(subject.scenario)), spanText(s.leaderless)},
      {Say::tr("contenders"), count(s.contenders)},
      {Say::tr("acquisitions"), count(s.acquisitions)},
      {Say::tr("renewals"), count(s.renewals)},
      {Say::tr("hand-offs"), count(s.handoffs)}};
  const auto where_any = [&](const QString& name, std::uint64_t n, bool alarm) {
    if (n > 0) items.push_back({name, count(n), alarm});
  };
  if (s.unobserved > Duration::zero()) items.push_back({Say::tr("not observed"), spanText(s.unobserved)});
  where_any(Say::tr("writes refused: no token"), s.tokenless_writes_refused, false);
  where_any(Say::tr("late releases refused"), s.late_releases_refused, false);
  where_any(Say::tr("transfers"), s.transfers, false);
  where_any(Say::tr("transfers credited twice"), s.transfers_duplicated, true);
  where_any(Say::tr("transfers lost"), s.transfers_lost, true);
  const std::optional<LegalVerdict>& legal = subject.outcome.legal;
  if (legal && legal->calls > 0) items.push_back({Say::tr("calls"), legality_words(*legal), legal->illegal > 0});
  return items;
}

// ---- the incidents

// Their places in the history's list, in order of their start.
std::vector<std::size_t> in_order(const IncidentList& incidents) {
  std::vector<std::size_t> order(incidents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return incidents[a].start < incidents[b].start; });
  return order;
}

// Those of which it is told how they came about.
std::vector<bool> told(const IncidentList& incidents) {
  std::vector<bool> out(incidents.size());
  for (const std::size_t place : worst_incidents(incidents)) out[place] = true;
  return out;
}

// Told already while the events came, or told now.
ToldStory story_of(const ReportSubject& subject, const RunAccount& account, std::size_t place) {
  if (const ToldStory* const known = account.stories().find(place)) return *known;
  return tell_story(subject.history, account.cast(), subject.history.incidents[place]);
}

std::vector<ToldIncident> incidents_of(const ReportSubject& subject, const RunAccount& account) {
  const IncidentList& incidents = subject.history.incidents;
  const Cast& cast = account.cast();
  IncidentsModel model;
  model.setHistory(&subject.history, &cast);
  const std::vector<bool> with_story = told(incidents);
  std::vector<ToldIncident> out;
  for (const std::size_t place : in_order(incidents)) {
    if (!subject.is_wanted()) break;
    const Incident& incident = incidents[place];
    const auto text = [&](int column) { return model.index(static_cast<int>(place), column).data().toString(); };
    ToldIncident each;
    each.place = place;
    each.title = text(IncidentsModel::kKind);
    each.start = text(IncidentsModel::kStart);
    each.lasts = text(IncidentsModel::kLasts);
    each.tokens = text(IncidentsModel::kTokens);
    each.cause = text(IncidentsModel::kCause);
    for (const Name who : incident.contenders)
      if (const int found = cast.indexOf(subject.history, who); found >= 0) each.who.push_back(found);
    each.when = incident.start == incident.end ? Say::tr("at %1 s").arg(each.start)
                                               : QStringLiteral("%1 – %2 s").arg(each.start, secondsText(incident.end));
    if (with_story[place]) {
      ToldStory story = story_of(subject, account, place);
      each.account = std::move(story.account);
      each.story = std::move(story.story);
      each.margin = std::move(story.margin);
    }
    out.push_back(std::move(each));
  }
  return out;
}

// ---- what was not observed

std::vector<UnobservedTime> unobserved_of(const ReportSubject& subject) {
  const ChartData& data = subject.data;
  std::vector<UnobservedTime> out;
  const auto add = [&](const QString& who, const BandSpan& band) {
    TrueTime from = band.begin, to = band.open() ? data.now() : band.end;
    if (subject.part) {
      if (from >= subject.part->second || to <= subject.part->first) return;
      from = std::max(from, subject.part->first);
      to = std::min(to, subject.part->second);
    }
    out.push_back({who, from, to, fromText(band.label)});
  };
  for (const MutexRow& mutex : data.mutexes())
    for (const BandSpan& band : mutex.unobserved)
      add(data.mutexes().size() > 1 ? fromText(mutex.name) : QString(), band);
  for (std::size_t i = 0; i < data.contenders().size(); ++i)
    for (const BandSpan& band : data.contenders()[i].bands)
      if (band.kind == BandKind::kUnobserved) add(fromText(data.letter(static_cast<int>(i))), band);
  std::stable_sort(out.begin(), out.end(),
                   [](const UnobservedTime& a, const UnobservedTime& b) { return a.from < b.from; });
  return out;
}

// Between the earliest and the latest moment at which something may have happened, at most.
Duration widest_bound(const ChartData& data) {
  Duration widest{};
  for (const MutexRow& mutex : data.mutexes())
    for (std::size_t i = 0; i < mutex.held.size(); ++i)
      if (!mutex.held.exact(i)) widest = std::max(widest, mutex.held.start(i) - mutex.held.start_of(i).lo);
  return widest;
}

QString foreigners(const ChartData& data) {
  QStringList names;
  for (std::size_t i = 0; i < data.contenders().size(); ++i)
    if (data.contenders()[i].foreign)
      names << QStringLiteral("%1 (%2)").arg(fromText(data.letter(static_cast<int>(i))),
                                             fromText(data.contenders()[i].name));
  return names.join(QStringLiteral(", "));
}

QStringList limits_of(const ReportSubject& subject, bool seen_all_the_time) {
  const ChartData& data = subject.data;
  QStringList out;
  if (subject.part)
    out << Say::tr("Only %1 – %2 s of the run is reported: what came before and after is not in it.")
               .arg(secondsText(subject.part->first), secondsText(subject.part->second));
  if (!subject.mutexes.empty())
    out << Say::tr("Only %1 is reported: what happened to other mutexes is not in it.").arg(mutexes_text(subject));
  if (subject.outcome.world != "virtual") {
    out << Say::tr(
               "A live store is known by its answers: what it granted lies between a request and its reply, "
               "within %1 at most, and is drawn so.")
               .arg(spanText(widest_bound(data)));
    if (const QString names = foreigners(data); !names.isEmpty())
      out << Say::tr(
                 "No contenders of this run, seen only through the store: %1. What they believed, and what "
                 "they wrote, is not known.")
                 .arg(names);
    if (seen_all_the_time) out << Say::tr("The store answered all the time.");
  } else if (seen_all_the_time && !subject.part) {
    out << Say::tr("Everything was observed: in virtual time every event is in the history, to the nanosecond.");
  }
  if (!subject.part && data.now() < data.end())
    out << Say::tr("The run ended at %1 s of %2 s: what would have come after is not known.")
               .arg(secondsText(data.now()), secondsText(data.end()));
  return out;
}

// ---- who took part, and under which settings

ReportTable contenders_of(const ReportSubject& subject, const RunAccount& account) {
  History counted;  // to the end, by the account
  counted.legend = subject.history.legend;
  counted.now = subject.history.now;
  ContendersModel model;
  model.setHistory(&counted, &account.cast());
  model.take(account.contenders());
  ReportTable table;
  // What they come to is of the whole run: of a part there is only who they are.
  const int columns = subject.part ? ContendersModel::kName + 1 : model.columnCount();
  for (int column = 0; column < columns; ++column) {
    table.head << (column == ContendersModel::kWho ? Say::tr("Who")
                   : column == ContendersModel::kState
                       ? Say::tr("At the end")
                       : model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    table.figures.push_back(model.headerData(column, Qt::Horizontal, kNumericRole).toBool());
  }
  for (int row = 0; row < model.rowCount(); ++row) {
    QStringList cells{Cast::letter(row)};
    for (int column = 1; column < columns; ++column) cells << model.index(row, column).data().toString();
    table.rows.push_back(std::move(cells));
  }
  return table;
}

NamedTexts legend_of(const ReportSubject& subject) {
  const Legend& legend = subject.data.facts().legend;
  NamedTexts out;
  for (const MutexLegend& mutex : legend.mutexes)
    out.emplace_back(
        fromText(mutex.name),
        mutex.capacity > 1
            ? Say::tr("mutex of the system %1, for %2 at once").arg(fromText(mutex.system)).arg(mutex.capacity)
            : Say::tr("mutex of the system %1").arg(fromText(mutex.system)));
  for (const ResourceLegend& resource : legend.resources)
    out.emplace_back(fromText(resource.name),
                     resource.fencing ? Say::tr("resource, checks tokens") : Say::tr("resource, checks no tokens"));
  if (legend.store.timeout > Duration{})
    out.emplace_back(Say::tr("store"),
                     Say::tr("a call without an answer is given up after %1").arg(spanText(legend.store.timeout)));
  return out;
}

QString foreign_words(const std::string& foreign) {
  if (foreign == text(Foreign::kNone)) return Say::tr("no locks of other makers");
  if (foreign == text(Foreign::kCertain)) return Say::tr("locks of other makers where that is certain");
  if (foreign == text(Foreign::kLikely)) return Say::tr("locks of other makers, also likely ones");
  return Say::tr("locks of other makers: %1").arg(fromText(foreign));
}

// How a watch looked: all that decides what it could see.
NamedTexts looks_of(const WatchSettings& of) {
  NamedTexts out;
  for (const WatchSettings::Store& store : of.stores)
    out.emplace_back(fromText(store.name),
                     Say::tr("looked at each %1 where it tells nobody of changes; %2; beliefs of processes %3")
                         .arg(spanText(Duration(store.poll_ns)), foreign_words(store.foreign),
                              store.beliefs ? Say::tr("heard") : Say::tr("not heard")));
  out.emplace_back(Say::tr("mutexes"), of.mutexes.empty() ? Say::tr("all") : fromText(of.mutexes));
  if (of.belief_socket) out.emplace_back(Say::tr("beliefs"), Say::tr("heard on a socket of the machine"));
  if (of.rules.empty()) out.emplace_back(Say::tr("rules of alerts"), Say::tr("none"));
  return out;
}

void put_settings(const ReportSubject& subject, ReportText& text) {
  if (subject.outcome.scenario != kWatchName) {
    text.legend = legend_of(subject);
    text.settings_note = Say::tr("a scenario file that runs it again");
    text.settings = fromText(scenario_text(subject.scenario));
    return;
  }
  // The scenario of a watch stands in for one where there must be one: nobody ran it, and its values are nobody's.
  if (!subject.watch.settings) {
    text.settings_note = Say::tr("its recording does not say how this watch looked");
    return;
  }
  text.legend = looks_of(*subject.watch.settings);
  text.settings = fromText(subject.watch.settings->rules);
  text.settings_note = text.settings.isEmpty() ? Say::tr("how this watch looked")
                                               : Say::tr("how this watch looked, and its rules of alerts");
}

ReportText text_of(const ReportSubject& subject, const RunAccount& account) {
  const Outcome& outcome = subject.outcome;
  ReportText text;
  text.title = fromText(subject.data.facts().scenario);
  text.about = fromText(subject.data.facts().title);
  text.verdict = fromText(verdict_text(outcome));
  for (const std::string& reason : outcome.reasons) text.reasons << fromText(reason);
  text.failed = !outcome.as_expected.value_or(true);
  text.facts = facts_of(subject);
  text.summary = summary_of(subject);
  text.incidents = incidents_of(subject, account);
  text.untold = text.incidents.size() - std::min(text.incidents.size(), kMostStories);
  text.unobserved = unobserved_of(subject);
  text.limits = limits_of(subject, text.unobserved.empty());
  text.contenders = contenders_of(subject, account);
  if (!subject.is_wanted()) return text;
  text.evidence = evidence_of(subject, account);
  put_settings(subject, text);
  text.maker = QStringLiteral("Leasescope %1").arg(fromText(program_version()));
  return text;
}

// Of a history that is all there. Its stories are told from where they lie.
RunAccount::Of all_of(const ReportSubject& subject) {
  RunAccount::Of of{.frame = frame_of(subject.history),
                    .cast = cast_of(subject),
                    .rules = subject.rules,
                    .watched = is_of_watch(subject)};
  of.frame.incidents = {};
  return of;
}

}  // namespace

QStringList incident_heads() {
  return {Say::tr("Incident"), Say::tr("Start, s"), Say::tr("Lasts"),
          Say::tr("Who"),      Say::tr("Tokens"),   Say::tr("Cause")};
}

QStringList unobserved_heads() {
  return {Say::tr("Of whom"), Say::tr("From, s"), Say::tr("To, s"), Say::tr("Lasts"), Say::tr("Why")};
}

ReportText report_text(const ReportSubject& subject) {
  if (subject.account != nullptr) return text_of(subject, *subject.account);
  RunAccount account(all_of(subject));
  account.append(subject.history);
  account.finish();
  return text_of(subject, account);
}

}  // namespace leasescope
