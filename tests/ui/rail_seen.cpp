#include "tests/ui/rail_seen.h"

#include <array>
#include <map>
#include <set>
#include <tuple>

#include <QImage>

#include "tests/support/ink_recorder.h"
#include "tests/ui/device_pixels.h"
#include "ui/timeline/paint/glyphs.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/tape.h"

namespace leasescope::tests {
namespace {

// As the rail is documented (rail.cpp): glyphs of 12 px no further than 60 from where they belong, stubs of them 3
// wide.
constexpr int kGlyph = 12, kFarthest = 60, kInBracket = 3, kPlate = 6;
constexpr int kFrameless = 4;  // px of the widest tape without a frame

bool has_glyph(IncidentKind kind) {
  return !is_tape(kind) && kind != IncidentKind::kLeaderless && kind != IncidentKind::kFlapping;
}

TileCache& tiles() {
  static TileCache cache;
  return cache;
}

// The chart's pixels of the rail, those that something lies on.
class Cover {
 public:
  explicit Cover(const Scene& scene)
      : top_(scene.layout.ruler),
        width_(scene.right()),
        height_(scene.layout.rail),
        pixels_(static_cast<std::size_t>(width_ * height_)) {}

  void add(const QRect& area) {
    const QRect within = area & QRect(0, top_, width_, height_);
    for (int y = within.top(); y <= within.bottom(); ++y)
      for (int x = within.left(); x <= within.right(); ++x) pixels_[place(x, y)] = 1;
  }
  void add(const Cover& other) {
    for (std::size_t i = 0; i < pixels_.size(); ++i) pixels_[i] = static_cast<char>(pixels_[i] | other.pixels_[i]);
  }
  bool at(int x, int y) const { return pixels_[place(x, y)] != 0; }

 private:
  std::size_t place(int x, int y) const { return static_cast<std::size_t>((y - top_) * width_ + x); }

  int top_, width_, height_;
  std::vector<char> pixels_;
};

// A glyph as it is painted alone. One at an odd pixel may be rounded otherwise than one at an even.
struct GlyphPicture {
  QImage image;
  QPoint at;  // its box lies there
};
const GlyphPicture& glyph_alone(IncidentKind kind, Theme theme, double ratio, QPoint box) {
  static std::map<std::tuple<IncidentKind, Theme, double, int, int>, GlyphPicture> known;
  GlyphPicture& picture = known[{kind, theme, ratio, box.x() % 2, box.y() % 2}];
  if (!picture.image.isNull()) return picture;
  const QColor& ground = colours(theme).chart_alt;
  picture.at = {10 + box.x() % 2, 4 + box.y() % 2};
  picture.image = QImage(QSize(40, 24) * ratio, QImage::Format_RGB32);
  picture.image.setDevicePixelRatio(ratio);
  picture.image.fill(ground);
  QPainter painter(&picture.image);
  Canvas canvas(painter, theme, tiles());
  paint_glyph(canvas, kind, QRect(picture.at, QSize(kGlyph, kGlyph)), GlyphSize::kLarge, ground);
  return picture;
}

QRgb stub_ink(IncidentKind kind, Theme theme) {
  QImage image(1, 1, QImage::Format_RGB32);
  QPainter painter(&image);
  return glyph_ink(Canvas(painter, theme, tiles()), kind).rgb();
}

class Look {
 public:
  Look(const Scene& scene, Theme theme, const QImage& image, std::optional<TrueTime> cursor)
      : scene_(scene),
        c_(colours(theme)),
        theme_(theme),
        image_(image),
        top_(scene.layout.ruler),
        height_(scene.layout.rail),
        marks_(rail_plan(scene)),
        glyphs_(rail_glyphs(scene)),
        over_all_(scene),
        over_glyphs_(scene),
        over_brackets_(scene),
        over_beliefs_(scene),
        below_grants_(scene),
        sides_{{IncidentKind::kBeliefOverlap, Cover(scene)}, {IncidentKind::kDoubleGrant, Cover(scene)}} {
    cover_all(cursor);
    for (std::size_t i = 0; i < marks_.size(); ++i) cover_by(i);
    over_brackets_.add(over_all_);
    below_grants_.add(over_all_);
    over_beliefs_.add(below_grants_);
  }

  RailSeen result() {
    const std::vector<IncidentMark>& incidents = scene_.data.incidents();
    for (std::size_t i = 0; i < incidents.size(); ++i)
      if (scene_.shows(incidents[i].start, incidents[i].end)) look_at(i, incidents[i]);
    return std::move(seen_);
  }

 private:
  bool is_stub(std::size_t i) const { return !glyphs_[i].isEmpty() && glyphs_[i].width() < kGlyph; }
  // Lies as a span, not as a glyph alone.
  bool is_span(std::size_t i) const { return !marks_[i].isEmpty() && marks_[i] != glyphs_[i]; }
  static QRect columns(int from, int to, const QRect& rows) { return {from, rows.y(), to - from, rows.height()}; }
  QRect rows(int from, int count) const { return {0, top_ + from, 0, count}; }
  QRect all_rows() const { return rows(0, height_); }

  // ---- what lies on what

  // The words, with the plates that they stand on, and the cursor's line.
  void cover_all(std::optional<TrueTime> cursor) {
    InkRecorder recorder(QSize(scene_.right(), top_ + height_));
    QPainter painter(&recorder);
    Canvas canvas(painter, theme_, tiles());
    paint_rail(canvas, scene_, rail_marks(scene_));
    painter.end();
    for (const Written& each : recorder.written()) {
      const QRect ink = each.seen.toAlignedRect();
      over_all_.add(columns(ink.left() - kPlate, ink.right() + 1 + kPlate, all_rows()));
    }
    if (!cursor || !scene_.shows(*cursor)) return;
    cursor_ = scene_.x(*cursor);
    for (Cover* const over : {&over_all_, &over_glyphs_}) over->add(columns(*cursor_, *cursor_ + 1, all_rows()));
  }

  void cover_by(std::size_t i) {
    const IncidentKind kind = scene_.data.incidents()[i].kind;
    const QRect &mark = marks_[i], &glyph = glyphs_[i];
    if (is_stub(i)) {
      stubs_.push_back(i);
      over_all_.add(ground_of_stub(glyph));
      over_glyphs_.add(ground_of_stub(glyph));
    } else if (!glyph.isEmpty()) {
      over_all_.add(columns(glyph.left() - 2, glyph.right() + 3, all_rows()));
    }
    if (!glyph.isEmpty()) glyph_places_[kind].insert(glyph.left());
    if (!is_span(i)) return;
    const int from = mark.left(), to = mark.right() + 1;
    spans_[kind].resize(static_cast<std::size_t>(scene_.right()) + 1);
    for (int x = from; x < to; ++x) ++spans_[kind][static_cast<std::size_t>(x)];
    if (is_tape(kind)) return cover_by_tape(kind, from, to);
    if (!glyph.isEmpty()) return;
    any_bracket_ = true;
    below_grants_.add(columns(from, to, rows(height_ - 4, 1)));
  }

  // Its frame and its edges stand beside it. Of a bracket that has no glyph all leave the line to be seen.
  void cover_by_tape(IncidentKind kind, int from, int to) {
    const bool grant = kind == IncidentKind::kDoubleGrant;
    over_brackets_.add(columns(from - 3, to + 3, rows(1, height_ - 5)));
    if (to - from > measures().incident_min_width) sides_.at(kind).add(columns(from - 3, to + 3, all_rows()));
    // Narrow ones that follow each other closely have no frames.
    if (!grant && to - from > measures().incident_min_width)
      for (const PixelRange side : {PixelRange{from - 1, from}, PixelRange{to, to + 1}})
        below_grants_.add(columns(side.from, side.to, all_rows()));
    if (grant) over_beliefs_.add(columns(from - 3, to + 3, all_rows()));
  }

  // ---- what is seen

  void unseen(std::size_t i, const QString& why) {
    if (!seen_.unseen.empty() && seen_.unseen.back().incident == i) return;  // one word of each is enough
    const IncidentMark& mine = scene_.data.incidents()[i];
    seen_.unseen.push_back({i, QStringLiteral("%1 %2 at %3 ns %4")
                                   .arg(QString::fromUtf8(text(mine.kind).data()))
                                   .arg(i)
                                   .arg(mine.start.time_since_epoch().count())
                                   .arg(why)});
  }

  // All of an area that nothing lies on has one of the inks: how much that is; none where a pixel has another colour.
  std::optional<int> inked(const QRect& area, const Cover& over, const std::set<QRgb>& inks) const {
    const QRect within = area & QRect(scene_.left(), top_, scene_.right() - scene_.left(), height_);
    int found = 0;
    for (int y = within.top(); y <= within.bottom(); ++y)
      for (int x = within.left(); x <= within.right(); ++x) {
        if (over.at(x, y)) continue;
        if (inks.count(pixel_of(image_, x, y)) == 0) return {};
        ++found;
      }
    return found;
  }

  void look_at(std::size_t i, const IncidentMark& incident) {
    if (!has_glyph(incident.kind)) return marks_[i].isEmpty() ? look_for_span_of(i) : look_at_span(i);
    if (glyphs_[i].isEmpty()) {
      look_for_glyph_of(i);
      if (is_span(i)) look_at_bracket(i, false);
      return;
    }
    if (std::abs(glyphs_[i].left() - wanted(i)) > kFarthest) return unseen(i, QStringLiteral("is far from its place"));
    is_stub(i) ? look_at_stub(i) : look_at_glyph(i);
  }

  // Where its glyph belongs.
  int wanted(std::size_t i) const {
    const int most = scene_.right() - kGlyph;
    const int start = scene_.x(scene_.data.incidents()[i].start);
    return std::clamp(is_span(i) ? marks_[i].left() + kInBracket : start - kGlyph / 2, std::min(scene_.left(), most),
                      most);
  }

  // One without a mark lies within the narrow mark of another of its kind.
  void look_for_span_of(std::size_t i) {
    const IncidentMark& mine = scene_.data.incidents()[i];
    const auto found = spans_.find(mine.kind);
    const auto first = static_cast<std::size_t>(incident_range(scene_, mine).from);
    if (found == spans_.end() || found->second[first] == 0) return unseen(i, QStringLiteral("has no mark"));
    ++seen_.stood_for;
  }

  // ... or has its glyph near; one that was not even asked for begins within the least width of one that was.
  void look_for_glyph_of(std::size_t i) {
    const std::set<int>& alike = glyph_places_[scene_.data.incidents()[i].kind];
    const int reach = kFarthest + measures().incident_min_width;
    const auto near = alike.lower_bound(wanted(i) - reach);
    if (near == alike.end() || *near > wanted(i) + reach) return unseen(i, QStringLiteral("has no glyph near"));
    ++seen_.stood_for;
  }

  void look_at_span(std::size_t i) {
    const PixelRange range = incident_range(scene_, scene_.data.incidents()[i]);
    if (marks_[i].left() != range.from || marks_[i].right() + 1 != range.to)
      return unseen(i, QStringLiteral("does not lie where it happened"));
    is_tape(scene_.data.incidents()[i].kind) ? look_at_tape(i) : look_at_bracket(i);
  }

  // Its line from end to end and a post at each; of one that tells of changes a line for each of these.
  std::vector<QRect> strokes_of(std::size_t i) const {
    const int from = marks_[i].left(), to = marks_[i].right() + 1;
    std::vector<QRect> strokes{columns(from, to, rows(height_ - 4, 1)), columns(from, from + 1, rows(height_ - 9, 6)),
                               columns(to - 1, to, rows(height_ - 9, 6))};
    if (scene_.data.incidents()[i].kind == IncidentKind::kFlapping)
      for (int x = from; x < to; x += 6) strokes.push_back(columns(x, x + 1, rows(5, height_ - 9)));
    return strokes;
  }
  void look_at_bracket(std::size_t i, bool must_be_seen = true) {
    int pixels = 0;
    for (const QRect& stroke : strokes_of(i)) {
      const auto found = inked(stroke, over_brackets_, {c_.gap_line.rgb(), c_.notice.rgb()});
      if (!found) return unseen(i, QStringLiteral("has no bracket"));
      pixels += *found;
    }
    if (pixels == 0 && must_be_seen) return unseen(i, QStringLiteral("has a bracket that is covered whole"));
    seen_.marks += pixels > 0;
  }

  // Its upper rows are tape whatever it leaves to be seen below: of one without a frame to the bit, where no other of
  // its kind has one.
  void look_at_tape(std::size_t i) {
    const IncidentKind kind = scene_.data.incidents()[i].kind;
    const bool grant = kind == IncidentKind::kDoubleGrant;
    const std::set<QRgb> inks =
        grant ? std::set{c_.critical.rgb(), c_.on_critical.rgb()} : std::set{c_.overlap.rgb(), c_.overlap_ink.rgb()};
    const QRect area = columns(marks_[i].left(), marks_[i].right() + 1, rows(2, 6));
    const Cover& over = grant ? over_all_ : over_beliefs_;
    const auto found = inked(area, over, inks);
    if (!found || (area.width() <= kFrameless && !is_hatched(area, over, kind)))
      return unseen(i, QStringLiteral("has no tape"));
    if (*found > 0) {
      ++seen_.marks;
      return;
    }
    if (lies_within_another(i)) {
      ++seen_.stood_for;
      return;
    }
    if (grant || !is_left_below(i, inks)) return unseen(i, QStringLiteral("has a tape that is covered whole"));
    ++seen_.under;
  }
  // What is written on a wider one of its kind may lie on all of it; that one is looked for by itself.
  bool lies_within_another(std::size_t i) const {
    for (std::size_t other = 0; other < marks_.size(); ++other)
      if (scene_.data.incidents()[other].kind == scene_.data.incidents()[i].kind &&
          marks_[other].width() > marks_[i].width() && marks_[other].contains(marks_[i]))
        return true;
    return false;
  }
  bool is_hatched(const QRect& area, const Cover& over, IncidentKind kind) {
    const QImage& tape = tape_alone(kind);
    for (int y = area.top(); y <= area.bottom(); ++y)
      for (int x = area.left(); x <= area.right(); ++x)
        if (!over.at(x, y) && !sides_.at(kind).at(x, y) && pixel_of(image_, x, y) != pixel_of(tape, x, y)) return false;
    return true;
  }
  // From one end of the rail to the other.
  const QImage& tape_alone(IncidentKind kind) {
    QImage& tape = tapes_[kind];
    if (!tape.isNull()) return tape;
    const double ratio = image_.devicePixelRatio();
    tape = QImage((QSizeF(scene_.right(), top_ + height_) * ratio).toSize(), QImage::Format_RGB32);
    tape.setDevicePixelRatio(ratio);
    tape.fill(Qt::transparent);
    QPainter painter(&tape);
    Canvas canvas(painter, theme_, tiles(), (scene_.left() + scene_.viewport.phase(kTilePeriod)) % kTilePeriod);
    paint_bare_tape(canvas, {scene_.left(), scene_.right()}, top_, height_, kind);
    return tape;
  }

  // Grants leave two rows of a belief to be seen at its lower edge, which is three pixels higher over a bracket.
  bool is_left_below(std::size_t i, const std::set<QRgb>& inks) const {
    for (const int from : {height_ - 4, height_ - 7}) {
      const auto found = inked(columns(marks_[i].left(), marks_[i].right() + 1, rows(from, 2)), below_grants_, inks);
      if (found && *found > 0) return true;
      if (!any_bracket_) break;
    }
    return false;
  }

  // In its place the picture is what it is alone.
  void look_at_glyph(std::size_t i) {
    const QRect box(glyphs_[i].left(), glyphs_[i].top() + (glyphs_[i].height() - kGlyph) / 2, kGlyph, kGlyph);
    const double ratio = image_.devicePixelRatio();
    const GlyphPicture& alone = glyph_alone(scene_.data.incidents()[i].kind, theme_, ratio, box.topLeft());
    const QPoint moved(qRound((box.left() - alone.at.x()) * ratio), qRound((box.top() - alone.at.y()) * ratio));
    const DevicePixels across = inside(box.left(), box.right() + 1, ratio);
    const DevicePixels down = inside(box.top(), box.bottom() + 1, ratio);
    int pixels = 0;
    for (int y = down.from; y < down.to; ++y)
      for (int x = across.from; x < across.to; ++x) {
        if (over_glyphs_.at(static_cast<int>(x / ratio), static_cast<int>(y / ratio))) continue;
        const QRgb expected = alone.image.pixel(QPoint(x, y) - moved);
        if (image_.pixel(x, y) != expected) return unseen(i, QStringLiteral("has no glyph"));
        pixels += expected != c_.chart_alt.rgb();
      }
    if (pixels == 0) return unseen(i, QStringLiteral("has a glyph that is covered whole"));
    ++seen_.marks;
  }

  void look_at_stub(std::size_t i) {
    const QRgb ink = stub_ink(scene_.data.incidents()[i].kind, theme_);
    int pixels = 0;
    for (int y = glyphs_[i].top(); y <= glyphs_[i].bottom(); ++y)
      for (int x = glyphs_[i].left(); x <= glyphs_[i].right(); ++x) {
        if (lies_on_stub(i, x, y)) continue;
        if (pixel_of(image_, x, y) != ink) return unseen(i, QStringLiteral("has no stub"));
        ++pixels;
      }
    if (pixels == 0) return unseen(i, QStringLiteral("has a stub that is covered whole"));
    ++seen_.marks;
  }

  // Each stub has a ground of its own, right of, left of and below it.
  static QRect ground_of_stub(const QRect& stub) { return stub.adjusted(-1, 0, 1, 1); }
  bool lies_on_stub(std::size_t i, int x, int y) const {
    return cursor_ == x || std::any_of(stubs_.begin(), stubs_.end(), [&](std::size_t other) {
             return other != i && ground_of_stub(glyphs_[other]).contains(x, y);
           });
  }

  const Scene& scene_;
  const Colours& c_;
  const Theme theme_;
  const QImage& image_;
  const int top_, height_;
  const RailPlan marks_, glyphs_;
  Cover over_all_, over_glyphs_, over_brackets_, over_beliefs_, below_grants_;
  bool any_bracket_ = false;
  std::map<IncidentKind, std::vector<int>> spans_;      // how many of a kind lie on each column
  std::map<IncidentKind, std::set<int>> glyph_places_;  // by their left sides
  std::map<IncidentKind, Cover> sides_;                 // where tapes with frames and edges lie
  std::map<IncidentKind, QImage> tapes_;
  std::vector<std::size_t> stubs_;
  std::optional<int> cursor_;
  RailSeen seen_;
};

}  // namespace

RailSeen rail_seen(const Scene& scene, Theme theme, const QImage& image, std::optional<TrueTime> cursor) {
  return Look(scene, theme, image, cursor).result();
}

}  // namespace leasescope::tests
