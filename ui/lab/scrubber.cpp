#include "ui/lab/scrubber.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

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

Scrubber::Scrubber(LabController& lab, QWidget* parent) : QWidget(parent), lab_(lab) {
  setObjectName(QStringLiteral("scrubber"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Playhead"));
  const auto repaint = [this] { update(); };
  connect(&lab, &LabController::advanced, this, repaint);
  connect(&lab, &LabController::playheadMoved, this, repaint);
  connect(&lab, &LabController::runReset, this, &Scrubber::load);
  connect(&lab, &LabController::stateChanged, this, &Scrubber::load);
  connect(&lab, &LabController::settled, this, &Scrubber::load);
  load();
}

void Scrubber::load() {
  const QString why = lab_.whyNoTravel();
  setToolTip(why.isEmpty() ? tr("Drag to any moment of the run. Left and Right: one input, with Shift ten; Page Up and "
                                "Page Down: the previous and the next incident")
                           : tr("How far the run is; %1").arg(why));
  setCursor(why.isEmpty() && lab_.history() ? Qt::PointingHandCursor : Qt::ArrowCursor);
  setAccessibleDescription(tr("%1 of %2 s").arg(secondsText(lab_.playhead()), secondsText(lab_.length())));
  update();
}

int Scrubber::pixelOf(TrueTime at) const {
  const std::int64_t length = std::max<std::int64_t>(1, lab_.length().count());
  const std::int64_t ns = std::clamp<std::int64_t>(at.time_since_epoch().count(), 0, length);
  // To the nearest, so that a pixel's moment lies on that pixel.
  return kSide + static_cast<int>((static_cast<Int128>(ns) * (width() - 2 * kSide) + length / 2) / length);
}

TrueTime Scrubber::timeAt(int x) const {
  const int room = std::max(1, width() - 2 * kSide);
  const std::int64_t at = std::clamp(x - kSide, 0, room);
  return TrueTime(Duration(static_cast<std::int64_t>(static_cast<Int128>(lab_.length().count()) * at / room)));
}

void Scrubber::drag(int x) { lab_.seek(std::min(timeAt(x), lab_.now())); }

void Scrubber::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !travels() || lab_.state() == RunState::kReady)
    return QWidget::mousePressEvent(event);
  if (lab_.state() == RunState::kRunning) lab_.runOrPause();
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
      return lab_.stepBack(steps);
    case Qt::Key_Right:
      return lab_.stepForward(steps);
    case Qt::Key_Home:
      return lab_.seek(TrueTime{});
    case Qt::Key_End:
      return lab_.seek(lab_.now());
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
  const Theme theme = Look::instance().theme();
  int free = 0;  // marks of moments do not pile up
  for (const bool bands : {false, true})
    for (const Incident& incident : lab_.history()->incidents) {
      const bool tape = incident.kind == IncidentKind::kBeliefOverlap,
                 lattice = incident.kind == IncidentKind::kDoubleGrant;
      const int from = pixelOf(incident.start);
      if (bands != (tape || lattice)) continue;
      if (!bands) {
        if (from < free || severity(incident.kind) > 3) continue;
        paintGlyph(painter, QRect(from + 2, 3, 8, 8), glyph_of(incident.kind), theme, GlyphSize::kSmall);
        free = from + 11;
        continue;
      }
      const QRect box(from, 3, std::max(3, pixelOf(incident.end) - from), 8);
      if (tape) paintTile(painter, box, Tile::kOverlap, c.overlap_ink, c.overlap);
      if (lattice) paintTile(painter, box, Tile::kCritical, c.on_critical, c.critical);
      painter.setPen(tape ? c.text : c.critical);
      painter.drawRect(box.adjusted(0, 0, -1, -1));
    }
}

void Scrubber::paintEvent(QPaintEvent*) {
  const Colours& c = ink();
  QPainter painter(this);
  painter.fillRect(kSide, kLine, width() - 2 * kSide, kThick, c.line);
  if (lab_.length() <= Duration::zero() || !lab_.history()) return;
  const int newest = pixelOf(lab_.now()), at = pixelOf(lab_.playhead());
  // Thick up to the playhead; what was run beyond it is still there.
  painter.fillRect(kSide, kLine, newest - kSide, kThick, c.line_strong);
  painter.fillRect(kSide, kLine, at - kSide, kThick, c.accent);
  const int parts = width() >= 240 ? 12 : width() >= 120 ? 6 : 4;
  const Duration step = lab_.length() / parts;
  for (int k = 0; k <= parts; ++k)
    painter.fillRect(pixelOf(TrueTime(step * k)), kLine + 4, 1, k % 2 == 0 ? 5 : 3, c.line_strong);
  paintIncidents(painter);
  for (std::size_t i = 1; i < lab_.courses().size(); ++i)
    painter.fillRect(pixelOf(lab_.courses()[i].from), kLine - 4, 1, kThick + 9, c.text);
  if (!travels() || lab_.state() == RunState::kReady) return;
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
