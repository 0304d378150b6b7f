#include "ui/panels/word_completer.h"

#include <QLineEdit>
#include <QStringListModel>
#include <utility>

namespace leasescope {

WordCompleter::WordCompleter(QLineEdit* field) : QCompleter(field) {
  setModel(new QStringListModel(this));
  setCaseSensitivity(Qt::CaseInsensitive);
  setFilterMode(Qt::MatchStartsWith);
  setCompletionMode(QCompleter::PopupCompletion);
  field->setCompleter(this);
}

void WordCompleter::setWords(QStringList words) {
  words.removeDuplicates();
  words.removeAll(QString());
  words.sort(Qt::CaseInsensitive);
  static_cast<QStringListModel*>(model())->setStringList(words);
}

void WordCompleter::setManner(Manner manner) { manner_ = std::move(manner); }

qsizetype WordCompleter::begin(const QString& typed) const {
  return manner_.begin ? manner_.begin(typed) : typed.lastIndexOf(u' ') + 1;
}

// What is offered has no quotes, whether they are typed or not.
QStringList WordCompleter::splitPath(const QString& path) const {
  QString word = path.mid(begin(path));
  if (manner_.written) word.remove(u'"');
  return {word};
}

QString WordCompleter::pathFromIndex(const QModelIndex& index) const {
  const QString typed = completionPrefix(), word = index.data().toString();
  return typed.left(begin(typed)) + (manner_.written ? manner_.written(word) : word);
}

}  // namespace leasescope
