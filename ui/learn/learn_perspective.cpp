#include "ui/learn/learn_perspective.h"

#include <QDockWidget>
#include <QHBoxLayout>

#include "ui/learn/lesson_page.h"
#include "ui/learn/lessons_model.h"
#include "ui/models/scenario_list_model.h"
#include "ui/panels/empty_page.h"
#include "ui/panels/parts.h"
#include "ui/panels/scenario_list.h"

namespace leasescope {
namespace {

constexpr int kList = 264, kListNarrow = 216;

}  // namespace

LearnPerspective::LearnPerspective(WindowActions& /*frame*/, QWidget* parent)
    : Perspective(QStringLiteral("learn"), tr("Learn"), parent) {
  actions_ = new LearnActions(learnActionSpecs(), this);
  actions_->tell({tr("View"), QStringLiteral("Alt+1"), tr("Show or hide the lessons")});
  lessons_ = new LessonsModel(this);
  list_ = new ScenarioList(lessons_);
  list_->search()->setAccessibleName(tr("Search lessons"));
  list_->list()->setObjectName(QStringLiteral("lessons"));
  list_->list()->setAccessibleName(tr("Lessons"));
  QDockWidget* dock = addDock(QStringLiteral("learnListDock"), tr("Lessons"), list_, Qt::LeftDockWidgetArea);
  auto* title = new DockTitle(dock, tr("Lessons"));
  title->setNote(QString::number(lessons_->rowCount()));
  dock->setTitleBarWidget(title);

  auto* empty = new EmptyPage(tr("No lesson is chosen"),
                              tr("Pick one from the list: what goes wrong there, and what a fence changes."));
  empty->addButton(tr("Begin with the first"), action(LearnAction::kNext));
  empty_ = empty;
  page_ = new LessonPage(action(LearnAction::kOpenInLab));
  middle_ = new QStackedWidget;
  middle_->addWidget(empty_);
  middle_->addWidget(page_);
  setCentralWidget(middle_);
  status_ = label({}, 12);
  status_->setContentsMargins(12, 0, 12, 0);
  tools_ = makeTools();
  connectActions();
  open({});
}

QWidget* LearnPerspective::makeTools() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 0, 8, 1);
  row->setSpacing(6);
  for (const LearnAction which : {LearnAction::kPrevious, LearnAction::kNext, LearnAction::kOpenInLab}) {
    buttons_.push_back(toolButton(action(which), bar));
    buttons_.back()->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(buttons_.back());
    if (which == LearnAction::kNext) row->addWidget(place_ = label({}, 12, 400, Ink::kMuted, true));
  }
  row->addStretch();
  return bar;
}

void LearnPerspective::connectActions() {
  const auto on = [this](LearnAction which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  on(LearnAction::kOpenInLab, [this] { emit opensIn(QStringLiteral("lab"), lesson_); });
  on(LearnAction::kPrevious, [this] { step(-1); });
  on(LearnAction::kNext, [this] { step(1); });
  on(LearnAction::kSearch, [this] {
    docks().front()->show();
    list_->focusSearch();
  });
  connect(list_, &ScenarioList::chosen, this,
          [this](const QModelIndex& row) { open(row.data(ScenarioListModel::kSourceRole).toString()); });
  // Who searches finds the lesson marked again, when it is among the rows again.
  connect(list_, &ScenarioList::searched, this, [this] { list_->setCurrentRow(row()); });
}

// ---- the lesson

int LearnPerspective::row() const { return lessons_->rowOf(lesson_); }

QString LearnPerspective::document() const {
  const int at = row();
  if (at < 0) return {};
  return tr("Lesson %1 · %2").arg(at + 1).arg(lessons_->index(at, 0).data(ScenarioListModel::kTitleRole).toString());
}

void LearnPerspective::open(const QString& name) {
  const int at = lessons_->rowOf(name), count = lessons_->rowCount();
  lesson_ = at < 0 ? QString() : name;
  list_->setCurrentRow(at);
  const QModelIndex chosen = lessons_->index(at, 0);
  const QString worlds = chosen.data(ScenarioListModel::kWorldsRole).toString();
  if (at >= 0)
    page_->show(lessonOf(lessons_->scenario(at)), tr("Lesson %1 of %2").arg(at + 1).arg(count),
                chosen.data(ScenarioListModel::kExpectsRole).toString(), worlds);
  middle_->setCurrentWidget(at < 0 ? empty_ : page_);
  status_->setText(worlds);
  place_->setText(QStringLiteral("%1 / %2").arg(at < 0 ? QStringLiteral("–") : QString::number(at + 1)).arg(count));
  action(LearnAction::kOpenInLab)->setEnabled(at >= 0);
  action(LearnAction::kPrevious)->setEnabled(at > 0);
  action(LearnAction::kNext)->setEnabled(at + 1 < count);
  emit documentChanged();
}

void LearnPerspective::step(int by) {
  open(lessons_->index(row() + by, 0).data(ScenarioListModel::kSourceRole).toString());
}

// ---- how it was left

void LearnPerspective::layOut() {
  QDockWidget* dock = docks().front();
  dock->setFloating(false);
  addDockWidget(Qt::LeftDockWidgetArea, dock);
  dock->show();
  sizeDocks();
}

void LearnPerspective::setCompact(bool compact) {
  Perspective::setCompact(compact);
  for (QToolButton* each : buttons_)
    each->setToolButtonStyle(compact ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  sizeDocks();
}

void LearnPerspective::sizeDocks() {
  resizeDocks({docks().front()}, {compact() ? kListNarrow : kList}, Qt::Horizontal);
}

void LearnPerspective::present(bool on) {
  Perspective::present(on);
  page_->setLarger(on);
}

void LearnPerspective::showEvent(QShowEvent* event) {
  Perspective::showEvent(event);
  if (!laidOut_ && !presents()) sizeDocks();
}

void LearnPerspective::remember(QSettings& settings) const {
  Perspective::remember(settings);
  settings.setValue(word() + QStringLiteral("/lesson"), lesson_);
}

void LearnPerspective::restore(const QSettings& settings) {
  Perspective::restore(settings);
  open(settings.value(word() + QStringLiteral("/lesson")).toString());
}

}  // namespace leasescope
