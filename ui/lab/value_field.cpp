#include "ui/lab/value_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>

#include "ui/models/words.h"
#include "ui/theme/style.h"
#include "ui/theme/tokens.h"
#include "ui/timeline/paint/fonts.h"

namespace leasescope {
namespace {

const QString kTrue = QStringLiteral("true"), kFalse = QStringLiteral("false");

}  // namespace

ValueField::ValueField(const ValueKind& kind, const QString& name, QObject* parent) : QObject(parent) {
  const QFont fixed = leasescope::font(Face::kMono, measures().font_small);
  if (kind.truth) {
    truth_ = new QCheckBox;
    connect(truth_, &QCheckBox::clicked, this, &ValueField::chosen);
  } else if (!kind.words.empty()) {
    words_ = new QComboBox;
    for (const std::string_view word : kind.words) words_->addItem(fromText(std::string(word)));
    words_->setFont(fixed);
    connect(words_, &QComboBox::activated, this, &ValueField::chosen);
  } else {
    line_ = new QLineEdit;
    line_->setFont(fixed);
    line_->setTextMargins(4, 0, 4, 0);
    line_->setMinimumWidth(40);
    connect(line_, &QLineEdit::textEdited, this, &ValueField::edited);
    connect(line_, &QLineEdit::editingFinished, this, [this] {
      if (!line_->isModified()) return;
      line_->setModified(false);
      emit chosen();
    });
  }
  widget()->setObjectName(name);
}

QWidget* ValueField::widget() const {
  if (truth_ != nullptr) return truth_;
  return words_ != nullptr ? static_cast<QWidget*>(words_) : line_;
}

QString ValueField::text() const {
  if (truth_ != nullptr) return truth_->isChecked() ? kTrue : kFalse;
  return words_ != nullptr ? words_->currentText() : line_->text();
}

void ValueField::setText(const QString& text) {
  if (truth_ != nullptr) return truth_->setChecked(text == kTrue);
  if (words_ != nullptr) return words_->setCurrentIndex(words_->findText(text));
  line_->setText(text);
  line_->setModified(false);
}

void ValueField::setInvalid(bool invalid) { leasescope::setInvalid(widget(), invalid); }

}  // namespace leasescope
