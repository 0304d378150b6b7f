// A value of the form as a widget: a text to be typed, one of some words, or a truth. A time or a number can be stepped
// by its signs and by Up and Down.
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QWidget;

namespace leasescope {

// What the form says of a key, as far as a widget follows from it.
struct ValueKind {
  QStringList words;  // it is one of these; none: of another kind
  bool truth = false;

  friend bool operator==(const ValueKind& a, const ValueKind& b) { return a.words == b.words && a.truth == b.truth; }
};

class ValueField : public QObject {
  Q_OBJECT
 public:
  ValueField(const ValueKind& kind, const QString& name, QObject* parent);

  QWidget* widget() const;
  QLineEdit* line() const { return line_; }  // null of what is not typed
  // As the form writes it, without quotes: "500ms", "semaphore", "true".
  QString text() const;
  void setText(const QString& text);
  void setInvalid(bool invalid);
  // Up or down; nothing of what is no time and no number.
  void step(int steps);

 signals:
  void edited();  // it is being typed
  void chosen();  // it is to be taken; the text is another than the one that was set

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void loadSteps();

  QLineEdit* line_ = nullptr;
  QComboBox* words_ = nullptr;
  QCheckBox* truth_ = nullptr;
  QWidget* steps_ = nullptr;  // within the line, at its right
};

}  // namespace leasescope
