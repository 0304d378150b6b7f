#include "ui/timeline/hover_card.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

namespace leasescope {
namespace {

constexpr int kWidth = 288, kPad = 10, kLine = 18, kLabel = 74;
constexpr int kApart = 10, kBeside = 12, kEdge = 4;  // from its row, from the pointer, from both sides of its room

}  // namespace

HoverCard::HoverCard(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_OpaquePaintEvent);
  hide();
}

QStringList HoverCard::warningLines(int width) const {
  const QFontMetrics metrics(leasescope::font(Face::kText, 12));
  QStringList lines;
  for (const QString& word : text_.warning.split(' ', Qt::SkipEmptyParts)) {
    const QString longer = lines.isEmpty() ? word : lines.back() + ' ' + word;
    if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= width)
      lines.back() = longer;
    else
      lines.push_back(word);
  }
  return lines;
}

// Below what it tells of, else above, in the chart, else in the window; where neither has room beside the pointer.
QPoint HoverCard::freeOf(const Place& place, QSize card) const {
  const QRect window = parentWidget()->rect();
  for (const QRect& room : {place.chart, window}) {
    const int least = room.left() + kEdge, most = room.left() + room.width() - card.width() - kEdge;
    const int x = std::clamp(place.pointer.x() + kBeside, least, std::max(least, most));
    for (const int y : {place.anchor.bottom() + kApart, place.anchor.top() - kApart - card.height()})
      if (y >= room.top() && y + card.height() <= room.bottom()) return {x, y};
  }
  const int right = place.pointer.x() + kBeside, left = place.pointer.x() - kBeside - card.width();
  return {right + card.width() <= window.right() ? right : std::max(0, left),
          std::max(0, window.bottom() - card.height())};
}

void HoverCard::tell(const ChartData& chart, const HoverText& text, const Place& place) {
  text_ = text;
  letter_ = text.contender < 0 ? QString() : QString::fromStdString(chart.letter(text.contender));
  hue_ = chart.hue(text.contender);
  warning_ = warningLines(kWidth - 2 * kPad - 26);
  const int warning = warning_.isEmpty() ? 0 : static_cast<int>(warning_.size()) * 16 + 10;
  const int height = 34 + static_cast<int>(text_.lines.size()) * kLine + warning + (warning == 0 ? 4 : 2);
  setGeometry({freeOf(place, {kWidth, height}), QSize(kWidth, height)});
  update();
  show();
  raise();
}

void HoverCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  Canvas canvas(painter, theme_, tiles_);
  const Colours& c = canvas.colours();
  canvas.fill(0, 0, width(), height(), c.input);
  int x = kPad;
  if (!letter_.isEmpty()) {
    canvas.badge(x, 8, letter_, c.id[static_cast<std::size_t>(hue_)]);
    x += 22;
  }
  const TextStyle token{c.text, 11, 600, Face::kMono, Align::kRight};
  canvas.elided(x, 21, width() - x - kPad - canvas.width_of(text_.right, token) - 8, text_.title, {c.text, 12, 600});
  canvas.text(width() - kPad, 21, text_.right, token);
  int y = 42;
  for (const auto& [label, value] : text_.lines) {
    canvas.text(kPad, y, label, {c.muted, 12});
    canvas.elided(kPad + kLabel, y, width() - 2 * kPad - kLabel, value, {c.text, 11, 400, Face::kMono});
    y += kLine;
  }
  if (!warning_.isEmpty()) {
    const int top = height() - static_cast<int>(warning_.size()) * 16 - 10;
    canvas.fill(0, top, width(), height() - top, c.overlap_tint);
    canvas.hline(top, 0, width(), c.text);
    canvas.hatch(kPad, top + 8, 18, 10, Tile::kOverlap, c.overlap_ink, c.overlap);
    canvas.frame(kPad, top + 8, 18, 10, c.text);
    int line = top + 17;
    for (const QString& text : warning_) {
      canvas.text(kPad + 26, line, text, {c.text, 12});
      line += 16;
    }
  }
  canvas.frame(0, 0, width(), height(), c.text);
}

}  // namespace leasescope
