// A scenario's text to be typed in: line numbers, faint colours, and an error marked, underlined and told in its line.
// Steps back are not its own: whoever owns the text has them.
#pragma once
#include <QPlainTextEdit>
#include <optional>

namespace leasescope {

class TomlEditor : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit TomlEditor(QWidget* parent = nullptr);

  // Replaces what differs and nothing else, so that cursor and place stay. Where the editor is being used it shows the
  // change.
  void follow(const QString& text);

  // In lines and letters counted from 1, as TOML counts them; no line: in none.
  struct Mark {
    int line = 0, column = 0;
    QString message;
  };
  void setError(const std::optional<Mark>& error);
  const std::optional<Mark>& error() const { return error_; }
  void goToError();
  // What is underlined; empty: nothing.
  QString underlined() const;
  QRect messageRect() const;  // where the error is told, in the viewport; empty: it is not in sight

  int gutterWidth() const;
  void paintGutter(QPaintEvent* event);

 signals:
  void typed();  // by the reader, not by follow()
  void left();   // Esc

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QTextCursor errorCursor() const;
  void placeGutter();
  void mark();

  QWidget* gutter_;
  std::optional<Mark> error_;
  bool following_ = false;
};

}  // namespace leasescope
