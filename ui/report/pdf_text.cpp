#include "ui/report/pdf_text.h"

#include <QCoreApplication>

#include "ui/look/fonts.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Report)
};

const Colours& ink() { return colours(Theme::kLight); }

QString cell(const QString& content, const char* kind = "") {
  return QStringLiteral("<td class=\"") + QLatin1String(kind) + QStringLiteral("\">") + content +
         QStringLiteral("</td>");
}
QString row(const QString& cells) { return QStringLiteral("<tr>") + cells + QStringLiteral("</tr>\n"); }
QString heading(const QString& text) { return QStringLiteral("<h2>") + text + QStringLiteral("</h2>\n"); }
QString paragraph(const QString& text) { return QStringLiteral("<p>") + text + QStringLiteral("</p>\n"); }

// With its head again on every page.
QString table(const QStringList& head, const QString& rows) {
  QString cells;
  for (const QString& each : head) cells += QStringLiteral("<th align=\"left\">") + each + QStringLiteral("</th>");
  return QStringLiteral("<table width=\"100%\" cellspacing=\"0\" cellpadding=\"3\"><thead>") + row(cells) +
         QStringLiteral("</thead><tbody>") + rows + QStringLiteral("</tbody></table>\n");
}

QString badge(const ChartData& data, int who) {
  const IdentityColours& id = ink().id[static_cast<std::size_t>(data.hue(who))];
  return QStringLiteral("<span style=\"background-color:%1;color:%2;font-weight:600\">&nbsp;%3&nbsp;</span> ")
      .arg(id.ink.name(), id.on.name(), fromText(data.letter(who)));
}

QString badges(const ChartData& data, const std::vector<int>& all) {
  QString out;
  for (const int who : all) out += badge(data, who);
  return out.isEmpty() ? QStringLiteral("–") : out;
}

QString incidents(const ReportSubject& subject, const ReportText& text) {
  QString out = heading(Say::tr("Incidents"));
  if (text.incidents.empty()) return out + paragraph(Say::tr("No incident."));
  QString rows;
  for (const ToldIncident& each : text.incidents)
    rows += row(cell(each.title.toHtmlEscaped(), "strong") + cell(each.start, "n") + cell(each.lasts, "n") +
                cell(badges(subject.data, each.who)) + cell(each.tokens.toHtmlEscaped(), "n") +
                cell(each.cause.toHtmlEscaped()));
  return out + table(incident_heads(), rows);
}

QString stories(const ReportText& text) {
  QString out;
  for (const ToldIncident& each : text.incidents) {
    if (each.account.isEmpty()) continue;
    out += QStringLiteral("<h3>") + each.title.toHtmlEscaped() + QStringLiteral(", ") + each.when +
           QStringLiteral("</h3>\n<p>") + each.account + QStringLiteral("</p>\n");
    QString rows;
    for (const StoryLine& line : each.story)
      rows += row(cell(secondsText(line.at), line.key ? "n strong" : "n muted") + cell(line.text.toHtmlEscaped()));
    if (!rows.isEmpty())
      out += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">") + rows + QStringLiteral("</table>\n");
    out += QStringLiteral("<p>") + each.margin.toHtmlEscaped() + QStringLiteral("</p>\n");
  }
  if (out.isEmpty()) return out;
  if (text.untold > 0) out += paragraph(Say::tr("Of %1 more the list above has the cause.").arg(text.untold));
  return heading(Say::tr("How they came about")) + out;
}

QString unobserved(const ReportText& text) {
  QString out = heading(Say::tr("What was not observed"));
  for (const QString& limit : text.limits)
    out += QStringLiteral("<p>") + limit.toHtmlEscaped() + QStringLiteral("</p>\n");
  QString rows;
  for (const UnobservedTime& each : text.unobserved)
    rows += row(cell(each.who.isEmpty() ? Say::tr("the store") : each.who.toHtmlEscaped()) +
                cell(secondsText(each.from), "n") + cell(secondsText(each.to), "n") +
                cell(spanText(each.to - each.from), "n") + cell(each.reason.toHtmlEscaped()));
  if (rows.isEmpty()) return out;
  return out + table(unobserved_heads(), rows);
}

QString evidence(const ReportText& text) {
  QString out;
  for (const ReportSection& each : text.evidence) {
    out += heading(each.title);
    if (!each.note.isEmpty()) out += QStringLiteral("<p>") + each.note.toHtmlEscaped() + QStringLiteral("</p>\n");
    QString rows;
    for (const QStringList& values : each.table.rows) {
      QString cells;
      for (qsizetype i = 0; i < values.size(); ++i)
        cells += cell(values[i].toHtmlEscaped(), each.table.figures[static_cast<std::size_t>(i)] ? "n" : "");
      rows += row(cells);
    }
    if (!rows.isEmpty()) out += table(each.table.head, rows);
  }
  return out;
}

QString contenders(const ReportSubject& subject, const ReportText& text) {
  QString rows;
  for (std::size_t who = 0; who < text.contenders.rows.size(); ++who) {
    QString cells = cell(badge(subject.data, static_cast<int>(who)));
    const QStringList& values = text.contenders.rows[who];
    for (qsizetype i = 1; i < values.size(); ++i)
      cells +=
          cell(values[i].toHtmlEscaped(), i == 1 || text.contenders.figures[static_cast<std::size_t>(i)] ? "n" : "");
    rows += row(cells);
  }
  return heading(Say::tr("Contenders")) + table(text.contenders.head, rows);
}

QString settings(const ReportText& text) {
  QString out = heading(Say::tr("Settings")) + QStringLiteral("<p>") + text.settings_note.toHtmlEscaped() +
                QStringLiteral("</p>\n");
  QString rows;
  for (const auto& [name, value] : text.legend)
    rows += row(cell(name.toHtmlEscaped(), "n") + cell(value.toHtmlEscaped()));
  if (!rows.isEmpty())
    out += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">") + rows + QStringLiteral("</table>\n");
  if (text.settings.isEmpty()) return out;
  // A line that is too long goes on in the next, as <pre> would not let it.
  QString lines = text.settings.trimmed().toHtmlEscaped();
  lines.replace(QLatin1String("  "), QLatin1String("&nbsp; ")).replace(u'\n', QLatin1String("<br>\n"));
  return out + QStringLiteral("<p class=\"fixed\">") + lines + QStringLiteral("</p>\n");
}

// Names and values beside each other, so many a line.
QString grid(const NamedTexts& all, qsizetype columns) {
  QString rows, line;
  qsizetype count = 0;
  for (const auto& [name, value] : all) {
    line += QStringLiteral("<td class=\"muted\">") + name.toHtmlEscaped() +
            QStringLiteral("<br><span class=\"value\">") + value.toHtmlEscaped() + QStringLiteral("</span></td>");
    if (++count % columns == 0) rows += row(std::exchange(line, {}));
  }
  if (!line.isEmpty()) rows += row(line);
  return QStringLiteral("<table cellspacing=\"0\" cellpadding=\"6\">") + rows + QStringLiteral("</table>\n");
}

}  // namespace

QString pdf_style() {
  // Settings are for copying: the other font would make one sign of ">=", which nobody finds again.
  return QStringLiteral(
             "body{color:%1} h1{font-size:22px;font-weight:600;margin:0} h2{font-size:14px;font-weight:600;"
             "margin:16px 0 4px 0} h3{font-size:12px;font-weight:600;margin:10px 0 2px 0} p{margin:2px 0 4px 0} "
             "th{font-weight:500;color:%2} td.n,.value{font-family:'%3';font-size:11px} "
             ".fixed{font-family:'DejaVu Sans Mono';font-size:11px} td.strong{font-weight:600} .muted{color:%2} "
             ".value{color:%1;font-weight:600}")
      .arg(ink().text.name(), ink().muted.name(), font(Face::kMono, 11).family());
}

QString pdf_summary(const ReportSubject& subject, const ReportText& text) {
  QString out = QStringLiteral("<h1>") + text.title.toHtmlEscaped() + QStringLiteral("</h1>\n<p>") +
                text.about.toHtmlEscaped() + QStringLiteral("</p>\n<p><b>") + text.verdict.toHtmlEscaped() +
                QStringLiteral("</b></p>\n");
  for (const QString& reason : text.reasons)
    out += QStringLiteral("<p>") + reason.toHtmlEscaped() + QStringLiteral("</p>\n");
  NamedTexts figures;
  for (const SummaryItem& item : text.summary) figures.emplace_back(item.name, item.value);
  return out + grid(text.facts, 6) + grid(figures, 6) + evidence(text) + incidents(subject, text) + unobserved(text);
}

QString pdf_account(const ReportSubject& subject, const ReportText& text) {
  return stories(text) + contenders(subject, text) + settings(text);
}

}  // namespace leasescope
