// Notes as JSON. What this version does not know is an error, never left out: who wrote it would lose it.
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <limits>

#include "ui/models/notes.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

const QLatin1String kFormat("leasescope notes");

class Say {
  Q_DECLARE_TR_FUNCTIONS(NotesFile)
};

// ---- written

qint64 ns(TrueTime at) { return at.time_since_epoch().count(); }

QJsonArray list_of(const std::vector<std::string>& names) {
  QJsonArray out;
  for (const std::string& name : names) out.append(fromText(name));
  return out;
}

QJsonObject object_of(const Marker& marker) {
  return {{"at_ns", ns(marker.at)}, {"name", marker.name}, {"text", marker.text}};
}

QJsonObject object_of(const IncidentNote& note) {
  return {{"kind", fromText(text(note.kind))},
          {"mutex", fromText(note.mutex)},
          {"start_ns", ns(note.start)},
          {"contenders", list_of(note.contenders)},
          {"text", note.text}};
}

QJsonObject object_of(const RowChoice& rows) {
  QJsonObject out;
  if (rows.by_relevance) out["busiest_first"] = true;
  if (rows.unfolded) out["idle_too"] = true;
  if (!rows.pinned.empty()) out["pinned"] = list_of(rows.pinned);
  if (!rows.hidden.empty()) out["hidden"] = list_of(rows.hidden);
  if (!rows.order.empty()) out["order"] = list_of(rows.order);
  if (!rows.filter.words.empty()) out["words"] = fromText(rows.filter.words);
  if (!rows.filter.mutex.empty()) out["mutex"] = fromText(rows.filter.mutex);
  if (rows.filter.kind) out["incident"] = fromText(text(*rows.filter.kind));
  return out;
}

QJsonObject object_of(const NamedView& view) {
  return {{"name", view.name},
          {"from_ns", ns(view.from)},
          {"span_ns", static_cast<qint64>(view.span.count())},
          {"scroll", view.scroll},
          {"rows", object_of(view.rows)}};
}

template <class T>
QJsonArray array_of(const std::vector<T>& all) {
  QJsonArray out;
  for (const T& each : all) out.append(object_of(each));
  return out;
}

// ---- read

// An object whose members are asked for one by one. The first thing that is wrong is remembered with its place; what
// nobody has asked for is wrong too.
class Reader {
 public:
  Reader(const QJsonValue& value, QString place, QString& error) : place_(std::move(place)), error_(error) {
    if (!value.isObject()) fail("", Say::tr("an object in { } was expected"));
    object_ = value.toObject();
  }

  void read(const char* key, QString& to) {
    if (const auto text = take(key, QJsonValue::String, Say::tr("a text in \" \" was expected"))) to = text->toString();
  }
  void read(const char* key, std::string& to) {
    QString text = fromText(to);
    read(key, text);
    to = text.toStdString();
  }
  void read(const char* key, bool& to) {
    if (const auto is = take(key, QJsonValue::Bool, Say::tr("true or false was expected"))) to = is->toBool();
  }
  void read(const char* key, std::int64_t& to, std::int64_t least = std::numeric_limits<std::int64_t>::min()) {
    const QJsonValue value = take(key);
    if (value.isUndefined()) return;
    // What is no whole number answers with whatever is given for that case.
    const bool whole = value.isDouble() && value.toInteger(0) == value.toInteger(1);
    if (!whole || value.toInteger() < least) return fail(key, Say::tr("a whole number was expected"));
    to = value.toInteger();
  }
  void read(const char* key, TrueTime& to) {
    std::int64_t at = ns(to);
    need(key);
    read(key, at);
    to = TrueTime(Duration(at));
  }
  void read(const char* key, std::vector<std::string>& to) {
    const QString expected = Say::tr("a list of names in [ ] was expected");
    const auto value = take(key, QJsonValue::Array, expected);
    if (!value) return;
    const QJsonArray all = value->toArray();
    for (const auto& each : all) {
      if (!each.isString()) return fail(key, expected);
      to.push_back(each.toString().toStdString());
    }
  }
  std::optional<IncidentKind> kind(const char* key) {
    QString word;
    read(key, word);
    if (word.isEmpty()) return {};
    for (const IncidentKind kind : kAllIncidentKinds)
      if (word == fromText(text(kind))) return kind;
    fail(key, Say::tr("%1 is no kind of incident").arg(word));
    return {};
  }
  template <class T>
  void read_all(const char* key, std::vector<T>& to) {
    const auto value = take(key, QJsonValue::Array, Say::tr("a list in [ ] was expected"));
    if (!value) return;
    const QJsonArray all = value->toArray();
    for (qsizetype i = 0; i < all.size() && error_.isEmpty(); ++i) {
      Reader each(all[i], QStringLiteral("%1[%2]").arg(QLatin1String(key)).arg(i), error_);
      to.push_back(each.template make<T>());
      each.end();
    }
  }
  template <class T>
  T make();

  void need(const char* key) {
    if (error_.isEmpty() && !object_.contains(QLatin1String(key))) fail(key, Say::tr("it is missing"));
  }
  Reader inner(const char* key) { return {take(key), at(key), error_}; }
  bool has(const char* key) const { return object_.contains(QLatin1String(key)); }
  void end() {
    for (const QString& key : object_.keys())
      if (!asked_.contains(key)) fail(key.toUtf8().constData(), Say::tr("it is not known to this version"));
  }
  void fail(const char* key, const QString& why) {
    if (error_.isEmpty()) error_ = QStringLiteral("%1: %2").arg(at(key), why);
  }

 private:
  QJsonValue take(const char* key) {
    asked_ << QLatin1String(key);
    return error_.isEmpty() ? object_.value(QLatin1String(key)) : QJsonValue(QJsonValue::Undefined);
  }
  // What is there, when it is of that type.
  std::optional<QJsonValue> take(const char* key, QJsonValue::Type type, const QString& expected) {
    QJsonValue value = take(key);
    if (value.type() == type) return value;
    if (!value.isUndefined()) fail(key, expected);
    return {};
  }
  QString at(const char* key) const {
    const QString name = QString::fromUtf8(key);
    if (place_.isEmpty()) return name.isEmpty() ? Say::tr("the file") : name;
    return name.isEmpty() ? place_ : place_ + u'.' + name;
  }

  QJsonObject object_;
  QStringList asked_;
  QString place_;
  QString& error_;
};

template <>
Marker Reader::make() {
  Marker marker;
  read("at_ns", marker.at);
  read("name", marker.name);
  read("text", marker.text);
  return marker;
}

template <>
IncidentNote Reader::make() {
  IncidentNote note;
  need("kind");
  note.kind = kind("kind").value_or(note.kind);
  read("mutex", note.mutex);
  read("start_ns", note.start);
  read("contenders", note.contenders);
  read("text", note.text);
  return note;
}

template <>
RowChoice Reader::make() {
  RowChoice rows;
  read("busiest_first", rows.by_relevance);
  read("idle_too", rows.unfolded);
  read("pinned", rows.pinned);
  read("hidden", rows.hidden);
  read("order", rows.order);
  read("words", rows.filter.words);
  read("mutex", rows.filter.mutex);
  rows.filter.kind = kind("incident");
  return rows;
}

template <>
NamedView Reader::make() {
  NamedView view;
  read("name", view.name);
  read("from_ns", view.from);
  std::int64_t span = 0, scroll = 0;
  need("span_ns");
  read("span_ns", span, 1);
  read("scroll", scroll, 0);
  view.span = Duration(span);
  view.scroll = static_cast<int>(std::min<std::int64_t>(scroll, std::numeric_limits<int>::max()));
  if (has("rows")) {
    Reader rows = inner("rows");
    view.rows = rows.make<RowChoice>();
    rows.end();
  }
  return view;
}

QString place_of(const QByteArray& text, const QJsonParseError& error) {
  const QByteArray before = text.left(error.offset);
  const auto line = before.count('\n') + 1;
  return Say::tr("line %1, column %2: %3")
      .arg(line)
      .arg(before.size() - before.lastIndexOf('\n'))
      .arg(error.errorString());
}

}  // namespace

QByteArray notes_text(const Notes& notes) {
  QJsonObject all{{"format", kFormat}, {"version", kNotesVersion}};
  all["markers"] = array_of(notes.markers);
  all["incidents"] = array_of(notes.incidents);
  all["views"] = array_of(notes.views);
  return QJsonDocument(all).toJson();
}

tl::expected<Notes, QString> read_notes(const QByteArray& text) {
  QJsonParseError parsed;
  const QJsonDocument document = QJsonDocument::fromJson(text, &parsed);
  if (parsed.error != QJsonParseError::NoError) return tl::make_unexpected(place_of(text, parsed));
  QString error;
  Reader reader(document.isObject() ? QJsonValue(document.object()) : QJsonValue(document.array()), {}, error);
  QString format;
  std::int64_t version = 0;
  reader.read("format", format);
  reader.read("version", version);
  if (error.isEmpty() && format != kFormat) reader.fail("format", Say::tr("\"%1\" was expected").arg(kFormat));
  if (error.isEmpty() && version != kNotesVersion)
    reader.fail("version",
                version > kNotesVersion
                    ? Say::tr("%1, of a newer Leasescope: this one reads version %2").arg(version).arg(kNotesVersion)
                    : Say::tr("%1 was expected").arg(kNotesVersion));
  Notes notes;
  reader.read_all("markers", notes.markers);
  reader.read_all("incidents", notes.incidents);
  reader.read_all("views", notes.views);
  reader.end();
  if (!error.isEmpty()) return tl::make_unexpected(error);
  std::stable_sort(notes.markers.begin(), notes.markers.end(),
                   [](const Marker& a, const Marker& b) { return a.at < b.at; });
  return notes;
}

}  // namespace leasescope
