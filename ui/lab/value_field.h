// A value of the form as a widget: a text to be typed, one of some words, or a truth.
#pragma once
#include <QObject>
#include <QString>
#include <string_view>
#include <vector>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QWidget;

namespace leasescope {

// What the form says of a key, as far as a widget follows from it.
struct ValueKind {
  std::vector<std::string_view> words;  // it is one of these; none: of another kind
  bool truth = false;
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

 signals:
  void edited();  // it is being typed
  void chosen();  // it is to be taken; the text is another than the one that was set

 private:
  QLineEdit* line_ = nullptr;
  QComboBox* words_ = nullptr;
  QCheckBox* truth_ = nullptr;
};

}  // namespace leasescope
