#include "ui/panels/timeline_page.h"

#include <QVBoxLayout>

#include "ui/theme/look.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {
namespace {

// A chart that jumps to an incident shows this many times its length, and at least so much.
constexpr int kTimes = 6;
constexpr Duration kAtLeast = std::chrono::seconds(4);

}  // namespace

TimelinePage::TimelinePage(Session& session, const ViewStrip::Actions& actions, QAction* showRows, QWidget* empty,
                           QWidget* parent)
    : TimelinePage(session, empty, parent) {
  strip_ = new ViewStrip(session, actions);
  rows_ = new RowsBar(showRows);
  auto* column = static_cast<QVBoxLayout*>(layout());
  column->insertWidget(0, strip_);
  column->insertWidget(1, rows_);
  connect(timeline_, &TimelineView::rangeChanged, this, &TimelinePage::tellRange);
}

void TimelinePage::setAxis(const Axis& axis) {
  timeline_->setAxis(axis);
  tellRange();
}

void TimelinePage::tellRange() {
  if (strip_ == nullptr) return;
  const auto [from, to] = timeline_->visibleRange();
  const int pixels = timeline_->pixelOf(to) - timeline_->pixelOf(from);
  strip_->setRange(timeline_->axis().rangeText(from, to), pixels > 0 ? timeline_->shownSpan() / pixels : Duration{});
}

TimelinePage::TimelinePage(Session& session, QWidget* empty, QWidget* parent)
    : Pane(Ground::kChart, parent), session_(session) {
  problem_ = new ProblemBox;
  timeline_ = new TimelineView;
  timeline_->setObjectName(QStringLiteral("timeline"));
  timeline_->setTheme(Look::instance().theme());
  pages_ = new QStackedWidget;
  pages_->addWidget(empty);
  pages_->addWidget(timeline_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(problem_);
  above_ = new QWidget;
  auto* lanes = new QVBoxLayout(above_);
  lanes->setContentsMargins(0, 0, 0, 0);
  lanes->setSpacing(0);
  column->addWidget(above_);
  column->addWidget(pages_, 1);
  connect(&session, &Session::runReset, this, &TimelinePage::reset);
  connect(&session, &Session::advanced, this, &TimelinePage::advance);
  connect(&session, &Session::finished, this, &TimelinePage::advance);
  connect(&session, &Session::problem, problem_, &ProblemBox::showProblem);
  connect(&session, &Session::incidentSelected, timeline_, &TimelineView::selectIncident);
  connect(&session, &Session::playheadMoved, this, &TimelinePage::followPlayhead);
  connect(&session, &Session::stateChanged, this, [this](RunState state) {
    if (state != RunState::kPlaying) timeline_->setVeil({});
  });
  connect(timeline_, &TimelineView::cursorMoved, this, [this](TrueTime at) {
    leads_ = true;
    session_.seek(at);
    leads_ = false;
  });
  connect(&Look::instance(), &Look::changed, timeline_, &TimelineView::setTheme);
  reset();
}

void TimelinePage::addLane(QWidget* lane) {
  above_->layout()->addWidget(lane);
  lanes_.push_back(lane);
}

void TimelinePage::present(bool on) {
  constexpr double kLarger = 1.5;  // in 1280 × 720 three contenders have room
  if (strip_ != nullptr) strip_->setVisible(!on);
  above_->setVisible(!on);
  timeline_->setMagnified(on ? kLarger : 1);
}

int TimelinePage::lanesHeight() const {
  int out = 0;
  for (const QWidget* lane : lanes_)
    if (!lane->isHidden()) out += lane->height();
  return out;
}

void TimelinePage::reset() {
  pages_->setCurrentIndex(session_.runScenario() ? 1 : 0);
  if (!session_.runScenario()) return;
  timeline_->setRun(session_.facts());
  timeline_->setForks(session_.forks());
}

void TimelinePage::advance() {
  if (!session_.history()) return;
  timeline_->appendHistory(*session_.history());
  const bool earlier = session_.state() == RunState::kPaused && session_.playhead() < session_.now();
  timeline_->setNow(session_.now(), earlier ? TimelineView::Cursor::kStays : TimelineView::Cursor::kGoesAlong);
}

// The playhead was moved in the transport bar or by a step; while the run goes on the chart follows by itself.
void TimelinePage::followPlayhead(TrueTime at) {
  if (session_.state() == RunState::kPlaying) timeline_->setVeil(at);
  if (leads_ || session_.live() || session_.state() == RunState::kRunning) return;
  timeline_->setCursorTime(at);
  timeline_->reveal(at);
}

void TimelinePage::showIncident(int index) {
  const History* history = session_.history();
  if (!history || index < 0) return;
  advance();  // the chart may lag behind the list
  const Incident& incident = history->incidents[static_cast<std::size_t>(index)];
  const auto [from, to] = timeline_->visibleRange();
  const Duration shown = to - from, lasts = incident.end - incident.start;
  const Duration wanted = std::max(lasts * kTimes, kAtLeast);
  // Too far away to be read, or too near to be seen whole: the zoom follows; else only the place does.
  timeline_->setFollow(false);
  if (shown > wanted + wanted / 2 || shown < lasts) {
    const TrueTime middle = incident.start + lasts / 2;
    timeline_->fitRange(middle - wanted / 2, middle + wanted / 2, true);
  } else {
    timeline_->centreOn(incident.start, incident.end);
  }
  timeline_->selectIncident(index);
  timeline_->showRowsOfIncident(index);
  // Shortly before its end: what everybody believes there explains it best.
  timeline_->pointAtSelection(incident.end - lasts / 10);
}

ExportWish TimelinePage::exportWish(const QString& path, const ReportFormat& format) const {
  const ChartData& chart = timeline_->data();
  return {.format = &format,
          .path = path,
          .facts = chart.facts(),
          .axis = chart.axis(),
          .now = chart.now(),
          .shown = timeline_->visibleRange(),
          .theme = Look::instance().theme(),
          .scale = devicePixelRatioF()};
}

}  // namespace leasescope
