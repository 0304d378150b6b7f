#include "ui/models/story.h"

#include <QCoreApplication>
#include <algorithm>
#include <set>

#include "core/history/margin.h"
#include "core/store/port.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Story)
};

constexpr std::size_t kMostLines = 9;
// A write sent before the step-down may arrive just after it: still part of the same story.
constexpr Duration kAftermath = std::chrono::milliseconds(50);

// Events lie in order of time, in the live world but for the bounds of what is known.
constexpr Duration kDisorder = std::chrono::seconds(2);
// Nothing longer ago than this is told as the reason of an incident.
constexpr Duration kReach = std::chrono::minutes(5);
static_assert(kReach + 2 * kDisorder <= kStoryReach);

std::size_t firstAfter(const History& history, TrueTime at) {
  const auto found = std::lower_bound(history.events.begin(), history.events.end(), at - kDisorder,
                                      [](const Event& e, TrueTime time) { return e.at() < time; });
  return static_cast<std::size_t>(found - history.events.begin());
}

bool concerns(const Incident& incident, Name node) {
  return std::find(incident.contenders.begin(), incident.contenders.end(), node) != incident.contenders.end();
}

bool tells(const History& history, const Event& e) {
  switch (e.kind) {
    case EventKind::kGranted:
    case EventKind::kReleased:
    case EventKind::kExpired:
    case EventKind::kDisbelieved:
    case EventKind::kWriteRejected:
    case EventKind::kWriteStaleAccepted:
    case EventKind::kClockChanged:
    case EventKind::kStopped:
    case EventKind::kCrashed:
    case EventKind::kRestarted:
    case EventKind::kDisconnected:
    case EventKind::kRefused:
    case EventKind::kReleaseRefused:
      return true;
    case EventKind::kFaultBegan:
    case EventKind::kFaultEnded: {
      const Disturbs what = history.legend.disturbs(e.detail);
      return what != Disturbs::kDrifts && what != Disturbs::kSetsClock;  // the clock's change is told itself
    }
    case EventKind::kAttempt:
      return static_cast<AttemptResult>(e.detail) != AttemptResult::kWon &&
             static_cast<RequestKind>(e.b) == RequestKind::kGuard;
    default:
      return false;
  }
}

// Where the story begins: the fault that reaches into the incident, or the grant its first contender lives on.
TrueTime beginning(const History& history, const Cast& cast, const Incident& incident) {
  TrueTime from = incident.start;
  TrueTime lastGrant = TrueTime::min();
  for (std::size_t i = firstAfter(history, incident.start - kReach); i < history.events.size(); ++i) {
    const Event& e = history.events[i];
    if (e.at() > incident.start) break;
    const bool mine = concerns(incident, e.node);
    const bool first = mine && e.node == incident.contenders.front();
    if (first && e.kind == EventKind::kGranted) lastGrant = e.at();
    const bool store = cast.indexOf(history, e.node) < 0;
    if (e.kind == EventKind::kFaultBegan && (mine || store || incident.contenders.empty())) {
      const TrueTime ends = e.at() + Duration(e.a);
      if (ends >= incident.start - std::chrono::seconds(10)) from = std::min(from, e.at());
    }
  }
  if (from == incident.start && lastGrant != TrueTime::min()) from = lastGrant;
  return from;
}

// The ancestors of what stands at the incident's start and end, by the history's own `cause` links, as far back as a
// story reaches: all of them lead to the beginning of the run, in a long one by hundreds of thousands.
std::set<Sequence> ancestors(const History& history, const Incident& incident) {
  std::set<Sequence> chain;
  for (std::size_t i = firstAfter(history, incident.start); i < history.events.size(); ++i) {
    const Event& e = history.events[i];
    if (e.at() > incident.end + kDisorder) break;
    if (e.at() != incident.start && e.at() != incident.end) continue;
    if (!incident.contenders.empty() && !concerns(incident, e.node)) continue;
    Sequence cause = e.cause;
    while (history.holds(cause) && history.event(cause).at() >= incident.start - kReach && chain.insert(cause).second)
      cause = history.event(cause).cause;
  }
  return chain;
}

// A run of like lines becomes its first with a count, so that the chain can be read at a glance.
void fold(std::vector<StoryLine>& lines, const History& history) {
  std::vector<StoryLine> folded;
  std::vector<int> more;
  for (const StoryLine& line : lines) {
    const Event& e = history.event(line.sequence);
    const bool write = e.kind == EventKind::kWriteRejected || e.kind == EventKind::kWriteStaleAccepted;
    bool merged = false;
    for (std::size_t i = 0; write && i < folded.size() && !merged; ++i) {
      const Event& f = history.event(folded[i].sequence);
      merged = f.kind == e.kind && f.node == e.node && f.token == e.token;
      if (merged) ++more[i];
    }
    if (merged) continue;
    folded.push_back(line);
    more.push_back(0);
  }
  for (std::size_t i = 0; i < folded.size(); ++i)
    if (more[i] > 0) folded[i].text += Say::tr(" (and %1 more)").arg(more[i]);
  lines = std::move(folded);
}

QString namesOf(const History& history, const Cast& cast, const Incident& incident) {
  QStringList names;
  for (const Name name : incident.contenders) names << cast.shortName(history, name);
  if (names.size() < 2) return names.isEmpty() ? Say::tr("Nobody") : names.first();
  const QString last = names.takeLast();
  return Say::tr("%1 and %2").arg(names.join(QStringLiteral(", ")), last);
}

QString fenceWords(const WriteCounts& writes, bool tokens) {
  if (writes.accepted > 0) return Say::tr("the resource took a stale write");
  QStringList words;
  if (writes.rejected > 0)
    words << (writes.rejected == 1 ? Say::tr("the fence refused the stale write")
                                   : Say::tr("the fence refused %1 stale writes", nullptr, howMany(writes.rejected))
                                         .arg(countText(writes.rejected)));
  if (writes.tokenless > 0)
    words << (writes.tokenless == 1
                  ? Say::tr("a write without a token was refused")
                  : Say::tr("%1 writes without a token were refused", nullptr, howMany(writes.tokenless))
                        .arg(countText(writes.tokenless)));
  if (!words.isEmpty()) return words.join(QStringLiteral(", "));
  return tokens ? Say::tr("no stale write reached the resource")
                : Say::tr("which writes are stale nobody can tell, for none bears a token");
}

}  // namespace

WriteCounts writesOf(const History& history, const Incident& incident) {
  WriteCounts found;
  const bool about_writes = incident.kind == IncidentKind::kStaleWriteRejected ||
                            incident.kind == IncidentKind::kStaleWriteAccepted ||
                            incident.kind == IncidentKind::kTokenlessRefused;
  // An incident of writes has its own end and one term; after any other, one that was on its way still counts.
  const TrueTime end = about_writes ? incident.end : incident.end + kAftermath;
  for (std::size_t i = firstAfter(history, incident.start); i < history.events.size(); ++i) {
    const Event& e = history.events[i];
    if (e.at() > incident.end + kDisorder) break;
    if (e.at() < incident.start || e.at() > end || !concerns(incident, e.node)) continue;
    const Token of_term = incident.tokens.empty() ? kNoToken : incident.tokens.front();
    if (about_writes && e.token != of_term) continue;
    found.add(writeFate(e));
  }
  for (const Incident& other : history.incidents)
    if (other.kind == IncidentKind::kDoubleGrant && other.mutex == incident.mutex && other.start <= incident.end &&
        other.end >= incident.start)
      ++found.doubleGrants;
  return found;
}

QString accountOf(const History& history, const Cast& cast, const Incident& incident) {
  const QString who = namesOf(history, cast, incident);
  const QString mutex = QStringLiteral("<b>%1</b>").arg(fromText(history.names.text(incident.mutex)).toHtmlEscaped());
  const QString lasts = QStringLiteral("<b>%1</b>").arg(spanText(incident.end - incident.start));
  QString cause = fromText(incident.cause).toHtmlEscaped();
  if (incident.kind == IncidentKind::kBeliefOverlap) {
    const WriteCounts writes = writesOf(history, incident);
    const bool tokens =
        std::any_of(incident.tokens.begin(), incident.tokens.end(), [](Token token) { return token != kNoToken; });
    const QString grants = writes.doubleGrants > 0 ? Say::tr("The store granted it twice")
                                                   : Say::tr("The store granted it once at a time");
    const QString all = incident.contenders.size() == 2 ? Say::tr("%1 both believed they owned %2 for %3. %4; %5.")
                                                        : Say::tr("%1 all believed they owned %2 for %3. %4; %5.");
    return all.arg(who, mutex, lasts, grants, fenceWords(writes, tokens));
  }
  if (incident.kind == IncidentKind::kDoubleGrant)
    return Say::tr("The store held %1 for %2 at once, for %3. %4").arg(mutex, who, lasts, cause);
  if (incident.kind == IncidentKind::kLeaderless) return Say::tr("Nobody held %1 for %2. %3").arg(mutex, lasts, cause);
  return cause;
}

QString marginOf(const History& history, const Incident& incident) {
  return fromText(margin_of(history, incident).words);
}

std::vector<StoryLine> storyOf(const History& history, const Cast& cast, const Incident& incident) {
  const TrueTime from = beginning(history, cast, incident);
  const std::set<Sequence> chain = ancestors(history, incident);
  std::vector<StoryLine> lines;
  const std::size_t first =
      chain.empty() ? firstAfter(history, from)
                    : std::min<std::size_t>(*chain.begin() - history.forgotten - 1, firstAfter(history, from));
  for (std::size_t i = first; i < history.events.size(); ++i) {
    const Event& e = history.events[i];
    const Sequence sequence = history.number(i);
    if (e.at() > incident.end + kAftermath) break;
    const bool storeFault =
        (e.kind == EventKind::kFaultBegan || e.kind == EventKind::kClockChanged) && cast.indexOf(history, e.node) < 0;
    const bool inside = e.at() >= from && (concerns(incident, e.node) || storeFault || incident.contenders.empty());
    if (!tells(history, e) || !(inside || chain.count(sequence) != 0)) continue;
    const bool begins = e.kind == EventKind::kGranted && !incident.tokens.empty() && e.token == incident.tokens.back();
    const bool ends = (e.at() == incident.start || e.at() == incident.end) && e.kind != EventKind::kFaultEnded;
    const bool key = begins || ends;
    lines.push_back({e.at(), sentence(history, cast, e), key, sequence});
  }
  fold(lines, history);
  // Too long to be read: what lies nearest to the incident's start and end is kept.
  while (lines.size() > kMostLines) {
    auto drop = std::find_if(lines.begin(), lines.end(), [](const StoryLine& line) { return !line.key; });
    lines.erase(drop == lines.end() ? lines.begin() : drop);
  }
  return lines;
}

}  // namespace leasescope
