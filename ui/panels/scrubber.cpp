#include "ui/panels/scrubber.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <vector>

#include "core/time/wide.h"
#include "ui/models/words.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/look.h"
#include "ui/theme/style.h"

namespace leasescope {
namespace {

constexpr int kSide = 6;
constexpr int kLine = 17, kThick = 3;  // of the line: top and height
constexpr int kHandle = 5;             // half the handle's width

}  // namespace

Scrubber::Scrubber(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("scrubber"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Playhead"));
  const auto repaint = [this] { update(); };
  connect(&session, &Session::advanced, this, repaint);
  connect(&session, &Session::playheadMoved, this, repaint);
  connect(&session, &Session::runReset, this, &Scrubber::load);
  connect(&session, &Session::stateChanged, this, &Scrubber::load);
  connect(&session, &Session::settled, this, &Scrubber::load);
  connect(&session, &Session::timeCounted, this, &Scrubber::load);
  load();
}

void Scrubber::load() {
  const QString why = session_.whyNoTravel();
  setToolTip(why.isEmpty() ? tr("Drag to any moment of the run. Left and Right: one input, with Shift ten; Page Up and "
                                "Page Down: the previous and the next incident")
                           : tr("How far the run is; %1").arg(why));
  setCursor(why.isEmpty() && session_.history() ? Qt::PointingHandCursor : Qt::ArrowCursor);
  setAccessibleDescription(
      tr("%1, of %2 s").arg(session_.time().text(session_.playhead()), secondsText(session_.length())));
  update();
}

int Scrubber::pixelOf(TrueTime at) const {
  const std::int64_t length = std::max<std::int64_t>(1, session_.length().count());
  const std::int64_t ns = std::clamp<std::int64_t>(at.time_since_epoch().count(), 0, length);
  // To the nearest, so that a pixel's moment lies on that pixel.
  return kSide + static_cast<int>((static_cast<Int128>(ns) * (width() - 2 * kSide) + length / 2) / length);
}

TrueTime Scrubber::timeAt(int x) const {
  const int room = std::max(1, width() - 2 * kSide);
  const std::int64_t at = std::clamp(x - kSide, 0, room);
  return TrueTime(Duration(static_cast<std::int64_t>(static_cast<Int128>(session_.length().count()) * at / room)));
}

void Scrubber::drag(int x) { session_.seek(std::min(timeAt(x), session_.now())); }

void Scrubber::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !travels() || session_.state() == RunState::kReady)
    return QWidget::mousePressEvent(event);
  session_.holdStill();
  dragging_ = true;
  drag(event->position().toPoint().x());
}

void Scrubber::mouseMoveEvent(QMouseEvent* event) {
  if (dragging_) drag(event->position().toPoint().x());
}

void Scrubber::mouseReleaseEvent(QMouseEvent*) {
  dragging_ = false;
  load();
}

void Scrubber::keyPressEvent(QKeyEvent* event) {
  if (!travels()) return QWidget::keyPressEvent(event);
  const int steps = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
  switch (event->key()) {
    case Qt::Key_Left:
      return session_.stepBack(steps);
    case Qt::Key_Right:
      return session_.stepForward(steps);
    case Qt::Key_Home:
      return session_.seek(TrueTime{});
    case Qt::Key_End:
      return session_.seek(session_.now());
    case Qt::Key_PageUp:
      emit incidentWanted(-1);
      return;
    case Qt::Key_PageDown:
      emit incidentWanted(1);
      return;
    default:
      return QWidget::keyPressEvent(event);
  }
}

void Scrubber::paintIncidents(QPainter& painter) const {
  const Colours& c = ink();
  int free = 0;  // marks of moments do not pile up
  for (const Incident& incident : session_.history()->incidents) {
    if (incident.kind == IncidentKind::kBeliefOverlap || incident.kind == IncidentKind::kDoubleGrant) continue;
    const int from = pixelOf(incident.start);
    if (from < free || severity(incident.kind) > 3) continue;
    paintGlyph(painter, QRect(from + 2, 3, 8, 8), glyph_of(incident.kind), Look::instance().theme(), GlyphSize::kSmall);
    free = from + 11;
  }
  paintBands(painter, IncidentKind::kBeliefOverlap, {Tile::kOverlap, c.overlap_ink, c.overlap, c.text});
  paintBands(painter, IncidentKind::kDoubleGrant, {Tile::kCritical, c.on_critical, c.critical, c.critical});
}

// Those that touch are one: a night has thousands on a few hundred pixels.
void Scrubber::paintBands(QPainter& painter, IncidentKind kind, const BandStyle& style) const {
  constexpr int kLeast = 3;
  std::vector<int> change(static_cast<std::size_t>(width()) + 1 + kLeast);  // by pixel: of how many lie there
  const int last = static_cast<int>(change.size()) - 1;
  for (const Incident& incident : session_.history()->incidents) {
    if (incident.kind != kind) continue;
    const int from = std::clamp(pixelOf(incident.start), 0, last - kLeast);
    ++change[static_cast<std::size_t>(from)];
    --change[static_cast<std::size_t>(std::clamp(pixelOf(incident.end), from + kLeast, last))];
  }
  for (int x = 0, lie = 0, begin = 0; x <= last; ++x) {
    const int before = lie;
    lie += change[static_cast<std::size_t>(x)];
    if (before == 0 && lie > 0) begin = x;
    if (before == 0 || lie > 0) continue;
    const QRect box(begin, 3, x - begin, 8);
    paintTile(painter, box, style.tile, style.line, style.ground);
    painter.setPen(style.border);
    painter.drawRect(box.adjusted(0, 0, -1, -1));
  }
}

void Scrubber::paintEvent(QPaintEvent*) {
  const Colours& c = ink();
  QPainter painter(this);
  painter.fillRect(kSide, kLine, width() - 2 * kSide, kThick, c.line);
  if (session_.length() <= Duration::zero() || !session_.history()) return;
  const int newest = pixelOf(session_.now()), at = pixelOf(session_.playhead());
  // Thick up to the playhead; what was run beyond it is still there.
  painter.fillRect(kSide, kLine, newest - kSide, kThick, c.line_strong);
  painter.fillRect(kSide, kLine, at - kSide, kThick, c.accent);
  const int parts = width() >= 240 ? 12 : width() >= 120 ? 6 : 4;
  const Duration step = session_.length() / parts;
  for (int k = 0; k <= parts; ++k)
    painter.fillRect(pixelOf(TrueTime(step * k)), kLine + 4, 1, k % 2 == 0 ? 5 : 3, c.line_strong);
  paintIncidents(painter);
  for (const TrueTime fork : session_.forks()) painter.fillRect(pixelOf(fork), kLine - 4, 1, kThick + 9, c.text);
  if (!travels() || session_.state() == RunState::kReady) return;
  QPainterPath handle;
  handle.moveTo(at - kHandle, 13);
  handle.lineTo(at + kHandle, 13);
  handle.lineTo(at + kHandle, 20);
  handle.lineTo(at, 25);
  handle.lineTo(at - kHandle, 20);
  handle.closeSubpath();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(hasFocus() ? c.focus : c.window, hasFocus() ? 2 : 1));
  painter.setBrush(c.accent);
  painter.drawPath(handle);
}

}  // namespace leasescope
