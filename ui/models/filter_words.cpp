#include "ui/models/filter_words.h"

#include "core/history/kind_words.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr std::size_t kSlice = 65'536;  // events, in a millisecond or two

}  // namespace

FilterWords::FilterWords(QObject* parent) : QObject(parent) {
  timer_.setSingleShot(true);
  timer_.setInterval(0);
  connect(&timer_, &QTimer::timeout, this, &FilterWords::read);
}

void FilterWords::setHistory(const History* history, const Cast* cast) {
  history_ = history;
  cast_ = cast;
  occurring_ = {};
  read_ = 0;
  timer_.stop();
}

void FilterWords::read() {
  if (history_ == nullptr) return;
  const std::vector<Event>& events = history_->events;
  if (read_ > events.size()) setHistory(history_, cast_);
  const std::size_t until = std::min(events.size(), read_ + kSlice);
  bool more = false;
  for (; read_ < until; ++read_) more = occurring_.take(events[read_]) || more;
  if (read_ < events.size()) timer_.start();
  if (more) emit grew();
}

qsizetype FilterWords::begin(const QString& typed) {
  const QByteArray bytes = typed.toUtf8();
  const FilterPlace place = filter_place({bytes.constData(), static_cast<std::size_t>(bytes.size())});
  return QString::fromUtf8(bytes.left(static_cast<qsizetype>(place.begin))).size();
}

QString FilterWords::field(const QString& typed) {
  const QString term = typed.mid(begin(typed));
  if (filter_place(term.toStdString()).field == FilterField::kWord) return {};
  return term.left(term.indexOf(u':') + 1);
}

QString FilterWords::written(const QString& word) {
  // The value may have blanks: its field is what stands before the first colon.
  const QString first = word.left(word.indexOf(u':') + 1);
  const bool of_field = filter_place(first.toStdString()).field != FilterField::kWord;
  const QString before = of_field ? first : QString(), value = word.mid(before.size());
  return value.isEmpty() ? before : before + fromText(filter_value(value.toStdString()));
}

QStringList FilterWords::words(const QString& typed) const {
  const QString before = field(typed);
  QStringList out = values(filter_place(typed.toStdString()).field);
  for (QString& word : out) word.prepend(before);
  if (before.isEmpty())
    for (const std::string& each : filter_fields()) out << fromText(each) + u':';
  return out;
}

QStringList FilterWords::values(FilterField field) const {
  switch (field) {
    case FilterField::kWord: {
      QStringList out;
      for (int i = 0; cast_ != nullptr && i < cast_->size(); ++i) out << fromText(cast_->name(i));
      return out + kinds();
    }
    case FilterField::kKind:
      return kinds();
    case FilterField::kContender:
      return contenders();
    case FilterField::kMutex:
      return names(occurring_.mutexes());
    case FilterField::kStore:
      return names(occurring_.stores());
    case FilterField::kResource:
      return names(occurring_.resources());
    case FilterField::kOutcome:
      return outcomes();
    case FilterField::kToken:
    case FilterField::kCause:
      return {QStringLiteral("none")};
    case FilterField::kTime:
      break;
  }
  return {};
}

QStringList FilterWords::kinds() const {
  QStringList out;
  for (const Event& event : occurring_.kinds()) out << kindText(*history_, event);
  return out;
}

QStringList FilterWords::outcomes() const {
  QStringList out;
  for (const Event& event : occurring_.kinds())
    if (const std::string_view outcome = outcome_words(event); !outcome.empty()) out << fromText(outcome);
  return out;
}

QStringList FilterWords::contenders() const {
  QStringList out;
  for (int i = 0; cast_ != nullptr && i < cast_->size(); ++i) out << fromText(cast_->name(i)) << Cast::letter(i);
  return out;
}

QStringList FilterWords::names(const std::vector<Name>& of) const {
  QStringList out;
  for (const Name name : of) out << fromText(history_->names.text(name));
  return out;
}

}  // namespace leasescope
