// Completes the last word that is typed into a field: what stands before it stays.
#pragma once
#include <QCompleter>
#include <QStringList>

class QLineEdit;

namespace leasescope {

class WordCompleter : public QCompleter {
  Q_OBJECT
 public:
  explicit WordCompleter(QLineEdit* field);
  // Each once, in their order; words of several words are completed by the first of them that is typed.
  void setWords(QStringList words);

  QStringList splitPath(const QString& path) const override;
  QString pathFromIndex(const QModelIndex& index) const override;
};

}  // namespace leasescope
