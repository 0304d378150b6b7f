// What holds of the picture of every built-in scenario, of a night whose leases are folded and of a fleet of a
// thousand, however it is looked at (random_looks.h): no two labels lie over each other, no incident is without its
// mark, and a bar stands exactly where a lease does. tests/viewport_campaign asks it of ten thousand looks.
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <QImage>

#include "tests/support/ink_recorder.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/gc_pause_history.h"
#include "tests/ui/random_looks.h"
#include "ui/timeline/paint/glyphs.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/tape.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// What a device has of so many pixels, in its own: one that the painter may fill in part is none of them.
struct DevicePixels {
  int from = 0, to = 0;
};
DevicePixels inside(int from, int to, double ratio) {
  return {static_cast<int>(std::ceil(from * ratio)), static_cast<int>(std::floor(to * ratio))};
}

// `overlay` null: what moves is left out.
QImage painted(const Scene& scene, Theme theme, double ratio, const Overlay* overlay) {
  static TileCache tiles;
  QImage image(static_cast<int>(std::ceil(scene.layout.width * ratio)),
               static_cast<int>(std::ceil(scene.height * ratio)), QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  paint_chart(painter, scene, theme, tiles);
  if (overlay != nullptr) paint_overlay(painter, scene, theme, tiles, *overlay);
  return image;
}

// ---- labels

// Two of these lie over each other; none: they do not.
std::optional<QString> first_meeting(std::vector<Written> words) {
  std::sort(words.begin(), words.end(),
            [](const Written& a, const Written& b) { return a.seen.left() < b.seen.left(); });
  for (std::size_t a = 0; a < words.size(); ++a)
    for (std::size_t b = a + 1; b < words.size() && words[b].seen.left() < words[a].seen.right(); ++b) {
      const QRectF both = words[a].seen & words[b].seen;
      if (both.width() > 1 && both.height() > 1)
        return QStringLiteral("\"%1\" over \"%2\"").arg(words[a].words, words[b].words);
    }
  return {};
}

// Labels of the chart: axis, rail, headers, all rows, the store's among them. None is cut, but by what lies on top of
// it: lines and plates of the cursor, of forks, of flags and of what is measured. Where no plate hides them their words
// are none over the others either. Words stand at whole pixels whatever a device makes of these.
std::optional<QString> wrong_words(const Scene& scene, Theme theme, const Overlay& overlay, std::size_t& read) {
  TileCache tiles;
  InkRecorder recorder(QSize(scene.layout.width, scene.height));
  QPainter painter(&recorder);
  paint_chart(painter, scene, theme, tiles);
  const std::vector<Written> chart = recorder.seen();
  const std::size_t below = recorder.written().size();
  for (const Written& each : chart)
    if (each.cut) return QStringLiteral("\"%1\" is cut").arg(each.words);
  if (const auto wrong = first_meeting(chart)) return wrong;
  paint_overlay(painter, scene, theme, tiles, overlay);
  painter.end();
  std::vector<Written> seen;
  for (std::size_t i = 0; i < recorder.written().size(); ++i) {
    const Written& each = recorder.written()[i];
    if (!each.seen.isEmpty() && (i >= below || !each.cut)) seen.push_back(each);
  }
  read += chart.size() + recorder.written().size() - below;
  const auto wrong = first_meeting(std::move(seen));
  return wrong ? std::optional(QStringLiteral("with what lies on top, ") + *wrong) : std::nullopt;
}

// The frame and the playhead lie over the minimap's words, as they may be anywhere.
std::optional<QString> wrong_words(const Minimap& minimap, Theme theme, std::size_t& read) {
  TileCache tiles;
  InkRecorder recorder(minimap.area.size());
  QPainter painter(&recorder);
  paint_minimap(painter, minimap, theme, tiles);
  painter.end();
  const std::vector<Written> words = recorder.seen();
  read += words.size();
  const auto wrong = first_meeting(words);
  return wrong ? std::optional(QStringLiteral("in the minimap, ") + *wrong) : std::nullopt;
}

// ---- incidents

// The colours of a kind's glyph that stand in none of the grounds it may lie on; also between a device's pixels.
std::set<QRgb> inks_of(IncidentKind kind, Theme theme, double ratio) {
  if (kind == IncidentKind::kLeaderless || kind == IncidentKind::kFlapping) return {colours(theme).gap_line.rgb()};
  static TileCache tiles;
  const QColor& ground = colours(theme).chart_alt;
  std::set<QRgb> inks;
  for (const QPoint at : {QPoint(10, 4), QPoint(11, 4), QPoint(10, 5), QPoint(11, 5)}) {
    QImage image(QSize(40, 24) * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(ground);
    QPainter painter(&image);
    Canvas canvas(painter, theme, tiles);
    paint_glyph(canvas, kind, QRect(at, QSize(14, 14)), GlyphSize::kLarge, ground);
    painter.end();
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) inks.insert(image.pixel(x, y));
  }
  for (const QColor& other : {ground, colours(theme).chart}) inks.erase(other.rgb());
  return inks;
}

const std::set<QRgb>& known_inks_of(IncidentKind kind, Theme theme, double ratio) {
  static std::map<std::tuple<IncidentKind, Theme, double>, std::set<QRgb>> known;
  std::set<QRgb>& inks = known[{kind, theme, ratio}];
  if (inks.empty()) inks = inks_of(kind, theme, ratio);
  return inks;
}

// Whether a pixel of the place has one of the colours.
bool has(const QImage& image, const QRect& place, const std::set<QRgb>& inks) {
  const double ratio = image.devicePixelRatio();
  const QRect device = QRectF(QPointF(place.topLeft()) * ratio, QSizeF(place.size()) * ratio).toAlignedRect();
  const QRect within = device & image.rect();
  for (int y = within.top(); y <= within.bottom(); ++y)
    for (int x = within.left(); x <= within.right(); ++x)
      if (inks.count(image.pixel(x, y)) > 0) return true;
  return false;
}

// How many incidents are seen, and one that is not.
struct Rail {
  int seen = 0;
  std::optional<IncidentKind> hidden;
};

// A tape where it lies, with its edges; a glyph no further away than it may stand from where it belongs.
Rail rail_of(const Scene& scene, Theme theme, double ratio, const Overlay* overlay) {
  constexpr int kFarthest = 75;  // px: of a glyph, with its own width
  constexpr int kEdge = 2;       // px: a narrow tape has its edges on both sides of it
  const QImage image = painted(scene, theme, ratio, overlay);
  Rail out;
  for (const IncidentMark& incident : scene.data.incidents()) {
    if (!scene.shows(incident.start, incident.end)) continue;
    const PixelRange range = incident_range(scene, incident);
    const int beside = is_tape(incident.kind) ? kEdge : kFarthest;
    const QRect place(range.from - beside, scene.layout.ruler, range.to - range.from + 2 * beside, scene.layout.rail);
    if (has(image, place, known_inks_of(incident.kind, theme, ratio)))
      ++out.seen;
    else
      out.hidden = incident.kind;
  }
  return out;
}

// ---- bars

// A lane of a contender's row that is seen whole: which columns of it have a bar's colours along its lower edge, where
// no other mark has them, and which have any mark at all.
struct Columns {
  std::vector<char> bar, mark;
};

Columns columns_of(const QImage& image, const Scene& scene, Theme theme, Band lane) {
  const Colours& c = colours(theme);
  const std::set<QRgb> ground{c.chart.rgb(), c.chart_alt.rgb()};
  std::set<QRgb> bars;
  for (const IdentityColours& id : c.id)
    for (const QColor& colour : {id.ink, id.mid}) bars.insert(colour.rgb());
  Columns columns{std::vector<char>(static_cast<std::size_t>(scene.right())), {}};
  columns.mark = columns.bar;
  const double ratio = image.devicePixelRatio();
  for (int x = scene.left(); x < scene.right(); ++x)
    for (int y = lane.y; y < lane.y + lane.height; ++y) {
      const DevicePixels across = inside(x, x + 1, ratio), down = inside(y, y + 1, ratio);
      for (int at = across.from; at < across.to; ++at) {
        const QRgb pixel = image.pixel(at, down.from);
        if (y + 1 == lane.y + lane.height)
          columns.bar[static_cast<std::size_t>(x)] |= static_cast<char>(bars.count(pixel));
        columns.mark[static_cast<std::size_t>(x)] |= static_cast<char>(1 - ground.count(pixel));
      }
    }
  return columns;
}

// By a walk over every lease: where one is for sure, and where one may be as far as the bounds of both its ends go.
struct Walked {
  std::vector<char> sure, possible;
};

Walked walked(const Scene& scene, const SpanTrack& track) {
  Walked out{std::vector<char>(static_cast<std::size_t>(scene.right())), {}};
  out.possible = out.sure;
  const auto set = [&](std::vector<char>& columns, int from, int to) {
    for (int x = std::max(from, scene.left()); x < std::min(to, scene.right()); ++x)
      columns[static_cast<std::size_t>(x)] = 1;
  };
  constexpr int kFolded = 2;  // px apart at the most are those that are one block
  for (const LeaseSpan span : track) {
    // One that ends where the picture begins has no pixel of it.
    if (span.start.lo >= scene.viewport.to() || scene.until(span.end.hi) <= scene.viewport.from) continue;
    const int from = scene.clipped_x(span.start.hi);
    set(out.sure, from, std::max(scene.clipped_x(scene.until(span.end.lo)), from + 1));
    set(out.possible, scene.clipped_x(span.start.lo) - kFolded,
        std::max(scene.clipped_x(scene.until(span.end.hi)), from + 1) + kFolded);
  }
  return out;
}

// The first column where leases are and no mark is, or where none can be and a bar is; none when all is right. A hatch
// has columns without ink: of twelve none is empty.
std::optional<int> first_wrong(const Scene& scene, const Walked& leases, const Columns& columns) {
  constexpr int kHatch = 12;
  int empty = 0, run = 0;
  for (int x = scene.left(); x <= scene.right(); ++x) {
    const auto at = static_cast<std::size_t>(x);
    const bool sure = x < scene.right() && leases.sure[at];
    if (x < scene.right() && columns.bar[at] && !leases.possible[at]) return x;
    if (!sure && run > 0 && empty == run) return x - 1;
    run = sure ? run + 1 : 0;
    empty = sure && !columns.mark[at] ? empty + 1 : 0;
    if (empty >= kHatch) return x;
  }
  return {};
}

// Over all lanes that are seen whole; `lanes` counts them. What lies on top is left out: it may hide any of it.
std::optional<QString> wrong_bar(const Look& look, std::size_t& lanes) {
  const Shown shown(look);
  Scene scene = shown.scene();
  const QImage image = painted(scene, shown.theme(), shown.ratio(), nullptr);
  scene.pinned = scene.layout.pinned_row(scene.scroll);
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind != RowKind::kContender) continue;
    const ContenderRow& contender = scene.data.contenders()[static_cast<std::size_t>(row.index)];
    const int top = scene.stays(row) ? scene.layout.top() : scene.rows_top();
    for (const bool held : {true, false}) {
      const Band band = held ? scene.layout.row.held : scene.layout.row.believed;
      const Band lane{scene.y(row) + band.y, band.height};
      if (lane.y < top || lane.y + lane.height > scene.height) continue;
      ++lanes;
      if (const auto wrong = first_wrong(scene, walked(scene, held ? contender.held : contender.believed),
                                         columns_of(image, scene, shown.theme(), lane)))
        return QStringLiteral("%1 of row %2 at %3 px").arg(held ? "held" : "believed").arg(row.index).arg(*wrong);
    }
  }
  return {};
}

ChartData crowd_of_all_kinds() {
  HistoryWriter writer;
  for (int turn = 0; turn < 40; ++turn) {
    int apart = 0;
    for (const IncidentKind kind : kAllIncidentKinds) {
      Incident incident;
      incident.kind = kind;
      incident.mutex = writer.mutex;
      incident.start = at_ms(100 + 310 * turn + 3 * ++apart);
      incident.end = incident.start + (lasts(kind) ? std::chrono::milliseconds(9) : Duration{});
      incident.contenders = {writer.a, writer.b};
      writer.history.incidents.push_back(incident);
    }
  }
  writer.add(400'000, writer.a, EventKind::kStarted);
  ChartData data;
  data.reset(gc_pause_facts());
  data.append(writer.history);
  return data;
}

// Variables as they were, again at the end.
class EnvironmentKept {
 public:
  explicit EnvironmentKept(std::vector<const char*> names) {
    for (const char* name : names)
      values_.emplace_back(name, qEnvironmentVariableIsSet(name) ? std::optional(qgetenv(name)) : std::nullopt);
  }
  ~EnvironmentKept() {
    for (const auto& [name, value] : values_) value ? qputenv(name, *value) : qunsetenv(name);
  }
  EnvironmentKept(const EnvironmentKept&) = delete;
  EnvironmentKept& operator=(const EnvironmentKept&) = delete;

 private:
  std::vector<std::pair<const char*, std::optional<QByteArray>>> values_;
};

}  // namespace

class AnyViewportTest : public UiSuite {
  Q_OBJECT
  // A few looks may have little to be seen.
  static bool many() { return look_count() >= 100; }
  static QByteArray wrongLabel(std::size_t& read) {
    return first_wrong_look("noLabelLiesOverAnotherOrIsCut", [&](const Look& look) {
      const Shown shown(look);
      const auto of_chart = wrong_words(shown.scene(), shown.theme(), shown.overlay(), read);
      return of_chart ? of_chart : wrong_words(shown.minimap(), shown.theme(), read);
    });
  }

 private slots:
  void noLabelLiesOverAnotherOrIsCut() {
    std::size_t read = 0;
    const QByteArray wrong = wrongLabel(read);
    QVERIFY2(wrong.isEmpty(), wrong);
    QVERIFY(!many() || read > 10 * static_cast<std::size_t>(look_count()));
  }

  // A block's count under the edges of an incident; a row's words under the ruler, and its state over it.
  void thoseThatWereWrongOnceAreNot() {
    const EnvironmentKept kept({"LEASESCOPE_VIEWPORT_SEED", "LEASESCOPE_VIEWPORT_FIRST", "LEASESCOPE_VIEWPORTS"});
    qputenv("LEASESCOPE_VIEWPORT_SEED", "1");
    qputenv("LEASESCOPE_VIEWPORTS", "1");
    for (const char* first : {"5", "184", "377"}) {
      qputenv("LEASESCOPE_VIEWPORT_FIRST", first);
      std::size_t read = 0;
      const QByteArray wrong = wrongLabel(read);
      QVERIFY2(wrong.isEmpty(), wrong);
      QVERIFY(read > 0);
    }
  }

  void everyIncidentHasItsColourInTheRail() {
    int seen = 0;
    const QByteArray wrong =
        first_wrong_look("everyIncidentHasItsColourInTheRail", [&](const Look& look) -> std::optional<QString> {
          const Shown shown(look);
          const Overlay overlay = shown.overlay();
          const Rail rail = rail_of(shown.scene(), shown.theme(), shown.ratio(), &overlay);
          seen += rail.seen;
          if (!rail.hidden) return {};
          return QString::fromUtf8(text(*rail.hidden).data()) + QStringLiteral(" is not seen");
        });
    QVERIFY2(wrong.isEmpty(), wrong);
    QVERIFY(!many() || seen > look_count());
  }

  // As narrow as a double grant may be, and all kinds at once in a place that is too narrow for their glyphs.
  void everyKindIsSeenInACrowdOfAll() {
    const ChartData data = crowd_of_all_kinds();
    for (const Theme theme : {Theme::kLight, Theme::kDark})
      for (const double ratio : {1.0, 1.5, 2.0})
        for (const int width : {420, 750, 1'900})
          for (const int seconds : {1, 7, 60, 400}) {
            const ChartLayout layout = layout_chart(data, width);
            const Viewport view = Viewport::fitting(at_ms(0), at_ms(seconds * 1'000), layout.plot_width());
            const Rail rail = rail_of({data, layout, view, 400}, theme, ratio, nullptr);
            QVERIFY2(!rail.hidden, QStringLiteral("%1 is not seen on %2 px in %3 s at %4, %5")
                                       .arg(QString::fromUtf8(text(*rail.hidden).data()))
                                       .arg(width)
                                       .arg(seconds)
                                       .arg(ratio)
                                       .arg(theme == Theme::kLight ? "light" : "dark")
                                       .toUtf8());
            QVERIFY(rail.seen >= kIncidentKinds);
          }
  }

  // Each has a plate where its line stands; where there is no room for another it is a line alone.
  void forksAndWhatIsMeasuredKeepTheirWords() {
    const ChartData data = crowd_of_all_kinds();
    const ChartLayout layout = layout_chart(data, 1'200);
    const Scene scene{data, layout, Viewport::fitting(at_ms(0), at_ms(60'000), layout.plot_width()), 500};
    Overlay overlay;
    overlay.forks = {at_ms(20'000), at_ms(20'400), at_ms(30'000), at_ms(50'000)};
    overlay.measured = {at_ms(25'000), at_ms(35'000)};
    InkRecorder recorder(QSize(layout.width, scene.height));
    QPainter painter(&recorder);
    TileCache tiles;
    paint_overlay(painter, scene, Theme::kLight, tiles, overlay);
    painter.end();
    const auto wrong = first_meeting(recorder.seen());
    QVERIFY2(!wrong, qPrintable(wrong.value_or(QString())));
    QStringList words;
    for (const Written& each : recorder.seen()) words << each.words;
    QCOMPARE(words.count(QStringLiteral("fork")), 2);
    QVERIFY2(words.filter(QStringLiteral("Δ 10.000")).size() == 1, qPrintable(words.join(u'|')));
  }

  void aBarStandsExactlyWhereALeaseDoes() {
    std::size_t lanes = 0;
    const QByteArray wrong =
        first_wrong_look("aBarStandsExactlyWhereALeaseDoes", [&](const Look& look) { return wrong_bar(look, lanes); });
    QVERIFY2(wrong.isEmpty(), wrong);
    QVERIFY(!many() || lanes > static_cast<std::size_t>(look_count()));
  }
};

LEASESCOPE_SUITE(AnyViewportTest)
#include "any_viewport_test.moc"
