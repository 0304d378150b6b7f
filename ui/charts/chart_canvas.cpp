#include "ui/charts/chart_canvas.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QGraphicsLayout>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QtCharts/QAreaSeries>
#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include "ui/charts/chart_view.h"
#include "ui/look/fonts.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr int kLabelPx = 10;
constexpr int kBetweenLabels = 18, kLabelHeight = 22;  // px

// Of ticks so many from one to the next the decimals that tell them apart.
int decimals_for(double step) { return std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9))); }

// So many ticks have room side by side.
int ticks_across(double from, double to, int width, const QString& unit) {
  const QFontMetrics metrics(font(Face::kMono, kLabelPx));
  int most = 12;
  for (; most > 2; --most) {
    const int decimals = decimals_for(round_step(to - from, most));
    int label = 0;
    for (const double end : {from, to})
      label = std::max(label, metrics.horizontalAdvance(QString::number(end, 'f', decimals) + u' ' + unit));
    if (most * (label + kBetweenLabels) <= width) break;
  }
  return most;
}

QValueAxis* axis(double from, double to, int most, const QString& unit) {
  auto* const out = new QValueAxis;
  const double step = round_step(to - from, most);
  out->setRange(from, to);
  out->setTickType(QValueAxis::TicksDynamic);
  out->setTickAnchor(0);
  out->setTickInterval(step);
  // A title of its own would take a line of a low chart.
  out->setLabelFormat(QStringLiteral("%.%1f").arg(decimals_for(step)) + (unit.isEmpty() ? QString() : u' ' + unit));
  out->setLabelsFont(font(Face::kMono, kLabelPx));
  out->setLabelsColor(ink().muted);
  out->setGridLineColor(ink().grid);
  out->setLinePenColor(ink().line_strong);
  return out;
}

// The outline of bars as a line; of the lower ones, those that are bad, likewise.
QLineSeries* outline(const std::vector<ChartBar>& bars, double ChartBar::*height) {
  auto* const line = new QLineSeries;
  QList<QPointF> points;
  points.reserve(2 * static_cast<qsizetype>(bars.size()));
  for (const ChartBar& bar : bars) points << QPointF(bar.from, bar.*height) << QPointF(bar.to, bar.*height);
  line->replace(points);
  return line;
}

}  // namespace

ChartCanvas::ChartCanvas(ChartView& view) : view_(view) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);  // the view around it has the keys
  setMouseTracking(true);
  setRenderHint(QPainter::Antialiasing, false);
  setBackgroundBrush(Qt::NoBrush);
  chart()->legend()->hide();
  chart()->setBackgroundVisible(false);
  chart()->setMargins({0, 0, 4, 0});
  chart()->layout()->setContentsMargins(0, 0, 0, 0);
  chart()->setAnimationOptions(QChart::NoAnimation);
  viewport()->setAutoFillBackground(false);
  setMinimumSize(80, 40);
  QSizePolicy place = sizePolicy();
  place.setRetainSizeWhenHidden(true);  // the title stays where it is
  setSizePolicy(place);
  later_.setSingleShot(true);
  later_.setInterval(0);
  later_.callOnTimeout(this, [this] {
    if (stale_ && isVisible()) build();
  });
}

void ChartCanvas::buildLater() {
  const ChartDrawing& drawing = view_.drawing();
  stale_ = true;
  setVisible(!drawing.bars.empty() || !drawing.lines.empty());
  if (!isHidden()) later_.start();
}

// For who cannot wait: where its parts lie is known then.
void ChartCanvas::buildNow() {
  if (!stale_) return;
  build();
  chart()->layout()->activate();
}

void ChartCanvas::build() {
  const ChartDrawing& drawing = view_.drawing();
  stale_ = false;
  chart()->removeAllSeries();
  for (QAbstractAxis** const old : {&across_, &up_}) {
    if (*old != nullptr) chart()->removeAxis(*old);
    delete std::exchange(*old, nullptr);
  }
  if (drawing.bars.empty() && drawing.lines.empty()) return;
  built_for_ = room();
  double lowest = 0, highest = 0;
  for (const ChartBar& bar : drawing.bars) highest = std::max(highest, bar.height);
  for (const ChartLine& line : drawing.lines)
    for (const QPointF& point : line.points) {
      lowest = std::min(lowest, point.y());
      highest = std::max(highest, point.y());
    }
  addAxes(lowest, highest);
  addBars();
  addLines();
}

// Of a chart that has something: a stretch without a length has no ticks.
ChartCanvas::TicksOf ChartCanvas::room() const {
  const ChartDrawing& drawing = view_.drawing();
  return {ticks_across(drawing.from, drawing.to, width(), drawing.across), std::clamp(height() / kLabelHeight, 1, 4)};
}

void ChartCanvas::addAxes(double lowest, double highest) {
  const ChartDrawing& drawing = view_.drawing();
  if (highest <= lowest) highest = lowest + 1;
  const double above = (highest - lowest) * 0.06;
  across_ = axis(drawing.from, drawing.to, built_for_.across, drawing.across);
  int ticks = built_for_.up;
  // A count has no halves.
  if (!drawing.bars.empty() && highest >= 1) ticks = std::min(static_cast<int>(highest), ticks);
  up_ = axis(lowest < 0 ? lowest - above : lowest, highest + above, ticks, drawing.up);
  chart()->addAxis(across_, Qt::AlignBottom);
  chart()->addAxis(up_, Qt::AlignLeft);
}

void ChartCanvas::addBars() {
  const std::vector<ChartBar>& bars = view_.drawing().bars;
  if (bars.empty()) return;
  const auto add = [&](double ChartBar::*height, const QColor& colour) {
    auto* const area = new QAreaSeries(outline(bars, height));
    area->upperSeries()->setParent(area);
    area->setBrush(colour);
    area->setPen(Qt::NoPen);
    chart()->addSeries(area);
    area->attachAxis(across_);
    area->attachAxis(up_);
  };
  add(&ChartBar::height, ink().accent);
  const bool some = std::any_of(bars.begin(), bars.end(), [](const ChartBar& bar) { return bar.bad > 0; });
  if (some) add(&ChartBar::bad, ink().crit_text);
}

void ChartCanvas::addLines() {
  for (const ChartLine& line : view_.drawing().lines) {
    auto* const series = new QLineSeries;
    series->setName(line.name);
    series->setPen(QPen(line.colour, 2, line.dashed ? Qt::DashLine : Qt::SolidLine));
    series->replace(QList<QPointF>(line.points.begin(), line.points.end()));
    chart()->addSeries(series);
    series->attachAxis(across_);
    series->attachAxis(up_);
  }
}

QPoint ChartCanvas::pointAt(double across) {
  buildNow();
  const QPointF in_chart(chart()->mapToPosition({across, 0}).x(), chart()->plotArea().center().y());
  return mapFromScene(chart()->mapToScene(in_chart));
}

double ChartCanvas::acrossAt(QPoint at) const { return chart()->mapToValue(chart()->mapFromScene(mapToScene(at))).x(); }

void ChartCanvas::drawForeground(QPainter* painter, const QRectF& /*rect*/) {
  if (across_ == nullptr) return;
  painter->save();
  const QRectF plot = chart()->mapRectToScene(chart()->plotArea());
  drawMarks(*painter, plot);
  if (view_.hasFocus() && view_.current_ >= 0) drawCurrent(*painter, plot);
  painter->restore();
}

// A line each; its name beside it, where it does not lie on another's.
void ChartCanvas::drawMarks(QPainter& painter, const QRectF& plot) const {
  const QFont small = leasescope::font(Face::kText, kLabelPx);
  const QFontMetricsF metrics(small);
  painter.setFont(small);
  std::vector<QRectF> written;
  for (const ChartMark& mark : view_.drawing().marks) {
    const double x = std::round(chart()->mapToScene(chart()->mapToPosition({mark.at, 0})).x()) + 0.5;
    if (x < plot.left() - 1 || x > plot.right() + 1) continue;
    painter.setPen(QPen(ink().text, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    const double width = metrics.horizontalAdvance(mark.name);
    const bool right = x + width + 8 <= plot.right();
    QRectF place(right ? x + 4 : x - 4 - width, plot.top(), width, metrics.height());
    while (std::any_of(written.begin(), written.end(), [&](const QRectF& other) { return other.intersects(place); }))
      place.translate(0, metrics.height());
    if (place.bottom() > plot.bottom()) continue;
    written.push_back(place);
    painter.fillRect(place.adjusted(-2, 0, 2, 0), ink().panel);
    painter.setPen(ink().text);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, mark.name);
  }
}

void ChartCanvas::drawCurrent(QPainter& painter, const QRectF& plot) const {
  const auto x = [&](double across) { return chart()->mapToScene(chart()->mapToPosition({across, 0})).x(); };
  const auto at = static_cast<std::size_t>(view_.current_);
  double from = x(view_.stopAt(at)) - 1, to = from + 2;
  if (const std::vector<ChartBar>& bars = view_.drawing().bars; !bars.empty()) {
    from = x(bars[at].from);
    to = x(bars[at].to);
  }
  painter.setPen(QPen(ink().focus, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(from, plot.top() + 1, std::max(2.0, to - from), plot.height() - 1));
}

void ChartCanvas::mousePressEvent(QMouseEvent* event) {
  buildNow();
  if (event->button() != Qt::LeftButton || across_ == nullptr) return QChartView::mousePressEvent(event);
  view_.setFocus(Qt::MouseFocusReason);
  view_.choose(acrossAt(event->pos()));
}

void ChartCanvas::mouseMoveEvent(QMouseEvent* event) {
  buildNow();
  const bool some = across_ != nullptr && !view_.textAt(acrossAt(event->pos())).isEmpty();
  viewport()->setCursor(some ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

// As many ticks as there is room for then.
void ChartCanvas::resizeEvent(QResizeEvent* event) {
  QChartView::resizeEvent(event);
  if (stale_ || (across_ != nullptr && room() != built_for_)) buildLater();
}

void ChartCanvas::showEvent(QShowEvent* event) {
  QChartView::showEvent(event);
  if (stale_) buildLater();
}

void ChartCanvas::leaveEvent(QEvent* event) {
  viewport()->unsetCursor();
  QChartView::leaveEvent(event);
}

bool ChartCanvas::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) buildNow();
  if (event->type() != QEvent::ToolTip || across_ == nullptr) return QChartView::viewportEvent(event);
  const auto* const help = static_cast<QHelpEvent*>(event);
  const QString text = view_.textAt(acrossAt(help->pos()));
  if (text.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), text, viewport());
  return true;
}

}  // namespace leasescope
