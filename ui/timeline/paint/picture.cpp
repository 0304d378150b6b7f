#include "ui/timeline/paint/picture.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

#include "core/base/whole_file.h"
#include "ui/models/words.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/glyphs.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/painter.h"

namespace leasescope {
namespace {

constexpr int kTitle = 44, kLegend = 28;
constexpr int kHighest = 32'000;     // pixels; painters count in 16 bits
constexpr std::size_t kListed = 12;  // incidents; what is left out is counted

class Picture {
 public:
  Picture(const History& history, const PictureOptions& options) : options_(options) {
    data_.reset(options.facts);
    data_.append(history);
    layout_ = layout_chart(data_, options.size.width());
    order_incidents();
    choose_range();
  }

  int height() const {
    if (options_.size.height() > 0) return options_.size.height();
    return kTitle + layout_.height() + measures().minimap + list_height() + kLegend;
  }

  void paint(QPainter& painter) {
    TileCache tiles;
    const Theme theme = options_.theme;
    {
      Canvas canvas(painter, theme, tiles);
      canvas.fill(0, 0, layout_.width, height(), canvas.colours().window);
      paint_title(canvas);
    }
    painter.translate(0, kTitle);
    const int rows = std::min(layout_.height(), height() - kTitle - measures().minimap - kLegend);
    const Scene scene{data_, layout_, Viewport::fitting(range_.first, range_.second, layout_.plot_width()), rows, 0};
    paint_chart(painter, scene, theme, tiles);
    Overlay overlay;
    overlay.cursor = cursor_;
    overlay.states_at = cursor_ ? *cursor_ : std::min(range_.second, data_.now());
    paint_overlay(painter, scene, theme, tiles, overlay);
    const QRect strip(0, rows, layout_.width, measures().minimap);
    paint_minimap(painter, {data_, strip, layout_.head, range_.first, range_.second, cursor_}, theme, tiles);
    painter.translate(0, -kTitle);
    Canvas canvas(painter, theme, tiles);
    paint_list(canvas, kTitle + rows + measures().minimap);
    paint_legend(canvas, height() - kLegend);
  }

 private:
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

  const IncidentMark* worst() const {
    const IncidentMark* found = nullptr;
    for (const IncidentMark& incident : data_.incidents())
      if (found == nullptr || severity(incident.kind) < severity(found->kind)) found = &incident;
    return found;
  }

  void choose_range() {
    const TrueTime end = std::max(data_.end(), data_.now());
    // A little room on both sides: marks at the very ends are seen whole.
    range_ = {TrueTime{} - end.time_since_epoch() / 100,
              std::max(end, TrueTime(Duration(1000))) + end.time_since_epoch() / 100};
    cursor_ = options_.cursor;
    const IncidentMark* incident = worst();
    if (options_.range) {
      range_ = *options_.range;
    } else if (incident != nullptr) {
      show_around(*incident, end);
    }
  }

  // The worst incident with those that belong to it, what led there and what came of it.
  void show_around(const IncidentMark& worst_one, TrueTime end) {
    const Duration lease = options_.facts.terms.lease();
    TrueTime from = worst_one.start, to = worst_one.end;
    const IncidentMark* longest = &worst_one;
    for (const IncidentMark& other : data_.incidents()) {
      const bool belongs = severity(other.kind) <= 3 && other.end >= from - lease / 4 && other.start <= to + lease / 4;
      if (!belongs || std::max(to, other.end) - std::min(from, other.start) > lease * 6) continue;
      from = std::min(from, other.start);
      to = std::max(to, other.end);
      if (other.end - other.start > longest->end - longest->start) longest = &other;
    }
    range_ = {std::max(TrueTime{}, from - lease * 11 / 10), std::min(end, to + lease * 16 / 10)};
    if (!cursor_ && longest->end > longest->start) cursor_ = longest->start + (longest->end - longest->start) * 9 / 10;
  }

  void paint_title(Canvas& canvas) const {
    const Colours& c = canvas.colours();
    const RunFacts& facts = options_.facts;
    const QString title = options_.title.isEmpty() ? QString::fromStdString(facts.scenario) : options_.title;
    const TextStyle strong{c.text, measures().font_title, 600};
    canvas.text(12, 27, title, strong);
    int x = 12 + canvas.width_of(title, strong) + 12;
    const QString about = QString::fromStdString(facts.title);
    const TextStyle quiet{c.muted, 12};
    const QString run = QStringLiteral("%1 world · %2 · seed %3")
                            .arg(QString::fromStdString(facts.world), QString::fromStdString(facts.store))
                            .arg(facts.seed);
    const QString outcome = options_.outcome;
    const int outcome_width = outcome.isEmpty() ? 0 : canvas.width_of(outcome, {c.text, 12, 600}) + 18;
    const int run_x = layout_.width - 12 - outcome_width - canvas.width_of(run, quiet);
    canvas.elided(x, 27, run_x - x - 16, about, quiet);
    canvas.text(run_x, 27, run, quiet);
    if (!outcome.isEmpty()) canvas.text(layout_.width - 12, 27, outcome, {c.text, 12, 600, Face::kText, Align::kRight});
    canvas.hline(kTitle - 1, 0, layout_.width, c.line);
  }

  int list_height() const {
    const int rows = std::max<int>(1, static_cast<int>(listed_.size()) + (left_out_ > 0 ? 1 : 0));
    return measures().table_header + rows * measures().table_row;
  }

  void paint_list(Canvas& canvas, int top) const {
    const Colours& c = canvas.colours();
    const int row = measures().table_row, width = layout_.width;
    canvas.fill(0, top, width, list_height(), c.panel);
    canvas.hline(top, 0, width, c.line_strong);
    const TextStyle head{c.muted, 11, 500};
    const TextStyle head_right{c.muted, 11, 500, Face::kText, Align::kRight};
    canvas.text(38, top + 16, QStringLiteral("Incident"), head);
    canvas.text(230, top + 16, QStringLiteral("Start, s"), head_right);
    canvas.text(300, top + 16, QStringLiteral("Lasts"), head_right);
    canvas.text(320, top + 16, QStringLiteral("Who"), head);
    canvas.text(390, top + 16, QStringLiteral("Tokens"), head);
    canvas.text(480, top + 16, QStringLiteral("Cause"), head);
    int y = top + measures().table_header;
    canvas.hline(y - 1, 0, width, c.line);
    if (listed_.empty()) canvas.text(38, y + 16, QStringLiteral("No incident in this run."), {c.muted, 12});
    for (const std::size_t index : listed_) {
      paint_list_row(canvas, data_.incidents()[index], y);
      y += row;
      canvas.hline(y - 1, 0, width, c.line);
    }
    if (left_out_ > 0) canvas.text(38, y + 16, QStringLiteral("%1 more of these kinds").arg(left_out_), {c.muted, 12});
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
    canvas.elided(480, base, layout_.width - 492, QString::fromStdString(incident.cause),
                  {grave ? c.text : c.muted, 12});
  }

  // Bars first, then what goes wrong and what disturbs, then what happens; as much as there is room for.
  void paint_legend(Canvas& canvas, int top) const {
    constexpr int kSample = 26;
    const Colours& c = canvas.colours();
    canvas.hline(top, 0, layout_.width, c.line);
    const TextStyle style{c.muted, 11};
    int x = 12;
    const std::vector<LegendMark> marks = chart_legend();
    for (const LegendGroup group :
         {LegendGroup::kIs, LegendGroup::kWentWrong, LegendGroup::kDisturbs, LegendGroup::kHappens})
      for (const LegendMark& mark : marks) {
        if (mark.group != group || mark.brief.isEmpty()) continue;
        const int width = kSample + 6 + canvas.width_of(mark.brief, style);
        if (x + width > layout_.width - 12) continue;
        (mark.brief_sample ? mark.brief_sample : mark.sample)(canvas, QRect(x, top + 9, kSample, 11));
        canvas.text(x + kSample + 6, top + 18, mark.brief, style);
        x += width + 20;
      }
  }

  const PictureOptions& options_;
  ChartData data_;
  ChartLayout layout_;
  std::pair<TrueTime, TrueTime> range_;
  std::optional<TrueTime> cursor_;
  std::vector<std::size_t> listed_;
  std::size_t left_out_ = 0;
};

bool failed(QString* error, const QString& reason) {
  if (error != nullptr) *error = reason;
  return false;
}

}  // namespace

bool write_picture(const History& history, const PictureOptions& options, const QString& path, QString* error) {
  const QString ending = QFileInfo(path).suffix().toLower();
  if (ending != "png" && ending != "svg") return failed(error, path + ": a picture ends in .png or .svg");
  if (!QFileInfo(QFileInfo(path).absolutePath()).isDir())
    return failed(error, path + ": there is no folder " + QFileInfo(path).absolutePath());
  Picture picture(history, options);
  const QSize size(options.size.width(), picture.height());
  if (size.height() > kHighest)
    return failed(error, QStringLiteral("%1: %2 contenders make a picture %3 pixels high: expected at most %4. Run it "
                                        "with fewer of them (--set contender.0.count=100)")
                             .arg(path)
                             .arg(history.summary.contenders)
                             .arg(size.height())
                             .arg(kHighest));
  QBuffer bytes;
  bytes.open(QIODevice::WriteOnly);
  QPainter painter;
  QImage image;
  QSvgGenerator generator;
  if (ending == "svg") {
    generator.setOutputDevice(&bytes);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setResolution(96);
    generator.setTitle(QString::fromStdString(options.facts.scenario));
    generator.setDescription(QStringLiteral("Leasescope: who believed, and who held"));
    painter.begin(&generator);
  } else {
    const double scale = std::min(options.scale, static_cast<double>(kHighest) / std::max(1, size.height()));
    image = QImage(size * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    painter.begin(&image);
  }
  if (!painter.isActive()) return failed(error, path + ": there is not enough memory for the picture");
  picture.paint(painter);
  painter.end();
  if (ending == "png" && !image.save(&bytes, "PNG")) return failed(error, path + ": cannot be made a PNG");
  const auto written = write_whole(path.toStdString(), std::string_view(bytes.data().constData(), bytes.size()));
  return written || failed(error, QString::fromStdString(written.error()));
}

}  // namespace leasescope
