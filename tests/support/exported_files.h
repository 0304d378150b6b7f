// Reports of a run that is over, as files of their format: each is read by what knows the format and nothing of ours,
// and has in it what the run had.
#pragma once
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTextDocument>
#include <QXmlStreamReader>
#include <map>

#include "tests/support/other_readers.h"
#include "ui/models/words.h"
#include "ui/timeline/paint/chart_data.h"

namespace leasescope::tests {

struct ExportedRun {
  const History& history;
  const ChartData& data;
  double scale = 1;  // device pixels a pixel of the window

  std::size_t leases() const {
    std::size_t out = 0;
    for (const ContenderRow& row : data.contenders()) out += row.held.size() + row.believed.size();
    return out;
  }
};

namespace exported {

inline constexpr int kWide = 1280;  // px of a chart

// What is not as it should be; empty: all is.
using Reader = QString (*)(const QByteArray& bytes, const ExportedRun& of);

inline QString png(const QByteArray& bytes, const ExportedRun& of) {
  const QImage image = QImage::fromData(bytes, "PNG");
  if (image.isNull()) return QStringLiteral("it is no PNG");
  if (image.width() != qRound(kWide * of.scale) || image.height() < image.width() / 8)
    return QStringLiteral("%1 × %2 pixels").arg(image.width()).arg(image.height());
  std::map<QRgb, int> colours;
  for (int y = 0; y < image.height(); y += 2)
    for (int x = 0; x < image.width(); x += 2) ++colours[image.pixel(x, y)];
  return colours.size() > 10 ? QString() : QStringLiteral("%1 colours").arg(colours.size());
}

inline QString svg(const QByteArray& bytes, const ExportedRun& of) {
  QXmlStreamReader xml(bytes);
  QString root, box, words;
  for (int depth = 0; !xml.atEnd();) {
    xml.readNext();
    if (xml.isStartElement() && ++depth == 1) {
      root = xml.name().toString();
      box = xml.attributes().value(QStringLiteral("viewBox")).toString();
    }
    if (xml.isEndElement()) --depth;
    if (xml.isCharacters()) words += xml.text().toString() + u'\n';
  }
  if (xml.hasError()) return QStringLiteral("line %1: %2").arg(xml.lineNumber()).arg(xml.errorString());
  if (root != QStringLiteral("svg")) return QStringLiteral("its root is <%1>").arg(root);
  const QStringList corners = box.split(u' ');
  if (corners.size() != 4 || corners[2].toInt() != kWide || corners[3].toInt() < kWide / 8) return box;
  for (const MutexRow& mutex : of.data.mutexes())
    if (!words.contains(fromText(mutex.name))) return QStringLiteral("it does not name %1").arg(fromText(mutex.name));
  return {};
}

inline QString html(const QByteArray& bytes, const ExportedRun& of) {
  if (!bytes.startsWith("<!DOCTYPE html>") || !bytes.trimmed().endsWith("</html>")) return QStringLiteral("it is cut");
  for (const Incident& each : of.history.incidents) {
    const QString row = QStringLiteral("data-kind=\"%1\" data-start-ns=\"%2\" data-end-ns=\"%3\"")
                            .arg(fromText(text(each.kind)))
                            .arg(each.start.time_since_epoch().count())
                            .arg(each.end.time_since_epoch().count());
    if (!bytes.contains(row.toUtf8())) return QStringLiteral("no incident %1").arg(row);
  }
  const auto rows = static_cast<std::size_t>(bytes.count(" data-start-ns=\""));
  if (rows != of.history.incidents.size()) return QStringLiteral("%1 incidents").arg(rows);
  return bytes.contains("<svg") ? QString() : QStringLiteral("it has no chart");
}

// Where everything lies is told at its end, and each page has its object.
inline QString pdf(const QByteArray& bytes, const ExportedRun& of) {
  if (!bytes.startsWith("%PDF-1.") || !bytes.trimmed().endsWith("%%EOF")) return QStringLiteral("it is cut");
  static const QRegularExpression begins(QStringLiteral("startxref\\s+(\\d+)\\s+%%EOF"));
  const QRegularExpressionMatch places = begins.match(QString::fromLatin1(bytes.right(64)));
  if (!places.hasMatch() || bytes.mid(places.captured(1).toLongLong(), 4) != "xref")
    return QStringLiteral("its table of places is not where it says");
  static const QRegularExpression page(QStringLiteral("/Type\\s*/Page\\b(?!s)")),
      count(QStringLiteral("/Count\\s+(\\d+)"));
  const QString text = QString::fromLatin1(bytes);
  const qsizetype pages = text.count(page);
  const int said = count.match(text).captured(1).toInt();
  if (pages < 3 || pages != said) return QStringLiteral("%1 pages of %2").arg(pages).arg(said);
  const QTemporaryDir folder;
  const Read read = read_by(QStringLiteral("pdftotext"),
                            {QStringLiteral("-layout"), put(folder, bytes, "report.pdf"), QStringLiteral("-")});
  if (!read.done) return QString::fromUtf8(read.why);
  const QString words = read.out.simplified();
  for (const Incident& each : of.history.incidents)
    if (!words.contains(fromText(title(each.kind))) || !words.contains(secondsText(each.start)))
      return QStringLiteral("no %1 at %2").arg(fromText(title(each.kind)), secondsText(each.start));
  return read.out.count(u'\f') == pages ? QString() : QStringLiteral("another reader finds other pages");
}

inline QString markdown(const QByteArray& bytes, const ExportedRun& of) {
  QTextDocument document;
  document.setMarkdown(QString::fromUtf8(bytes));
  const QString words = document.toPlainText();
  if (!bytes.startsWith("# ")) return QStringLiteral("it has no heading");
  for (const Incident& each : of.history.incidents)
    if (!words.contains(fromText(title(each.kind))) || !words.contains(secondsText(each.start)))
      return QStringLiteral("no %1 at %2").arg(fromText(title(each.kind)), secondsText(each.start));
  return {};
}

// As RFC 4180 has it; empty: it is none, or its rows have not all as many fields.
inline QList<QStringList> csv_rows(const QByteArray& bytes) {
  QList<QStringList> rows;
  QStringList row;
  QByteArray field;
  bool quoted = false;
  for (qsizetype i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    const bool doubled = c == '"' && quoted && i + 1 < bytes.size() && bytes[i + 1] == '"';
    if (doubled)
      field += bytes[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == ',' || c == '\r')) {
      row << QString::fromUtf8(std::exchange(field, {}));
      if (c == ',') continue;
      if (bytes.mid(i, 2) != "\r\n" || (!rows.isEmpty() && row.size() != rows.front().size())) return {};
      rows << std::exchange(row, {});
      ++i;
    } else
      field += c;
  }
  return quoted || !field.isEmpty() || !row.isEmpty() ? QList<QStringList>() : rows;
}

inline QString leases(const QByteArray& bytes, const ExportedRun& of) {
  const QList<QStringList> rows = csv_rows(bytes);
  if (rows.isEmpty() || rows.front().front() != QStringLiteral("mutex"))
    return QStringLiteral("it is no table of leases");
  const auto found = static_cast<std::size_t>(rows.size()) - 1;
  return found == of.leases() ? QString() : QStringLiteral("%1 leases of %2").arg(found).arg(of.leases());
}

inline QString events(const QByteArray& bytes, const ExportedRun& of) {
  const QList<QStringList> rows = csv_rows(bytes);
  if (rows.isEmpty() || rows.front().front() != QStringLiteral("number"))
    return QStringLiteral("it is no table of events");
  if (static_cast<std::size_t>(rows.size()) - 1 != of.history.events.size())
    return QStringLiteral("%1 events of %2").arg(rows.size() - 1).arg(of.history.events.size());
  for (qsizetype i = 1; i < rows.size(); ++i) {
    const Event& event = of.history.events[static_cast<std::size_t>(i) - 1];
    if (rows[i][0].toLongLong() != i || rows[i][1].toLongLong() != event.hi.time_since_epoch().count())
      return QStringLiteral("row %1: %2").arg(i).arg(rows[i].join(u','));
  }
  return {};
}

inline QString trace(const QByteArray& bytes, const ExportedRun& of) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
  if (error.error != QJsonParseError::NoError) return error.errorString();
  std::size_t slices = 0, incidents = 0;
  for (const QJsonValue& each : document[QStringLiteral("traceEvents")].toArray()) {
    const QString phase = each[QStringLiteral("ph")].toString();
    slices += phase == QStringLiteral("X");
    incidents += phase == QStringLiteral("b") && each[QStringLiteral("cat")].toString() == QStringLiteral("incident");
  }
  if (slices == of.leases() && incidents == of.history.incidents.size()) return {};
  return QStringLiteral("%1 leases of %2, %3 incidents").arg(slices).arg(of.leases()).arg(incidents);
}

inline const std::map<std::string_view, Reader>& readers() {
  static const std::map<std::string_view, Reader> all{{".png", png},           {".svg", svg},     {".html", html},
                                                      {".pdf", pdf},           {".md", markdown}, {".csv", leases},
                                                      {".events.csv", events}, {".json", trace}};
  return all;
}

}  // namespace exported

// What is wrong with a file of that ending; empty: nothing. A new report needs its reader here.
inline QString wrong_in(const QString& path, std::string_view ending, const ExportedRun& of) {
  const auto reader = exported::readers().find(ending);
  if (reader == exported::readers().end()) return QStringLiteral("nobody here reads it");
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return file.errorString();
  return reader->second(file.readAll(), of);
}

}  // namespace leasescope::tests
