#include "ui/panels/summary_bar.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <fmt/format.h>

#include "simulator/run/outcome_text.h"
#include "ui/look/fonts.h"
#include "ui/models/words.h"
#include "ui/theme/icons.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr int kGap = 10;  // on both sides of the line between two items

}  // namespace

SummaryBar::SummaryBar(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("summary"));
  telling_.setSingleShot(true);
  telling_.setInterval(5000);
  connect(&telling_, &QTimer::timeout, this, [this] { tell({}); });
  connect(&session, &Session::settled, this, &SummaryBar::load);
  connect(&session, &Session::runReset, this, &SummaryBar::load);
  connect(&session, &Session::stateChanged, this, &SummaryBar::load);
  connect(&session, &Session::preparationMoved, this, &SummaryBar::load);
  load();
}

void SummaryBar::tell(const QString& words) {
  told_ = words;
  words.isEmpty() ? telling_.stop() : telling_.start();
  load();
}

QSize SummaryBar::sizeHint() const { return {400, measures().status_bar}; }

void SummaryBar::load() {
  items_.clear();
  verdictTip_.clear();
  verdictIcon_ = 0;
  if (!session_.history()) {
    verdict_ = tr("Nothing is open");
  } else if (const auto figures = session_.figures()) {
    verdict_ = session_.state() == RunState::kPaused ? tr("looking back") : tr("watching");
    int rank = 100;
    for (const SessionFigure& each : *figures)
      items_.push_back({each.name, each.value, rank--, false, true, each.alarm});
  } else {
    const Outcome outcome = session_.outcome();
    const Summary& s = outcome.summary;
    const bool ended = session_.state() == RunState::kFinished;
    if (session_.state() == RunState::kReady)
      verdict_ = tr("not run yet");
    else if (session_.state() == RunState::kPreparing)
      verdict_ = session_.preparation().words.isEmpty() ? tr("starting the store") : session_.preparation().words;
    else if (session_.state() == RunState::kPaused)
      verdict_ = tr("paused");
    else if (session_.state() == RunState::kPlaying)
      verdict_ = tr("playing");
    else if (!ended)
      verdict_ = tr("running");
    else {
      verdict_ = fromText(verdict_text(outcome));
      if (outcome.as_expected) verdictIcon_ = *outcome.as_expected ? 1 : 2;
      if (outcome.as_expected.value_or(false))
        verdictTip_ = s.unobserved > Duration::zero() ? tr("Nothing that was observed is at odds with the scenario.")
                                                      : tr("Everything the scenario declares has happened.");
      if (!outcome.as_expected) verdictTip_ = tr("What the scenario expects does not speak of this run.");
    }
    for (const std::string& reason : outcome.reasons)
      verdictTip_ += (verdictTip_.isEmpty() ? "" : "\n") + fromText(reason);
    items_.push_back({tr("belief overlap"), spanText(s.belief_overlap), 9, false, true, false});
    items_.push_back({tr("double grants"), countText(s.double_grants), 8, false, true, s.double_grants > 0});
    items_.push_back({tr("stale writes rejected"), countText(s.stale_writes_rejected), 7, false, true, false});
    items_.push_back({tr("accepted"), countText(s.stale_writes_accepted), 7, false, true, s.stale_writes_accepted > 0});
    if (s.tokenless_writes_refused > 0)
      items_.push_back({tr("refused: no token"), countText(s.tokenless_writes_refused), 7, false, true, false});
    if (s.late_releases_refused > 0)
      items_.push_back({tr("late releases refused"), countText(s.late_releases_refused), 4, false, true, false});
    items_.push_back({fromText(unheld_word(*session_.runScenario())), spanText(s.leaderless), 5, false, true, false});
    if (s.unobserved > Duration::zero())
      items_.push_back({tr("not observed"), spanText(s.unobserved), 8, false, true, false});
    if (outcome.world == "virtual")
      items_.push_back(
          {tr("%1 s simulated in %2")
               .arg(fromText(fmt::format("{}", outcome.simulated.count() / 1'000'000'000)), spanText(outcome.wall)),
           {},
           2,
           true,
           false,
           false});
    const bool rests = ended || session_.state() == RunState::kPaused;
    if (const auto hash = rests ? session_.traceHash() : std::nullopt) {
      // Of the whole run, or of what has happened up to the playhead.
      const bool whole = ended && session_.playhead() >= session_.now();
      const QString name = whole ? tr("trace") : tr("trace at %1 s").arg(secondsText(session_.playhead()));
      items_.push_back({{}, QStringLiteral("%1 %2").arg(name).arg(*hash, 16, 16, QChar(u'0')), 1, true, true, false});
    }
    items_.push_back({{}, tr("seed %1").arg(outcome.seed), 3, true, true, false});
  }
  if (!told_.isEmpty()) {
    verdict_ = told_;
    verdictIcon_ = 0;
    verdictTip_.clear();
  }
  setAccessibleName(tr("Summary of the run"));
  setAccessibleDescription(text());
  update();
}

QString SummaryBar::text() const {
  QStringList parts{verdict_};
  for (const Item& item : items_)
    parts << (item.name + (item.value.isEmpty() || item.name.isEmpty() ? "" : " ") + item.value);
  return parts.join(QStringLiteral(", "));
}

int SummaryBar::widthOf(const Item& item) const {
  const QFontMetrics names(leasescope::font(Face::kText, measures().font_body)),
      values(leasescope::font(item.fixed ? Face::kMono : Face::kText, 11, item.name.isEmpty() ? 400 : 600));
  const int space = item.name.isEmpty() || item.value.isEmpty() ? 0 : 5;
  return names.horizontalAdvance(item.name) + space + values.horizontalAdvance(item.value) + 2 * kGap + 1;
}

int SummaryBar::paintItem(QPainter& painter, int x, const Item& item) const {
  const Colours& c = ink();
  painter.setPen(item.alarm ? c.crit_text : c.text);
  int at = x;
  if (!item.name.isEmpty()) {
    painter.setFont(leasescope::font(Face::kText, measures().font_body));
    painter.drawText(QRect(at, 1, width(), height() - 1), Qt::AlignVCenter, item.name);
    at += painter.fontMetrics().horizontalAdvance(item.name) + (item.value.isEmpty() ? 0 : 5);
  }
  painter.setFont(leasescope::font(item.fixed ? Face::kMono : Face::kText, 11, item.name.isEmpty() ? 400 : 600));
  painter.drawText(QRect(at, 1, width(), height() - 1), Qt::AlignVCenter, item.value);
  return at + painter.fontMetrics().horizontalAdvance(item.value);
}

void SummaryBar::paintEvent(QPaintEvent*) {
  const Colours& c = ink();
  QPainter painter(this);
  painter.fillRect(rect(), c.window);
  int x = kGap;
  if (verdictIcon_ != 0) {
    paintIcon(painter, QRect(x, (height() - 14) / 2 + 1, 14, 14), verdictIcon_ == 1 ? Icon::kCheck : Icon::kCross,
              c.text);
    x += 19;
  }
  painter.setFont(leasescope::font(Face::kText, measures().font_body, 600));
  painter.setPen(c.text);
  painter.drawText(QRect(x, 1, width(), height() - 1), Qt::AlignVCenter, verdict_);
  x += painter.fontMetrics().horizontalAdvance(verdict_);
  // Leave out from the least important until the rest fits.
  std::vector<bool> shown(items_.size(), true);
  const auto total = [&] {
    int sum = x;
    for (std::size_t i = 0; i < items_.size(); ++i) sum += shown[i] ? widthOf(items_[i]) : 0;
    return sum;
  };
  for (int rank = 1; rank < 9 && total() > width() - 16; ++rank)
    for (std::size_t i = 0; i < items_.size() && total() > width() - 16; ++i)
      if (items_[i].rank == rank) shown[i] = false;
  int right = width() - kGap;
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (shown[i] && items_[i].right) right -= widthOf(items_[i]) - 1;
  right += 2 * kGap;
  bool first = true;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!shown[i]) continue;
    if (items_[i].right && first) {
      x = std::max(right, x + kGap);
      x = paintItem(painter, x, items_[i]);
      first = false;
      continue;
    }
    painter.fillRect(x + kGap, 6, 1, 13, c.line);
    x = paintItem(painter, x + 2 * kGap, items_[i]);
  }
}

bool SummaryBar::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const QString tip = verdictTip_.isEmpty() ? text() : verdictTip_;
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace leasescope
