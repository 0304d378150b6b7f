#include "ui/lab/values_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/scenario/form.h"
#include "ui/models/words.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/icons.h"
#include "ui/theme/look.h"
#include "ui/theme/style.h"
#include "ui/timeline/paint/fonts.h"

namespace leasescope {
namespace {

constexpr int kNameWidth = 66, kNameMost = 88, kFieldWidth = 84;

QString durationText(Duration d) { return shownText(format_duration(d)); }
// A value as a reader types it: a text without its quotes.
QString valueText(const Scenario& of, const std::string& key) {
  const auto value = value_at(of, key);
  return value ? shownText(value->value).remove(u'"') : QString();
}
// "11.9s": where a time stands in a list, seconds are easier to compare than the shortest exact form.
QString placeText(Duration d) {
  QString text = secondsText(d);
  while (text.endsWith(u'0')) text.chop(1);
  if (text.endsWith(u'.')) text.chop(1);
  return text + u's';
}
// What a reader types: a true minus is a minus.
std::string typed(const QString& text) {
  return text.trimmed().replace(QChar(0x2212), u'-').remove(u'"').toStdString();
}

// The pattern of the chart's band for this kind of fault.
class FaultSwatch : public QWidget {
 public:
  explicit FaultSwatch(const std::string& kind) : kind_(find_fault_kind(kind)) { setFixedSize(14, 14); }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Colours& c = ink();
    QPainter painter(this);
    const bool banded = kind_ != nullptr && kind_->lasts;
    switch (banded ? kind_->band : BandKind::kNone) {
      case BandKind::kPause:
        paintTile(painter, rect(), Tile::kPause, c.pause_line, c.pause_fill);
        break;
      case BandKind::kPartition:
        paintTile(painter, rect(), Tile::kPartition, c.partition_line, c.partition_fill);
        break;
      case BandKind::kServer:
        paintTile(painter, rect(), Tile::kServer, c.server_line, c.server_fill);
        break;
      case BandKind::kSkew:
        paintTile(painter, rect(), Tile::kSkew, c.skew_line, c.skew_fill);
        break;
      default:
        painter.fillRect(rect(), c.panel);
    }
    painter.setPen(c.line_strong);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }

 private:
  const FaultKind* kind_;
};

QWidget* section(QVBoxLayout*& column, bool line) {
  auto* pane = new Pane(Ground::kPanel);
  if (line) pane->setEdges(Qt::BottomEdge);
  column = new QVBoxLayout(pane);
  column->setContentsMargins(12, 8, 12, 10);
  column->setSpacing(6);
  return pane;
}

QLabel* note() {
  QLabel* made = label({}, 10, 400, Ink::kMuted);
  made->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  return made;
}

}  // namespace

ValuesPanel::ValuesPanel(LabController& lab, QAction* runAgain, QAction* fork, QWidget* parent)
    : QScrollArea(parent), lab_(lab) {
  setObjectName(QStringLiteral("valuesPanel"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setBackgroundRole(QPalette::Button);
  auto* content = new Pane(Ground::kPanel);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  buildValues(column);
  buildPlan(column, runAgain, fork);
  column->addStretch();
  setWidget(content);
  load();
  connect(&lab, &LabController::scenarioChanged, this, &ValuesPanel::loadAnew);
  connect(&lab, &LabController::valuesChanged, this, &ValuesPanel::load);
  connect(&lab, &LabController::valuesReset, this, &ValuesPanel::loadAnew);
  connect(&lab, &LabController::stateChanged, this, &ValuesPanel::loadStale);
  connect(&lab, &LabController::playheadMoved, this, &ValuesPanel::loadFork);
}

QSize ValuesPanel::sizeHint() const { return {292, widget()->sizeHint().height()}; }

QLineEdit* ValuesPanel::field(const QString& name) const { return findChild<QLineEdit*>(name); }

QLineEdit* ValuesPanel::addField(const QString& name, const std::string& key) {
  return addField(name, key, [key](const Scenario& of) { return valueText(of, key); });
}

QLineEdit* ValuesPanel::addField(const QString& name, const std::string& key,
                                 std::function<QString(const Scenario&)> shown) {
  return addField(name, key, ValueKind{}, std::move(shown)).value->line();
}

ValuesPanel::Field& ValuesPanel::addField(const QString& name, const std::string& key, const ValueKind& kind,
                                          std::function<QString(const Scenario&)> shown) {
  auto* value = new ValueField(kind, name, this);
  value->widget()->setAccessibleName(fromText(key));
  if (const auto known = value_at(lab_.hasScenario() ? lab_.scenario() : Scenario{}, key))
    value->widget()->setToolTip(fromText(std::string(known->about)));
  fields_.push_back({value, key, std::move(shown)});
  const std::size_t index = fields_.size() - 1;
  connect(value, &ValueField::chosen, this, [this, index] { commit(fields_[index]); });
  connect(value, &ValueField::edited, this, [this, index] { refuse(fields_[index].key, {}); });
  return fields_.back();
}

void ValuesPanel::buildValues(QVBoxLayout* column) {
  QVBoxLayout* values = nullptr;
  QWidget* pane = section(values, true);
  auto* grid = valuesGrid_ = new QGridLayout;
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(5);
  grid->setColumnMinimumWidth(0, kNameWidth);
  grid->setColumnStretch(2, 1);
  const auto name = [&](const QString& text, int row) {
    QLabel* said = label(text, 12, 400, Ink::kMuted);
    grid->addWidget(said, row, 0);
    return said;
  };
  const auto narrow = [](QLineEdit* edit) {
    edit->setFixedWidth(kFieldWidth);
    return edit;
  };
  name(tr("ttl"), 0);
  grid->addWidget(narrow(addField(QStringLiteral("ttl"), "mutex.ttl")), 0, 1);
  grid->addWidget(renewNote_ = note(), 0, 2);
  QLabel* transitionName = name(tr("transition"), 1);
  QLineEdit* transition = narrow(addField(QStringLiteral("transition"), "mutex.transition"));
  grid->addWidget(transition, 1, 1);
  grid->addWidget(leaseNote_ = note(), 1, 2);
  QLabel* jitterName = name(tr("jitter"), 2);
  auto* jitter = new QHBoxLayout;
  jitter->setSpacing(6);
  QLineEdit* from = addField(QStringLiteral("jitterFrom"), "mutex.jitter",
                             [](const Scenario& s) { return durationText(s.terms().jitter.min); });
  QLineEdit* until = addField(QStringLiteral("jitterTo"), "mutex.jitter",
                              [](const Scenario& s) { return durationText(s.terms().jitter.max); });
  jitter->addWidget(from);
  QLabel* to = label(tr("to"), 12, 400, Ink::kMuted);
  jitter->addWidget(to);
  jitter->addWidget(until);
  grid->addLayout(jitter, 2, 1, 1, 2);
  name(tr("contenders"), 3);
  grid->addWidget(narrow(addField(QStringLiteral("contenders"), "contender.0.count")), 3, 1);
  grid->addWidget(fleetNote_ = note(), 3, 2);
  leaseWidgets_ = {renewNote_, transitionName, transition, leaseNote_, jitterName, from, to, until};
  ownFields_ = fields_.size();
  values->addLayout(grid);
  systemRows_ = new QWidget;
  systemGrid_ = new QGridLayout(systemRows_);
  systemGrid_->setContentsMargins(0, 0, 0, 0);
  systemGrid_->setHorizontalSpacing(8);
  systemGrid_->setVerticalSpacing(5);
  systemGrid_->setColumnStretch(2, 1);
  values->addWidget(systemRows_);
  error_ = label({}, 11, 400, Ink::kCritical);
  error_->setObjectName(QStringLiteral("valueError"));
  error_->setWordWrap(true);
  error_->hide();
  values->addWidget(error_);
  fenceRow_ = new QWidget;
  auto* fence = new QHBoxLayout(fenceRow_);
  fence->setContentsMargins(0, 0, 0, 0);
  fence->setSpacing(6);
  fence_ = new Switch;
  fence_->setObjectName(QStringLiteral("fencing"));
  fence->addWidget(fence_);
  fence->addWidget(fenceText_ = new ElidedLabel, 1);
  fenceText_->setElideMode(Qt::ElideMiddle);
  fence->addWidget(fenceNote_ = label({}, 11, 400, Ink::kMuted));
  values->addWidget(fenceRow_);
  column->addWidget(pane);
  connect(fence_, &Switch::toggled, this, [this](bool on) {
    if (!loading_) (void)lab_.edit("resource.fencing", on ? "true" : "false");
  });
}

void ValuesPanel::buildPlan(QVBoxLayout* column, QAction* runAgain, QAction* fork) {
  QVBoxLayout* plan = nullptr;
  QWidget* pane = section(plan, false);
  auto* head = new QHBoxLayout;
  head->setSpacing(8);
  head->addWidget(label(tr("Fault plan"), 12, 600));
  // Beside the title, where it takes no room from anything when there is nothing to say.
  staleNote_ = label({}, 10, 400, Ink::kMuted);
  staleNote_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  staleNote_->setWordWrap(true);
  head->addWidget(staleNote_, 1);
  plan->addLayout(head);
  plan_ = new QGridLayout;
  plan_->setHorizontalSpacing(8);
  plan_->setVerticalSpacing(2);
  plan->addLayout(plan_);
  planNote_ = label(tr("No fault is planned."), 11, 400, Ink::kMuted);
  plan->addWidget(planNote_);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(0, 2, 0, 0);
  again_ = new QPushButton(tr("Run again"));
  again_->setObjectName(QStringLiteral("runAgain"));
  again_->setProperty(kPrimary, true);
  again_->setToolTip(withKey(*runAgain));
  connect(again_, &QPushButton::clicked, runAgain, &QAction::trigger);
  again_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  foot->addWidget(again_);
  fork_ = new QPushButton(icon(Icon::kFork), QString());
  fork_->setObjectName(QStringLiteral("forkHere"));
  fork_->setIconSize({14, 14});
  fork_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(fork_, &QPushButton::clicked, fork, &QAction::trigger);
  connect(fork, &QAction::changed, this, &ValuesPanel::loadFork);
  forkTip_ = withKey(*fork);
  foot->addWidget(fork_);
  foot->addStretch();
  plan->addLayout(foot);
  column->addWidget(pane);
}

// Both ends of a range are refused together; no message: nothing is wrong any more.
void ValuesPanel::refuse(const std::string& key, const QString& message) {
  for (Field& field : fields_)
    if (field.key == key) {
      field.refused = message;
      field.kept = lab_.hasScenario() ? field.shown(lab_.scenario()) : QString();
    }
  loadError();
}

void ValuesPanel::loadError() {
  QStringList said;
  for (const Field& field : fields_) {
    field.value->setInvalid(!field.refused.isEmpty());
    if (!field.refused.isEmpty() && !said.contains(field.refused)) said << field.refused;
  }
  error_->setText(said.join(u'\n'));
  error_->setVisible(!said.isEmpty());
}

void ValuesPanel::commit(Field& which) {
  if (loading_ || !lab_.hasScenario()) return;
  if (which.value->text() == which.shown(lab_.scenario())) return refuse(which.key, {});
  std::string value = typed(which.value->text());
  // A range is one value of the form: both its ends are given together.
  if (which.key == "mutex.jitter")
    value = "[\"" + typed(field(QStringLiteral("jitterFrom"))->text()) + "\", \"" +
            typed(field(QStringLiteral("jitterTo"))->text()) + "\"]";
  const auto done = lab_.edit(which.key, value);
  refuse(which.key, done ? QString() : done.error());
}

void ValuesPanel::loadAnew() {
  for (Field& field : fields_) field.refused.clear();
  load();
}

// The keys that only its system has: of its own table, and of its first contenders.
void ValuesPanel::loadSystem() {
  const std::string system = lab_.hasScenario() ? lab_.scenario().mutex.system : std::string();
  if (system == system_) return;
  system_ = system;
  for (std::size_t i = ownFields_; i < fields_.size(); ++i) fields_[i].value->deleteLater();
  fields_.resize(ownFields_);
  whoseNote_ = nullptr;
  while (QLayoutItem* item = systemGrid_->takeAt(0)) {
    if (QWidget* const widget = item->widget()) {
      widget->setObjectName({});  // it may still be found until the loop comes by
      widget->hide();
      widget->deleteLater();
    }
    delete item;
  }
  int row = 0, width = kNameWidth;
  const auto add = [&](const std::string& path, const auto& key) {
    QString called = fromText(std::string(key.name));
    if (findChild<QWidget*>(called) != nullptr) called.prepend(tr("own "));  // the mutex has one of that name, too
    QLabel* const said = label(QString(called).replace(u'_', u' '), 12, 400, Ink::kMuted);
    said->setToolTip(fromText(std::string(key.about)));
    width = std::max(width, std::min(said->sizeHint().width(), kNameMost));
    if (said->sizeHint().width() > kNameMost) {
      said->setWordWrap(true);
      said->setFixedWidth(kNameMost);
    }
    systemGrid_->addWidget(said, row, 0);
    Field& field =
        addField(called, path, {key.words, key.truth}, [path](const Scenario& s) { return valueText(s, path); });
    field.used = key.used;
    field.name = said;
    systemGrid_->addWidget(field.value->widget(), row++, 1, Qt::AlignLeft);
  };
  for (const auto& key : system_form(system)) add(fmt::format("{}.{}", system, key.name), key);
  systemGrid_->addWidget(whoseNote_ = note(), row++, 0, 1, 3);
  for (const auto& key : contender_form(system))
    if (key.of_plan) add(fmt::format("contender.0.{}", key.name), key);
  // What is typed and what is chosen has one width: the widest word's.
  int wide = kFieldWidth;
  for (std::size_t i = ownFields_; i < fields_.size(); ++i)
    if (auto* const words = qobject_cast<QComboBox*>(fields_[i].value->widget()))
      wide = std::max(wide, words->sizeHint().width());
  for (const Field& field : fields_)
    if (QWidget* const widget = field.value->widget(); !qobject_cast<QCheckBox*>(widget) && field.key != "mutex.jitter")
      widget->setFixedWidth(wide);
  for (QGridLayout* grid : {valuesGrid_, systemGrid_}) grid->setColumnMinimumWidth(0, width);
  systemRows_->setVisible(fields_.size() > ownFields_);
  const bool leases = lab_.hasScenario() && lab_.scenario().family() == Family::kLease;
  for (QWidget* widget : leaseWidgets_) widget->setVisible(leases || system.empty());
}

// Nobody is asked for what his kind of mutex has no use for, and it is told whose the values are where not all have the
// same.
void ValuesPanel::loadUsed() {
  const Scenario& of = lab_.scenario();
  bool of_plan = false;
  for (std::size_t i = ownFields_; i < fields_.size(); ++i) {
    const bool used = !fields_[i].used || fields_[i].used(of);
    fields_[i].value->widget()->setVisible(used);
    fields_[i].name->setVisible(used);
    of_plan |= used && fields_[i].key.rfind("contender.", 0) == 0;
  }
  if (whoseNote_ == nullptr) return;
  whoseNote_->setVisible(of_plan && of.contenders.size() > 1);
  if (of.contenders.size() > 1)
    whoseNote_->setText(
        tr("of %1, the first of %2 in the file").arg(fromText(of.contenders.front().name)).arg(of.contenders.size()));
}

void ValuesPanel::load() {
  loading_ = true;
  const bool open = lab_.hasScenario();
  setEnabled(open);
  loadSystem();
  // What has another value by now, an undo's for instance, is mended.
  for (Field& field : fields_)
    if (!open || field.shown(lab_.scenario()) != field.kept) field.refused.clear();
  loadError();
  for (const Field& f : fields_) {
    if (!f.refused.isEmpty()) continue;  // stays as it was typed until it is mended
    f.value->setText(open ? f.shown(lab_.scenario()) : QString());
  }
  fenceRow_->setVisible(open && !lab_.scenario().resources.empty());
  if (open) {
    const Scenario& s = lab_.scenario();
    loadUsed();
    renewNote_->setText(tr("renews at %1").arg(placeText(s.terms().ttl)));
    leaseNote_->setText(tr("lease %1").arg(placeText(s.terms().lease())));
    const bool mixed = s.contenders.size() > 1;
    fleetNote_->setText(mixed ? tr("of %1 in all").arg(s.contender_count()) : QString());
    fence_->setChecked(s.fencing());
    const QString resource = s.resources.empty() ? QString() : fromText(s.resources.front().name);
    fenceText_->setFullText(tr("Fencing at the %1").arg(resource));
    fence_->setAccessibleName(fenceText_->text());
    fenceNote_->setText(s.fencing() ? QString() : tr("stale writes pass"));
  }
  loadPlan();
  loadStale();
  loading_ = false;
}

// Only what has changed is made anew: a long plan is a thousand widgets, and every edit, undo and fork comes by here.
void ValuesPanel::loadPlan() {
  const bool open = lab_.hasScenario();
  planNote_->setVisible(open && lab_.scenario().faults.empty());
  const std::size_t count = open ? lab_.scenario().faults.size() : 0;
  for (std::size_t row = count; row < planRows_.size(); ++row) {
    clearPlanRow(planRows_[row]);
    plan_->setRowMinimumHeight(static_cast<int>(row), 0);
  }
  planRows_.resize(count);
  for (std::size_t row = 0; row < count; ++row) {
    const FaultTable& fault = lab_.scenario().faults[row];
    const LeaseTerms terms = lab_.scenario().terms();
    QStringList shown{fromText(fault.kind),
                      fromText(fault.at.text),
                      placeText(fault.at.under(terms)),
                      fromText(fault.target),
                      fromText(fault.duration.text),
                      placeText(fault.duration.under(terms)),
                      QString::number((fault.enabled ? 1 : 0) + (fault.during_compute ? 2 : 0) + (compact_ ? 4 : 0))};
    if (planRows_[row].shown == shown) continue;
    clearPlanRow(planRows_[row]);
    planRows_[row] = {std::move(shown), makePlanRow(static_cast<int>(row), fault)};
  }
  plan_->setColumnStretch(3, 1);
}

void ValuesPanel::clearPlanRow(PlanRow& row) {
  for (QWidget* widget : row.widgets) {
    plan_->removeWidget(widget);
    widget->hide();
    widget->setObjectName({});  // it may still be found until the loop comes by
    widget->deleteLater();
  }
  row = {};
}

std::vector<QWidget*> ValuesPanel::makePlanRow(int row, const FaultTable& fault) {
  auto* box = new QCheckBox;
  box->setChecked(fault.enabled);
  box->setObjectName(QStringLiteral("fault%1").arg(row));
  const QString kind = fromText(fault.kind).replace(u'_', u' ').replace(u'-', u' ');
  box->setAccessibleName(tr("%1 at %2").arg(kind, fromText(fault.at.text)));
  connect(box, &QCheckBox::toggled, this, [this, row](bool on) {
    if (!loading_) lab_.setFault(row, on);
  });
  const Ink tone = fault.enabled ? Ink::kText : Ink::kMuted;
  QLabel* at = label(placeText(fault.at.under(lab_.scenario().terms())), 11, 400, tone, true);
  at->setToolTip(fromText(fault.at.text));
  auto* what = new ElidedLabel;
  what->setFullText(fault.during_compute && !compact_ ? tr("%1 in compute").arg(kind) : kind);
  if (fault.during_compute) what->setToolTip(tr("Begins between the owner's check and its write"));
  if (!fault.enabled) what->setForegroundRole(QPalette::PlaceholderText);
  const Duration lasts = fault.duration.under(lab_.scenario().terms());
  QLabel* length = label(lasts == Duration::zero() ? QString() : placeText(lasts), 11, 400, tone, true);
  length->setToolTip(fromText(fault.duration.text));
  length->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  // As wide as it is, up to a point: a contender's id may be as long as it likes.
  auto* target = new ElidedLabel;
  target->setFullText(fromText(fault.target));
  target->setElideMode(Qt::ElideMiddle);
  target->setForegroundRole(QPalette::PlaceholderText);
  target->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  target->setMaximumWidth(84);
  std::vector<QWidget*> widgets{box, new FaultSwatch(fault.kind), at, what, target, length};
  for (std::size_t column = 0; column < widgets.size(); ++column)
    plan_->addWidget(widgets[column], row, static_cast<int>(column));
  plan_->setRowMinimumHeight(row, 22);
  return widgets;
}

void ValuesPanel::setCompact(bool compact) {
  compact_ = compact;
  renewNote_->setVisible(!compact);
  load();
}

void ValuesPanel::loadStale() {
  const bool may = lab_.hasScenario() && !(lab_.state() == RunState::kRunning && lab_.live());
  if (!may && again_->hasFocus()) setFocus();  // else Qt gives it to whatever comes next
  again_->setEnabled(may);
  again_->setText(lab_.state() == RunState::kReady ? tr("Run") : tr("Run again"));
  const bool waits = lab_.waitsAtFork();
  staleNote_->setText(waits && lab_.stale() ? tr("Space runs on with these values.")
                      : waits               ? tr("Change values, then run with Space.")
                                            : tr("The chart is from before the changes."));
  staleNote_->setVisible(waits || (lab_.stale() && lab_.state() != RunState::kReady));
  loadFork();
}

void ValuesPanel::loadFork() {
  const QString why = lab_.whyNoFork();
  fork_->setEnabled(why.isEmpty());
  // While the run goes on the moment changes with every frame, and a new text lays the panel out anew.
  const bool rests = lab_.state() == RunState::kPaused || lab_.state() == RunState::kFinished;
  fork_->setText(rests && !lab_.live() ? tr("Fork at %1 s").arg(secondsText(lab_.playhead())) : tr("Fork here"));
  fork_->setToolTip(why.isEmpty() ? tr("%1. What happened before stays; from here on these values apply").arg(forkTip_)
                                  : QStringLiteral("%1: %2").arg(forkTip_, why));
}

}  // namespace leasescope
