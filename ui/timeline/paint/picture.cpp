#include "ui/timeline/paint/picture.h"

#include <fmt/format.h>
#include <QCoreApplication>
#include <QIODevice>
#include <QImage>
#include <QPainter>

#include "ui/models/words.h"
#include "ui/timeline/paint/drawing.h"
#include "ui/timeline/paint/figure.h"
#include "ui/timeline/paint/glyphs.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Picture)
};

constexpr int kTitle = 44;
constexpr int kHighest = 32'000;     // pixels; painters count in 16 bits
constexpr std::size_t kListed = 12;  // incidents; what is left out is counted

class Picture {
 public:
  Picture(const ChartData& data, const PictureOptions& options)
      : data_(data), options_(options), figure_(data, options.size.width(), stretch(), rows_height()) {
    order_incidents();
  }

  int height() const {
    if (options_.size.height() > 0) return options_.size.height();
    return kTitle + figure_.height() + list_height() + kLegendHeight;
  }

  void paint(QPainter& painter) {
    TileCache tiles;
    const Theme theme = options_.theme;
    {
      Canvas canvas(painter, theme, tiles);
      canvas.fill(0, 0, figure_.width(), height(), canvas.colours().window);
      paint_title(canvas);
    }
    painter.translate(0, kTitle);
    figure_.paint(painter, theme, tiles);
    painter.translate(0, -kTitle);
    Canvas canvas(painter, theme, tiles);
    paint_list(canvas, kTitle + figure_.height());
    paint_legend_line(canvas, height() - kLegendHeight, figure_.width());
  }

 private:
  Stretch stretch() const {
    if (options_.range) return {options_.range->first, options_.range->second, options_.cursor};
    Stretch found = around_the_worst(data_);
    if (options_.cursor) found.cursor = options_.cursor;
    return found;
  }
  int rows_height() const {
    const int given = options_.size.height();
    return given > 0 ? std::max(1, given - kTitle - measures().minimap - kLegendHeight) : 0;
  }

  void order_incidents() {
    // When not all can be listed, every kind has its turn, the worst kinds first.
    const std::vector<IncidentMark>& all = data_.incidents();
    std::vector<std::size_t> nth(all.size());
    std::array<std::size_t, kIncidentKinds> seen{};
    for (std::size_t i = 0; i < all.size(); ++i) {
      listed_.push_back(i);
      nth[i] = seen[static_cast<std::size_t>(all[i].kind)]++;
    }
    left_out_ = listed_.size() > kListed ? listed_.size() - kListed : 0;
    if (left_out_ > 0) {
      std::stable_sort(listed_.begin(), listed_.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(nth[a], severity(all[a].kind)) < std::pair(nth[b], severity(all[b].kind));
      });
      listed_.resize(kListed);
    }
    std::stable_sort(listed_.begin(), listed_.end(),
                     [&](std::size_t a, std::size_t b) { return all[a].start < all[b].start; });
  }

  void paint_title(Canvas& canvas) const {
    const Colours& c = canvas.colours();
    const RunFacts& facts = data_.facts();
    const QString title = options_.title.isEmpty() ? QString::fromStdString(facts.scenario) : options_.title;
    const TextStyle strong{c.text, measures().font_title, 600};
    canvas.text(12, 27, title, strong);
    int x = 12 + canvas.width_of(title, strong) + 12;
    QString about = QString::fromStdString(facts.title);
    if (data_.axis().shown != nullptr) about = stretch_words(data_, stretch()) + QStringLiteral(" · ") + about;
    const TextStyle quiet{c.muted, 12};
    const QString run = Say::tr("%1 world · %2 · seed %3")
                            .arg(QString::fromStdString(facts.world), QString::fromStdString(facts.store))
                            .arg(facts.seed);
    const QString outcome = options_.outcome;
    const int outcome_width = outcome.isEmpty() ? 0 : canvas.width_of(outcome, {c.text, 12, 600}) + 18;
    const int run_x = figure_.width() - 12 - outcome_width - canvas.width_of(run, quiet);
    canvas.elided(x, 27, run_x - x - 16, about, quiet);
    canvas.text(run_x, 27, run, quiet);
    if (!outcome.isEmpty())
      canvas.text(figure_.width() - 12, 27, outcome, {c.text, 12, 600, Face::kText, Align::kRight});
    canvas.hline(kTitle - 1, 0, figure_.width(), c.line);
  }

  int list_height() const {
    const int rows = std::max<int>(1, static_cast<int>(listed_.size()) + (left_out_ > 0 ? 1 : 0));
    return measures().table_header + rows * measures().table_row;
  }

  void paint_list(Canvas& canvas, int top) const {
    const Colours& c = canvas.colours();
    const int row = measures().table_row, width = figure_.width();
    canvas.fill(0, top, width, list_height(), c.panel);
    canvas.hline(top, 0, width, c.line_strong);
    const TextStyle head{c.muted, 11, 500};
    const TextStyle head_right{c.muted, 11, 500, Face::kText, Align::kRight};
    canvas.text(38, top + 16, Say::tr("Incident"), head);
    canvas.text(230, top + 16, Say::tr("Start, s"), head_right);
    canvas.text(300, top + 16, Say::tr("Lasts"), head_right);
    canvas.text(320, top + 16, Say::tr("Who"), head);
    canvas.text(390, top + 16, Say::tr("Tokens"), head);
    canvas.text(480, top + 16, Say::tr("Cause"), head);
    int y = top + measures().table_header;
    canvas.hline(y - 1, 0, width, c.line);
    if (listed_.empty()) canvas.text(38, y + 16, Say::tr("No incident in this run."), {c.muted, 12});
    for (const std::size_t index : listed_) {
      paint_list_row(canvas, data_.incidents()[index], y);
      y += row;
      canvas.hline(y - 1, 0, width, c.line);
    }
    if (left_out_ > 0) canvas.text(38, y + 16, Say::tr("%1 more of these kinds").arg(left_out_), {c.muted, 12});
  }

  void paint_list_row(Canvas& canvas, const IncidentMark& incident, int y) const {
    const Colours& c = canvas.colours();
    const int base = y + 16;
    const bool grave = severity(incident.kind) <= 2;
    paint_glyph(canvas, incident.kind, QRect(12, y + 4, 16, 16), GlyphSize::kLarge, c.panel);
    canvas.text(38, base, QString::fromLatin1(title(incident.kind).data()), {c.text, 12, grave ? 600 : 400});
    const TextStyle figure{c.text, 11, 400, Face::kMono, Align::kRight};
    canvas.text(230, base, secondsText(incident.start), figure);
    canvas.text(300, base, incident.instant() ? QStringLiteral("–") : spanText(incident.end - incident.start), figure);
    int x = 320;
    for (std::size_t i = 0; i < incident.contenders.size() && i < 3; ++i) {
      const int who = incident.contenders[i];
      const QString letter = QString::fromStdString(data_.letter(who));
      canvas.badge(x, y + 4, letter, c.id[static_cast<std::size_t>(data_.hue(who))]);
      x += Canvas::badge_width(letter) + 3;
    }
    canvas.elided(390, base, 84, tokensText(incident.kind, incident.tokens), {c.text, 11, 400, Face::kMono});
    canvas.elided(480, base, figure_.width() - 492, QString::fromStdString(incident.cause),
                  {grave ? c.text : c.muted, 12});
  }

  const ChartData& data_;
  const PictureOptions& options_;
  Figure figure_;
  std::vector<std::size_t> listed_;
  std::size_t left_out_ = 0;
};

// For what Qt writes by itself. When nobody wants more, Qt leaves off.
class SinkDevice final : public QIODevice {
 public:
  explicit SinkDevice(ByteSink& out) : out_(out) { open(QIODevice::WriteOnly | QIODevice::Unbuffered); }
  bool isSequential() const override { return true; }

 protected:
  qint64 readData(char* /*bytes*/, qint64 /*most*/) override { return -1; }
  qint64 writeData(const char* bytes, qint64 count) override {
    const bool taken = out_.go_on(0, 0) && out_.put({bytes, static_cast<std::size_t>(count)});
    return taken ? count : -1;
  }

 private:
  ByteSink& out_;
};

tl::expected<void, std::string> put_png(ByteSink& out, Picture& picture, QSize size, double wanted) {
  const double scale = std::min(wanted, static_cast<double>(kHighest) / std::max(1, size.height()));
  QImage image(size * scale, QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  QPainter painter;
  if (!painter.begin(&image)) return tl::make_unexpected("there is not enough memory for the picture");
  picture.paint(painter);
  painter.end();
  if (!out.go_on(0, 0)) return {};
  SinkDevice device(out);
  if (!image.save(&device, "PNG") && out.go_on(0, 0)) return tl::make_unexpected("it cannot be made a PNG");
  return {};
}

}  // namespace

tl::expected<void, std::string> draw_picture(ByteSink& out, const ChartData& data, const PictureOptions& options,
                                             PictureKind kind) {
  Picture made(data, options);
  const QSize size(options.size.width(), made.height());
  if (size.height() > kHighest)
    return tl::make_unexpected(fmt::format(
        "{} contenders make a picture {} pixels high: expected at most {}. Run it with fewer of them (--set "
        "contender.0.count=100)",
        data.contenders().size(), size.height(), kHighest));
  if (kind == PictureKind::kPng) return put_png(out, made, size, options.scale);
  write_svg_drawing(out, size, QString::fromStdString(data.facts().scenario),
                    [&](QPainter& painter) { made.paint(painter); });
  return {};
}

}  // namespace leasescope
