#include "ui/panels/word_completer.h"

#include <QLineEdit>
#include <QStringListModel>

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

QStringList WordCompleter::splitPath(const QString& path) const { return {path.section(u' ', -1)}; }

QString WordCompleter::pathFromIndex(const QModelIndex& index) const {
  const QString typed = completionPrefix();
  return typed.left(typed.lastIndexOf(u' ') + 1) + index.data().toString();
}

}  // namespace leasescope
