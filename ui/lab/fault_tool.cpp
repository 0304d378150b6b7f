#include "ui/lab/fault_tool.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "simulator/scenario/scenario.h"
#include "ui/lab/fault_swatch.h"
#include "ui/lab/field_grid.h"
#include "ui/lab/plan_lane.h"
#include "ui/models/words.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr auto kOthers = Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier;

bool isOurs(const QKeyEvent& event) {
  if (event.modifiers() & kOthers) return false;
  constexpr int kKeys[] = {Qt::Key_Left,  Qt::Key_Right,  Qt::Key_Up, Qt::Key_Down, Qt::Key_Return,
                           Qt::Key_Enter, Qt::Key_Escape, Qt::Key_K,  Qt::Key_S};
  return std::find(std::begin(kKeys), std::end(kKeys), event.key()) != std::end(kKeys);
}

}  // namespace

FaultTool::FaultTool(LabController& lab, TimelineView* chart, PlanLane* plan)
    : QWidget(chart->viewport()), lab_(lab), chart_(chart), plan_(plan) {
  setObjectName(QStringLiteral("faultTool"));
  setAccessibleName(tr("Add faults on the chart"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setCursor(Qt::CrossCursor);
  hide();
  chart->viewport()->installEventFilter(this);
  connect(&lab, &LabController::scenarioChanged, this, [this] { take(false); });
  connect(&lab, &LabController::runReset, this, [this] { letGo(); });  // rows may be others
  connect(chart, &TimelineView::rangeChanged, this, [this] { update(); });
}

void FaultTool::take(bool on) {
  if (on && !lab_.hasScenario()) on = false;
  if (on == isTaken()) {
    emit taken(on);  // whoever asked in vain shows it so
    return;
  }
  letGo();
  if (on) {
    made_ = false;
    setGeometry(chart_->viewport()->rect());
    show();
    raise();
    setFocus();
  } else {
    const bool had_focus = hasFocus();
    hide();
    if (had_focus && made_) plan_->setFocus();
    if (had_focus && !made_) chart_->setFocus();
  }
  emit taken(on);
}

// ---- what is planned

std::vector<std::string> FaultTool::kindsFor(const Scenario& scenario, bool store) {
  std::vector<std::string> out;
  for (const FaultKind& kind : all_fault_kinds())
    if (kind.target == (store ? FaultTarget::kStore : FaultTarget::kContender) && can_have(scenario.store, kind))
      out.emplace_back(kind.name);
  return out;
}

// The chosen one, where this scenario can have it.
std::string FaultTool::kind(bool store) const {
  const std::vector<std::string> fit = kindsFor(lab_.scenario(), store);
  const std::string& chosen = kinds_[store ? 1 : 0];
  return fit.empty() || std::find(fit.begin(), fit.end(), chosen) != fit.end() ? chosen : fit.front();
}

void FaultTool::choose(const std::string& kind, bool store) {
  kinds_[store ? 1 : 0] = kind;
  tell();
  update();
}

void FaultTool::stepKind(int by) {
  const bool store = draft_ && draft_->store();
  const std::vector<std::string> fit = kindsFor(lab_.scenario(), store);
  if (fit.empty()) return;
  const auto count = static_cast<std::ptrdiff_t>(fit.size());
  const auto now = std::find(fit.begin(), fit.end(), kind(store)) - fit.begin();
  choose(fit[static_cast<std::size_t>((now + by + count) % count)], store);
}

std::string FaultTool::target(const Draft& of) const {
  return of.store() ? "store" : chart_->data().contenders()[static_cast<std::size_t>(of.contender)].name;
}

QString FaultTool::words() const {
  if (!draft_) return {};
  const std::string what = kind(draft_->store());
  const QString begins = tr("%1 of %2 at %3").arg(spaced(what), fromText(target(*draft_)), placeText(draft_->at));
  const FaultKind* const known = find_fault_kind(what);
  return known != nullptr && !known->lasts ? begins : tr("%1, for %2").arg(begins, placeText(draft_->lasts));
}

void FaultTool::tell() {
  setAccessibleDescription(words());
  if (!draft_) return QToolTip::hideText();
  QToolTip::showText(mapToGlobal(rectOf(*draft_).bottomRight()), words(), this);
}

void FaultTool::commit() {
  pressed_.reset();
  const std::optional<Draft> what = std::exchange(draft_, std::nullopt);
  tell();
  update();
  if (!what) return;
  const std::string whom = target(*what);
  // A row may be of somebody whom the edited scenario does not have, or of another program.
  const std::vector<std::string> ours = lab_.scenario().contender_names();
  if (!what->store() && std::find(ours.begin(), ours.end(), whom) == ours.end())
    return emit lab_.told(tr("No fault was added: %1 is no contender of the scenario").arg(fromText(whom)));
  if (plan_->add(kind(what->store()), what->at, std::max(what->lasts, planGrain(*chart_)), whom)) made_ = true;
}

void FaultTool::letGo() {
  pressed_.reset();
  draft_.reset();
  tell();
  update();
}

// ---- mouse

Duration FaultTool::timeAt(int x, bool exact) const {
  const QPoint at(std::clamp(x, pressed_->row.left(), pressed_->row.right()), pressedAt_.y());
  const auto near = exact ? std::nullopt : chart_->snappedAt(at);
  const TrueTime there = near.value_or(chart_->timeAt(at.x()));
  const Duration within = std::clamp(there.time_since_epoch(), Duration::zero(), lab_.scenario().length());
  return planRounded(within, exact || near ? kPlanExact : planGrain(*chart_));
}

void FaultTool::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !lab_.hasScenario()) return event->ignore();
  letGo();
  pressedAt_ = event->pos();
  pressed_ = chart_->aimAt(pressedAt_);
  if (pressed_ && pressed_->contender >= 0) chart_->setCurrentRow(pressed_->contender);
}

void FaultTool::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_) return setCursor(chart_->aimAt(event->pos()) ? Qt::CrossCursor : Qt::ForbiddenCursor);
  if (!draft_ && !isPlanDrag(pressedAt_, event->pos())) return;
  const bool exact = event->modifiers().testFlag(Qt::AltModifier);
  const Duration from = timeAt(pressedAt_.x(), exact), to = timeAt(event->pos().x(), exact);
  draft_ = Draft{planBetween(from, to), pressed_->contender};
  tell();
  update();
}

void FaultTool::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  if (pressed_) commit();
}

void FaultTool::contextMenuEvent(QContextMenuEvent* event) {
  const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
  const auto aim = chart_->aimAt(event->pos());
  if (!keyboard && !aim) return;
  const bool store = keyboard ? draft_ && draft_->store() : aim->contender < 0;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (const std::string& each : kindsFor(lab_.scenario(), store)) {
    QAction* item = menu->addAction(spaced(each), this, [this, each, store] { choose(each, store); });
    item->setCheckable(true);
    item->setChecked(each == kind(store));
  }
  menu->popup(event->globalPos());
}

// ---- keys

// As long as a lease, where the cursor stands.
void FaultTool::begin(int contender) {
  const Duration at = std::clamp(chart_->cursorTime().time_since_epoch(), Duration::zero(), lab_.scenario().length());
  const Duration length = draft_ ? draft_->lasts : lab_.scenario().terms().lease();
  draft_ = Draft{{draft_ ? draft_->at : planRounded(at, planGrain(*chart_)), length}, contender};
}

void FaultTool::stepTarget(int key) {
  const bool store = draft_ && draft_->store();
  if (key == Qt::Key_S && !store) return begin(-1);
  if (chart_->currentRow() < 0 || (draft_ && !store && key != Qt::Key_S)) chart_->stepRow(key == Qt::Key_Up ? -1 : 1);
  if (chart_->currentRow() >= 0) begin(chart_->currentRow());
}

void FaultTool::nudge(int steps, bool length) {
  Duration& moved = length ? draft_->lasts : draft_->at;
  const Duration grain = planGrain(*chart_);
  moved = std::clamp(moved + steps * kPlanStep * grain, length ? grain : Duration::zero(), lab_.scenario().length());
}

void FaultTool::keyPressEvent(QKeyEvent* event) {
  if (!isOurs(*event) || !lab_.hasScenario()) return QWidget::keyPressEvent(event);
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  const int key = event->key();
  if (key == Qt::Key_Escape) return pressed_ || draft_ ? letGo() : take(false);
  if (pressed_) return;  // a hand is at it
  if (key == Qt::Key_Return || key == Qt::Key_Enter) return commit();
  if (key == Qt::Key_K) return stepKind(shift ? -1 : 1);
  const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
  if (!sideways || !draft_) stepTarget(sideways ? Qt::Key_Down : key);
  if (!draft_) return;
  if (sideways) nudge(key == Qt::Key_Left ? -1 : 1, shift);
  tell();
  update();
}

bool FaultTool::event(QEvent* event) {
  // These are keys of the window too.
  if (event->type() == QEvent::ShortcutOverride && isOurs(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  return QWidget::event(event);
}

bool FaultTool::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) setGeometry(chart_->viewport()->rect());
  return QWidget::eventFilter(watched, event);
}

// ---- paint

QRect FaultTool::rectOf(const Draft& of) const {
  const auto aim = chart_->aimOf(of.contender);
  // Of the store the row that was pressed, where there are several.
  const QRect row = pressed_ && of.store() ? pressed_->row : aim ? aim->row : QRect();
  return planBar(*chart_, of, row.top(), row.height()).intersected(row);
}

void FaultTool::paintEvent(QPaintEvent*) {
  if (!draft_) return;
  QPainter painter(this);
  const QRect bar = rectOf(*draft_);
  if (bar.isEmpty()) return;
  painter.setOpacity(0.75);
  paintFault(painter, bar, kind(draft_->store()));
  painter.setOpacity(1);
  painter.setPen(ink().focus);
  painter.drawRect(bar.adjusted(0, 0, -1, -1));
}

}  // namespace leasescope
