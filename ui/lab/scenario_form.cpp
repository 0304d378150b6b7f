#include "ui/lab/scenario_form.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <fmt/format.h>

#include "simulator/scenario/form.h"
#include "ui/models/words.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr std::size_t kMostTables = 24;  // of a list; a longer one is edited as text

// A list's place is known by the path's number.
int placeOf(const std::string& path) {
  const std::size_t dot = path.find('.');
  return dot == std::string::npos ? 0 : fromText(path.substr(dot + 1)).section(u'.', 0, 0).toInt();
}

}  // namespace

// ---- a section

FormSection::FormSection(const QString& name, const QString& title, QWidget* parent) : Pane(Ground::kPanel, parent) {
  setObjectName(name);
  setEdges(Qt::TopEdge);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 1, 0, 0);
  all->setSpacing(0);
  head_ = new QToolButton;
  head_->setObjectName(name + QStringLiteral("Head"));
  head_->setText(title);
  head_->setAccessibleName(title);
  head_->setCheckable(true);
  head_->setAutoRaise(true);
  head_->setFocusPolicy(Qt::TabFocus);
  head_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  head_->setArrowType(Qt::RightArrow);
  head_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  head_->setMinimumHeight(26);
  all->addWidget(head_);
  body_ = new QWidget;
  column_ = new QVBoxLayout(body_);
  column_->setContentsMargins(12, 4, 12, 10);
  column_->setSpacing(6);
  body_->hide();
  all->addWidget(body_);
  connect(head_, &QToolButton::toggled, this, [this](bool on) {
    head_->setArrowType(on ? Qt::DownArrow : Qt::RightArrow);
    body_->setVisible(on);
    if (on) emit opened();
  });
}

bool FormSection::isOpen() const { return head_->isChecked(); }

void FormSection::setOpen(bool open) { head_->setChecked(open); }

// ---- the form

ScenarioForm::ScenarioForm(LabController& lab, QWidget* parent) : QWidget(parent), lab_(lab) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  const auto add = [&](const char* name, const QString& title) {
    auto* section = new FormSection(QString::fromLatin1(name), title);
    column->addWidget(section);
    connect(section, &FormSection::opened, this, &ScenarioForm::load);
    return section;
  };
  scenario_ = add("scenario", tr("Scenario"));
  mutex_ = add("mutex", tr("Mutex"));
  store_ = add("store", tr("Store and network"));
  contenders_ = add("contenders", tr("Contenders"));
  resources_ = add("resources", tr("Protected resource"));
  expected_ = add("expected", tr("Expected"));
  contendersMore_ = label({}, 11, 400, Ink::kMuted);
  contendersMore_->setWordWrap(true);
  auto* more = new QPushButton(tr("Add contenders"));
  more->setObjectName(QStringLiteral("addContenders"));
  more->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(more, &QPushButton::clicked, this, [this] {
    if (const auto done = lab_.document().addContender(); !done)
      emit lab_.told(tr("No contenders were added: %1").arg(done.error()));
  });
  contenders_->column()->addWidget(contendersMore_);
  contenders_->column()->addWidget(more);
  buildExpected();
}

FieldGrid* ScenarioForm::grid() {
  return new FieldGrid([this](const std::string& path, const std::string& value) { return take(path, value); });
}

ScenarioDocument::Edited ScenarioForm::take(const std::string& path, const std::string& value) {
  return value.empty() ? lab_.document().remove(path) : lab_.edit(path, value);
}

QWidget* ScenarioForm::field(const std::string& path) const {
  return findChild<QWidget*>(QStringLiteral("form:") + fromText(path));
}

std::vector<FieldSpec> ScenarioForm::fieldsOf(const std::string& path) const {
  std::vector<FieldSpec> out;
  const Scenario& of = lab_.scenario();
  each_table(of, [&](const TableName& table, const auto& form, const auto& values) {
    if (table.path() != path) return;
    for (const auto& key : form) {
      if (key.name == "schema" || (key.used && !key.used(of))) continue;
      FieldSpec spec;
      spec.name = spaced(key.name);
      spec.path = path.empty() ? std::string(key.name) : fmt::format("{}.{}", path, key.name);
      spec.about = fromText(std::string(key.about));
      for (const std::string_view word : key.words) spec.kind.words << fromText(std::string(word));
      spec.kind.truth = key.truth;
      spec.value = typedForm(key.write(values));
      // A word that is left out is the first; so is a truth that is not written.
      if (spec.value.isEmpty() && !spec.kind.words.isEmpty()) spec.value = spec.kind.words.front();
      out.push_back(std::move(spec));
    }
  });
  return out;
}

// As many grids as there are tables; those that stay keep their widgets.
void ScenarioForm::loadTables(FormSection* section, std::vector<Table>& tables, const std::vector<std::string>& paths) {
  while (tables.size() > paths.size()) {
    tables.back().whole->hide();
    tables.back().whole->deleteLater();
    tables.pop_back();
  }
  while (tables.size() < paths.size()) {
    Table made;
    made.whole = new QWidget;
    auto* column = new QVBoxLayout(made.whole);
    column->setContentsMargins(0, 0, 0, 4);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->addWidget(made.title = label({}, 12, 600), 1);
    made.away = new QToolButton;
    made.away->setText(QStringLiteral("×"));
    made.away->setAutoRaise(true);
    made.away->setFocusPolicy(Qt::TabFocus);
    made.away->setFixedSize(20, 20);
    head->addWidget(made.away);
    const int place = static_cast<int>(tables.size());
    connect(made.away, &QToolButton::clicked, this, [this, place] {
      if (const auto done = lab_.document().removeContender(place); !done)
        emit lab_.told(tr("Not removed: %1").arg(done.error()));
    });
    column->addLayout(head);
    column->addWidget(made.grid = grid());
    section->column()->insertWidget(place, made.whole);
    tables.push_back(made);
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const bool contender = section == contenders_;
    tables[i].away->setVisible(contender && paths.size() > 1);
    if (contender) tables[i].away->setObjectName(QStringLiteral("contenderAway%1").arg(i));
    const Scenario& of = lab_.scenario();
    const QString title = contender ? tr("%1 × %2").arg(of.contenders[i].count).arg(fromText(of.contenders[i].title()))
                          : section == resources_
                              ? fromText(of.resources[static_cast<std::size_t>(placeOf(paths[i]))].name)
                          : i > 0 ? QStringLiteral("[%1]").arg(fromText(paths[i]))
                                  : QString();
    tables[i].away->setAccessibleName(tr("Remove %1").arg(title));
    tables[i].away->setToolTip(tables[i].away->accessibleName());
    tables[i].title->setText(title);
    tables[i].title->setVisible(!title.isEmpty());
    tables[i].grid->setFields(fieldsOf(paths[i]));
  }
}

void ScenarioForm::load() {
  setVisible(lab_.hasScenario());
  if (!lab_.hasScenario()) return;
  const Scenario& of = lab_.scenario();
  const auto listed = [](const char* list, std::size_t count) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < std::min(count, kMostTables); ++i) out.push_back(fmt::format("{}.{}", list, i));
    return out;
  };
  std::vector<std::string> mutex{"mutex"}, store{"store"};
  if (!system_form(of.mutex.system).empty()) mutex.emplace_back(system_table(of.mutex.system));
  if (!model_form(of.store.model).empty()) store.emplace_back(model_table(of.store.model));
  if (scenario_->isOpen()) loadTables(scenario_, scenarioTables_, {""});
  if (mutex_->isOpen()) loadTables(mutex_, mutexTables_, mutex);
  if (store_->isOpen()) loadTables(store_, storeTables_, store);
  if (contenders_->isOpen()) loadTables(contenders_, contenderTables_, listed("contender", of.contenders.size()));
  if (resources_->isOpen()) loadTables(resources_, resourceTables_, listed("resource", of.resources.size()));
  if (expected_->isOpen()) loadExpected();
  contendersMore_->setVisible(of.contenders.size() > kMostTables);
  contendersMore_->setText(tr("%n more in the text", "",
                              static_cast<int>(of.contenders.size() - std::min(of.contenders.size(), kMostTables))));
}

// ---- what is expected

void ScenarioForm::buildExpected() {
  QVBoxLayout* column = expected_->column();
  auto* head = new QHBoxLayout;
  judged_ = new Switch;
  judged_->setObjectName(QStringLiteral("judged"));
  judged_->setAccessibleName(tr("Judge the run by what is expected"));
  head->addWidget(judged_);
  head->addWidget(judgedText_ = label({}, 12, 400), 1);
  column->addLayout(head);
  connect(judged_, &Switch::toggled, this, [this](bool on) {
    if (loading_) return;
    (void)(on ? lab_.document().remove("expect.enabled") : lab_.edit("expect.enabled", "false"));
  });
  column->addWidget(wanted_ = grid());
  column->addWidget(unfencedTitle_ = label(tr("Without fencing, instead"), 11, 400, Ink::kMuted));
  column->addWidget(unfenced_ = grid());
  validFor_ = label({}, 11, 400, Ink::kMuted);
  validFor_->setWordWrap(true);
  validFor_->setTextFormat(Qt::PlainText);
  column->addWidget(validFor_);
  auto* foot = new QHBoxLayout;
  foot->setSpacing(6);
  another_ = new QComboBox;
  another_->setObjectName(QStringLiteral("anotherExpectation"));
  another_->setAccessibleName(tr("Another expectation"));
  another_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  for (const std::string& field : expectable_fields()) another_->addItem(fromText(field));
  foot->addWidget(another_, 1);
  anothers_ = new QLineEdit(QStringLiteral(">= 1"));
  anothers_->setObjectName(QStringLiteral("anotherExpected"));
  anothers_->setAccessibleName(tr("What is expected of it"));
  anothers_->setFixedWidth(64);
  foot->addWidget(anothers_);
  auto* more = new QPushButton(tr("Add"));
  more->setObjectName(QStringLiteral("addExpectation"));
  connect(more, &QPushButton::clicked, this, &ScenarioForm::addExpectation);
  connect(anothers_, &QLineEdit::returnPressed, this, &ScenarioForm::addExpectation);
  foot->addWidget(more);
  column->addLayout(foot);
  column->addWidget(expectedError_ = label({}, 11, 400, Ink::kCritical));
  expectedError_->setWordWrap(true);
  expectedError_->hide();
}

void ScenarioForm::addExpectation() {
  const auto done =
      lab_.edit("expect." + another_->currentText().toStdString(), anothers_->text().trimmed().toStdString());
  expectedError_->setText(done ? QString() : done.error());
  expectedError_->setVisible(!done);
}

void ScenarioForm::loadExpected() {
  const Scenario& of = lab_.scenario();
  const auto fields = [](const Expectations& expected, const std::string& table) {
    std::vector<FieldSpec> out;
    for (const auto& [field, expectation] : expected.fields) {
      FieldSpec spec;
      spec.name = spaced(field).replace(QStringLiteral("incidents."), QString());
      spec.path = fmt::format("{}.{}", table, field);
      spec.about = tr("%1. Empty: nothing is expected of it").arg(fromText(field));
      spec.value = expectation.share
                       ? fromText(fmt::format("{{ value = \"{}\", share = {} }}", expectation.text, *expectation.share))
                       : fromText(expectation.text);
      out.push_back(std::move(spec));
    }
    return out;
  };
  loading_ = true;
  judged_->setChecked(of.expected.enabled);
  loading_ = false;
  judgedText_->setText(of.expected.enabled ? tr("The run is judged by it") : tr("Off: the run is not judged"));
  wanted_->setFields(fields(of.expected, "expect"));
  unfenced_->setFields(fields(of.expected_unfenced, "expect.unfenced"));
  unfencedTitle_->setVisible(!of.expected_unfenced.fields.empty());
  QStringList ranges;
  for (const ValidFor& valid : of.expected.valid_for) {
    QStringList words;
    for (const std::string& word : valid.words) words << fromText(word);
    const bool number = words.isEmpty() && (valid.least != 0 || valid.most != 0);
    ranges << (words.isEmpty()
                   ? tr("%1 from %2 to %3")
                         .arg(fromText(valid.key), number ? QString::number(valid.least) : fromText(valid.from.text),
                              number ? QString::number(valid.most) : fromText(valid.to.text))
                   : tr("%1 %2").arg(fromText(valid.key), words.join(QStringLiteral(", "))));
  }
  validFor_->setText(ranges.isEmpty() ? QString() : tr("It holds for %1.").arg(ranges.join(QStringLiteral("; "))));
  validFor_->setVisible(!ranges.isEmpty());
}

}  // namespace leasescope
