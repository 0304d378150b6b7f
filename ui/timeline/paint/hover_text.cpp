#include "ui/models/words.h"
#include "ui/timeline/paint/hit.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

QString ending_text(SpanEnd ending) {
  switch (ending) {
    case SpanEnd::kOpen:
      return QStringLiteral("not ended yet");
    case SpanEnd::kRenewed:
      return QStringLiteral("renewed");
    case SpanEnd::kReleased:
      return QStringLiteral("released");
    case SpanEnd::kExpired:
      return QStringLiteral("expired");
    case SpanEnd::kTakenOver:
      return QStringLiteral("granted to another");
    case SpanEnd::kLost:
      return QStringLiteral("told that it lost");
    case SpanEnd::kWatchdog:
      return QStringLiteral("its watchdog fired");
    case SpanEnd::kStop:
      return QStringLiteral("stopped");
    case SpanEnd::kEvent:
      return QStringLiteral("a message deposed it");
    case SpanEnd::kFailure:
      return QStringLiteral("requests failed");
    case SpanEnd::kUnseen:
      return QStringLiteral("not known, the store does not answer");
  }
  return {};
}

void describe_lease(HoverText& text, const ChartData& data, const std::vector<LeaseSpan>& spans, std::size_t first,
                    TrueTime at, bool believed) {
  std::size_t last = first;
  while (last + 1 < spans.size() && spans[last + 1].renewal) ++last;
  const LeaseSpan& span = spans[first];
  text.contender = span.contender;
  text.right = tokenText(span.token);
  const TrueTime end = held_until(data, spans[last]);
  text.lines.emplace_back(believed ? QStringLiteral("believed") : QStringLiteral("held"),
                          rangeText(span.start.hi, end));
  const LeaseSpan* here = span_at(spans, at);
  if (here != nullptr && here->lease_end != kOpenEnd) {
    const QString phase =
        at < here->ttl_end ? QStringLiteral("ttl, %1 left").arg(spanText(here->ttl_end - at))
        : at < here->lease_end
            ? QStringLiteral("transition, %1 left").arg(spanText(here->lease_end - at))
            : (believed ? QStringLiteral("past its deadline by %1") : QStringLiteral("kept %1 longer than promised"))
                  .arg(spanText(at - here->lease_end));
    text.lines.emplace_back(QStringLiteral("here"), phase);
  }
  if (last > first) {
    QString renewals;
    for (std::size_t i = first + 1; i <= last && i <= first + 3; ++i)
      renewals += (renewals.isEmpty() ? "" : ", ") + secondsText(spans[i].start.hi);
    if (last > first + 3) renewals += QStringLiteral(", %1 more").arg(last - first - 3);
    text.lines.emplace_back(QStringLiteral("renewed"), renewals);
  }
  text.lines.emplace_back(QStringLiteral("ended"), ending_text(spans[last].ending));
  for (std::size_t other = 0; other < data.contenders().size(); ++other) {
    if (static_cast<int>(other) == span.contender || data.contenders()[other].mutex != span.mutex) continue;
    const LeaseSpan* belief = span_at(data.contenders()[other].believed, at);
    if (belief == nullptr) continue;
    text.warning = QStringLiteral("%1 believes too").arg(QString::fromStdString(data.letter(static_cast<int>(other))));
  }
}

HoverText describe_attempt(const ChartData& data, int row, const AttemptMark& attempt) {
  const ContenderRow& contender = data.contenders()[static_cast<std::size_t>(row)];
  HoverText text;
  text.contender = row;
  const QString result = QString::fromLatin1(leasescope::text(attempt.result).data());
  text.title =
      (attempt.cause == AttemptCause::kRenewal ? QStringLiteral("renewal ") : QStringLiteral("attempt ")) + result;
  text.lines.emplace_back(QStringLiteral("at"), secondsText(attempt.at) + " s");
  if (const std::string words = data.words(attempt.words); !words.empty())
    text.lines.emplace_back(QStringLiteral("store says"), QString::fromStdString(words));
  if (attempt.cause == AttemptCause::kTimer)
    text.lines.emplace_back(QStringLiteral("jitter"), signedText(attempt.jitter));
  if (attempt.cause == AttemptCause::kNotified)
    text.lines.emplace_back(QStringLiteral("woken"), QStringLiteral("by a notification"));
  for (const WakeWindow& window : contender.windows)
    if (window.planned < attempt.at && attempt.at <= window.to + std::chrono::seconds(1))
      text.lines.emplace_back(QStringLiteral("window"), secondsText(window.from) + " – " + secondsText(window.to));
  if (text.lines.size() > 3) text.lines.resize(3);
  return text;
}

HoverText describe_write(const WriteMark& write, const std::string& resource) {
  HoverText text;
  text.contender = write.writer;
  text.right = tokenText(write.token);
  text.title = writeTitle(write.fate());
  text.lines.emplace_back(QStringLiteral("at"), secondsText(write.at) + " s");
  text.lines.emplace_back(QStringLiteral("resource"), QString::fromStdString(resource));
  const QString later = write.overtaken() ? ", not " + tokenText(write.granted) : QString();
  text.lines.emplace_back(QStringLiteral("had seen"), tokenText(write.highest) + later);
  return text;
}

HoverText describe_incident(const IncidentMark& incident) {
  HoverText text;
  text.title = QString::fromLatin1(title(incident.kind).data());
  if (!incident.contenders.empty()) text.contender = incident.contenders.front();
  text.right = tokensText(incident.kind, incident.tokens);
  if (incident.instant())
    text.lines.emplace_back(QStringLiteral("at"), secondsText(incident.start) + " s");
  else
    text.lines.emplace_back(QStringLiteral("from – to"), rangeText(incident.start, incident.end) +
                                                             (incident.open ? QStringLiteral(" …") : QString()));
  text.warning = QString::fromStdString(incident.cause);
  return text;
}

}  // namespace

HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) {
  const auto row = static_cast<std::size_t>(std::max(hit.row, 0));
  HoverText text;
  switch (hit.kind) {
    case HitKind::kNone:
      return text;
    case HitKind::kFold:
      text.title = QStringLiteral("Contenders without a row");
      text.lines.emplace_back(QStringLiteral("shown"), QStringLiteral("in the table of contenders"));
      if (can_unfold(data)) text.lines.emplace_back(QStringLiteral("click"), QStringLiteral("draws them all"));
      return text;
    case HitKind::kIncident:
      return describe_incident(data.incidents()[hit.index]);
    case HitKind::kStoreHeld:
      text.title = QStringLiteral("holds ") + QString::fromStdString(data.mutexes()[row].name);
      describe_lease(text, data, data.mutexes()[row].held, hit.index, at, false);
      return text;
    case HitKind::kHeld:
    case HitKind::kBelieved: {
      const ContenderRow& contender = data.contenders()[row];
      const bool believed = hit.kind == HitKind::kBelieved;
      const std::string mutex =
          data.mutexes().empty() ? std::string() : data.mutexes()[static_cast<std::size_t>(contender.mutex)].name;
      text.title =
          (believed ? QStringLiteral("believes it owns ") : QStringLiteral("holds ")) + QString::fromStdString(mutex);
      describe_lease(text, data, believed ? contender.believed : contender.held, hit.index, at, believed);
      return text;
    }
    case HitKind::kAttempt:
      return describe_attempt(data, hit.row, data.contenders()[row].attempts[hit.index]);
    case HitKind::kRefused: {
      const LifeMark& mark = data.contenders()[row].life[hit.index];
      text.contender = hit.row;
      text.title =
          mark.kind == LifeKind::kStopRefused ? QStringLiteral("stop refused") : QStringLiteral("start refused");
      text.lines.emplace_back(QStringLiteral("at"), secondsText(mark.at) + " s");
      text.lines.emplace_back(QStringLiteral("because"), statusText(mark.status));
      return text;
    }
    case HitKind::kWrite:
      return describe_write(data.resources()[row].writes[hit.index], data.resources()[row].name);
    case HitKind::kRequest: {
      const RequestMark& request = data.requests()[hit.index];
      static constexpr std::array<const char*, 5> kWords{"request granted", "request refused", "request failed",
                                                         "released", "late release refused"};
      text.contender = request.contender;
      text.title = QString::fromLatin1(kWords[static_cast<std::size_t>(request.kind)]);
      text.lines.emplace_back(QStringLiteral("at"), secondsText(request.at) + " s");
      return text;
    }
    case HitKind::kBand: {
      const BandSpan& band = hit.row < 0 ? data.store_bands()[hit.index] : data.contenders()[row].bands[hit.index];
      text.contender = hit.row;
      text.title = QString::fromStdString(band.label);
      if (band.lasts)
        text.lines.emplace_back(QStringLiteral("from – to"), rangeText(band.begin, hit.to));
      else
        text.lines.emplace_back(QStringLiteral("at"), secondsText(band.begin) + " s");
      return text;
    }
  }
  return text;
}

}  // namespace leasescope
