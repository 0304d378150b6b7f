#include "ui/models/words.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <QCoreApplication>
#include <QStringList>

#include "core/history/kind_words.h"
#include "core/store/port.h"
#include "core/time/duration_text.h"
#include "ui/models/cast.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Words)
};

constexpr QChar kMinus(0x2212);
constexpr QChar kThinSpace(0x2009);

bool stands(std::int64_t ppm) { return ppm <= -1'000'000; }

QString requestText(std::int64_t kind) {
  return static_cast<RequestKind>(kind) == RequestKind::kGuard ? Say::tr("renewal") : Say::tr("attempt");
}

QString reasonText(std::uint8_t detail) {
  switch (static_cast<DisbeliefReason>(detail)) {
    case DisbeliefReason::kLost:
      return Say::tr("it learns that the lease is lost");
    case DisbeliefReason::kWatchdog:
      return Say::tr("its watchdog fires");
    case DisbeliefReason::kStop:
      return Say::tr("it was told to stop");
    case DisbeliefReason::kEvent:
      return Say::tr("a message says so");
    case DisbeliefReason::kFailure:
      return Say::tr("its renewal failed");
    case DisbeliefReason::kSession:
      return Say::tr("its session has ended");
    case DisbeliefReason::kStolen:
      return Say::tr("it was stolen");
    case DisbeliefReason::kUnconfirmed:
      return Say::tr("it was never confirmed");
    case DisbeliefReason::kDisconnected:
      return Say::tr("it has no connection");
  }
  return {};
}

QString attemptSentence(const History& history, const QString& who, const Event& e) {
  const QString request = requestText(e.b);
  switch (static_cast<AttemptResult>(e.detail)) {
    case AttemptResult::kWon:
      return Say::tr("%1's %2 succeeds").arg(who, request);
    case AttemptResult::kLost:
      return Say::tr("%1's %2 is refused").arg(who, request);
    case AttemptResult::kFailed:
      if (e.a == 0) return Say::tr("%1's %2 cannot be sent to the store").arg(who, request);
      return Say::tr("The store refuses %1's %2: %3")
          .arg(who, request, fromText(history.names.text({static_cast<std::uint32_t>(e.a)})));
    case AttemptResult::kUnknown:
      return Say::tr("%1's %2 is not answered in time").arg(who, request);
  }
  return {};
}

// What made the belief end, as the events tell it: a process that ends is told nothing.
QString reasonText(const History& history, const Event& e) {
  const bool crashed = history.holds(e.cause) && history.event(e.cause).kind == EventKind::kFaultBegan &&
                       history.legend.disturbs(history.event(e.cause).detail) == Disturbs::kKills;
  if (crashed && static_cast<DisbeliefReason>(e.detail) == DisbeliefReason::kStop)
    return Say::tr("its process crashed");
  return reasonText(e.detail);
}

QString withToken(Token token) {
  return token == kNoToken ? Say::tr("without a token") : Say::tr("with #%1").arg(token);
}
QString leaseOf(const QString& who, Token token) {
  return token == kNoToken ? Say::tr("%1's lease without a token").arg(who)
                           : Say::tr("%1's lease #%2").arg(who).arg(token);
}

QString runsText(std::int64_t rate) {
  if (rate == 0) return Say::tr("runs at its own rate again");
  return stands(rate) ? rateText(rate) : Say::tr("runs %1").arg(rateText(rate));
}

// Without a cause it has been so from the beginning.
QString clockSentence(const QString& whose, const Event& e, std::int64_t rate) {
  const auto which = static_cast<ClockOf>(e.detail);
  const QString clock = which == ClockOf::kSteady             ? Say::tr("%1's steady clock").arg(whose)
                        : which == ClockOf::kWall && e.b != 0 ? Say::tr("%1's wall clock").arg(whose)
                                                              : Say::tr("%1's clock").arg(whose);
  if (e.a == 0 && e.b == 0) return Say::tr("%1 is set, and shows the same").arg(clock);
  if (e.a == 0) return QStringLiteral("%1 %2").arg(clock, runsText(rate));
  const QString off = e.cause == 0 ? Say::tr("%1 is off by %2").arg(clock, spanText(Duration(e.a)))
                                   : Say::tr("%1 steps by %2").arg(clock, spanText(Duration(e.a)));
  return e.b == 0 ? off : Say::tr("%1, and %2").arg(off, runsText(rate));
}

QString writeSentence(const QString& who, const Event& e) {
  const QString highest = QStringLiteral("#%1").arg(static_cast<Token>(e.b));
  switch (writeFate(e)) {
    case WriteFate::kStale:
      return Say::tr("%1 writes %2: rejected, %3 seen before").arg(who, withToken(e.token), highest);
    case WriteFate::kTokenless:
      return Say::tr("%1 writes without a token: refused").arg(who);
    case WriteFate::kStaleAccepted:
      return Say::tr("%1 writes %2 after %3: accepted").arg(who, withToken(e.token), highest);
    default:
      return Say::tr("%1 writes %2: accepted").arg(who, withToken(e.token));
  }
}

QString restartSentence(const History& history, const Cast& cast, const QString& who, const Event& e) {
  const Name as{static_cast<std::uint32_t>(e.b)};
  return as.empty() ? Say::tr("%1 starts again").arg(who)
                    : Say::tr("%1 starts again under the id of %2").arg(who, cast.shortName(history, as));
}

QString refusalSentence(const QString& who, const Event& e) {
  const QString why = statusText(e.a);
  switch (static_cast<LifecycleError>(e.detail)) {
    case LifecycleError::kCannotStart:
      return Say::tr("%1's start is refused: %2").arg(who, why);
    case LifecycleError::kCannotStop:
      return Say::tr("%1's stop is refused: %2").arg(who, why);
    case LifecycleError::kStoreFailed:
      break;
  }
  return Say::tr("%1 does not start: the store failed").arg(who);
}

QString faultSentence(const History& history, const QString& who, const Event& e) {
  const FaultLegend* const fault = history.legend.fault(e.detail);
  if (fault == nullptr) return QStringLiteral("%1: %2").arg(who, faultText(history, e));
  return fromText(e.kind == EventKind::kFaultEnded ? fault->ended : fault->began)
      .replace(QLatin1String("{for}"), spanText(Duration(e.a)))
      .replace(QLatin1String("{who}"), who);
}

// A contender's, or of a store that is watched.
QString connectionSentence(const QString& who, const Event& e, bool of_store) {
  const bool connected = e.kind == EventKind::kConnected;
  if (of_store) return (connected ? Say::tr("%1 is seen again") : Say::tr("%1 cannot be seen")).arg(who);
  return (connected ? Say::tr("%1 connects") : Say::tr("%1 loses its connection")).arg(who);
}

QString sessionEndSentence(const QString& who, const Event& e) {
  const QString session = QString::number(e.b);
  switch (static_cast<SessionEnd>(e.detail)) {
    case SessionEnd::kExpired:
      return Say::tr("Store: session %1 of %2 expires").arg(session, who);
    case SessionEnd::kForced:
      return Say::tr("Store: session %1 of %2 is closed by force").arg(session, who);
    default:
      return Say::tr("Store: session %1 of %2 is closed").arg(session, who);
  }
}

// What the chart writes at each mark: translated once, when the first of them is written.
struct PaintedWords {
  QString no_token, tokenless;
  QString all_accepted, all_rejected, accepted_after;
  QString accepted, rejected;
  QString overtaken, first;
};
const PaintedWords& painted() {
  static const PaintedWords words{
      Say::tr("no token"),
      Say::tr("%1 refused: no token"),
      Say::tr("%1 stale writes accepted"),
      Say::tr("%1 stale writes rejected"),
      Say::tr("no token, accepted after #%1"),
      Say::tr("%1#%2 accepted · %2 < %3"),
      Say::tr("%1#%2 rejected · %2 < %3"),
      Say::tr("#%1 accepted, #%2 not seen"),
      Say::tr("%1 accepted"),
  };
  return words;
}

}  // namespace

QString fromText(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QString typedForm(const std::string& toml) {
  QString text = fromText(toml);
  if (text.size() >= 2 && text.startsWith(u'"') && text.endsWith(u'"'))
    return text.mid(1, text.size() - 2)
        .replace(QStringLiteral("\\\""), QStringLiteral("\""))
        .replace(QStringLiteral("\\\\"), QStringLiteral("\\"));
  return text;
}

QString spaced(std::string_view name) { return fromText(name).replace(u'_', u' '); }

QString shownText(std::string_view written) {
  QString text = fromText(written);
  if (text.startsWith(u'-')) text[0] = kMinus;
  return text;
}

QString secondsText(Duration d, int decimals) { return shownText(format_seconds(d, decimals)); }
QString secondsText(TrueTime at, int decimals) { return secondsText(at.time_since_epoch(), decimals); }

QString spanText(Duration d) {
  const std::int64_t ns = d.count();
  const std::int64_t size = ns < 0 ? -ns : ns;
  if (size == 0) return QStringLiteral("0 s");
  if (size >= 1'000'000'000) return secondsText(d) + QStringLiteral(" s");
  const int decimals = size >= 10'000'000 ? 0 : size >= 100'000 ? 1 : 3;
  // Milliseconds are written by the same code as seconds, a thousand times larger.
  return shownText(format_seconds(d * 1000, decimals)) + QStringLiteral(" ms");
}

QString rateText(std::int64_t ppm) {
  if (ppm == 0) return Say::tr("at its own rate");
  if (stands(ppm)) return Say::tr("stands still");
  const QString size = countText(static_cast<std::uint64_t>(std::abs(ppm)));
  return (ppm < 0 ? Say::tr("%1 ppm slower") : Say::tr("%1 ppm faster")).arg(size);
}

QString signedText(Duration d) {
  using std::chrono::milliseconds;
  if (d != Duration{} && d < milliseconds(1) && d > -milliseconds(1))
    return (d > Duration{} ? QStringLiteral("+") : QString()) + spanText(d);
  const std::int64_t ms = d / std::chrono::milliseconds(1), size = std::abs(ms);
  const QString sign = ms < 0 ? QString(kMinus) : QStringLiteral("+");
  return size >= 1000 && size % 1000 == 0 ? sign + QString::number(size / 1000) + QStringLiteral(" s")
                                          : sign + QString::number(size) + QStringLiteral(" ms");
}

QString countText(std::uint64_t count) {
  QString digits = QString::number(count);
  for (qsizetype at = digits.size() - 3; at > 0; at -= 3) digits.insert(at, kThinSpace);
  return digits;
}

int howMany(std::uint64_t count) {
  return static_cast<int>(std::min<std::uint64_t>(count, std::numeric_limits<int>::max()));
}

QString statusText(std::int64_t status) {
  static constexpr const char* kStates[] = {
      QT_TRANSLATE_NOOP("Words", "it does not run"), QT_TRANSLATE_NOOP("Words", "it is starting"),
      QT_TRANSLATE_NOOP("Words", "it runs"), QT_TRANSLATE_NOOP("Words", "it is stopping")};
  return status >= 0 && status < 4 ? Say::tr(kStates[status]) : QString();
}

QString tokenText(Token token) { return token == kNoToken ? painted().no_token : tokenMark(token); }

QString tokenMark(Token token) { return token == kNoToken ? QString() : QStringLiteral("#%1").arg(token); }

QString tokensText(IncidentKind kind, const std::vector<Token>& tokens) {
  const bool compared = kind == IncidentKind::kStaleWriteRejected || kind == IncidentKind::kStaleWriteAccepted;
  if (compared && tokens.size() == 2 && tokens[0] != kNoToken)
    return QStringLiteral("%1 < %2").arg(tokens[0]).arg(tokens[1]);
  if (kind == IncidentKind::kTokenlessRefused) return tokenText(kNoToken);
  QStringList texts;
  for (const Token token : tokens)
    if (token != kNoToken || !texts.contains(tokenText(token))) texts << tokenText(token);
  return texts.isEmpty() ? QStringLiteral("–") : texts.join(u' ');
}

WriteFate writeFate(EventKind kind, Token token) {
  switch (kind) {
    case EventKind::kWriteAccepted:
      return WriteFate::kAccepted;
    case EventKind::kWriteRejected:
      return token == kNoToken ? WriteFate::kTokenless : WriteFate::kStale;
    case EventKind::kWriteStaleAccepted:
      return WriteFate::kStaleAccepted;
    default:
      return WriteFate::kNone;
  }
}

QString writePlate(WriteFate fate, Token token, Token highest, std::uint64_t count) {
  const PaintedWords& words = painted();
  if (fate == WriteFate::kTokenless) return words.tokenless.arg(countText(count));
  const bool accepted = fate == WriteFate::kStaleAccepted;
  if (count > 1 && (token == kNoToken || highest == kNoToken))
    return (accepted ? words.all_accepted : words.all_rejected).arg(countText(count));
  if (token == kNoToken) return words.accepted_after.arg(highest);
  const QString times = count > 1 ? countText(count) + QStringLiteral(" × ") : QString();
  return (accepted ? words.accepted : words.rejected).arg(times, QString::number(token), QString::number(highest));
}

QString acceptedText(Token token, Token later, bool first) {
  const PaintedWords& words = painted();
  if (later != kNoToken) return words.overtaken.arg(token).arg(later);
  return first ? words.first.arg(tokenText(token)) : tokenText(token);
}

QString writeTitle(WriteFate fate) {
  switch (fate) {
    case WriteFate::kStale:
      return Say::tr("write rejected");
    case WriteFate::kTokenless:
      return Say::tr("write refused: no token");
    case WriteFate::kStaleAccepted:
      return Say::tr("stale write accepted");
    default:
      return Say::tr("write accepted");
  }
}

QString faultText(const History& history, const Event& event) {
  const FaultLegend* const fault = history.legend.fault(event.detail);
  return fault == nullptr ? Say::tr("fault") : fromText(fault->spoken);
}

QString kindText(const History& history, const Event& event) { return fromText(kind_words(history.legend, event)); }

QString sentence(const History& history, const Cast& cast, const Event& e) {
  const QString who = cast.shortName(history, e.node);
  const QString token = tokenText(e.token);
  switch (e.kind) {
    case EventKind::kStarted:
      return Say::tr("%1 starts").arg(who);
    case EventKind::kStopped:
      return Say::tr("%1 stops").arg(who);
    case EventKind::kCrashed:
      return Say::tr("%1 crashes").arg(who);
    case EventKind::kRestarted:
      return restartSentence(history, cast, who, e);
    case EventKind::kAttempt:
      return attemptSentence(history, who, e);
    case EventKind::kGranted:
      return e.token == kNoToken ? Say::tr("Store: grants it to %1 without a token").arg(who)
                                 : Say::tr("Store: grants %1 to %2").arg(token, who);
    case EventKind::kRenewed:
      return Say::tr("Store: renews %1").arg(leaseOf(who, e.token));
    case EventKind::kReleased:
      return Say::tr("%1 releases %2").arg(who, e.token == kNoToken ? Say::tr("its lease") : token);
    case EventKind::kExpired:
      return Say::tr("Store: %1 ends").arg(leaseOf(who, e.token));
    case EventKind::kBelieved:
      return static_cast<BeliefKind>(e.detail) == BeliefKind::kUnconfirmed
                 ? Say::tr("%1 is told that it owns, %2, though its victim has not let go").arg(who, withToken(e.token))
                 : Say::tr("%1 is told that it owns, %2").arg(who, withToken(e.token));
    case EventKind::kDisbelieved:
      return Say::tr("%1 steps down: %2").arg(who, reasonText(history, e));
    case EventKind::kWakeupPlanned:
      return Say::tr("%1 plans to wake in %2, jitter %3").arg(who, spanText(Duration(e.a)), spanText(Duration(e.b)));
    case EventKind::kNotification: {
      const QString what = fromText(text(static_cast<StoreEventKind>(e.a)));
      if (static_cast<NotificationStep>(e.detail) == NotificationStep::kSent)
        return Say::tr("Store: publishes \"%1\"").arg(what);
      if (static_cast<NotificationStep>(e.detail) == NotificationStep::kLost)
        return Say::tr("\"%1\" never reaches %2").arg(what, who);
      return Say::tr("%1 hears \"%2\"").arg(who, what);
    }
    case EventKind::kChecked:
      return Say::tr("%1 checks that it owns, and computes %2").arg(who, withToken(e.token));
    case EventKind::kWriteAccepted:
    case EventKind::kWriteRejected:
    case EventKind::kWriteStaleAccepted:
      return writeSentence(who, e);
    case EventKind::kFaultBegan:
    case EventKind::kFaultEnded:
      return faultSentence(history, who, e);
    case EventKind::kClockChanged:
      return clockSentence(cast.indexOf(history, e.node) >= 0 ? who : Say::tr("The store"), e, cast.clockRate(e));
    case EventKind::kConnected:
    case EventKind::kDisconnected:
      return connectionSentence(who, e, e.mutex.empty() && cast.indexOf(history, e.node) < 0);
    case EventKind::kUnobservedBegan:
      return Say::tr("Observation stops");
    case EventKind::kUnobservedEnded:
      return Say::tr("Observation goes on");
    case EventKind::kRefused:
      return refusalSentence(who, e);
    case EventKind::kReleaseRefused:
      return Say::tr("Store: refuses a late release of %1, %2 owns in another term").arg(leaseOf(who, e.token), who);
    case EventKind::kInvoked:
      return Say::tr("%1 calls %2").arg(who, fromText(detail_text(e)));
    case EventKind::kReturned: {
      const auto ending = static_cast<Ending>(e.b);
      const QString call = fromText(detail_text(e));
      if (ending == Ending::kFailed) return Say::tr("%1: %2 is refused").arg(who, call);
      if (ending != Ending::kOk) return Say::tr("%1: %2 ends unknown").arg(who, call);
      return e.token == kNoToken ? Say::tr("%1: %2 returns").arg(who, call)
                                 : Say::tr("%1: %2 returns with %3").arg(who, call, token);
    }
    case EventKind::kQueued:
      return Say::tr("%1 waits in the queue, place %2").arg(who).arg(e.a);
    case EventKind::kDequeued:
      return Say::tr("%1 leaves the queue").arg(who);
    case EventKind::kSessionOpened:
      return Say::tr("Store: opens session %1 of %2").arg(e.b).arg(who);
    case EventKind::kSessionRenewed:
      return Say::tr("Store: %1 is alive, session %2").arg(who).arg(e.b);
    case EventKind::kSessionEnded:
      return sessionEndSentence(who, e);
    case EventKind::kAcknowledged:
      return Say::tr("%1 tells %2 that it has let go")
          .arg(who, cast.shortName(history, Name{static_cast<std::uint32_t>(e.b)}));
    case EventKind::kVoteGranted:
      return Say::tr("%1 votes for %2").arg(fromText(history.names.text(Name{static_cast<std::uint32_t>(e.b)})), who);
    case EventKind::kVoteEnded:
      return Say::tr("%1 no longer votes for %2")
          .arg(fromText(history.names.text(Name{static_cast<std::uint32_t>(e.b)})), who);
    case EventKind::kElected:
      return Say::tr("Store: member %1 leads").arg(e.a);
    case EventKind::kTransferred:
      return Say::tr("Bank: transfer %1 of %2 %3").arg(QString::number(e.a), who, fromText(detail_text(e)));
    case EventKind::kReentered:
      return Say::tr("%1 holds it %2 times").arg(who).arg(e.b);
  }
  return {};
}

}  // namespace leasescope
