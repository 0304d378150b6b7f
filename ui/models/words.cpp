#include "ui/models/words.h"

#include "core/store/port.h"
#include "core/time/duration_text.h"
#include "simulator/fault/kind.h"
#include "ui/models/cast.h"

namespace leasescope {
namespace {

constexpr QChar kMinus(0x2212);
constexpr QChar kThinSpace(0x2009);

QString requestText(std::int64_t kind) {
  return static_cast<RequestKind>(kind) == RequestKind::kGuard ? QStringLiteral("renewal") : QStringLiteral("attempt");
}

QString reasonText(std::uint8_t detail) {
  switch (static_cast<DisbeliefReason>(detail)) {
    case DisbeliefReason::kLost:
      return QStringLiteral("it learns that the lease is lost");
    case DisbeliefReason::kWatchdog:
      return QStringLiteral("its watchdog fires");
    case DisbeliefReason::kStop:
      return QStringLiteral("it was told to stop");
    case DisbeliefReason::kEvent:
      return QStringLiteral("a message says so");
    case DisbeliefReason::kFailure:
      return QStringLiteral("its renewal failed");
  }
  return {};
}

QString attemptSentence(const QString& who, const Event& e) {
  const QString request = requestText(e.b);
  switch (static_cast<AttemptResult>(e.detail)) {
    case AttemptResult::kWon:
      return QStringLiteral("%1's %2 succeeds").arg(who, request);
    case AttemptResult::kLost:
      return QStringLiteral("%1's %2 is refused").arg(who, request);
    case AttemptResult::kFailed:
      return QStringLiteral("%1's %2 fails").arg(who, request);
    case AttemptResult::kUnknown:
      return QStringLiteral("%1's %2 is not answered in time").arg(who, request);
  }
  return {};
}

QString faultSentence(const QString& who, const Event& e) {
  const QString fault = faultText(e);
  const Duration length(e.a);
  if (e.kind == EventKind::kFaultEnded) {
    if (fault == QLatin1String("pause")) return QStringLiteral("%1 resumes").arg(who);
    if (fault == QLatin1String("partition")) return QStringLiteral("%1 reaches the store again").arg(who);
    return QStringLiteral("%1: %2 ends").arg(who, fault);
  }
  if (fault == QLatin1String("pause")) return QStringLiteral("%1 pauses for %2").arg(who, spanText(length));
  if (fault == QLatin1String("partition"))
    return QStringLiteral("%1 is cut off from the store for %2").arg(who, spanText(length));
  if (fault == QLatin1String("crash")) return QStringLiteral("%1 crashes").arg(who);
  if (fault == QLatin1String("stop")) return QStringLiteral("%1 is told to stop").arg(who);
  if (length > Duration::zero()) return QStringLiteral("%1: %2 for %3").arg(who, fault, spanText(length));
  return QStringLiteral("%1: %2").arg(who, fault);
}

}  // namespace

QString fromText(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QString shownText(std::string_view written) {
  QString text = fromText(written);
  if (text.startsWith(u'-')) text[0] = kMinus;
  return text;
}

QString secondsText(Duration d) { return shownText(format_seconds(d)); }
QString secondsText(TrueTime at) { return secondsText(at.time_since_epoch()); }

QString spanText(Duration d) {
  const std::int64_t ns = d.count();
  const std::int64_t size = ns < 0 ? -ns : ns;
  if (size == 0) return QStringLiteral("0 s");
  if (size >= 1'000'000'000) return secondsText(d) + QStringLiteral(" s");
  const int decimals = size >= 10'000'000 ? 0 : size >= 100'000 ? 1 : 3;
  // Milliseconds are written by the same code as seconds, a thousand times larger.
  return shownText(format_seconds(d * 1000, decimals)) + QStringLiteral(" ms");
}

QString countText(std::uint64_t count) {
  QString digits = QString::number(count);
  for (qsizetype at = digits.size() - 3; at > 0; at -= 3) digits.insert(at, kThinSpace);
  return digits;
}

QString tokenText(Token token) { return token == kNoToken ? QStringLiteral("–") : QStringLiteral("#%1").arg(token); }

QString faultText(const Event& event) {
  const auto& kinds = all_fault_kinds();
  if (event.detail >= kinds.size()) return QStringLiteral("fault");
  return fromText(kinds[event.detail].name).replace(u'_', u' ').replace(u'-', u' ');
}

QString kindText(const Event& event) {
  QString kind = fromText(text(event.kind)).replace(u'_', u' ');
  if (event.kind == EventKind::kFaultBegan) return faultText(event) + QStringLiteral(" began");
  if (event.kind == EventKind::kFaultEnded) return faultText(event) + QStringLiteral(" ended");
  if (event.kind == EventKind::kAttempt) kind = requestText(event.b);
  const std::string_view detail = event.kind == EventKind::kBelieved ? std::string_view() : detail_text(event);
  return detail.empty() ? kind : kind + QStringLiteral(" ") + fromText(detail);
}

QString sentence(const History& history, const Cast& cast, const Event& e) {
  const QString who = cast.shortName(history, e.node);
  const QString token = tokenText(e.token);
  switch (e.kind) {
    case EventKind::kStarted:
      return QStringLiteral("%1 starts").arg(who);
    case EventKind::kStopped:
      return QStringLiteral("%1 stops").arg(who);
    case EventKind::kCrashed:
      return QStringLiteral("%1 crashes").arg(who);
    case EventKind::kRestarted:
      return QStringLiteral("%1 starts again").arg(who);
    case EventKind::kAttempt:
      return attemptSentence(who, e);
    case EventKind::kGranted:
      return QStringLiteral("Store: grants %1 to %2").arg(token, who);
    case EventKind::kRenewed:
      return QStringLiteral("Store: renews %1's %2").arg(who, token);
    case EventKind::kReleased:
      return QStringLiteral("%1 releases %2").arg(who, token);
    case EventKind::kExpired:
      return QStringLiteral("Store: %1's lease %2 ends").arg(who, token);
    case EventKind::kBelieved:
      return QStringLiteral("%1 is told that it owns, with %2").arg(who, token);
    case EventKind::kDisbelieved:
      return QStringLiteral("%1 steps down: %2").arg(who, reasonText(e.detail));
    case EventKind::kWakeupPlanned:
      return QStringLiteral("%1 plans to wake in %2, jitter %3")
          .arg(who, spanText(Duration(e.a)), spanText(Duration(e.b)));
    case EventKind::kNotification: {
      const bool released = static_cast<StoreEventKind>(e.a) == StoreEventKind::kReleased;
      const QString what = released ? QStringLiteral("released") : QStringLiteral("acquired");
      if (static_cast<NotificationStep>(e.detail) == NotificationStep::kSent)
        return QStringLiteral("Store: publishes \"%1\"").arg(what);
      if (static_cast<NotificationStep>(e.detail) == NotificationStep::kLost)
        return QStringLiteral("\"%1\" never reaches %2").arg(what, who);
      return QStringLiteral("%1 hears \"%2\"").arg(who, what);
    }
    case EventKind::kChecked:
      return QStringLiteral("%1 checks that it owns, and computes with %2").arg(who, token);
    case EventKind::kWriteAccepted:
      return QStringLiteral("%1 writes with %2: accepted").arg(who, token);
    case EventKind::kWriteRejected:
      return QStringLiteral("%1 writes with %2: rejected, %3 seen before")
          .arg(who, token, tokenText(static_cast<Token>(e.b)));
    case EventKind::kWriteStaleAccepted:
      return QStringLiteral("%1 writes with %2 after %3: accepted").arg(who, token, tokenText(static_cast<Token>(e.b)));
    case EventKind::kFaultBegan:
    case EventKind::kFaultEnded:
      return faultSentence(who, e);
    case EventKind::kClockChanged: {
      const QString whose = cast.indexOf(history, e.node) >= 0 ? who : QStringLiteral("The store");
      return QStringLiteral("%1's clock steps by %2").arg(whose, spanText(Duration(e.a)));
    }
    case EventKind::kConnected:
      return QStringLiteral("%1 connects").arg(who);
    case EventKind::kDisconnected:
      return QStringLiteral("%1 loses its connection").arg(who);
    case EventKind::kUnobservedBegan:
      return QStringLiteral("Observation stops");
    case EventKind::kUnobservedEnded:
      return QStringLiteral("Observation goes on");
    case EventKind::kRefused:
      return QStringLiteral("%1 is refused: %2").arg(who, QString::fromStdString(std::string(detail_text(e))));
  }
  return {};
}

}  // namespace leasescope
