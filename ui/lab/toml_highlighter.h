// Headers bold, comments muted, keys lighter than their values: the chrome has one hue.
#pragma once
#include <QSyntaxHighlighter>

namespace leasescope {

class TomlHighlighter : public QSyntaxHighlighter {
  Q_OBJECT
 public:
  explicit TomlHighlighter(QTextDocument* document);

 protected:
  void highlightBlock(const QString& text) override;

 private:
  qsizetype skipText(const QString& text, qsizetype at);
};

}  // namespace leasescope
