#include "ui/report/html_report.h"

#include <fmt/format.h>
#include <QCoreApplication>
#include <QCryptographicHash>

#include "core/base/embedded.h"
#include "ui/models/words.h"
#include "ui/report/html_chart.h"
#include "ui/report/html_theme.h"
#include "ui/report/lease_rows.h"
#include "ui/report/report_text.h"
#include "ui/timeline/lanes/lease_words.h"

namespace leasescope {
namespace embedded {
std::vector<File> report_style();
std::vector<File> report_script();
}  // namespace embedded

namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Report)
};

constexpr std::uint64_t kMostLeases = 500;  // in the page; the CSV has them all

std::string escaped(const QString& text) { return text.toHtmlEscaped().toStdString(); }
std::string escaped(std::string_view text) { return escaped(fromText(text)); }

// Only this very script may run, and nothing may be loaded.
std::string policy_for(const std::string& script) {
  const QByteArray sum = QCryptographicHash::hash(QByteArray::fromStdString(script), QCryptographicHash::Sha256);
  return fmt::format("default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{}'",
                     sum.toBase64().toStdString());
}

class Page {
 public:
  Page(ByteSink& out, const ReportSubject& subject, const ReportText& text, const std::string& chart)
      : out_(out), subject_(subject), text_(text), chart_(chart) {}

  void write() && {
    head();
    summary();
    section(Say::tr("Chart"), Say::tr("point at a mark to read what it is"), chart_);
    evidence();
    incidents();
    stories();
    unobserved();
    contenders();
    leases();
    settings();
    const std::string script = embedded::report_script().front().text;
    put(fmt::format(
        "<footer>{}</footer>\n</main>\n<div id=\"card\" "
        "aria-hidden=\"true\" hidden></div>\n<script>{}</script>\n</body>\n</html>\n",
        escaped(Say::tr("Made by %1. This page is whole by itself: it loads nothing.").arg(text_.maker)), script));
  }

 private:
  // Most sections are made whole; incidents, of which there may be very many, go one by one.
  void put(const std::string& part) { wanted_ = wanted_ && out_.go_on(0, 0) && out_.put(part); }

  void head() {
    put(fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-"
        "Policy\" content=\"{}\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{} · {} · Leasescope</title>\n<style>\n{}{}</style>\n</head>\n<body>\n<main>\n",
        escaped(Say::tr("en", "the language of the page")), policy_for(embedded::report_script().front().text),
        escaped(text_.title), escaped(text_.verdict), html_theme(), embedded::report_style().front().text));
    put(fmt::format("<header><h1>{}</h1><p>{}</p><span class=\"verdict{}\">{}</span></header>\n", escaped(text_.title),
                    escaped(text_.about), text_.failed ? " failed" : "", escaped(text_.verdict)));
    if (text_.reasons.isEmpty()) return;
    put("<ul class=\"reasons\">\n");
    for (const QString& reason : text_.reasons) put(fmt::format("<li>{}</li>\n", escaped(reason)));
    put("</ul>\n");
  }

  void section(const QString& name, const QString& note, const std::string& content) {
    begin_section(name, note);
    put(content);
    put("</section>\n");
  }
  void begin_section(const QString& name, const QString& note) {
    const std::string small = note.isEmpty() ? std::string() : fmt::format("<small>{}</small>", escaped(note));
    put(fmt::format("<section class=\"long\"><h2><span>{}</span>{}</h2>\n", escaped(name), small));
  }

  static std::string table_head(std::string_view id, const QStringList& heads, const std::vector<bool>& figures) {
    std::string out = fmt::format("<div class=\"scroll\"><table id=\"{}\">\n<thead><tr>", id);
    for (qsizetype i = 0; i < heads.size(); ++i)
      out += fmt::format("<th scope=\"col\"{}>{}</th>", figures[static_cast<std::size_t>(i)] ? " class=\"n\"" : "",
                         escaped(heads[i]));
    return out + "</tr></thead>\n<tbody>\n";
  }

  void summary() {
    std::string out = "<dl class=\"facts run\">\n";
    for (const auto& [name, value] : text_.facts)
      out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value));
    out += "</dl>\n<dl class=\"facts\">\n";
    for (const SummaryItem& item : text_.summary)
      out += fmt::format("<div{}><dt>{}</dt><dd>{}</dd></div>\n", item.alarm ? " class=\"alarm\"" : "",
                         escaped(item.name), escaped(item.value));
    section(Say::tr("Summary"), {}, out + "</dl>\n");
  }

  std::string badge(int who) const {
    return fmt::format("<span class=\"who w{}\">{}</span>", subject_.data.hue(who), subject_.data.letter(who));
  }
  std::string badges(const std::vector<int>& all) const {
    std::string out;
    for (const int who : all) out += badge(who);
    return out.empty() ? "–" : out;
  }
  const Incident& incident(const ToldIncident& told) const { return subject_.history.incidents[told.place]; }

  void incidents() {
    begin_section(Say::tr("Incidents"), QString::number(text_.incidents.size()));
    if (text_.incidents.empty()) {
      put(fmt::format("<p>{}</p>\n</section>\n", escaped(Say::tr("No incident."))));
      return;
    }
    put(table_head("incidents", incident_heads(), {false, true, true, false, false, false}));
    for (const ToldIncident& told : text_.incidents) {
      const Incident& of = incident(told);
      const std::string name = told.account.isEmpty()
                                   ? escaped(told.title)
                                   : fmt::format("<a href=\"#story-{}\">{}</a>", told.place + 1, escaped(told.title));
      put(fmt::format(
          "<tr id=\"incident-{}\"{} data-kind=\"{}\" data-start-ns=\"{}\" data-end-ns=\"{}\"><td class=\"kind\"><span "
          "class=\"glyph {}\"></span> {}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"t\">{}</td><td "
          "class=\"t\">{}</td><td class=\"cause\">{}</td></tr>\n",
          told.place + 1, severity(of.kind) <= 2 ? " class=\"grave\"" : "", text(of.kind),
          of.start.time_since_epoch().count(), of.end.time_since_epoch().count(), text(of.kind), name,
          escaped(told.start), escaped(told.lasts), badges(told.who), escaped(told.tokens), escaped(told.cause)));
    }
    put("</tbody>\n</table></div>\n</section>\n");
  }

  static std::string_view ground_of(IncidentKind kind) {
    if (severity(kind) == 1 || kind == IncidentKind::kFenceRegression) return "critical";
    return kind == IncidentKind::kBeliefOverlap ? "overlap" : "plain";
  }

  void stories() {
    if (text_.incidents.empty()) return;
    std::string out;
    for (const ToldIncident& told : text_.incidents) {
      if (told.account.isEmpty()) continue;
      const IncidentKind kind = incident(told).kind;
      out += fmt::format(
          "<article id=\"story-{}\" class=\"{}\">\n<div class=\"account\"><h3><span class=\"glyph {}\"></span> <span>{}"
          "</span> <span>{}</span><time>{}</time></h3>\n<p>{}</p></div>\n",
          told.place + 1, ground_of(kind), text(kind), escaped(told.title), told.who.empty() ? "" : badges(told.who),
          escaped(told.when), told.account.toStdString());
      if (!told.story.empty()) out += "<table class=\"story\"><tbody>\n";
      for (const StoryLine& line : told.story)
        out += fmt::format("<tr{}><td class=\"n\">{}</td><td>{}</td></tr>\n", line.key ? " class=\"key\"" : "",
                           escaped(secondsText(line.at)), escaped(line.text));
      if (!told.story.empty()) out += "</tbody></table>\n";
      out += fmt::format("<p class=\"margin\">{}</p>\n</article>\n", escaped(told.margin));
    }
    const QString note =
        text_.untold == 0
            ? Say::tr("times in seconds")
            : Say::tr("the worst %1; of %2 more the list has the cause").arg(kMostStories).arg(text_.untold);
    section(Say::tr("How they came about"), note, out);
  }

  void unobserved() {
    std::string out = "<ul class=\"plain\">\n";
    for (const QString& limit : text_.limits) out += fmt::format("<li>{}</li>\n", escaped(limit));
    out += "</ul>\n";
    if (!text_.unobserved.empty()) {
      out += table_head("unobserved", unobserved_heads(), {false, true, true, true, false});
      for (const UnobservedTime& each : text_.unobserved)
        out += fmt::format(
            "<tr><td class=\"t\"><span class=\"gap\"></span> {}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
            "class=\"n\">{}</td><td class=\"cause\">{}</td></tr>\n",
            escaped(each.who.isEmpty() ? Say::tr("the store") : each.who), escaped(secondsText(each.from)),
            escaped(secondsText(each.to)), escaped(spanText(each.to - each.from)), escaped(each.reason));
      out += "</tbody>\n</table></div>\n";
    }
    section(Say::tr("What was not observed"), {}, out);
  }

  void evidence() {
    for (const ReportSection& each : text_.evidence) {
      std::string out;
      if (!each.note.isEmpty()) out += fmt::format("<p>{}</p>\n", escaped(each.note));
      if (!each.table.rows.empty()) out += plain_table(each);
      section(each.title, QString::number(each.table.rows.size()), out);
    }
  }

  static std::string plain_table(const ReportSection& of) {
    const auto kind = [&](qsizetype column) {
      return of.table.figures[static_cast<std::size_t>(column)] ? "n" : "name";
    };
    std::string out = fmt::format("<div class=\"scroll\"><table id=\"{}\">\n<thead><tr>", of.word.toStdString());
    for (qsizetype i = 0; i < of.table.head.size(); ++i)
      out += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", kind(i), escaped(of.table.head[i]));
    out += "</tr></thead>\n<tbody>\n";
    for (const QStringList& row : of.table.rows) {
      out += "<tr>";
      for (qsizetype i = 0; i < row.size(); ++i)
        out += fmt::format("<td class=\"{}\">{}</td>", kind(i), escaped(row[i]));
      out += "</tr>\n";
    }
    return out + "</tbody>\n</table></div>\n";
  }

  void contenders() {
    const ReportTable& table = text_.contenders;
    std::string out = table_head("contenders", table.head, table.figures);
    for (std::size_t who = 0; who < table.rows.size(); ++who) {
      out += fmt::format("<tr><td class=\"t\">{}</td>", badge(static_cast<int>(who)));
      const QStringList& row = table.rows[who];
      for (qsizetype i = 1; i < row.size(); ++i)
        out += fmt::format("<td class=\"{}\">{}</td>",
                           table.figures[static_cast<std::size_t>(i)] ? "n"
                           : i == 1                                   ? "name"
                                                                      : "",
                           escaped(row[i]));
      out += "</tr>\n";
    }
    section(Say::tr("Contenders"), QString::number(table.rows.size()), out + "</tbody>\n</table></div>\n");
  }

  // The chart's twin for those who cannot see it.
  void leases() {
    const std::uint64_t all = lease_count(subject_);
    std::uint64_t told = 0;
    std::string out =
        fmt::format("<details><summary>{}</summary>\n", escaped(Say::tr("Show the leases that the chart draws"))) +
        table_head("leases",
                   {Say::tr("Who"), Say::tr("Lane"), Say::tr("Mutex"), Say::tr("Token"), Say::tr("From, s"),
                    Say::tr("To, s"), Say::tr("Ended")},
                   {false, false, false, false, true, true, false});
    const std::string believed = escaped(Say::tr("believed")), held = escaped(Say::tr("held"));
    each_lease_row(subject_, [&](const LeaseRow& row) {
      const auto mutex = static_cast<std::size_t>(row.span.mutex);
      const auto& mutexes = subject_.data.mutexes();
      out += fmt::format(
          "<tr><td class=\"t\">{}</td><td>{}</td><td class=\"name\">{}</td><td class=\"t\">{}</td><td "
          "class=\"n\">{}</td>"
          "<td class=\"n\">{}</td><td>{}</td></tr>\n",
          badge(row.contender), row.believed ? believed : held,
          escaped(mutex < mutexes.size() ? mutexes[mutex].name : std::string()), escaped(tokenText(row.span.token)),
          escaped(secondsText(row.span.start.hi)), escaped(secondsText(held_until(subject_.data, row.span))),
          escaped(ending_text(row.span.ending)));
      return ++told < kMostLeases;
    });
    const QString note = all <= kMostLeases ? QString::number(all)
                                            : Say::tr("the first %1 of %2; the CSV has all").arg(kMostLeases).arg(all);
    section(Say::tr("Leases"), note, out + "</tbody>\n</table></div></details>\n");
  }

  void settings() {
    std::string out;
    if (!text_.legend.empty()) out += "<dl class=\"facts run\">\n";
    for (const auto& [name, value] : text_.legend)
      out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value));
    if (!text_.legend.empty()) out += "</dl>\n";
    if (!text_.settings.isEmpty()) out += fmt::format("<pre tabindex=\"0\">{}</pre>\n", escaped(text_.settings));
    section(Say::tr("Settings"), text_.settings_note, out);
  }

  ByteSink& out_;
  const ReportSubject& subject_;
  const ReportText& text_;
  const std::string& chart_;
  bool wanted_ = true;
};

}  // namespace

tl::expected<void, std::string> html_report(const ReportSubject& subject, ByteSink& out) {
  const auto chart = html_chart(subject);
  if (!chart) return tl::make_unexpected(chart.error());
  const ReportText text = report_text(subject);
  if (!subject.is_wanted()) return {};
  Page(out, subject, text, *chart).write();
  return {};
}

}  // namespace leasescope
