#include "ui/lab/fault_plan.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <fmt/format.h>

#include "simulator/scenario/fault_fields.h"
#include "ui/lab/fault_swatch.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kColumns = 8;
constexpr std::size_t kMostRows = 100;  // more are read nowhere, and their widgets take the window minutes to lay out

QToolButton* small(const QString& sign, const QString& name, const QString& about) {
  auto* out = new QToolButton;
  out->setText(sign);
  out->setObjectName(name);
  out->setAccessibleName(about);
  out->setToolTip(about);
  out->setAutoRaise(true);
  out->setFocusPolicy(Qt::TabFocus);
  out->setFixedSize(20, 20);
  return out;
}

FieldSpec specOf(const FaultField& field, int row) {
  FieldSpec out;
  out.name = spaced(std::string(field.name));
  out.path = fmt::format("fault.{}.{}", row, field.name);
  out.about = fromText(std::string(field.about));
  for (const std::string& word : field.words) out.kind.words << fromText(word);
  out.kind.truth = field.type == FaultFieldType::kTruth;
  out.value = out.kind.truth && field.value.empty() ? QStringLiteral("true") : typedForm(field.value);
  return out;
}

}  // namespace

FaultPlanForm::FaultPlanForm(LabController& lab, QWidget* parent) : QWidget(parent), lab_(lab) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  rows_ = new QGridLayout;
  rows_->setHorizontalSpacing(6);
  rows_->setVerticalSpacing(2);
  rows_->setColumnStretch(3, 1);
  column->addLayout(rows_);
  details_ =
      new FieldGrid([this](const std::string& path, const std::string& value) { return take(path, value); }, this);
  details_->setObjectName(QStringLiteral("faultDetails"));
  details_->setContentsMargins(20, 2, 0, 6);
  details_->hide();
  none_ = label(tr("No fault is planned."), 11, 400, Ink::kMuted);
  column->addWidget(none_);
  others_ = label({}, 11, 400, Ink::kMuted);
  others_->setObjectName(QStringLiteral("otherFaults"));
  others_->setWordWrap(true);
  column->addWidget(others_);
}

void FaultPlanForm::addFault() {
  if (!lab_.hasScenario()) return;
  const LeaseTerms& terms = lab_.scenario().terms();
  const bool within = lab_.playhead() > TrueTime{} && lab_.playhead() < TrueTime{} + lab_.scenario().length();
  const Duration at = within ? lab_.playhead().time_since_epoch() : terms.lease();
  const Duration ms = std::chrono::milliseconds(1);
  const auto row = lab_.document().addFault("pause", at / ms * ms, terms.lease(), "owner");
  if (!row) return emit lab_.told(tr("No fault was added: %1").arg(row.error()));
  openRow(*row);
  if (QWidget* first = details_->field(fmt::format("fault.{}.at", *row))) first->setFocus();
}

void FaultPlanForm::openRow(int row) {
  open_ = row == open_ ? -1 : row;
  load();
  if (open_ >= 0) emit rowOpened(open_);
}

void FaultPlanForm::showRow(int row) {
  if (row == open_) return;
  open_ = row;
  load();
}

ScenarioDocument::Edited FaultPlanForm::take(const std::string& path, const std::string& value) {
  if (path.size() > 5 && path.substr(path.size() - 5) == ".kind") return lab_.document().setFaultKind(open_, value);
  return value.empty() ? lab_.document().remove(path) : lab_.edit(path, value);
}

void FaultPlanForm::setCompact(bool compact) { compact_ = compact; }

// Of a long plan those around the one that is open.
void FaultPlanForm::choosePart(std::size_t count) {
  const auto open = static_cast<std::size_t>(std::max(open_, 0));
  std::size_t first = first_;
  if (open < first || open >= first + kMostRows) first = open - std::min(open, kMostRows / 2);
  if (count <= kMostRows || open_ < 0) first = 0;
  const std::size_t shown = std::min(count - std::min(first, count), kMostRows);
  if (first != first_)
    for (Row& row : made_) clearRow(row);
  for (std::size_t place = shown; place < made_.size(); ++place) {
    clearRow(made_[place]);
    rows_->setRowMinimumHeight(static_cast<int>(2 * place), 0);
  }
  first_ = first;
  made_.resize(shown);
  others_->setVisible(shown < count);
  others_->setText(tr("Faults %1 to %2 of %3: the others are on the chart, and in the text of the scenario.")
                       .arg(countText(first + 1), countText(first + shown), countText(count)));
}

// Only what has changed is made anew: every edit, undo and fork comes by here.
void FaultPlanForm::load() {
  loading_ = true;
  const bool open = lab_.hasScenario();
  const std::size_t count = open ? lab_.scenario().faults.size() : 0;
  none_->setVisible(open && count == 0);
  if (open_ >= static_cast<int>(count)) open_ = -1;
  choosePart(count);
  for (std::size_t place = 0; place < made_.size(); ++place) {
    const std::size_t row = first_ + place;
    const FaultTable& fault = lab_.scenario().faults[row];
    const LeaseTerms terms = lab_.scenario().terms();
    const int flags = (fault.enabled ? 1 : 0) + (fault.during_compute ? 2 : 0) + (compact_ ? 4 : 0) +
                      (open_ == static_cast<int>(row) ? 8 : 0);
    QStringList shown{fromText(fault.kind),   fromText(fault.at.text),       placeText(fault.at.under(terms)),
                      fromText(fault.target), fromText(fault.duration.text), placeText(fault.duration.under(terms)),
                      QString::number(flags)};
    if (made_[place].shown == shown) continue;
    clearRow(made_[place]);
    made_[place] = {std::move(shown), makeRow(static_cast<int>(row), fault)};
  }
  loadDetails();
  loading_ = false;
}

void FaultPlanForm::clearRow(Row& row) {
  for (QWidget* widget : row.widgets) {
    rows_->removeWidget(widget);
    widget->hide();
    widget->setObjectName({});  // it may still be found until the loop comes by
    widget->deleteLater();
  }
  row = {};
}

void FaultPlanForm::loadDetails() {
  rows_->removeWidget(details_);
  details_->setVisible(open_ >= 0);
  if (open_ < 0) return;
  rows_->addWidget(details_, 2 * (open_ - static_cast<int>(first_)) + 1, 0, 1, kColumns);
  std::vector<FieldSpec> fields;
  for (const FaultField& field : fault_fields(lab_.scenario(), lab_.scenario().faults[static_cast<std::size_t>(open_)]))
    fields.push_back(specOf(field, open_));
  details_->setFields(fields);
}

std::vector<QWidget*> FaultPlanForm::makeRow(int row, const FaultTable& fault) {
  auto* box = new QCheckBox;
  box->setChecked(fault.enabled);
  box->setObjectName(QStringLiteral("fault%1").arg(row));
  const QString kind = spaced(fault.kind);
  box->setAccessibleName(tr("%1 at %2").arg(kind, fromText(fault.at.text)));
  connect(box, &QCheckBox::toggled, this, [this, row](bool on) {
    if (!loading_) lab_.setFault(row, on);
  });
  const Ink tone = fault.enabled ? Ink::kText : Ink::kMuted;
  const LeaseTerms terms = lab_.scenario().terms();
  QLabel* at = label(placeText(fault.at.under(terms)), 11, 400, tone, true);
  at->setToolTip(fromText(fault.at.text));
  auto* what = new ElidedLabel;
  what->setFullText(fault.during_compute && !compact_ ? tr("%1 in compute").arg(kind) : kind);
  const QString whom = tr("%1 of %2").arg(kind, fromText(fault.target));
  what->setToolTip(fault.during_compute ? tr("%1, between the owner's check and its write").arg(whom) : whom);
  if (!fault.enabled) what->setForegroundRole(QPalette::PlaceholderText);
  const Duration lasts = fault.duration.under(terms);
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
  if (compact_) target->hide();  // in a narrow panel the kind has its room; whom it hits stands in its tip
  const bool opened = row == open_;
  QToolButton* more = small(opened ? QStringLiteral("▴") : QStringLiteral("▾"), QStringLiteral("faultMore%1").arg(row),
                            opened ? tr("Close %1").arg(kind) : tr("Edit %1").arg(kind));
  connect(more, &QToolButton::clicked, this, [this, row] { openRow(row); });
  QToolButton* away = small(QStringLiteral("×"), QStringLiteral("faultAway%1").arg(row), tr("Remove %1").arg(kind));
  connect(away, &QToolButton::clicked, this, [this, row] {
    if (open_ == row) open_ = -1;
    if (const auto done = lab_.document().removeFault(row); !done)
      emit lab_.told(tr("Not removed: %1").arg(done.error()));
  });
  std::vector<QWidget*> widgets{box, new FaultSwatch(fault.kind), at, what, target, length, more, away};
  const int place = 2 * (row - static_cast<int>(first_));
  for (std::size_t column = 0; column < widgets.size(); ++column)
    rows_->addWidget(widgets[column], place, static_cast<int>(column));
  rows_->setRowMinimumHeight(place, 22);
  return widgets;
}

}  // namespace leasescope
