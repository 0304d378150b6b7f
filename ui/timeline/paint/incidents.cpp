#include "ui/timeline/paint/glyphs.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/words.h"

namespace leasescope {
namespace {

constexpr int kGlyph = 11;  // width of a glyph in the rail

bool is_span(IncidentKind kind) {
  return kind == IncidentKind::kBeliefOverlap || kind == IncidentKind::kDoubleGrant ||
         kind == IncidentKind::kLeaderless || kind == IncidentKind::kFlapping;
}

QColor edge_of(const Canvas& canvas, IncidentKind kind) {
  const Colours& c = canvas.colours();
  if (kind == IncidentKind::kDoubleGrant) return c.critical;
  return canvas.theme() == Theme::kLight ? c.overlap_ink : c.overlap;
}

void paint_tape(Canvas& canvas, PixelRange range, int y, int height, IncidentKind kind) {
  const Colours& c = canvas.colours();
  const int width = range.to - range.from;
  if (kind == IncidentKind::kDoubleGrant) {
    canvas.hatch(range.from, y, width, height, Tile::kCritical, c.on_critical, c.critical);
    if (width > 4) canvas.frame(range.from, y, width, height, c.critical, 2);
  } else {
    canvas.hatch(range.from, y, width, height, Tile::kOverlap, c.overlap_ink, c.overlap);
    if (width > 4) canvas.frame(range.from, y, width, height, edge_of(canvas, kind));
  }
}

// The longest text that leaves enough tape to be seen; none rather than tape hidden by its own label.
void paint_tape_label(Canvas& canvas, PixelRange range, int y, int height, std::initializer_list<QString> texts,
                      IncidentKind kind, int tape_left) {
  const Colours& c = canvas.colours();
  const bool critical = kind == IncidentKind::kDoubleGrant;
  PlateStyle style{critical ? c.critical : c.overlap, critical ? c.on_critical : c.overlap_ink,
                   critical ? QColor() : c.overlap_ink};
  style.weight = 600;
  style.px = height >= 13 ? 11 : 10;
  style.height = height;
  style.padding = 6;
  style.align = Align::kCentre;
  for (const QString& text : texts) {
    if (text.isEmpty() || canvas.plate_width(text, style) > range.to - range.from - tape_left) continue;
    canvas.plate((range.from + range.to) / 2, y, text, style);
    return;
  }
}

Token token_of(const IncidentMark& incident, std::size_t contender) {
  return contender < incident.tokens.size() ? incident.tokens[contender]
         : incident.tokens.empty()          ? kNoToken
                                            : incident.tokens.back();
}

void paint_rows_of(Canvas& canvas, const Scene& scene, const IncidentMark& incident) {
  const PixelRange range = incident_range(scene, incident);
  const bool twice = incident.kind == IncidentKind::kDoubleGrant;
  const Band band = twice ? scene.layout.row.held : scene.layout.row.believed;
  for (std::size_t i = 0; i < incident.contenders.size(); ++i) {
    const RowBox* row = scene.layout.contender_row(incident.contenders[i]);
    if (row == nullptr || !scene.visible(*row)) continue;
    const int y = scene.y(*row) + band.y;
    paint_tape(canvas, range, y, band.height, incident.kind);
    const QString token = token_text(token_of(incident, i));
    const int height = std::min(16, band.height - 2);
    if (height >= 12)
      paint_tape_label(canvas, range, y + (band.height - height) / 2, height,
                       {(twice ? QStringLiteral("granted twice ") : QStringLiteral("believes ")) + token, token},
                       incident.kind, measures().tape_left_beside_label);
  }
}

// While the store has granted twice its band is two halves, one in each owner's hue.
void paint_split_header(Canvas& canvas, const Scene& scene, const IncidentMark& incident) {
  const RowBox* row = scene.layout.mutex_row(incident.mutex);
  if (row == nullptr || !scene.visible(*row) || incident.contenders.size() < 2) return;
  const PixelRange range = incident_range(scene, incident);
  const Band band = measures().mutex_band;
  const int y = scene.y(*row) + band.y, half = band.height / 2;
  canvas.fill(range.from, y, range.to - range.from, band.height, canvas.colours().chart);
  canvas.fill(range.from, y, range.to - range.from, half - 1, identity(canvas, scene, incident.contenders[0]).ink);
  canvas.fill(range.from, y + half + 1, range.to - range.from, half - 1,
              identity(canvas, scene, incident.contenders[1]).ink);
}

// On a narrow tape the edges stand outside it, so that its colours are still to be seen; the broad red ones always,
// because a grant to a second owner is where beliefs begin to overlap.
void paint_edge_pair(Canvas& canvas, const Scene& scene, const IncidentMark& incident, PixelRange range, Band band,
                     int width) {
  const QColor colour = edge_of(canvas, incident.kind);
  const bool narrow = range.to - range.from < 12 || incident.kind == IncidentKind::kDoubleGrant;
  const int left = narrow ? range.from - width : range.from - 1, right = narrow ? range.to : range.to - 1;
  if (scene.shows(incident.start)) canvas.fill(std::max(left, scene.left()), band.y, width, band.height, colour);
  if (!incident.open && scene.shows(incident.end)) canvas.fill(right, band.y, width, band.height, colour);
}

void paint_edges(Canvas& canvas, const Scene& scene, const IncidentMark& incident) {
  const PixelRange range = incident_range(scene, incident);
  const Band block = scene.layout.mutex_block(incident.mutex);
  const int width = incident.kind == IncidentKind::kDoubleGrant ? 3 : 2;
  const int top = scene.layout.ruler + 2;
  const int bottom = scene.layout.top() + block.y + block.height - scene.scroll;
  paint_edge_pair(canvas, scene, incident, range, {top, bottom - top}, width);
}

QString rail_word(const IncidentMark& incident, bool with_length) {
  const QString length = length_text(incident.end - incident.start);
  switch (incident.kind) {
    case IncidentKind::kBeliefOverlap:
      return with_length ? QStringLiteral("%1 believe · %2").arg(incident.contenders.size()).arg(length) : length;
    case IncidentKind::kDoubleGrant:
      return with_length ? QStringLiteral("double grant · ") + length : QStringLiteral("double grant");
    case IncidentKind::kLeaderless:
      return with_length ? QStringLiteral("leaderless · ") + length : length;
    default:
      return with_length ? QString::fromLatin1(title(incident.kind).data()).toLower() : QString();
  }
}

void paint_rail_span(Canvas& canvas, const Scene& scene, const IncidentMark& incident) {
  const Colours& c = canvas.colours();
  const PixelRange range = incident_range(scene, incident);
  const int y = scene.layout.ruler, h = scene.layout.rail, width = range.to - range.from;
  const TextStyle style{c.text, 10, 500};
  if (incident.kind == IncidentKind::kLeaderless || incident.kind == IncidentKind::kFlapping) {
    if (incident.kind == IncidentKind::kFlapping)
      for (int x = range.from; x < range.to; x += 6) canvas.vline(x, y + 5, y + h - 4, c.notice);
    canvas.vline(range.from, y + h - 9, y + h - 3, c.gap_line);
    canvas.vline(range.to - 1, y + h - 9, y + h - 3, c.gap_line);
    canvas.hline(y + h - 4, range.from, range.to, c.gap_line);
    const QString word = rail_word(incident, true);
    if (canvas.width_of(word, style) + 14 > width) return;
    const int w = canvas.width_of(word, style);
    canvas.fill((range.from + range.to - w) / 2 - 4, y + 1, w + 8, h - 3, c.chart_alt);
    canvas.text((range.from + range.to - w) / 2, y + h - 5, word, style);
    return;
  }
  paint_tape(canvas, range, y + 2, h - 4, incident.kind);
  canvas.frame(range.from - 1, y + 1, width + 2, h - 2,
               incident.kind == IncidentKind::kDoubleGrant ? c.critical : c.text);
  paint_tape_label(canvas, range, y + 1, h - 2, {rail_word(incident, true), rail_word(incident, false)}, incident.kind,
                   32);
}

}  // namespace

PixelRange incident_range(const Scene& scene, const IncidentMark& incident) {
  const int width = measures().incident_min_width;
  PixelRange range;
  range.from = std::clamp(scene.x(incident.start), scene.left(), scene.right());
  range.to = std::clamp(scene.x(incident.end), scene.left(), scene.right());
  if (range.to - range.from >= width) return range;
  range.from = std::min(range.from, scene.right() - width);
  range.to = range.from + width;
  return range;
}

QRect rail_rect(const Scene& scene, std::size_t index) {
  if (index >= scene.data.incidents().size()) return {};
  const IncidentMark& incident = scene.data.incidents()[index];
  if (!scene.shows(incident.start, incident.end)) return {};
  const int y = scene.layout.ruler + 1, h = scene.layout.rail - 2;
  const PixelRange range = incident_range(scene, incident);
  if (is_span(incident.kind)) return {range.from, y, range.to - range.from, h};
  int centre = scene.x(incident.start);
  // Beside a tape that begins or ends here, never on it.
  for (const IncidentMark& other : scene.data.incidents()) {
    if (!is_span(other.kind) || !scene.shows(other.start, other.end)) continue;
    const PixelRange tape = incident_range(scene, other);
    if (std::abs(tape.to - centre) < 10)
      centre = tape.to + 10;
    else if (std::abs(tape.from - centre) < 10)
      centre = tape.from - 10;
  }
  // Several at one moment stand side by side, in the order of their kinds.
  for (std::size_t i = 0; i < index; ++i) {
    const IncidentMark& other = scene.data.incidents()[i];
    if (is_span(other.kind) || other.kind == incident.kind ||
        std::abs(scene.x(other.start) - scene.x(incident.start)) > 3)
      continue;
    centre += kGlyph + 2;
  }
  centre = std::min(centre, scene.right() - kGlyph / 2 - 1);
  return {centre - kGlyph / 2, y, kGlyph, h};
}

// Over all other data, the worst last.
void paint_incidents(Canvas& canvas, const Scene& scene) {
  for (const IncidentKind kind : {IncidentKind::kBeliefOverlap, IncidentKind::kDoubleGrant}) {
    for (const IncidentMark& incident : scene.data.incidents()) {
      if (incident.kind != kind || !scene.shows(incident.start, incident.end)) continue;
      paint_rows_of(canvas, scene, incident);
      if (kind == IncidentKind::kDoubleGrant) paint_split_header(canvas, scene, incident);
      paint_edges(canvas, scene, incident);
    }
  }
}

void paint_rail(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  const int y = scene.layout.ruler, h = scene.layout.rail;
  canvas.fill(0, y, scene.right(), h, c.chart_alt);
  canvas.hline(y + h - 1, 0, scene.right(), c.line);
  canvas.text(scene.left() - 8, y + h - 5, QStringLiteral("incidents"), {c.muted, 10, 400, Face::kText, Align::kRight});
  // A grey bar where nothing was observed: an empty rail would look calm.
  for (const ContenderRow& contender : scene.data.contenders())
    for (const BandSpan& band : contender.bands)
      if (band.kind == BandKind::kUnobserved && scene.shows(band.begin, scene.until(band.end)))
        canvas.fill(scene.clipped_x(band.begin), y + h - 4,
                    scene.clipped_x(scene.until(band.end)) - scene.clipped_x(band.begin), 3, c.unobserved_line);
  for (int worst = 4; worst >= 1; --worst) {
    int last = -100;
    IncidentKind last_kind = IncidentKind::kFlapping;
    for (std::size_t i = 0; i < scene.data.incidents().size(); ++i) {
      const IncidentMark& incident = scene.data.incidents()[i];
      if (severity(incident.kind) != worst || !scene.shows(incident.start, incident.end)) continue;
      if (is_span(incident.kind)) {
        paint_rail_span(canvas, scene, incident);
        if (incident.kind != IncidentKind::kLeaderless && incident.kind != IncidentKind::kFlapping) {
          const int w = incident.kind == IncidentKind::kDoubleGrant ? 3 : 2;
          paint_edge_pair(canvas, scene, incident, incident_range(scene, incident), {y + 2, h - 2}, w);
        }
        continue;
      }
      const QRect at = rail_rect(scene, i);
      if (at.isEmpty() || (incident.kind == last_kind && at.center().x() - last < 4)) continue;
      paint_glyph(canvas, incident.kind, at, GlyphSize::kLarge, c.chart_alt);
      last = at.center().x();
      last_kind = incident.kind;
    }
  }
}

}  // namespace leasescope
