#include "ui/lab/field_grid.h"

#include <QCheckBox>
#include <QLineEdit>

#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kNameWidth = 84;
const QString kPrefix = QStringLiteral("form:");  // other panels have fields of their own for some keys

}  // namespace

QString placeText(Duration d) {
  QString text = secondsText(d);
  while (text.endsWith(u'0')) text.chop(1);
  if (text.endsWith(u'.')) text.chop(1);
  return text + u's';
}

FieldGrid::FieldGrid(Take take, QWidget* parent) : QWidget(parent), take_(std::move(take)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  grid_ = new QGridLayout;
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(8);
  grid_->setVerticalSpacing(4);
  grid_->setColumnMinimumWidth(0, kNameWidth);
  grid_->setColumnStretch(1, 1);
  column->addLayout(grid_);
  error_ = label({}, 11, 400, Ink::kCritical);
  error_->setWordWrap(true);
  error_->setTextFormat(Qt::PlainText);
  error_->hide();
  column->addWidget(error_);
}

void FieldGrid::setFields(const std::vector<FieldSpec>& fields) {
  const bool same = fields.size() == rows_.size() &&
                    std::equal(fields.begin(), fields.end(), rows_.begin(),
                               [](const FieldSpec& spec, const Row& row) { return spec == row.spec; });
  if (!same) build(fields);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    Row& row = rows_[i];
    if (row.spec.value != fields[i].value) setRefused(row, {});
    row.spec.value = fields[i].value;
    if (!row.refused) row.value->setText(fields[i].value);
  }
}

// Another kind has other fields; whoever chose it stays where it was chosen.
void FieldGrid::build(const std::vector<FieldSpec>& fields) {
  std::string focused;
  for (const Row& row : rows_)
    if (row.value->widget()->hasFocus()) focused = row.spec.path;
  for (Row& row : rows_) {
    for (QWidget* old : {static_cast<QWidget*>(row.name), row.value->widget()}) {
      old->setObjectName({});
      old->hide();
      old->deleteLater();
    }
    row.value->deleteLater();
  }
  rows_.clear();
  error_->hide();
  for (const FieldSpec& spec : fields) {
    const std::size_t i = rows_.size();
    auto* value = new ValueField(spec.kind, kPrefix + fromText(spec.path), this);
    QLabel* const name = label(spec.name, 12, 400, Ink::kMuted);
    name->setWordWrap(true);
    name->setFixedWidth(kNameWidth);
    name->setToolTip(spec.about);
    value->widget()->setToolTip(spec.about);
    value->widget()->setAccessibleName(spec.name);
    value->setText(spec.value);
    if (!spec.kind.truth) {  // as wide as there is room, whatever stands in it
      value->widget()->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
      value->widget()->setMinimumWidth(60);
    }
    grid_->addWidget(name, static_cast<int>(i), 0);
    grid_->addWidget(value->widget(), static_cast<int>(i), 1);
    // At once and not with the next event: who is not seen has no focus.
    name->show();
    value->widget()->show();
    connect(value, &ValueField::chosen, this, [this, i] { take(i); });
    connect(value, &ValueField::edited, this, [this, i] { setRefused(rows_[i], {}); });
    rows_.push_back({spec, value, name});
  }
  if (QWidget* const again = focused.empty() ? nullptr : field(focused)) again->setFocus();
}

void FieldGrid::take(std::size_t at) {
  Row& row = rows_[at];
  const QString text = row.value->text();
  if (text == row.spec.value) return setRefused(row, {});
  const std::string path = row.spec.path;
  const auto done = take_(path, text.trimmed().replace(QChar(0x2212), u'-').toStdString());
  // The rows may be others by now.
  for (Row& each : rows_)
    if (each.spec.path == path) setRefused(each, done ? QString() : done.error());
}

void FieldGrid::setRefused(Row& row, const QString& why) {
  const bool was = row.refused;
  row.refused = !why.isEmpty();
  row.value->setInvalid(row.refused);
  if (row.refused) error_->setText(why);
  if (row.refused || was) error_->setVisible(row.refused);
}

QWidget* FieldGrid::field(const std::string& path) const {
  for (const Row& row : rows_)
    if (row.spec.path == path) return row.value->widget();
  return nullptr;
}

}  // namespace leasescope
