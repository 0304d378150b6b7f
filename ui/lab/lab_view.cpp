#include "ui/lab/lab_view.h"

#include <QVBoxLayout>

#include "ui/models/words.h"
#include "ui/theme/look.h"
#include "ui/timeline/paint/picture.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {
namespace {

// A chart that jumps to an incident shows this many times its length, and at least so much.
constexpr int kTimes = 6;
constexpr Duration kAtLeast = std::chrono::seconds(4);

}  // namespace

LabView::LabView(LabController& lab, const ViewStrip::Actions& actions, EmptyState* empty, QAction* stop,
                 QWidget* parent)
    : Pane(Ground::kChart, parent), lab_(lab) {
  strip_ = new ViewStrip(lab, actions);
  problem_ = new ProblemBox;
  timeline_ = new TimelineView;
  timeline_->setObjectName(QStringLiteral("timeline"));
  timeline_->setTheme(Look::instance().theme());
  pages_ = new QStackedWidget;
  pages_->addWidget(empty);
  pages_->addWidget(timeline_);
  preparation_ = new PreparationBox(lab, stop, pages_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(strip_);
  column->addWidget(problem_);
  column->addWidget(pages_, 1);
  connect(&lab, &LabController::runReset, this, &LabView::reset);
  connect(&lab, &LabController::advanced, this, &LabView::advance);
  connect(&lab, &LabController::finished, this, &LabView::advance);
  connect(&lab, &LabController::problem, problem_, &ProblemBox::showProblem);
  connect(&lab, &LabController::incidentSelected, timeline_, &TimelineView::selectIncident);
  connect(&lab, &LabController::playheadMoved, this, &LabView::followPlayhead);
  connect(&lab, &LabController::stateChanged, this, [this](RunState state) {
    if (state != RunState::kPlaying) timeline_->setVeil({});
  });
  connect(timeline_, &TimelineView::cursorMoved, this, [this](TrueTime at) {
    leads_ = true;
    lab_.seek(at);
    leads_ = false;
  });
  connect(&Look::instance(), &Look::changed, timeline_, &TimelineView::setTheme);
  connect(timeline_, &TimelineView::rangeChanged, this, [this](TrueTime from, TrueTime to) {
    strip_->setRange(from, to, timeline_->pixelOf(to) - timeline_->pixelOf(from));
  });
  reset();
}

void LabView::reset() {
  const Scenario* scenario = lab_.runScenario();
  pages_->setCurrentIndex(scenario ? 1 : 0);
  if (!scenario) return;
  const bool live = lab_.runStore() != "model";
  const std::string store = live ? shownStore(lab_.runStore()) : std::string();
  timeline_->setRun(run_facts(*scenario, live ? "live" : "virtual", store));
  std::vector<TrueTime> forks;
  for (std::size_t i = 1; i < lab_.courses().size(); ++i) forks.push_back(lab_.courses()[i].from);
  timeline_->setForks(std::move(forks));
}

void LabView::advance() {
  if (!lab_.history()) return;
  timeline_->appendHistory(*lab_.history());
  timeline_->setNow(lab_.now());
}

// The playhead was moved in the transport bar or by a step; while the run goes on the chart follows by itself.
void LabView::followPlayhead(TrueTime at) {
  if (lab_.state() == RunState::kPlaying) timeline_->setVeil(at);
  if (leads_ || lab_.live() || lab_.state() == RunState::kRunning) return;
  timeline_->setCursorTime(at);
  timeline_->reveal(at);
}

void LabView::showIncident(int index) {
  const History* history = lab_.history();
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
  timeline_->setCursorTime(incident.end - lasts / 10);
}

bool LabView::exportChart(const QString& path, QString* error) const {
  if (!lab_.history() || !lab_.runScenario()) return false;
  PictureOptions options;
  options.facts = timeline_->data().facts();
  options.theme = Look::instance().theme();
  options.scale = devicePixelRatioF();
  options.range = timeline_->visibleRange();
  options.outcome = fromText(verdict_text(lab_.outcome()));
  return write_picture(*lab_.history(), options, path, error);
}

}  // namespace leasescope
