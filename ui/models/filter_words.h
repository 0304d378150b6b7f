// What a filter of events can be completed with: its fields, and the names, kinds and outcomes that occur in a history.
#pragma once
#include <QObject>
#include <QStringList>
#include <QTimer>

#include "core/history/event_filter.h"
#include "core/history/occurring.h"
#include "ui/models/cast.h"

namespace leasescope {

class FilterWords : public QObject {
  Q_OBJECT
 public:
  explicit FilterWords(QObject* parent = nullptr);

  void setHistory(const History* history, const Cast* cast);
  // Goes on through the history, a slice now and the others between other things; grew() says that it brought words.
  void read();
  bool reads() const { return timer_.isActive(); }

  // What may stand where the last term is typed: after "by:" names, each with it before. As they are shown, without
  // quotes.
  QStringList words(const QString& typed) const;
  // The field of the last term, as it was typed, with its colon; empty for a word.
  static QString field(const QString& typed);
  // Where the last term begins.
  static qsizetype begin(const QString& typed);
  // One of words() as it stands in a filter, with quotes where it needs them.
  static QString written(const QString& word);

 signals:
  void grew();

 private:
  QStringList values(FilterField field) const;
  QStringList kinds() const;
  QStringList outcomes() const;
  QStringList contenders() const;
  QStringList names(const std::vector<Name>& of) const;

  const History* history_ = nullptr;
  const Cast* cast_ = nullptr;
  Occurring occurring_;
  std::size_t read_ = 0;
  QTimer timer_;
};

}  // namespace leasescope
