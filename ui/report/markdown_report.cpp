#include "ui/report/markdown_report.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/models/markdown.h"
#include "ui/models/words.h"
#include "ui/report/report_text.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Report)
};

QString row_of(const QStringList& cells) {
  QStringList out;
  for (const QString& each : cells) out << markdownText(each);
  return QStringLiteral("| %1 |\n").arg(out.join(QStringLiteral(" | ")));
}

QString bold(const QString& text, bool on) {
  return on ? QStringLiteral("**%1**").arg(markdownText(text)) : markdownText(text);
}

QString table_of(const ReportTable& table) {
  QString out = row_of(table.head) + u'|';
  for (const bool figure : table.figures) out += figure ? QStringLiteral("--:|") : QStringLiteral("---|");
  out += u'\n';
  for (const QStringList& row : table.rows) out += row_of(row);
  return out + u'\n';
}

// Between fences that are longer than any run of backticks in it.
QString fenced(const QString& text) {
  qsizetype longest = 2, run = 0;
  for (const QChar sign : text) {
    run = sign == u'`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const QString fence(longest + 1, u'`');
  return QStringLiteral("%1toml\n").arg(fence) + text + (text.endsWith(u'\n') ? "" : "\n") + fence + u'\n';
}

class Sheet {
 public:
  Sheet(const ReportSubject& subject, const ReportText& text, ByteSink& out)
      : subject_(subject), text_(text), sink_(out) {}

  void write() {
    head();
    summary();
    for (const ReportSection& each : text_.evidence) section(each);
    incidents();
    stories();
    unobserved();
    heading(Say::tr("Contenders"));
    out_ += table_of(text_.contenders);
    settings();
    out_ += u'\n' + Say::tr("Made by %1.").arg(markdownText(text_.maker)) + u'\n';
    put();
  }

 private:
  // What was written since the last time; nothing more once nobody wants it.
  void put() {
    wanted_ = wanted_ && sink_.go_on(0, 0) && sink_.put(out_.toStdString());
    out_.clear();
  }
  void heading(const QString& words) { out_ += QStringLiteral("## %1\n\n").arg(markdownText(words)); }
  void paragraph(const QString& words) {
    if (!words.isEmpty()) out_ += markdownText(words) + QStringLiteral("\n\n");
  }
  void list(const QStringList& sentences) {
    for (const QString& each : sentences) out_ += QStringLiteral("- %1\n").arg(markdownText(each));
    if (!sentences.isEmpty()) out_ += u'\n';
  }
  void named(const NamedTexts& facts) {
    ReportTable table{{QString(), QString()}, {false, false}, {}};
    for (const auto& [name, value] : facts) table.rows.push_back({name, value});
    if (!facts.empty()) out_ += table_of(table);
  }
  void section(const ReportSection& of) {
    heading(of.title);
    paragraph(of.note);
    if (!of.table.rows.empty()) out_ += table_of(of.table);
  }

  void head() {
    out_ = QStringLiteral("# %1\n\n").arg(markdownText(text_.title));
    paragraph(text_.about);
    out_ += bold(text_.verdict, true) + QStringLiteral("\n\n");
    list(text_.reasons);
  }

  void summary() {
    heading(Say::tr("Summary"));
    named(text_.facts);
    out_ += QStringLiteral("| | |\n|---|--:|\n");
    for (const SummaryItem& item : text_.summary)
      out_ += QStringLiteral("| %1 | %2 |\n").arg(markdownText(item.name), bold(item.value, item.alarm));
    out_ += u'\n';
  }

  QString letters(const std::vector<int>& all) const {
    QStringList out;
    for (const int who : all) out << fromText(subject_.data.letter(who));
    return out.isEmpty() ? QStringLiteral("–") : out.join(QStringLiteral(", "));
  }

  void incidents() {
    heading(Say::tr("Incidents"));
    if (text_.incidents.empty()) return paragraph(Say::tr("No incident."));
    ReportTable table{incident_heads(), {false, true, true, false, false, false}, {}};
    for (const ToldIncident& told : text_.incidents)
      table.rows.push_back({told.title, told.start, told.lasts, letters(told.who), told.tokens, told.cause});
    out_ += table_of(table);
  }

  void stories() {
    if (text_.incidents.empty()) return;
    heading(Say::tr("How they came about"));
    if (text_.untold > 0)
      paragraph(Say::tr("Of the worst %1; of %2 more the table has the cause.")
                    .arg(countText(kMostStories), countText(text_.untold)));
    for (const ToldIncident& told : text_.incidents) {
      if (told.account.isEmpty()) continue;
      put();
      out_ += QStringLiteral("### %1, %2\n\n").arg(markdownText(told.title), markdownText(told.when));
      out_ += markdownOfBold(told.account) + QStringLiteral("\n\n");
      paragraph(told.margin);
      if (told.story.empty()) continue;
      out_ += QStringLiteral("| s | %1 |\n|--:|---|\n").arg(Say::tr("how it came about"));
      for (const StoryLine& line : told.story)
        out_ += QStringLiteral("| %1 | %2 |\n").arg(bold(secondsText(line.at), line.key), markdownText(line.text));
      out_ += u'\n';
    }
  }

  void unobserved() {
    heading(Say::tr("What was not observed"));
    list(text_.limits);
    if (text_.unobserved.empty()) return;
    ReportTable table{unobserved_heads(), {false, true, true, true, false}, {}};
    for (const UnobservedTime& each : text_.unobserved)
      table.rows.push_back({each.who.isEmpty() ? Say::tr("the store") : each.who, secondsText(each.from),
                            secondsText(each.to), spanText(each.to - each.from), each.reason});
    out_ += table_of(table);
  }

  void settings() {
    heading(Say::tr("Settings"));
    paragraph(text_.settings_note);
    named(text_.legend);
    if (!text_.settings.isEmpty()) out_ += fenced(text_.settings);
  }

  const ReportSubject& subject_;
  const ReportText& text_;
  ByteSink& sink_;
  QString out_;  // not yet put
  bool wanted_ = true;
};

}  // namespace

tl::expected<void, std::string> markdown_report(const ReportSubject& subject, ByteSink& out) {
  const ReportText text = report_text(subject);
  Sheet(subject, text, out).write();
  return {};
}

}  // namespace leasescope
