#include "ui/report/html_theme.h"

#include <fmt/format.h>
#include <QByteArray>

#include "core/history/incident.h"
#include "ui/look/tokens.h"
#include "ui/timeline/paint/drawing.h"
#include "ui/timeline/paint/glyphs.h"

namespace leasescope {
namespace {

std::string variables(const Colours& c) {
  const std::pair<const char*, const QColor&> named[] = {
      {"window", c.window},
      {"panel", c.panel},
      {"chart-alt", c.chart_alt},
      {"header", c.header},
      {"input", c.input},
      {"line", c.line},
      {"line-strong", c.line_strong},
      {"text", c.text},
      {"muted", c.muted},
      {"accent", c.accent},
      {"on-accent", c.on_accent},
      {"hover", c.hover},
      {"focus", c.focus},
      {"crit-text", c.crit_text},
      {"overlap", c.overlap},
      {"overlap-tint", c.overlap_tint},
      {"critical", c.critical},
      {"critical-tint", c.critical_tint},
      {"unobserved-fill", c.unobserved_fill},
      {"unobserved-line", c.unobserved_line},
  };
  std::string out = ":root{";
  for (const auto& [name, colour] : named) out += fmt::format("--{}:{};", name, colour.name().toStdString());
  return out + "}\n";
}

std::string badges(const Colours& c) {
  std::string out;
  for (std::size_t i = 0; i < c.id.size(); ++i)
    out += fmt::format(".w{}{{background:{};color:{}}}\n", i, c.id[i].ink.name().toStdString(),
                       c.id[i].on.name().toStdString());
  return out;
}

std::string glyphs(Theme theme) {
  std::string out;
  for (const IncidentKind kind : kAllIncidentKinds) {
    const std::string drawing = svg_drawing(QSize(16, 16), {}, [&](QPainter& painter) {
      TileCache tiles;
      Canvas canvas(painter, theme, tiles);
      paint_glyph(canvas, kind, QRect(0, 0, 16, 16), GlyphSize::kLarge, colours(theme).panel);
    });
    out += fmt::format(".{}{{background-image:url(data:image/svg+xml;base64,{})}}\n", text(kind),
                       QByteArray::fromStdString(drawing).toBase64().toStdString());
  }
  return out;
}

std::string of_theme(Theme theme) { return variables(colours(theme)) + badges(colours(theme)) + glyphs(theme); }

}  // namespace

std::string html_theme() {
  return fmt::format(":root{{--text-face:{};--fixed-face:{}}}\n{}@media (prefers-color-scheme:dark){{\n{}}}\n",
                     css_families(false), css_families(true), of_theme(Theme::kLight), of_theme(Theme::kDark));
}

}  // namespace leasescope
