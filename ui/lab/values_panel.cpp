#include "ui/lab/values_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/scenario/form.h"
#include "ui/look/fonts.h"
#include "ui/models/words.h"
#include "ui/panels/pane_layout.h"
#include "ui/theme/icons.h"
#include "ui/theme/look.h"
#include "ui/theme/style.h"

namespace leasescope {
namespace {

constexpr int kNameWidth = 66, kNameMost = 88, kFieldWidth = 84;

QString durationText(Duration d) { return shownText(format_duration(d)); }
// A value as a reader types it: a text without its quotes.
QString valueText(const Scenario& of, const std::string& key) {
  const auto value = value_at(of, key);
  return value ? shownText(value->value).remove(u'"') : QString();
}
// What a reader types: a true minus is a minus.
std::string typed(const QString& text) {
  return text.trimmed().replace(QChar(0x2212), u'-').remove(u'"').toStdString();
}

QLabel* note() {
  QLabel* made = label({}, 10, 400, Ink::kMuted);
  made->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  return made;
}

}  // namespace

ValuesPanel::ValuesPanel(LabController& lab, QAction* runAgain, QAction* fork, QAction* addFault, QWidget* parent)
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
  textNote_ = label({}, 11, 400, Ink::kCritical);
  textNote_->setObjectName(QStringLiteral("textError"));
  textNote_->setWordWrap(true);
  textNote_->setTextFormat(Qt::PlainText);
  textNote_->setContentsMargins(12, 8, 12, 0);
  textNote_->hide();
  column->addWidget(textNote_);
  buildValues(column);
  buildPlan(column, runAgain, fork, addFault);
  column->addStretch();
  setWidget(content);
  load();
  connect(&lab, &LabController::scenarioChanged, this, &ValuesPanel::loadAnew);
  connect(&lab, &LabController::valuesChanged, this, &ValuesPanel::load);
  connect(&lab, &LabController::valuesReset, this, &ValuesPanel::loadAnew);
  connect(&lab.document(), &ScenarioDocument::textChanged, this, &ValuesPanel::loadTextError);
  connect(&lab, &LabController::stateChanged, this, &ValuesPanel::loadStale);
  connect(&lab, &LabController::playheadMoved, this, &ValuesPanel::loadFork);
}

// The whole form is scrolled to: of it a title shows that it is there, and the selection keeps its room.
QSize ValuesPanel::sizeHint() const {
  constexpr int kTitle = 27;
  return {292, widget()->sizeHint().height() - whole_->sizeHint().height() + kTitle};
}

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

void ValuesPanel::buildPlan(QVBoxLayout* column, QAction* runAgain, QAction* fork, QAction* addFault) {
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
  auto* more = new QToolButton;
  more->setText(QStringLiteral("+"));
  more->setObjectName(QStringLiteral("addFault"));
  more->setAccessibleName(tr("Add a fault"));
  more->setToolTip(withKey(*addFault));
  more->setAutoRaise(true);
  more->setFocusPolicy(Qt::TabFocus);
  more->setFixedSize(20, 20);
  connect(more, &QToolButton::clicked, addFault, &QAction::trigger);
  connect(addFault, &QAction::changed, more, [more, addFault] { more->setEnabled(addFault->isEnabled()); });
  head->addWidget(more);
  plan->addLayout(head);
  plan->addWidget(plan_ = new FaultPlanForm(lab_));
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
  column->addWidget(whole_ = new ScenarioForm(lab_));
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
    ValueKind kind{{}, key.truth};
    for (const std::string_view word : key.words) kind.words << fromText(std::string(word));
    Field& field = addField(called, path, kind, [path](const Scenario& s) { return valueText(s, path); });
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
    whoseNote_->setText(tr("of %1, the first of %2 in the file")
                            .arg(fromText(of.contenders.front().title()))
                            .arg(of.contenders.size()));
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
  plan_->load();
  whole_->load();
  loadStale();
  loading_ = false;
}

void ValuesPanel::setCompact(bool compact) {
  plan_->setCompact(compact);
  renewNote_->setVisible(!compact);
  load();
}

// What is shown is what is run: the text as it was before the error.
void ValuesPanel::loadTextError() {
  const ScenarioDocument& document = lab_.document();
  textNote_->setVisible(document.error().has_value());
  if (!document.error()) return;
  textNote_->setText(
      document.error()->line > 0
          ? tr("The text has an error in line %1. These are the values before it.").arg(document.error()->line)
          : tr("The text has an error. These are the values before it."));
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
