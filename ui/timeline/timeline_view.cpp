#include "ui/timeline/timeline_view.h"

#include <cmath>

#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <utility>

#include "ui/timeline/paint/marks.h"
#include "ui/timeline/timeline_accessible.h"

namespace leasescope {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr int kAnimationMs = 120;

Duration scaled(Duration d, std::int64_t ppm) {
  return Duration(static_cast<std::int64_t>(static_cast<Int128>(d.count()) * ppm / kMillion));
}

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent) {
  make_timelines_accessible();  // first: what follows may be told of
  qRegisterMetaType<TrueTime>();
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Timeline"));
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  viewport()->setMouseTracking(true);
  minimap_ = new MinimapView(data_, this);
  setViewportMargins(0, 0, 0, measures().minimap);
  hoverTimer_.setSingleShot(true);
  hoverTimer_.setInterval(300);
  connect(&hoverTimer_, &QTimer::timeout, this, &TimelineView::showCard);
  connect(minimap_, &MinimapView::rangeRequested, this, [this](TrueTime from, TrueTime to) {
    setFollow(false);
    leavePlace(Move::kPan);
    setShown(Viewport::fitting(from, to, layout_.plot_width()));
  });
  animation_.setDuration(kAnimationMs);
  animation_.setStartValue(0.0);
  animation_.setEndValue(1.0);
  connect(&animation_, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
    const double k = value.toDouble();
    if (k >= 1) return setShown(animateTo_);
    // Linear in the logarithm of the scale; the point that both ends share stays where it is.
    const auto a = static_cast<double>(animateFrom_.span.count()), b = static_cast<double>(animateTo_.span.count());
    const double part = std::abs(b - a) < 1 ? k : (a * std::pow(b / a, k) - a) / (b - a);
    const auto ppm = static_cast<std::int64_t>(std::llround(part * static_cast<double>(kMillion)));
    Viewport next = animateFrom_;
    next.span = animateFrom_.span + scaled(animateTo_.span - animateFrom_.span, ppm);
    next.from = animateFrom_.from + scaled(animateTo_.from - animateFrom_.from, ppm);
    setShown(next);
  });
  relayout();
}

TimelineView::~TimelineView() { delete card_.data(); }

// ---- what is shown

void TimelineView::setTheme(Theme theme) {
  theme_ = theme;
  minimap_->setTheme(theme);
  if (card_) card_->setTheme(theme);
  viewport()->update();
}

void TimelineView::setRun(const RunFacts& facts) {
  const bool same = facts.scenario == data_.facts().scenario && facts.length == data_.facts().length;
  keepMoments([&] { data_.reset(facts); });
  now_ = TrueTime{};
  cursor_.reset();
  selected_ = {};
  selectedIncident_ = -1;
  currentRow_ = -1;
  setMeasured({});
  leaveHover();
  relayout();
  minimap_->setPlayhead({});
  if (same) return viewport()->update();
  animation_.stop();
  fitAll();
  history_.clear();
  emit placesChanged();
}

void TimelineView::take(ChartData data) {
  keepMoments([&] { data_ = std::move(data); });
  ++layoutRevision_;
  relayout();
  viewport()->update();
  minimap_->update();
}

void TimelineView::appendHistory(const History& history) {
  const std::size_t rows = data_.contenders().size() + data_.mutexes().size() + data_.resources().size();
  const bool outage = !data_.store_bands().empty();
  if (!data_.append(history)) return;
  if (rows != data_.contenders().size() + data_.mutexes().size() + data_.resources().size() ||
      outage == data_.store_bands().empty() || busy_ != data_.busy())
    relayout();
  followNow();
  viewport()->update();
  minimap_->update();
}

void TimelineView::setNow(TrueTime now, Cursor cursor) {
  if (now == now_) return;
  now_ = now;
  data_.set_now(now);
  if (cursor == Cursor::kGoesAlong) setCursorTime(now);
  followNow();
}

void TimelineView::setCursorTime(TrueTime at) {
  if (cursor_ == at) return;
  cursor_ = at;
  minimap_->setPlayhead(at);
  viewport()->update();
  if (cursorMeasures_) {
    measured_->second = at;
    emit measureChanged();
  }
  emit cursorMoved(at);
}

void TimelineView::measureFromCursor(bool on) {
  if (!on) return setMeasured({});
  setMeasured({{cursorTime(), cursorTime()}});
  cursorMeasures_ = true;
}

void TimelineView::setMeasured(std::optional<std::pair<TrueTime, TrueTime>> measured) {
  if (!measured && !measured_) return;
  measured_ = measured;
  cursorMeasures_ = false;
  viewport()->update();
  emit measureChanged();
}

void TimelineView::reveal(TrueTime at) {
  if (scene().shows(at)) return;
  setFollow(false);
  animation_.stop();
  Viewport moved = shown_;
  moved.from = data_.place(at) - shown_.span / 2;
  setShown(moved);
}

void TimelineView::setVeil(std::optional<TrueTime> from) {
  if (from == veil_) return;
  veil_ = from;
  viewport()->update();
}

void TimelineView::setStore(const std::string& names) {
  if (names == data_.facts().store) return;
  data_.set_store(names);
  viewport()->update();
}

void TimelineView::setForks(std::vector<TrueTime> forks) {
  if (forks == forks_) return;
  forks_ = std::move(forks);
  viewport()->update();
}

TrueTime TimelineView::cursorTime() const { return cursor_ ? *cursor_ : now_; }

void TimelineView::followNow() {
  if (!follow_ || animation_.state() == QAbstractAnimation::Running) return;
  // The live edge stays in the last tenth, so that what is planned can be seen.
  const TrueTime edge = shown_.from + shown_.span * 9 / 10;
  const bool planned = now_ <= data_.end();  // else nobody knows where it ends
  const TrueTime now = data_.place(now_);
  if (now <= edge || (planned && shown_.to() >= data_.place(data_.end()))) return;
  Viewport next = shown_;
  next.from += now - edge;
  setShown(next);
}

void TimelineView::setFollow(bool on) {
  if (follow_ == on) return;
  follow_ = on;
  emit followChanged(on);
  followNow();
}

int TimelineView::pixelOf(TrueTime at) const { return static_cast<int>(std::lround(scene().x(at) * magnified_)); }
TrueTime TimelineView::timeAt(int x) const { return view().time(plotX(onChart(QPointF(x, 0)).x())); }

QRect TimelineView::incidentRect(int index) const {
  return index < 0 ? QRect() : onViewport(rail_rect(scene(), static_cast<std::size_t>(index)));
}

int TimelineView::contentHeight() const { return layout_.height() + measures().minimap; }
QSize TimelineView::sizeHint() const { return {916, contentHeight()}; }
QSize TimelineView::minimumSizeHint() const { return {360, 180}; }

// ---- zoom, pan, fit

Viewport TimelineView::clamped(Viewport next) const {
  const TrueTime end = data_.place(std::max(std::max(data_.end(), data_.now()), TrueTime(std::chrono::seconds(1))));
  const Duration whole = end - TrueTime{};
  // Nothing but the run is shown, and a little on both sides so that marks at its ends are seen whole.
  next.span = std::clamp(next.span, Duration(next.width), std::max(whole + whole / 10, Duration(next.width)));
  const Duration margin = next.span / 20;
  const TrueTime least = TrueTime{} - margin;
  next.from = std::clamp(next.from, least, std::max(least, end + margin - next.span));
  return next;
}

void TimelineView::setShown(Viewport next) {
  next = clamped(next);
  if (next == shown_) return;
  shown_ = next;
  minimap_->setShown(shown_.from, shown_.to());
  hovered_ = {};
  hideCard();
  viewport()->update();
  const auto [from, to] = visibleRange();
  emit rangeChanged(from, to);
}

void TimelineView::leavePlace(Move move) {
  const bool goesOn = move != Move::kJump && move == lastMove_ && sinceMove_.isValid() && sinceMove_.elapsed() < 500;
  lastMove_ = move;
  sinceMove_.start();
  if (goesOn && history_.has_back()) return;
  history_.leave(placeOnChart());
  emit placesChanged();
}

void TimelineView::goTo(const ViewPlace& onChart) {
  setFollow(false);
  lastMove_ = Move::kJump;
  verticalScrollBar()->setValue(onChart.scroll);
  animateTo(Viewport::fitting(onChart.from, onChart.from + onChart.span, layout_.plot_width()));
  emit placesChanged();
}

void TimelineView::undoZoom() {
  if (const auto before = history_.back(placeOnChart())) goTo(*before);
}

void TimelineView::redoZoom() {
  if (const auto after = history_.forward(placeOnChart())) goTo(*after);
}

void TimelineView::zoomBy(std::int64_t ppm, int x) {
  animation_.stop();
  leavePlace(Move::kZoom);
  const Duration least(shown_.width), most = std::max(clamped({{}, Duration::max() / 8, shown_.width}).span, least);
  const Duration span = std::clamp(scaled(shown_.span, ppm), least, most);
  if (span == shown_.span) return;
  // A series of zooms at one place is about one moment, or it would wander by the widths of coarse pixels.
  if (zoomAnchor_.x != x || zoomAnchor_.left != shown_) zoomAnchor_.at = shown_.time(plotX(x));
  setShown(shown_.zoomed(span, plotX(x), zoomAnchor_.at));
  zoomAnchor_.x = x;
  zoomAnchor_.left = shown_;
}

void TimelineView::zoomIn() {
  zoomBy(640'000, hoverAt_.isNull() ? layout_.head + layout_.plot_width() / 2 : hoverAt_.x());
}
void TimelineView::zoomOut() {
  zoomBy(1'562'500, hoverAt_.isNull() ? layout_.head + layout_.plot_width() / 2 : hoverAt_.x());
}

void TimelineView::pan(int dx) {
  animation_.stop();
  setFollow(false);
  leavePlace(Move::kPan);
  setShown(shown_.panned(dx));
}

void TimelineView::animateTo(Viewport next) {
  next = clamped(next);
  animation_.stop();
  if (!isVisible() || style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0)
    return setShown(next);
  animateFrom_ = shown_;
  animateTo_ = next;
  animation_.start();
}

void TimelineView::fitAll(bool animated) {
  const TrueTime end = std::max(std::max(data_.end(), data_.now()), TrueTime(std::chrono::milliseconds(1)));
  const TrueTime last = data_.place(end);
  const Duration margin = (last - TrueTime{}) / 100;  // marks at the very ends are seen whole
  fitPlaces(Viewport::fitting(TrueTime{} - margin, last + margin, layout_.plot_width()), animated);
}

void TimelineView::fitRange(TrueTime from, TrueTime to, bool animated) {
  fitPlaces(placed(from, std::max(to, from + std::chrono::microseconds(1))), animated);
}

void TimelineView::fitPlaces(Viewport next, bool animated) {
  leavePlace(Move::kJump);
  if (animated) return animateTo(next);
  animation_.stop();
  setShown(next);
}

void TimelineView::centreOn(TrueTime from, TrueTime to) {
  setFollow(false);
  leavePlace(Move::kJump);
  Viewport next = shown_;
  const TrueTime begin = data_.place(from);
  const Duration length = data_.place(to) - begin;
  if (length > next.span * 8 / 10) next.span = std::max(length * 10 / 6, Duration(next.width));
  next.from = begin + length / 2 - next.span / 2;
  animateTo(next);
}

void TimelineView::fitSelection() {
  const bool incident = selectedIncident_ >= 0 && selectedIncident_ < static_cast<int>(data_.incidents().size());
  if (!incident && !selected_) return fitAll(true);
  const IncidentMark* const mark = incident ? &data_.incidents()[static_cast<std::size_t>(selectedIncident_)] : nullptr;
  const TrueTime from = data_.place(mark != nullptr ? mark->start : selected_.from);
  const TrueTime to = data_.place(mark != nullptr ? mark->end : selected_.to);
  const Duration margin = std::max((to - from) / 4, from == to ? data_.facts().terms.lease() / 4 : Duration(1));
  const Viewport next = clamped(Viewport::fitting(from - margin, to + margin, layout_.plot_width()));
  const bool onTheWay = animation_.state() == QAbstractAnimation::Running && next == animateTo_;
  if (next == shown_ || onTheWay) return fitAll(true);  // the second time
  setFollow(false);
  fitPlaces(Viewport::fitting(from - margin, to + margin, layout_.plot_width()), true);
}

// ---- layers

QSize TimelineView::extent() const { return (QSizeF(viewport()->size()) / magnified_).toSize(); }

QRect TimelineView::onViewport(const QRect& rect) const {
  return QRectF(QPointF(rect.topLeft()) * magnified_, QSizeF(rect.size()) * magnified_).toRect();
}

void TimelineView::setFitting(bool on) {
  if (on == fitting_) return;
  fitting_ = on;
  relayout();
  viewport()->update();
}

void TimelineView::setMagnified(double times) {
  if (times == magnified_) return;
  magnified_ = times;
  leaveHover();
  layer_ = {};
  const int strip = times == 1 ? measures().minimap : 0;
  minimap_->setVisible(strip > 0);
  setViewportMargins(0, 0, 0, strip);
  // Its width would make the chart a small one on 1280 pixels, whose rows then need no scroll bar, which makes it wide
  // …
  setVerticalScrollBarPolicy(times == 1 ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
  relayout();
  viewport()->update();
}

Scene TimelineView::scene() const { return {data_, layout_, view(), extent().height(), verticalScrollBar()->value()}; }

void TimelineView::setRowChoice(const RowChoice& choice) {
  if (choice == choice_) return;
  choice_ = choice;
  leaveHover();
  relayout();
  ++layoutRevision_;
  viewport()->update();
  emit rowChoiceChanged();
}

void TimelineView::showRows(const std::vector<int>& contenders) {
  const RowBox *top = nullptr, *bottom = nullptr, *front = nullptr;
  for (const int who : contenders) {
    const RowBox* row = layout_.contender_row(who);
    if (row == nullptr || row->kept) continue;
    if (front == nullptr) front = row;
    if (top == nullptr || row->y < top->y) top = row;
    if (bottom == nullptr || row->y > bottom->y) bottom = row;
  }
  if (top == nullptr) return;
  // The header of their mutex stands over them, whether it is scrolled or not.
  const int head = measures().mutex_height + layout_.kept_height, room = extent().height() - layout_.top() - head;
  const int first = bottom->y + bottom->height - top->y <= room ? top->y : front->y;
  const int last =
      bottom->y + bottom->height - top->y <= room ? bottom->y + bottom->height : first + layout_.row.height;
  const int now = verticalScrollBar()->value();
  if (first < now + head)
    verticalScrollBar()->setValue(first - head);
  else if (last > now + head + room)
    verticalScrollBar()->setValue(last - head - room);
}

void TimelineView::showRowsOfIncident(int index) {
  if (index < 0 || index >= static_cast<int>(data_.incidents().size())) return;
  showRows(data_.incidents()[static_cast<std::size_t>(index)].contenders);
}

void TimelineView::relayout() {
  const int height = extent().height();
  for (const Density density : {Density::kComfortable, Density::kRegular, Density::kCompact}) {
    layout_ =
        layout_chart(data_, extent().width(), choice_, height - measures().ruler - measures().incident_rail, density);
    if (!fitting_ || layout_.height() <= height) break;
  }
  busy_ = data_.busy();
  shown_ = shown_.resized(layout_.plot_width());
  verticalScrollBar()->setRange(0, std::max(0, layout_.height() - height));
  verticalScrollBar()->setPageStep(height);
  verticalScrollBar()->setSingleStep(20);
  minimap_->setHead(layout_.head);
  minimap_->setMutex(layout_.first_mutex());
  minimap_->setShown(shown_.from, shown_.to());
  updateGeometry();
  if (std::exchange(leftOut_, layout_.left_out) != layout_.left_out) emit leftOutChanged();
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  minimap_->setGeometry(0, height() - measures().minimap, viewport()->width(), measures().minimap);
  relayout();
}

TimelineView::LayerKey TimelineView::layerKey() const {
  const double ratio = viewport()->devicePixelRatioF() * magnified_;
  return {shown_, viewport()->size(),           ratio,           data_.revision(),
          theme_, verticalScrollBar()->value(), layoutRevision_, data_.axis()};
}

void TimelineView::paintLayer() {
  const LayerKey key = layerKey();
  if (key == layerKey_ && !layer_.isNull()) return;
  layerKey_ = key;
  const double device = viewport()->devicePixelRatioF();
  const QSize wanted(static_cast<int>(std::ceil(key.size.width() * device)),
                     static_cast<int>(std::ceil(key.size.height() * device)));
  if (layer_.size() != wanted) layer_ = QImage(wanted, QImage::Format_RGB32);
  layer_.setDevicePixelRatio(key.ratio);
  {
    QPainter painter(&layer_);
    rail_ = paint_chart(painter, scene(), theme_, tiles_);
  }
  layer_.setDevicePixelRatio(device);  // it is put down pixel by pixel, whatever it was painted at
}

void TimelineView::paintEvent(QPaintEvent*) {
  paintLayer();
  QPainter painter(viewport());
  painter.drawImage(0, 0, layer_);
  if (magnified_ != 1) painter.scale(magnified_, magnified_);
  const Scene now = scene();
  Overlay overlay;
  overlay.cursor = cursor_;
  overlay.veil_from = veil_;
  overlay.forks = forks_;
  overlay.measured = measured_;
  overlay.markers = &markers_;
  overlay.over_marker = overMarker_;
  overlay.states_at = cursorTime();
  overlay.selected_incident = selectedIncident_;
  overlay.rail = &rail_;
  overlay.current_row = currentRow();
  if (hovered_) overlay.hovered = bar_of(now, hovered_, &rail_);
  if (selected_ && selectedIncident_ < 0) overlay.selected = bar_of(now, selected_);
  if (overlay.hovered && overlay.hovered->isEmpty()) overlay.hovered.reset();
  if (overlay.selected && overlay.selected->isEmpty()) overlay.selected.reset();
  paint_overlay(painter, now, theme_, tiles_, overlay);
}

void TimelineView::scrollContentsBy(int, int) {
  hovered_ = {};
  hideCard();
  viewport()->update();
}

}  // namespace leasescope
