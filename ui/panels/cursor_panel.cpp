#include "ui/panels/cursor_panel.h"

#include <QPainter>
#include <algorithm>
#include <numeric>

#include "ui/look/fonts.h"
#include "ui/models/words.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr int kRow = 22;
constexpr int kSide = 12;
constexpr int kBelieves = 66, kHolds = 56;

}  // namespace

CursorPanel::CursorPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("cursorPanel"));
  setFont(leasescope::font(Face::kMono, measures().font_small));
  connect(&session, &Session::runReset, this, [this] {
    moments_.setHistory(session_.history(), &session_.cast());
    at_ = TrueTime{};
    standings_.assign(static_cast<std::size_t>(session_.cast().size()), {});
    if (!session_.history()) emit timeShown({});
    updateGeometry();
    update();
  });
  connect(&session, &Session::castChanged, this, [this] { updateGeometry(); });
  connect(&session, &Session::timeCounted, this, [this] { setTime(at_); });
}

void CursorPanel::take(Moments moments) {
  moments_ = std::move(moments);
  moments_.setCast(&session_.cast());
}

void CursorPanel::setTitled(bool titled) {
  titled_ = titled;
  updateGeometry();
  update();
}

QSize CursorPanel::sizeHint() const {
  const int rows = std::min(8, std::max(1, session_.cast().size()));
  return {292, top() + 16 + rows * kRow + 8};
}

void CursorPanel::setTime(TrueTime at) {
  if (!session_.history()) return;
  at_ = std::min(at, session_.now());
  standings_ = moments_.at(at_);
  describe();
  emit timeShown(timeText());
  update();
}

QString CursorPanel::timeText() const { return session_.time().text(at_); }

void CursorPanel::describe() {
  QStringList words;
  for (std::size_t i = 0; i < standings_.size(); ++i) {
    const ContenderAt& s = standings_[i];
    words << tr("%1 believes %2, holds %3")
                 .arg(Cast::letter(static_cast<int>(i)), tokenText(s.believes ? s.believedToken : kNoToken),
                      tokenText(s.holds ? s.heldToken : kNoToken));
  }
  setAccessibleName(tr("At %1").arg(timeText()));
  setAccessibleDescription(words.join(QStringLiteral(". ")));
}

// Right of the widest badge there is.
int CursorPanel::textLeft() const {
  return kSide + std::max(26, badgeWidth(std::max(0, session_.cast().size() - 1)) + 8);
}

void CursorPanel::paintRow(QPainter& painter, int y, int place, const ContenderAt& s) const {
  const Colours& c = ink();
  paintBadge(painter, {kSide, y + (kRow - kBadge) / 2}, place, Look::instance().theme());
  const int w = width();
  const int from = textLeft();
  const QRect believes(from, y, kBelieves, kRow), holds(from + kBelieves, y, kHolds, kRow);
  const QRect left(kSide, y, w - 2 * kSide, kRow);
  painter.setPen(s.believes ? c.text : c.muted);
  painter.drawText(believes, Qt::AlignVCenter, s.believes ? tokenText(s.believedToken) : QStringLiteral("–"));
  painter.setPen(s.holds ? c.text : c.muted);
  painter.drawText(holds, Qt::AlignVCenter, s.holds ? tokenText(s.heldToken) : QStringLiteral("–"));
  QString rest = QStringLiteral("–");
  painter.setPen(c.muted);
  if (s.believes) {
    painter.setPen(s.deadline < at_ ? c.warn_text : c.text);
    rest = s.deadline == TrueTime::max() ? tr("no end") : QStringLiteral("%1 s").arg(secondsText(s.deadline - at_));
  } else if (s.paused || s.cut) {
    rest = s.paused ? tr("paused") : tr("cut off");
  } else if (!s.running) {
    rest = tr("stopped");
  }
  painter.drawText(left, Qt::AlignVCenter | Qt::AlignRight, rest);
}

void CursorPanel::paintEvent(QPaintEvent*) {
  const Colours& c = ink();
  QPainter painter(this);
  painter.fillRect(rect(), c.panel);
  const bool run = session_.history() && !standings_.empty();
  painter.setPen(c.text);
  painter.setFont(leasescope::font(Face::kText, measures().font_body, 600));
  const QRect head(kSide, 4, width() - 2 * kSide, 24);
  if (!titled_) painter.drawText(head, Qt::AlignVCenter, tr("At the cursor"));
  painter.setFont(font());
  if (run && !titled_) painter.drawText(head, Qt::AlignVCenter | Qt::AlignRight, timeText());
  painter.setFont(leasescope::font(Face::kText, measures().font_caption));
  painter.setPen(c.muted);
  if (!run) {
    painter.setFont(leasescope::font(Face::kText, measures().font_body));
    painter.drawText(QRect(kSide, top() + 2, width() - 2 * kSide, 40), Qt::TextWordWrap,
                     tr("Point at the chart of a run."));
    return;
  }
  painter.drawText(QRect(textLeft(), top(), kBelieves, 14), Qt::AlignVCenter, tr("believes"));
  painter.drawText(QRect(textLeft() + kBelieves, top(), kHolds, 14), Qt::AlignVCenter, tr("holds"));
  painter.drawText(QRect(kSide, top(), width() - 2 * kSide, 14), Qt::AlignVCenter | Qt::AlignRight, tr("lease left"));
  painter.setFont(font());
  const int room = std::max(1, (height() - top() - 16) / kRow);
  const int count = static_cast<int>(standings_.size());
  const int shown = count <= room ? count : room - 1;
  // Where not all have room, those who believe or hold come first.
  std::vector<int> order(standings_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto idle = [this](int i) {
    const ContenderAt& s = standings_[static_cast<std::size_t>(i)];
    return !s.believes && !s.holds && !s.paused && !s.cut;
  };
  if (shown < count) std::stable_partition(order.begin(), order.end(), [&](int i) { return !idle(i); });
  for (int i = 0; i < shown; ++i) {
    const int place = order[static_cast<std::size_t>(i)];
    paintRow(painter, top() + 16 + i * kRow, place, standings_[static_cast<std::size_t>(place)]);
  }
  if (shown == count) return;
  painter.setPen(c.muted);
  painter.drawText(QRect(kSide, top() + 16 + shown * kRow, width(), kRow), Qt::AlignVCenter,
                   tr("and %1 more").arg(count - shown));
}

}  // namespace leasescope
