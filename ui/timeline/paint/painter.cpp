#include "ui/timeline/paint/painter.h"

#include <atomic>
#include <cmath>

#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QSemaphore>
#include <QThreadPool>

#include "ui/models/words.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Painter)
};

Canvas canvas_for(QPainter& painter, const Scene& scene, Theme theme, TileCache& tiles) {
  return Canvas(painter, theme, tiles, (scene.left() + scene.viewport.phase(kTilePeriod)) % kTilePeriod);
}

constexpr int kCursorPx = 11, kCursorWeight = 600, kCursorPadding = 5;

void paint_cursor(Canvas& canvas, const Scene& scene, TrueTime at) {
  if (!scene.shows(at)) return;
  const Colours& c = canvas.colours();
  const int x = scene.x(at);
  const int bottom = std::min(scene.height, scene.layout.height() - scene.scroll);
  canvas.vline(x, scene.layout.ruler - 4, bottom, c.cursor);
  const QRect plate = cursor_plate(scene, at);
  PlateStyle style{c.accent, c.on_accent};
  style.px = kCursorPx;
  style.weight = kCursorWeight;
  style.face = Face::kMono;
  style.height = plate.height();
  style.padding = kCursorPadding;
  clear_ruler_under(canvas, scene, {plate.left(), plate.left() + plate.width()});
  canvas.plate(plate.left(), plate.top(), scene.axis.text(at), style);
}

// From here on the run goes another way than the one it was taken from.
void paint_fork(Canvas& canvas, const Scene& scene, TrueTime at) {
  if (!scene.shows(at)) return;
  const Colours& c = canvas.colours();
  const int x = scene.x(at);
  const int bottom = std::min(scene.height, scene.layout.height() - scene.scroll);
  canvas.vdash(x, scene.layout.top(), bottom, c.text, 6, 3);
  PlateStyle style{c.chart, c.text, c.text};
  style.px = 10;
  style.height = 14;
  style.padding = 4;
  const QString label = Say::tr("fork");
  const int width = canvas.plate_width(label, style);
  const int left = std::clamp(x - width / 2, scene.left(), std::max(scene.left(), scene.right() - width));
  // Beside another or the length that is measured its line says enough.
  if (canvas.places().claim({left, scene.layout.top(), width, style.height}))
    canvas.plate(left, scene.layout.top(), label, style);
}

// How long what is measured is, and where that is written.
struct MeasuredPlate {
  QString label;
  PlateStyle style;
  QRect place;
};

std::optional<MeasuredPlate> measured_plate(const Canvas& canvas, const Scene& scene, TrueTime a, TrueTime b) {
  const auto [from, to] = std::minmax(a, b);
  if (to < scene.viewport.from || from >= scene.viewport.to()) return {};
  const Colours& c = canvas.colours();
  MeasuredPlate out{{}, {c.chart, c.text, c.accent}, {}};
  out.style.px = 11;
  out.style.weight = 600;
  out.style.face = Face::kMono;
  out.style.height = 17;
  out.style.padding = 5;
  const QString by = scene.axis.shown == nullptr ? QString() : scene.axis.shown->letter + QLatin1Char(' ');
  out.label = QStringLiteral("Δ %1%2").arg(by, spanText(scene.axis.between(from, to)));
  const int left = scene.clipped_x(from), right = scene.clipped_x(to), width = canvas.plate_width(out.label, out.style);
  const int middle = left + (right - left - width) / 2, most = std::max(scene.left(), scene.right() - width);
  out.place = {std::clamp(middle, scene.left(), most), scene.layout.top() + 2, width, out.style.height};
  return out;
}

// Between two lines, and above them how long it is.
void paint_measured(Canvas& canvas, const Scene& scene, TrueTime a, TrueTime b) {
  const auto plate = measured_plate(canvas, scene, a, b);
  if (!plate) return;
  const auto [from, to] = std::minmax(a, b);
  const Colours& c = canvas.colours();
  const int left = scene.clipped_x(from), right = scene.clipped_x(to), top = scene.layout.top();
  const int bottom = std::min(scene.height, scene.layout.height() - scene.scroll);
  QColor tint = c.accent;
  tint.setAlpha(28);
  canvas.fill(left, top, right - left, bottom - top, tint);
  for (const TrueTime at : {from, to})
    if (scene.shows(at)) canvas.vline(scene.x(at), top, bottom, c.accent);
  canvas.plate(plate->place.left(), plate->place.top(), plate->label, plate->style);
}

// 2 px of ink, 2 px outside the bar.
void paint_selected(Canvas& canvas, const Scene& scene, const QRect& bar) {
  const QRect out = bar.adjusted(-4, -4, 4, 4);
  const int left = std::max(out.left(), scene.left());
  canvas.frame(left, out.top(), std::min(out.right() + 1, scene.right()) - left, out.height(), canvas.colours().text,
               2);
}

// The row that keys are about: a bar at its left, as high as its header.
void paint_current_row(Canvas& canvas, const Scene& scene, int contender) {
  const RowBox* const row = scene.layout.contender_row(contender);
  if (row == nullptr) return;
  const int top = std::max(scene.y(*row), scene.stays(*row) ? 0 : scene.rows_top());
  const int bottom = std::min(scene.y(*row) + row->height - 1, scene.height);
  if (bottom > top) canvas.fill(0, top, 4, bottom - top, canvas.colours().focus);
}

void paint_selected_incident(Canvas& canvas, const Scene& scene, const RailMarks& marks, int index) {
  const QRect rail = rail_rect(scene, marks, static_cast<std::size_t>(index));
  if (rail.isEmpty()) return;
  const Colours& c = canvas.colours();
  // In the rail: a mark below it, where it covers nothing; the rail is too low for an outline all round.
  canvas.fill(rail.left() - 1, scene.layout.top() - 2, rail.width() + 2, 3, c.text);
  const double x = rail.center().x() + 0.5, y = scene.layout.top() + 1.0;
  canvas.polygon({{x - 5, y}, {x + 5, y}, {x, y + 5}}, c.text, true);
}

}  // namespace

// What lies before a gap that is seen and what lies after it are asked for by themselves: lanes that fold what is close
// in time fold nothing across a gap. Whatever lasts from one side to the other is painted by both, at the same place.
std::vector<ClockView> parts_of(const Scene& scene) {
  constexpr int kSeenGap = 2;  // px
  const ClockView& whole = scene.viewport;
  std::vector<ClockView> parts;
  TrueTime from = whole.from;
  for (const auto& [seam, gap] : seen_seams(scene)) {
    if (seam->at <= from || seam->at >= whole.to() || gap.to - gap.from < kSeenGap) continue;
    parts.push_back(whole.within(from, seam->at));
    from = seam->at;
  }
  parts.push_back(whole.within(from, whole.to()));
  return parts;
}

namespace {

void paint_marks(Canvas& canvas, const Scene& scene) {
  const std::vector<ClockView> parts = parts_of(scene);
  for (std::size_t lane = 0; lane < scene.data.lanes().size(); ++lane) {
    // The grounds have no gaps.
    if (parts.size() == 1 || static_cast<LaneKind>(lane) <= LaneKind::kClockSeams) {
      scene.data.lanes()[lane]->paint(canvas, scene);
      continue;
    }
    for (const ClockView& view : parts) {
      Scene part = scene;
      part.viewport = view;
      scene.data.lanes()[lane]->paint(canvas, part);
    }
  }
}

void paint_rows(Canvas& canvas, const Scene& scene) {
  const Lanes& lanes = scene.data.lanes();
  paint_marks(canvas, scene);
  // From here on what is written: each label where nothing worse and no earlier one lies.
  canvas.places().clear();
  for (int step = 0; step < kSaysSteps; ++step) {
    for (const std::unique_ptr<Lane>& lane : lanes)
      if (lane->says() == static_cast<Says>(step)) lane->write(canvas, scene);
    if (static_cast<Says>(step) == Says::kReserved) canvas.put_waiting();
  }
  paint_heads(canvas, scene);
}

}  // namespace

namespace {

// All rows, over them those that stay on top. Rows go on under these, and under the ruler.
void paint_all_rows(Canvas& canvas, Scene scene) {
  const int top = scene.layout.top(), below = scene.rows_top();
  canvas.clip(QRect(0, below, scene.right(), std::max(0, scene.height - below)));
  paint_rows(canvas, scene);
  if (scene.top_height() > 0) {
    canvas.clip(QRect(0, top, scene.right(), below - top));
    scene.on_top = true;
    paint_rows(canvas, scene);
  }
  canvas.clip({});
}

constexpr int kLeastForTwo = 400;  // px; in a lower picture there is less to do than a thread costs

// The heights at which rows are cut apart: what begins at one is painted by itself, to the next.
std::vector<int> cuts_of(const Scene& scene) {
  constexpr int kLeast = 128;  // px
  std::vector<int> cuts{scene.rows_top()};
  for (const RowBox& row : scene.layout.rows) {
    const int y = scene.y(row);
    if (!scene.stays(row) && y >= cuts.back() + kLeast && y < scene.height) cuts.push_back(y);
  }
  cuts.push_back(scene.height);
  return cuts;
}

// The incidents and the ruler above all rows; gives where the incidents lie.
RailMarks paint_above(Canvas& canvas, const Scene& scene) {
  RailMarks marks = rail_marks(scene);
  paint_rail(canvas, scene, marks);
  paint_ruler(canvas, scene);
  // The pinned headers end where the plot begins.
  canvas.vline(scene.left() - 1, scene.layout.ruler, scene.layout.top(), canvas.colours().line_strong);
  return marks;
}

// Lines of an image, each painted by whoever is ready: rows from a cut to the next, those that stay on top, and what is
// above them all. Nothing of a row is painted into another part but what is cut there.
class Parts {
 public:
  Parts(const Scene& scene, Theme theme, QImage& whole)
      : scene_(scene), theme_(theme), whole_(whole), bits_(whole.bits()), cuts_(cuts_of(scene)) {}

  // Paints until there is nothing left that nobody paints. Callable from several threads, each with a cache of its own.
  void paint(TileCache& tiles) {
    for (std::size_t part = next_++; part < kAround + cuts_.size() - 1; part = next_++) paint_part(part, tiles);
  }
  // When all is painted.
  RailMarks rail() { return std::move(rail_); }

 private:
  static constexpr std::size_t kAround = 2;  // before the rows

  void paint_part(std::size_t part, TileCache& tiles) {
    const int top = scene_.layout.top();
    if (part == 0) return lines(0, top, tiles, [&](Canvas& canvas) { rail_ = paint_above(canvas, scene_); });
    Scene rows = scene_;
    if (part == 1) {
      rows.on_top = true;
      return lines(top, cuts_.front(), tiles, [&](Canvas& canvas) { paint_rows(canvas, rows); });
    }
    rows.part_from = cuts_[part - kAround];
    rows.part_to = cuts_[part - kAround + 1];
    lines(rows.part_from, rows.part_to, tiles, [&](Canvas& canvas) { paint_rows(canvas, rows); });
  }

  template <class Paint>
  void lines(int from, int to, TileCache& tiles, Paint&& action) const {
    if (from >= to) return;
    const double ratio = whole_.devicePixelRatioF();
    const auto line = [&](int y) { return std::min(static_cast<int>(y * ratio), whole_.height()); };
    const qsizetype a_line = whole_.bytesPerLine();
    QImage lines(bits_ + a_line * line(from), whole_.width(), line(to) - line(from), a_line, whole_.format());
    lines.setDevicePixelRatio(ratio);
    QPainter painter(&lines);
    painter.translate(0, -from);
    Canvas canvas = canvas_for(painter, scene_, theme_, tiles);
    action(canvas);
  }

  const Scene& scene_;
  const Theme theme_;
  const QImage& whole_;
  uchar* const bits_;  // taken before anybody paints
  const std::vector<int> cuts_;
  RailMarks rail_;  // of whoever paints what is above
  std::atomic<std::size_t> next_ = 0;
};

RailMarks paint_in_two(QPainter& painter, const Scene& scene, Theme theme, TileCache& tiles) {
  Parts parts(scene, theme, static_cast<QImage&>(*painter.device()));
  QSemaphore done;
  TileCache& other = tiles.beside();
  const bool two = QThreadPool::globalInstance()->tryStart([&] {
    parts.paint(other);
    done.release();
  });
  parts.paint(tiles);
  if (two) done.acquire();
  return parts.rail();
}

// An image of whole pixels, and all there is of the painter's world is where the picture begins.
bool is_plain_picture(const QPainter& painter) {
  const double ratio = painter.device()->devicePixelRatioF();
  return painter.device()->devType() == QInternal::Image && painter.worldTransform().isIdentity() &&
         ratio == std::floor(ratio);
}

}  // namespace

RailMarks paint_chart(QPainter& painter, const Scene& whole, Theme theme, TileCache& tiles, Painters painters) {
  Scene scene = whole;
  scene.pinned = scene.layout.pinned_row(scene.scroll);
  Canvas canvas = canvas_for(painter, scene, theme, tiles);
  RailMarks marks;
  if (painters == Painters::kTwo && scene.height >= kLeastForTwo && is_plain_picture(painter)) {
    marks = paint_in_two(painter, scene, theme, tiles);
  } else {
    paint_all_rows(canvas, scene);
    marks = paint_above(canvas, scene);
  }
  const int bottom = scene.layout.height() - scene.scroll;
  if (bottom < scene.height) canvas.fill(0, bottom, scene.right(), scene.height - bottom, canvas.colours().panel);
  return marks;
}

QRect cursor_plate(const Scene& scene, TrueTime at) {
  const TextStyle style{{}, kCursorPx, kCursorWeight, Face::kMono};
  const int width = width_of(scene.axis.text(at), style) + 2 * kCursorPadding;
  const int most = std::max(scene.left(), scene.right() - width);
  return {std::clamp(scene.x(at) - width / 2, scene.left(), most), 4, width, 17};
}

void paint_overlay(QPainter& painter, const Scene& whole, Theme theme, TileCache& tiles, const Overlay& overlay) {
  Scene scene = whole;
  scene.pinned = scene.layout.pinned_row(scene.scroll);
  Canvas canvas = canvas_for(painter, scene, theme, tiles);
  if (overlay.veil_from) paint_veil(canvas, scene, *overlay.veil_from);
  if (scene.top_height() > 0) {
    scene.on_top = true;
    paint_head_states(canvas, scene, overlay.states_at);
    scene.on_top = false;
  }
  // Rows go on under what stays on top, or under the ruler.
  canvas.clip(QRect(0, scene.rows_top(), scene.right(), std::max(0, scene.height - scene.rows_top())));
  paint_head_states(canvas, scene, overlay.states_at);
  if (overlay.hovered) {
    const QRect out = overlay.hovered->adjusted(-2, -2, 2, 2);
    canvas.frame(out.left(), out.top(), out.width(), out.height(), canvas.colours().text);
  }
  if (overlay.selected) paint_selected(canvas, scene, *overlay.selected);
  canvas.clip({});
  if (overlay.current_row >= 0) paint_current_row(canvas, scene, overlay.current_row);
  if (overlay.selected_incident >= 0)
    paint_selected_incident(canvas, scene, overlay.rail != nullptr ? *overlay.rail : rail_marks(scene),
                            overlay.selected_incident);
  // What is measured is written whatever lies there: it has its place before the forks have theirs.
  if (overlay.measured)
    if (const auto plate = measured_plate(canvas, scene, overlay.measured->first, overlay.measured->second))
      canvas.places().reserve(plate->place);
  for (const TrueTime at : overlay.forks) paint_fork(canvas, scene, at);
  if (overlay.measured) paint_measured(canvas, scene, overlay.measured->first, overlay.measured->second);
  if (overlay.markers != nullptr) paint_flags(canvas, scene, *overlay.markers, overlay.cursor, overlay.over_marker);
  if (overlay.cursor) paint_cursor(canvas, scene, *overlay.cursor);
}

}  // namespace leasescope
