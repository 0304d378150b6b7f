#include "ui/report/html_chart.h"

#include <string_view>

#include <fmt/format.h>
#include <QCoreApplication>
#include <QPainter>

#include "ui/models/words.h"
#include "ui/timeline/paint/drawing.h"
#include "ui/timeline/paint/figure.h"
#include "ui/timeline/paint/hover_zones.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Report)
};

constexpr int kWidth = 1278;      // of the page's column
constexpr int kHighest = 32'000;  // px; browsers draw no higher pictures

std::string escaped(const QString& text) { return text.toHtmlEscaped().toStdString(); }

// What says nothing: the defaults of what a group may have, and what each text says itself.
std::string without_defaults(std::string_view svg) {
  static constexpr std::string_view kIdle[] = {
      " fill-opacity=\"1\"",        " stroke-opacity=\"1\"",      " transform=\"matrix(1,0,0,1,0,0)\"",
      " stroke-linecap=\"square\"", " stroke-linejoin=\"bevel\"", " font-style=\"normal\"",
      " xml:space=\"preserve\""};
  std::string out;
  out.reserve(svg.size());
  while (!svg.empty()) {
    const std::size_t open = svg.find('<');
    const std::size_t close = open == std::string_view::npos ? open : svg.find('>', open);
    if (close == std::string_view::npos) break;
    out += svg.substr(0, open);
    std::string tag(svg.substr(open, close + 1 - open));
    for (const std::string_view idle : kIdle)
      if (const std::size_t at = tag.find(idle); at != std::string::npos) tag.erase(at, idle.size());
    if (const std::size_t font = tag.find("\nfont-family"); tag.rfind("<g", 0) == 0 && font != std::string::npos)
      tag = tag.substr(0, font) + ">";
    out += tag;
    svg.remove_prefix(close + 1);
  }
  return out += svg;
}

// The groups of a drawing, without what makes it a document.
std::string inside(const std::string& drawing) {
  const std::size_t first = drawing.find("<g "), last = drawing.rfind("</svg>");
  return without_defaults(std::string_view(drawing).substr(first, last - first));
}

std::string drawn(const Figure& figure, Theme theme) {
  const QSize size(figure.width(), figure.height() + kLegendHeight);
  const std::string drawing = svg_drawing(size, {}, [&](QPainter& painter) {
    TileCache tiles;
    figure.paint(painter, theme, tiles);
    Canvas canvas(painter, theme, tiles);
    canvas.fill(0, figure.height(), size.width(), kLegendHeight, canvas.colours().window);
    paint_legend_line(canvas, figure.height(), size.width());
  });
  return fmt::format("<svg class=\"{}\" viewBox=\"0 0 {} {}\" aria-hidden=\"true\">{}</svg>\n",
                     theme == Theme::kLight ? "light" : "dark", size.width(), size.height(), inside(drawing));
}

// As lines: who, what and its token; what there is to say; a warning after "! ". The page's script reads them so.
std::string title_of(const std::string& who, const HoverText& text) {
  QString out = text.title;
  if (!text.right.isEmpty()) out += QStringLiteral(" · ") + text.right;
  for (const auto& [label, value] : text.lines) out += u'\n' + label + QStringLiteral(": ") + value;
  if (!text.warning.isEmpty()) out += QStringLiteral("\n! ") + text.warning;
  return (who.empty() ? "" : who + " ") + escaped(out);
}

std::string zone_of(const ChartData& data, const HoverZone& zone) {
  const QRect& at = zone.area;
  const std::string who = zone.text.contender < 0 ? std::string() : data.letter(zone.text.contender);
  std::string rect = fmt::format("<rect class=\"z\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", at.x(), at.y(),
                                 at.width(), at.height());
  if (!who.empty()) rect += fmt::format(" data-who=\"{}\" data-hue=\"{}\"", who, data.hue(zone.text.contender));
  if (!zone.text.right.isEmpty()) rect += fmt::format(" data-right=\"{}\"", escaped(zone.text.right));
  rect += fmt::format("><title>{}</title></rect>", title_of(who, zone.text));
  if (zone.hit.lane != LaneKind::kIncidents) return rect + "\n";
  return fmt::format("<a href=\"#incident-{}\" aria-label=\"{}\">{}</a>\n", zone.hit.index + 1,
                     escaped(zone.text.title), rect);
}

std::string figure_of(const ChartData& data, const Stretch& stretch, const Figure& figure, const QString& name) {
  std::string zones;
  for (const HoverZone& zone : hover_zones(figure.scene())) zones += zone_of(data, zone);
  const Stretch told{stretch.from, std::min(stretch.to, std::max(data.end(), data.now())), {}};
  const std::string caption = fmt::format("{}, {}", escaped(name), escaped(stretch_words(data, told)));
  return fmt::format(
      "<figure aria-label=\"{0}\">\n<figcaption>{0}</figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"{0}\"><div class=\"paper\">\n{1}{2}<svg class=\"zones\" viewBox=\"0 0 {3} {4}\">\n{5}</svg>\n"
      "</div></div>\n</figure>\n",
      caption, drawn(figure, Theme::kLight), drawn(figure, Theme::kDark), figure.width(),
      figure.height() + kLegendHeight, zones);
}

}  // namespace

tl::expected<std::string, std::string> html_chart(const ReportSubject& subject) {
  const ChartData& data = subject.data;
  const Stretch all = whole_run(data);
  Stretch shown = around_the_worst(data);
  if (const auto& asked = subject.shown ? subject.shown : subject.part) shown = {asked->first, asked->second, {}};
  const bool is_all = shown.from <= TrueTime{} && shown.to >= std::max(data.end(), data.now());
  const Figure figure(data, kWidth, is_all ? all : shown);
  if (figure.height() > kHighest)
    return tl::make_unexpected(fmt::format(
        "the chart of {} contenders would be {} pixels high: expected at most {}. Run it with fewer of them "
        "(--set contender.0.count=100)",
        data.contenders().size(), figure.height(), kHighest));
  if (is_all) return figure_of(data, all, figure, Say::tr("The whole run"));
  std::string out = figure_of(data, shown, figure,
                              subject.part    ? Say::tr("The part")
                              : subject.shown ? Say::tr("As it was shown")
                                              : Say::tr("Around the worst incident"));
  if (!subject.part) out += figure_of(data, all, Figure(data, kWidth, all), Say::tr("The whole run"));
  return out;
}

}  // namespace leasescope
