#include "ui/timeline/paint/drawing.h"

#include <string_view>

#include <fmt/format.h>
#include <QBuffer>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QSvgGenerator>

#include "ui/look/fonts.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Drawing)
};

// The value of an attribute of a tag; empty where it has none.
std::string_view attribute(std::string_view tag, std::string_view name) {
  const std::string wanted = fmt::format(" {}=\"", name);
  const std::size_t at = tag.find(wanted);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + wanted.size();
  return tag.substr(from, tag.find('"', from) - from);
}

int number(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toInt();
}

QString plain(std::string_view escaped) {
  QString text = QString::fromUtf8(escaped.data(), static_cast<qsizetype>(escaped.size()));
  text.replace(QStringLiteral("&lt;"), QStringLiteral("<")).replace(QStringLiteral("&gt;"), QStringLiteral(">"));
  return text.replace(QStringLiteral("&quot;"), QStringLiteral("\""))
      .replace(QStringLiteral("&amp;"), QStringLiteral("&"));
}

bool fixed_family(std::string_view family) {
  return QString::fromUtf8(family.data(), static_cast<qsizetype>(family.size())) == font(Face::kMono, 11, 400).family();
}

// The tag of a text that is so long, with room for any font.
std::string fitted(std::string_view tag, std::string_view content) {
  const std::string_view family = attribute(tag, "font-family");
  const bool fixed = fixed_family(family);
  const QFont used = font(fixed ? Face::kMono : Face::kText, number(attribute(tag, "font-size")),
                          number(attribute(tag, "font-weight")));
  const double width = QFontMetricsF(used).horizontalAdvance(plain(content));
  std::string out(tag);
  const std::string own = fmt::format("font-family=\"{}\"", family);
  out.replace(out.find(own), own.size(), fmt::format("font-family=\"{}\"", css_families(fixed)));
  return out + fmt::format(" textLength=\"{:.1f}\" lengthAdjust=\"spacingAndGlyphs\"", width);
}

// A text after the other; whether all of it was wanted.
bool put_with_fitted_texts(ByteSink& out, std::string_view svg) {
  const std::size_t all = svg.size();
  while (out.go_on(all - svg.size(), all)) {
    const std::size_t tag = svg.find("<text ");
    const std::size_t close = tag == std::string_view::npos ? tag : svg.find('>', tag);
    const std::size_t end = close == std::string_view::npos ? close : svg.find("</text>", close);
    if (end == std::string_view::npos) break;
    const std::string_view content = svg.substr(close + 1, end - close - 1);
    out.put(svg.substr(0, tag));
    out.put(content.empty() ? std::string(svg.substr(tag, close - tag))
                            : fitted(svg.substr(tag, close - tag), content));
    out.put(svg.substr(close, end - close));
    svg.remove_prefix(end);
  }
  return out.put(svg);
}

}  // namespace

std::string css_families(bool fixed) {
  return fixed ? "'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace"
               : "Inter, 'DejaVu Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";
}

std::string svg_drawing(QSize size, const QString& title, const std::function<void(QPainter&)>& paint) {
  TextSink out;
  write_svg_drawing(out, size, title, paint);
  return out.take();
}

bool write_svg_drawing(ByteSink& out, QSize size, const QString& title, const std::function<void(QPainter&)>& paint) {
  QBuffer bytes;
  bytes.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&bytes);
  generator.setSize(size);
  generator.setViewBox(QRect(QPoint(0, 0), size));
  generator.setResolution(96);
  generator.setTitle(title);
  generator.setDescription(Say::tr("Leasescope: who believed, and who held"));
  QPainter painter(&generator);
  paint(painter);
  painter.end();
  return put_with_fitted_texts(
      out, std::string_view(bytes.data().constData(), static_cast<std::size_t>(bytes.data().size())));
}

}  // namespace leasescope
