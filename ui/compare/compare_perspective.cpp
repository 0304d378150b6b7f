#include "ui/compare/compare_perspective.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QSplitter>
#include <utility>

#include "ui/compare/compared_side.h"
#include "ui/compare/comparison_panel.h"
#include "ui/compare/distributions_panel.h"
#include "ui/models/words.h"
#include "ui/panels/parts.h"
#include "ui/panels/preparation_box.h"
#include "ui/recordings/recorded_session.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {
namespace {

constexpr int kPanel = 380, kWidePanel = 430, kDistributions = 170;
constexpr int kWide = 1200;            // from there on there is room for the words beside the bounds of a live run
constexpr int kSliceMs = 8;            // of a comparison, until the window has its turn
constexpr std::size_t kPart = 20'000;  // events

// Of what is done with a chart, what one of two can do.
std::vector<ActionSpec> specsOfTwo() {
  std::vector<ActionSpec> specs;
  for (const ActionSpec& spec : chartActionSpecs()) {
    switch (static_cast<ChartAction>(spec.which)) {
      case ChartAction::kZoomIn:
      case ChartAction::kZoomOut:
      case ChartAction::kFitAll:
      case ChartAction::kUndoZoom:
      case ChartAction::kNextIncident:
      case ChartAction::kPreviousIncident:
      case ChartAction::kNextEvent:
      case ChartAction::kPreviousEvent:
        specs.push_back(spec);
        break;
      default:
        break;
    }
  }
  return specs;
}

}  // namespace

ComparePerspective::ComparePerspective(WindowActions& /*frame*/, QWidget* parent)
    : Perspective(QStringLiteral("compare"), tr("Compare"), parent) {
  actions_ = new CompareActions(compareActionSpecs(), this);
  chartActions_ = new ChartActions(specsOfTwo(), this);
  auto* split = new QSplitter(Qt::Vertical);
  split->setChildrenCollapsible(false);
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    QAction* open = action(i == 0 ? CompareAction::kOpenA : CompareAction::kOpenB);
    sides_[i] = new ComparedSide(i == 0 ? QStringLiteral("A") : QStringLiteral("B"), open);
    split->addWidget(sides_[i]);
    connect(sides_[i], &ComparedSide::changed, this, &ComparePerspective::changed);
    connect(&sides_[i]->session(), &Session::runReset, this, &ComparePerspective::documentChanged);
  }
  link(0, 1);
  link(1, 0);
  setCentralWidget(split);
  panel_ = new ComparisonPanel;
  QDockWidget* dock = addDock(QStringLiteral("comparisonDock"), tr("Comparison"), panel_, Qt::RightDockWidgetArea);
  dock->setTitleBarWidget(new DockTitle(dock, tr("Comparison")));
  connect(panel_, &ComparisonPanel::eventChosen, this, [this](const ComparedEvent& event) { goTo(event); });
  connect(panel_, &ComparisonPanel::figureChosen, this, [this](const ComparedPlaces& at) { goTo(at); });
  distributions_ = new DistributionsPanel;
  QDockWidget* below =
      addDock(QStringLiteral("distributionsDock"), tr("Distributions"), distributions_, Qt::BottomDockWidgetArea);
  auto* title = new DockTitle(below, tr("Distributions"));
  title->setNote(tr("share of lengths up to each · A solid, B dashed · KS: how far apart"));
  below->setTitleBarWidget(title);
  connect(distributions_, &DistributionsPanel::momentChosen, this, [this](TrueTime at) { goTo(at); });
  status_ = label({}, 12);
  status_->setContentsMargins(12, 0, 12, 0);
  tools_ = makeTools();
  work_.setInterval(0);
  connect(&work_, &QTimer::timeout, this, &ComparePerspective::compareOn);
  auto* cancelled = new QAction(tr("Cancel the comparison"), this);
  connect(cancelled, &QAction::triggered, this, &ComparePerspective::cancel);
  box_ = new PreparationBox({[this] { return compares(); }, [this]() -> const Preparation& { return progress_; }},
                            cancelled, this);
  box_->setObjectName(QStringLiteral("comparisonProgress"));
  connect(panel_, &ComparisonPanel::comparisonWanted, this, &ComparePerspective::changed);
  connectActions();
  changed();
}

ComparePerspective::~ComparePerspective() {
  for (ComparedSide* side : sides_) side->session().disconnect();
}

QWidget* ComparePerspective::makeTools() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 0, 8, 1);
  row->setSpacing(6);
  for (const CompareAction which :
       {CompareAction::kLinked, CompareAction::kDifferencesOnly, CompareAction::kPreviousDifference,
        CompareAction::kNextDifference, CompareAction::kSwap}) {
    QToolButton* button = toolButton(action(which), bar);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    row->addWidget(button);
  }
  row->addStretch();
  return bar;
}

void ComparePerspective::connectActions() {
  const auto on = [this](auto which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  on(CompareAction::kOpenA, [this] { askFor(0); });
  on(CompareAction::kOpenB, [this] { askFor(1); });
  on(CompareAction::kSwap, [this] { swap(); });
  on(CompareAction::kClose, [this] {
    for (ComparedSide* side : sides_) side->session().close();
  });
  action(CompareAction::kLinked)->setChecked(true);
  action(CompareAction::kDifferencesOnly)->setChecked(true);
  connect(action(CompareAction::kDifferencesOnly), &QAction::toggled, panel_, &ComparisonPanel::showDifferencesOnly);
  on(CompareAction::kNextDifference, [this] { panel_->goToDifference(1); });
  on(CompareAction::kPreviousDifference, [this] { panel_->goToDifference(-1); });
  on(ChartAction::kZoomIn, [this] { active().chart()->zoomIn(); });
  on(ChartAction::kZoomOut, [this] { active().chart()->zoomOut(); });
  on(ChartAction::kFitAll, [this] { active().chart()->fitAll(true); });
  on(ChartAction::kUndoZoom, [this] { active().chart()->undoZoom(); });
  on(ChartAction::kNextIncident, [this] { active().chart()->goToIncident(1); });
  on(ChartAction::kPreviousIncident, [this] { active().chart()->goToIncident(-1); });
  on(ChartAction::kNextEvent, [this] { active().chart()->goToEvent(1); });
  on(ChartAction::kPreviousEvent, [this] { active().chart()->goToEvent(-1); });
}

// While they are linked both show the same stretch, the same rows and the same moment.
void ComparePerspective::link(int from, int to) {
  TimelineView *leads = side(from).chart(), *follows = side(to).chart();
  const auto lead = [this](auto&& action) {
    if (led_ || !this->action(CompareAction::kLinked)->isChecked()) return;
    led_ = true;
    action();
    led_ = false;
  };
  connect(leads, &TimelineView::rangeChanged, this, [=](TrueTime begin, TrueTime end) {
    lead([=] {
      follows->setFollow(false);
      follows->fitRange(begin, end, false);
    });
  });
  connect(leads, &TimelineView::cursorMoved, this, [=](TrueTime at) { lead([=] { follows->setCursorTime(at); }); });
  connect(leads->verticalScrollBar(), &QScrollBar::valueChanged, this,
          [=](int rows) { lead([=] { follows->verticalScrollBar()->setValue(rows); }); });
}

// The one that is worked with.
ComparedSide& ComparePerspective::active() const {
  const QWidget* focus = QApplication::focusWidget();
  return focus != nullptr && sides_[1]->isAncestorOf(focus) ? *sides_[1] : *sides_[0];
}

// ---- what is open

QString ComparePerspective::document() const {
  QStringList names;
  for (ComparedSide* side : sides_)
    if (side->session().history() != nullptr) names << QFileInfo(side->session().path()).fileName();
  return names.join(QStringLiteral(" | "));
}

bool ComparePerspective::takes(const QString& path, const QByteArray& begin) const {
  return isVisible() && (begin.startsWith("SQLite format 3") || path.endsWith(QLatin1String(".recording")));
}

void ComparePerspective::open(const QString& path) {
  const bool second = sides_[0]->session().history() != nullptr || sides_[0]->session().state() != RunState::kEmpty;
  sides_[second ? 1 : 0]->session().open(QFileInfo(path).absoluteFilePath());
}

void ComparePerspective::openTwo(const QString& a, const QString& b, const Problem& why) {
  for (ComparedSide* side : sides_) side->session().close();
  action(CompareAction::kLinked)->setChecked(true);
  ofB_ = {};
  sides_[0]->session().open(QFileInfo(a).absoluteFilePath());
  if (b.isEmpty()) {
    emit sides_[1]->session().problem(why);
    return;
  }
  sides_[1]->session().open(QFileInfo(b).absoluteFilePath());
  ofB_ = why;
}

void ComparePerspective::askFor(int which) {
  const QString path =
      QFileDialog::getOpenFileName(this, which == 0 ? tr("Open a recording as A") : tr("Open a recording as B"),
                                   side(which).session().path(), tr("Recordings (*.recording);;All files (*)"));
  if (!path.isEmpty()) side(which).session().open(path);
}

void ComparePerspective::swap() {
  const QString a = sides_[0]->session().path(), b = sides_[1]->session().path();
  if (a.isEmpty() || b.isEmpty()) return;
  sides_[0]->session().open(b);
  sides_[1]->session().open(a);
}

// ---- the comparison

void ComparePerspective::changed() {
  work_.stop();
  comparing_.reset();
  const bool both = sides_[0]->ready() && sides_[1]->ready();
  if (!both) distributions_->setHistories(nullptr, nullptr);
  panel_->clear(both ? tr("Comparing…") : tr("Open two recordings: they are compared event by event."));
  status_->setText({});
  nameSides();
  if (both) begin();
  box_->turn();
  loadActions();
}

void ComparePerspective::begin() {
  const History &a = *sides_[0]->session().history(), &b = *sides_[1]->session().history();
  distributions_->setHistories(&a, &b);
  comparing_ = std::make_unique<Comparing>(a, b);
  progress_ = {tr("Comparing A and B"), {}, 0};
  work_.start();
}

// Of two what tells them apart; of one alone the world it ran in.
void ComparePerspective::nameSides() {
  ComparedNames names;
  const RecordedSession &a = side(0).session(), &b = side(1).session();
  if (side(0).ready() && side(1).ready())
    names = namesOfTwo({a.header(), *a.runScenario()}, {b.header(), *b.runScenario()});
  for (const auto& [session, name] : {std::pair{&a, &names.a}, std::pair{&b, &names.b}})
    if (name->isEmpty() && session->history() != nullptr && (&a == session ? b : a).history() == nullptr)
      *name = fromText(session->header().world);
  side(0).setName(names.a);
  side(1).setName(names.b);
  panel_->setNames(names);
}

// A part of it, then whatever else the window has to do.
void ComparePerspective::compareOn() {
  QElapsedTimer taken;
  taken.start();
  while (taken.elapsed() < kSliceMs)
    if (!comparing_->advance(kPart)) return conclude();
  const std::size_t done = comparing_->done(), all = comparing_->events();
  progress_.words = tr("%1 of %2 events").arg(countText(done), countText(all));
  progress_.permille = static_cast<int>(done * 1'000 / std::max<std::size_t>(1, all));
  panel_->clear(tr("Comparing: %1").arg(progress_.words));
  box_->load();
}

// Both stay open, and are compared when that is asked for.
void ComparePerspective::cancel() {
  if (!compares()) return;
  work_.stop();
  comparing_.reset();
  distributions_->setHistories(nullptr, nullptr);
  panel_->clear(tr("Cancelled: the two are not compared."), ComparisonPanel::Offer::kToCompare);
  box_->turn();
  loadActions();
  tellOfB();
}

void ComparePerspective::tellOfB() {
  if (!ofB_.empty()) emit sides_[1]->session().problem(std::exchange(ofB_, {}));
}

void ComparePerspective::conclude() {
  work_.stop();
  const auto sideOf = [this](int which) {
    return ComparedEventsModel::Side{side(which).session().history(), &side(which).session().cast()};
  };
  panel_->show(comparing_->take(), sideOf(0), sideOf(1), {side(0).session().outcome(), side(1).session().outcome()},
               remark());
  comparing_.reset();
  status_->setText(panel_->verdict());
  box_->turn();
  loadActions();
  tellOfB();
  emit compared();
}

// What a reader has to know who takes one for the other.
QString ComparePerspective::remark() const {
  QStringList out;
  const RecordedSession &a = side(0).session(), &b = side(1).session();
  if (a.runScenario()->name != b.runScenario()->name)
    out << tr("Their scenarios are two: %1 and %2.")
               .arg(fromText(a.runScenario()->name), fromText(b.runScenario()->name));
  if (a.now() != b.now())
    out << tr("Compared up to %1 s, where %2 ends.")
               .arg(secondsText(std::min(a.now(), b.now())), a.now() < b.now() ? tr("A") : tr("B"));
  return out.join(u' ');
}

void ComparePerspective::goTo(const ComparedEvent& event) {
  led_ = true;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const std::optional<ComparedMoment>& own = i == 0 ? event.a : event.b;
    TimelineView* chart = sides_[i]->chart();
    chart->setFollow(false);
    chart->centreOn(event.at(), event.at());
    chart->setCursorTime(own ? own->hi : event.at());
  }
  led_ = false;
}

// Where it is seen in one only, the other is shown at the same moment.
void ComparePerspective::goTo(const ComparedPlaces& at) {
  const TrueTime middle = at.a ? *at.a : *at.b;
  led_ = true;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    TimelineView* chart = sides_[i]->chart();
    chart->setFollow(false);
    chart->centreOn(middle, middle);
    chart->setCursorTime((i == 0 ? at.a : at.b).value_or(middle));
  }
  led_ = false;
}

void ComparePerspective::goTo(TrueTime at) {
  led_ = true;
  for (ComparedSide* each : sides_) {
    each->chart()->setFollow(false);
    each->chart()->centreOn(at, at);
    each->chart()->setCursorTime(at);
  }
  led_ = false;
}

void ComparePerspective::loadActions() {
  const bool some = !document().isEmpty(), compared = panel_->comparison() != nullptr;
  for (const ActionSpec& spec : chartActions_->specs()) chartActions_->action(spec.which)->setEnabled(some);
  action(CompareAction::kClose)->setEnabled(some);
  action(CompareAction::kSwap)->setEnabled(sides_[0]->ready() && sides_[1]->ready());
  const bool parted = compared && !panel_->comparison()->same();
  action(CompareAction::kNextDifference)->setEnabled(parted);
  action(CompareAction::kPreviousDifference)->setEnabled(parted);
}

// ---- how it was left

void ComparePerspective::layOut() {
  for (QDockWidget* dock : docks()) {
    dock->setFloating(false);
    addDockWidget(dock->widget() == panel_ ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea, dock);
    dock->show();
  }
  auto* split = qobject_cast<QSplitter*>(centralWidget());
  split->setSizes({split->height() / 2, split->height() / 2});
  sizeDocks();
}

void ComparePerspective::present(bool on) {
  Perspective::present(on);
  for (ComparedSide* side : sides_) side->present(on);
}

void ComparePerspective::sizeDocks() {
  resizeDocks({docks().front()}, {width() < kWide ? kPanel : kWidePanel}, Qt::Horizontal);
  resizeDocks({docks().back()}, {kDistributions}, Qt::Vertical);
}

void ComparePerspective::showEvent(QShowEvent* event) {
  Perspective::showEvent(event);
  if (!laidOut_) sizeDocks();
}

void ComparePerspective::remember(QSettings& settings) const {
  Perspective::remember(settings);
  settings.setValue(word() + QStringLiteral("/linked"), action(CompareAction::kLinked)->isChecked());
  settings.setValue(word() + QStringLiteral("/differences"), action(CompareAction::kDifferencesOnly)->isChecked());
}

void ComparePerspective::restore(const QSettings& settings) {
  Perspective::restore(settings);
  action(CompareAction::kLinked)->setChecked(settings.value(word() + QStringLiteral("/linked"), true).toBool());
  action(CompareAction::kDifferencesOnly)
      ->setChecked(settings.value(word() + QStringLiteral("/differences"), true).toBool());
}

}  // namespace leasescope
