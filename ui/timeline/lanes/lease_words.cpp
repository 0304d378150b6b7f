#include "ui/timeline/lanes/lease_words.h"

#include "ui/models/words.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {

QString ending_text(SpanEnd ending) {
  switch (ending) {
    case SpanEnd::kOpen:
      return Lane::tr("not ended yet");
    case SpanEnd::kRenewed:
      return Lane::tr("renewed");
    case SpanEnd::kReleased:
      return Lane::tr("released");
    case SpanEnd::kExpired:
      return Lane::tr("expired");
    case SpanEnd::kTakenOver:
      return Lane::tr("granted to another");
    case SpanEnd::kLost:
      return Lane::tr("told that it lost");
    case SpanEnd::kWatchdog:
      return Lane::tr("its watchdog fired");
    case SpanEnd::kStop:
      return Lane::tr("stopped");
    case SpanEnd::kEvent:
      return Lane::tr("a message deposed it");
    case SpanEnd::kFailure:
      return Lane::tr("requests failed");
    case SpanEnd::kSession:
      return Lane::tr("its session was gone");
    case SpanEnd::kStolen:
      return Lane::tr("told that it was stolen");
    case SpanEnd::kUnconfirmed:
      return Lane::tr("nobody confirmed it");
    case SpanEnd::kUnseen:
      return Lane::tr("not known, the store does not answer");
  }
  return {};
}

HoverText describe_lease(const ChartData& data, const SpanTrack& spans, std::size_t first, TrueTime at, bool believed,
                         const QString& title) {
  HoverText text;
  text.title = title;
  const std::size_t last = spans.holding_end(first) - 1;
  const LeaseSpan span = spans[first];
  text.contender = span.contender;
  text.right = tokenText(span.token);
  const TrueTime end = held_until(data, spans[last]);
  text.lines.emplace_back(believed ? Lane::tr("believed") : Lane::tr("held"),
                          data.axis().stretchText(span.start.hi, end));
  const std::optional<LeaseSpan> here = span_at(spans, at);
  if (here && here->lease_end != kOpenEnd) {
    const QString phase = at < here->ttl_end     ? Lane::tr("ttl, %1 left").arg(spanText(here->ttl_end - at))
                          : at < here->lease_end ? Lane::tr("transition, %1 left").arg(spanText(here->lease_end - at))
                                                 : (believed ? Lane::tr("past its deadline by %1")
                                                             : Lane::tr("kept %1 longer than promised"))
                                                       .arg(spanText(at - here->lease_end));
    text.moving = Lane::tr("here");
    text.lines.emplace_back(text.moving, phase);
  }
  if (last > first) {
    QString renewals;
    for (std::size_t i = first + 1; i <= last && i <= first + 3; ++i)
      renewals += (renewals.isEmpty() ? "" : ", ") + data.axis().tickText(spans.start(i), 3);
    if (last > first + 3) renewals += Lane::tr(", %1 more").arg(last - first - 3);
    text.lines.emplace_back(Lane::tr("renewed"), renewals);
  }
  text.lines.emplace_back(Lane::tr("ended"), ending_text(spans[last].ending));
  for (std::size_t other = 0; other < data.contenders().size(); ++other) {
    if (static_cast<int>(other) == span.contender || data.contenders()[other].mutex != span.mutex) continue;
    if (!span_at(data.contenders()[other].believed, at)) continue;
    text.warning = Lane::tr("%1 believes too").arg(QString::fromStdString(data.letter(static_cast<int>(other))));
  }
  return text;
}

}  // namespace leasescope
