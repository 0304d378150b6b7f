// Completes the last word that is typed into a field: what stands before it stays.
#pragma once
#include <QCompleter>
#include <QStringList>
#include <functional>

class QLineEdit;

namespace leasescope {

class WordCompleter : public QCompleter {
  Q_OBJECT
 public:
  explicit WordCompleter(QLineEdit* field);
  // Each once, in their order; words of several words are completed by the first of them that is typed.
  void setWords(QStringList words);
  // Where the word begins that is completed, and how one of those that are offered is written there. By default after
  // the last space, and as it is offered.
  struct Manner {
    std::function<qsizetype(const QString& typed)> begin;
    std::function<QString(const QString& word)> written;
  };
  void setManner(Manner manner);

  QStringList splitPath(const QString& path) const override;
  QString pathFromIndex(const QModelIndex& index) const override;

 private:
  qsizetype begin(const QString& typed) const;

  Manner manner_;
};

}  // namespace leasescope
