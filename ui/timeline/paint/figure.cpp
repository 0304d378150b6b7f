#include "ui/timeline/paint/figure.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/models/words.h"
#include "ui/timeline/lanes/lane.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Figure)
};

const IncidentMark* worst_of(const ChartData& data) {
  const IncidentMark* found = nullptr;
  for (const IncidentMark& incident : data.incidents())
    if (found == nullptr || severity(incident.kind) < severity(found->kind)) found = &incident;
  return found;
}

}  // namespace

Stretch whole_run(const ChartData& data) {
  const TrueTime end = std::max(data.end(), data.now());
  const Duration room = end.time_since_epoch() / 100;
  return {TrueTime{} - room, std::max(end, TrueTime(Duration(1000))) + room, {}};
}

Stretch around_the_worst(const ChartData& data) {
  const IncidentMark* const worst = worst_of(data);
  if (worst == nullptr) return whole_run(data);
  const Duration lease = data.facts().terms.lease();
  TrueTime from = worst->start, to = worst->end;
  const IncidentMark* longest = worst;
  for (const IncidentMark& other : data.incidents()) {
    const bool belongs = severity(other.kind) <= 3 && other.end >= from - lease / 4 && other.start <= to + lease / 4;
    if (!belongs || std::max(to, other.end) - std::min(from, other.start) > lease * 6) continue;
    from = std::min(from, other.start);
    to = std::max(to, other.end);
    if (other.end - other.start > longest->end - longest->start) longest = &other;
  }
  const TrueTime end = std::max(data.end(), data.now());
  Stretch shown{std::max(TrueTime{}, from - lease * 11 / 10), std::min(end, to + lease * 16 / 10), {}};
  if (longest->end > longest->start) shown.cursor = longest->start + (longest->end - longest->start) * 9 / 10;
  return shown;
}

ClockView view_of(const ChartData& data, const Stretch& shown, int width) {
  return {Viewport::fitting(data.place(shown.from), data.place(shown.to), width), data.clock().get()};
}

QString stretch_words(const ChartData& data, const Stretch& shown) {
  const QString words =
      data.axis().shown == nullptr
          ? QStringLiteral("%1 – %2 s").arg(secondsText(std::max(shown.from, TrueTime{})), secondsText(shown.to))
          : data.axis().rangeText(std::max(shown.from, TrueTime{}), shown.to);
  return data.axis().shown == nullptr ? words : Say::tr("%1, by the clock of %2").arg(words, data.axis().shown->letter);
}

Figure::Figure(const ChartData& data, int width, const Stretch& shown, int rows_height)
    : data_(data), layout_(layout_chart(data, width)), shown_(shown) {
  rows_ = rows_height > 0 ? std::min(layout_.height(), rows_height) : layout_.height();
}

int Figure::height() const { return rows_ + measures().minimap; }

Scene Figure::scene() const { return {data_, layout_, view_of(data_, shown_, layout_.plot_width()), rows_, 0}; }

void Figure::paint(QPainter& painter, Theme theme, TileCache& tiles) const {
  const Scene whole = scene();
  paint_chart(painter, whole, theme, tiles);
  Overlay overlay;
  overlay.cursor = shown_.cursor;
  overlay.states_at = shown_.cursor ? *shown_.cursor : std::min(shown_.to, data_.now());
  paint_overlay(painter, whole, theme, tiles, overlay);
  const QRect strip(0, rows_, layout_.width, measures().minimap);
  const Viewport& shown = whole.viewport.shown;
  paint_minimap(painter, {data_, strip, layout_.head, shown.from, shown.to(), shown_.cursor, layout_.first_mutex()},
                theme, tiles);
}

void paint_legend_line(Canvas& canvas, int top, int width) {
  constexpr int kSample = 26;
  const Colours& c = canvas.colours();
  canvas.hline(top, 0, width, c.line);
  const TextStyle style{c.muted, 11};
  int x = 12;
  const std::vector<LegendMark> marks = chart_legend();
  for (const LegendGroup group :
       {LegendGroup::kIs, LegendGroup::kWentWrong, LegendGroup::kDisturbs, LegendGroup::kHappens})
    for (const LegendMark& mark : marks) {
      if (mark.group != group || mark.brief.isEmpty()) continue;
      const int taken = kSample + 6 + canvas.width_of(mark.brief, style);
      if (x + taken > width - 12) continue;
      (mark.brief_sample ? mark.brief_sample : mark.sample)(canvas, QRect(x, top + 9, kSample, 11));
      canvas.text(x + kSample + 6, top + 18, mark.brief, style);
      x += taken + 20;
    }
}

}  // namespace leasescope
