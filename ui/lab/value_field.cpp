#include "ui/lab/value_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>

#include "ui/lab/step_text.h"
#include "ui/look/fonts.h"
#include "ui/look/tokens.h"
#include "ui/models/words.h"
#include "ui/theme/look.h"
#include "ui/theme/style.h"

namespace leasescope {
namespace {

const QString kTrue = QStringLiteral("true"), kFalse = QStringLiteral("false");
constexpr int kStepsWidth = 16;
constexpr int kRoomForSteps = 64;  // of a narrower field the text has all
constexpr int kMany = 10;          // by Page up and Page down

// A plus over a minus at the right end of a field.
class Steps : public QWidget {
 public:
  explicit Steps(ValueField* field, QLineEdit* line) : QWidget(line), field_(field) {
    setCursor(Qt::ArrowCursor);
    setToolTip(ValueField::tr("More, less: Up, Down; by ten steps: Page Up, Page Down"));
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setPen(ink().line);
    painter.drawLine(0, 3, 0, height() - 4);
    painter.setPen(isEnabled() ? ink().muted : ink().faint);
    const int x = width() / 2, up = height() / 4, down = height() - 1 - height() / 4;
    painter.drawLine(x - 2, up, x + 2, up);
    painter.drawLine(x, up - 2, x, up + 2);
    painter.drawLine(x - 2, down, x + 2, down);
  }
  void mousePressEvent(QMouseEvent* event) override { field_->step(event->pos().y() < height() / 2 ? 1 : -1); }

 private:
  ValueField* field_;
};

}  // namespace

ValueField::ValueField(const ValueKind& kind, const QString& name, QObject* parent) : QObject(parent) {
  const QFont fixed = leasescope::font(Face::kMono, measures().font_small);
  if (kind.truth) {
    truth_ = new QCheckBox;
    connect(truth_, &QCheckBox::clicked, this, &ValueField::chosen);
  } else if (!kind.words.empty()) {
    words_ = new QComboBox;
    words_->addItems(kind.words);
    words_->setFont(fixed);
    connect(words_, &QComboBox::activated, this, &ValueField::chosen);
  } else {
    line_ = new QLineEdit;
    line_->setFont(fixed);
    line_->setTextMargins(4, 0, 4, 0);
    line_->setMinimumWidth(40);
    line_->installEventFilter(this);
    steps_ = new Steps(this, line_);
    steps_->hide();
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
  if (words_ != nullptr) {
    // Of a fleet the names are not listed; whoever is named is.
    if (words_->findText(text) < 0) words_->addItem(text);
    return words_->setCurrentIndex(words_->findText(text));
  }
  if (line_->text() != text) {
    line_->setText(text);
    if (!line_->hasFocus()) line_->setCursorPosition(0);  // of a long one its beginning is seen
  }
  line_->setModified(false);
  loadSteps();
}

void ValueField::setInvalid(bool invalid) { leasescope::setInvalid(widget(), invalid); }

void ValueField::step(int steps) {
  const auto next = line_ != nullptr && line_->isEnabled() ? stepped(line_->text(), steps) : std::nullopt;
  if (!next || *next == line_->text()) return;
  line_->setText(*next);
  line_->setModified(false);
  emit chosen();
}

void ValueField::loadSteps() {
  steps_->setVisible(line_->width() >= kRoomForSteps && stepped(line_->text(), 1).has_value());
  line_->setTextMargins(4, 0, steps_->isHidden() ? 4 : kStepsWidth, 0);
}

bool ValueField::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) {
    steps_->setGeometry(line_->width() - kStepsWidth, 0, kStepsWidth, line_->height());
    loadSteps();
  }
  if (event->type() == QEvent::KeyPress) {
    switch (static_cast<QKeyEvent*>(event)->key()) {
      case Qt::Key_Up:
        step(1);
        return true;
      case Qt::Key_Down:
        step(-1);
        return true;
      case Qt::Key_PageUp:
        step(kMany);
        return true;
      case Qt::Key_PageDown:
        step(-kMany);
        return true;
      default:
        break;
    }
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace leasescope
