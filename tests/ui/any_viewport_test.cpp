// What holds of the picture of every built-in scenario in whatever stretch, width and scroll: no two labels lie over
// each other, no incident is without its mark, and a bar stands exactly where a lease does.
// tests/viewport_campaign asks it of ten thousand.
#include <map>
#include <optional>
#include <random>
#include <set>

#include <QImage>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "tests/support/ink_recorder.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/gc_pause_history.h"
#include "ui/timeline/paint/glyphs.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/painter.h"
#include "ui/timeline/paint/tape.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr int kNarrowest = 420, kWidest = 1'900, kLowest = 260, kHighest = 1'000;

int asked(const char* variable, int otherwise) {
  return qEnvironmentVariableIsSet(variable) ? qEnvironmentVariableIntValue(variable) : otherwise;
}

// The runs of all built-in scenarios, folded: each once.
const std::vector<std::unique_ptr<ChartData>>& runs() {
  static const std::vector<std::unique_ptr<ChartData>> all = [] {
    std::vector<std::unique_ptr<ChartData>> folded;
    for (const BuiltIn& built_in : built_in_scenarios()) {
      const auto scenario = find_scenario(built_in.name);
      if (!scenario) qFatal("%s", scenario.error().text().c_str());
      VirtualRun run(*scenario);
      run.advance(TrueTime::max());
      folded.push_back(std::make_unique<ChartData>());
      folded.back()->reset(run_facts(run.scenario()));
      folded.back()->append(run.history());
    }
    return folded;
  }();
  return all;
}

// One of the runs, as somebody may look at it.
struct Look {
  const ChartData* data = nullptr;
  std::size_t run = 0;
  ChartLayout layout;
  Viewport viewport;
  int height = 0, scroll = 0;

  Scene scene() const { return {*data, layout, viewport, height, scroll}; }
  QByteArray text() const {
    return QStringLiteral("%1, %2 to %3 ns, %4x%5, scrolled %6")
        .arg(QString::fromStdString(built_in_scenarios()[run].name))
        .arg(viewport.from.time_since_epoch().count())
        .arg(viewport.to().time_since_epoch().count())
        .arg(layout.width)
        .arg(height)
        .arg(scroll)
        .toUtf8();
  }
};

// Runs in turns; of lengths from a microsecond to all, those of any size as likely.
class Looks {
 public:
  Looks() {
    const int seed = asked("LEASESCOPE_VIEWPORT_SEED", 20'261'127);
    qInfo("viewports of seed %d", seed);
    random_.seed(static_cast<std::uint64_t>(seed));
  }
  static int count() { return std::max(1, asked("LEASESCOPE_VIEWPORTS", 400)); }

  Look next() {
    Look look;
    look.run = next_++ % runs().size();
    look.data = runs()[look.run].get();
    look.layout = layout_chart(*look.data, number(kNarrowest, kWidest), {random_() % 2 == 0, random_() % 2 == 0});
    look.height = number(kLowest, kHighest);
    look.scroll = number(0, std::max(0, look.layout.height() - look.height));
    const auto whole = static_cast<double>(look.data->now().time_since_epoch().count());
    const double least = 1e3, share = std::uniform_real_distribution<>(0, 1)(random_);
    const Duration span(static_cast<std::int64_t>(least * std::pow(1.3 * whole / least, share)));
    const TrueTime from = near_something(*look.data) - span * number(0, 1'000) / 1'000;
    look.viewport = Viewport::fitting(from, from + span, look.layout.plot_width());
    return look;
  }

 private:
  int number(int least, int most) { return std::uniform_int_distribution<>(least, most)(random_); }
  // A short stretch of a long run shows nothing mostly: every second look is at an incident.
  TrueTime near_something(const ChartData& data) {
    const auto& incidents = data.incidents();
    if (!incidents.empty() && random_() % 2 == 0) return incidents[random_() % incidents.size()].start;
    return TrueTime(Duration(static_cast<std::int64_t>(
        random_() % static_cast<std::uint64_t>(std::max<std::int64_t>(1, data.now().time_since_epoch().count())))));
  }

  std::mt19937_64 random_;
  std::size_t next_ = 0;
};

QImage painted(const Scene& scene, Theme theme) {
  static TileCache tiles;
  QImage image(scene.layout.width, scene.height, QImage::Format_RGB32);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  paint_chart(painter, scene, theme, tiles);
  return image;
}

// All words that are seen of a picture.
std::vector<Written> words_of(const Scene& scene) {
  TileCache tiles;
  InkRecorder recorder(QSize(scene.layout.width, scene.height));
  QPainter painter(&recorder);
  paint_chart(painter, scene, Theme::kLight, tiles);
  painter.end();
  return recorder.seen();
}

// The colours of a kind's glyph that stand in none of the grounds it may lie on.
std::set<QRgb> inks_of(IncidentKind kind, Theme theme) {
  static TileCache tiles;
  QImage image(40, 24, QImage::Format_RGB32);
  const QColor& ground = colours(theme).chart_alt;
  image.fill(ground);
  QPainter painter(&image);
  Canvas canvas(painter, theme, tiles);
  paint_glyph(canvas, kind, QRect(10, 4, 14, 14), GlyphSize::kLarge, ground);
  painter.end();
  std::set<QRgb> inks;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) inks.insert(image.pixel(x, y));
  for (const QColor& other : {ground, colours(theme).chart}) inks.erase(other.rgb());
  return inks;
}

// Whether a pixel of the place has one of the colours.
bool has(const QImage& image, const QRect& place, const std::set<QRgb>& inks) {
  const QRect within = place & image.rect();
  for (int y = within.top(); y <= within.bottom(); ++y)
    for (int x = within.left(); x <= within.right(); ++x)
      if (inks.count(image.pixel(x, y)) > 0) return true;
  return false;
}

// A lane of a contender's row that is seen whole: which columns of it have a bar's colours along its lower edge, where
// no other mark has them, and which have any mark at all.
struct Columns {
  std::vector<char> bar, mark;
};

Columns columns_of(const QImage& image, const Scene& scene, Band lane) {
  const Colours& c = colours(Theme::kLight);
  const std::set<QRgb> ground{c.chart.rgb(), c.chart_alt.rgb()};
  std::set<QRgb> bars;
  for (const IdentityColours& id : c.id)
    for (const QColor& colour : {id.ink, id.mid}) bars.insert(colour.rgb());
  Columns columns{std::vector<char>(static_cast<std::size_t>(scene.right())), {}};
  columns.mark = columns.bar;
  for (int x = scene.left(); x < scene.right(); ++x)
    for (int y = lane.y; y < lane.y + lane.height; ++y) {
      const QRgb pixel = image.pixel(x, y);
      if (y + 1 == lane.y + lane.height)
        columns.bar[static_cast<std::size_t>(x)] = static_cast<char>(bars.count(pixel));
      columns.mark[static_cast<std::size_t>(x)] |= static_cast<char>(1 - ground.count(pixel));
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

// How many incidents are seen, and one that is not.
struct Rail {
  int seen = 0;
  std::optional<IncidentKind> hidden;
};

// A tape where it lies; a glyph no further away than it may stand from where it belongs.
Rail rail_of(const Scene& scene) {
  const Colours& c = colours(Theme::kLight);
  static const auto inks = [&c] {
    std::map<IncidentKind, std::set<QRgb>> of;
    for (const IncidentKind kind : kAllIncidentKinds) of[kind] = inks_of(kind, Theme::kLight);
    for (const IncidentKind kind : {IncidentKind::kLeaderless, IncidentKind::kFlapping}) of[kind] = {c.gap_line.rgb()};
    return of;
  }();
  constexpr int kFarthest = 75;  // px: of a glyph, with its own width
  const QImage image = painted(scene, Theme::kLight);
  Rail out;
  for (const IncidentMark& incident : scene.data.incidents()) {
    if (!scene.shows(incident.start, incident.end)) continue;
    const PixelRange range = incident_range(scene, incident);
    const int beside = is_tape(incident.kind) ? 0 : kFarthest;
    const QRect place(range.from - beside, scene.layout.ruler, range.to - range.from + 2 * beside, scene.layout.rail);
    if (has(image, place, inks.at(incident.kind)))
      ++out.seen;
    else
      out.hidden = incident.kind;
  }
  return out;
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

}  // namespace

class AnyViewportTest : public UiSuite {
  Q_OBJECT
 private slots:
  void noLabelLiesOverAnotherOrIsCut() {
    Looks looks;
    std::size_t read = 0;
    for (int i = 0; i < Looks::count(); ++i) {
      const Look look = looks.next();
      std::vector<Written> words = words_of(look.scene());
      read += words.size();
      std::sort(words.begin(), words.end(),
                [](const Written& a, const Written& b) { return a.seen.left() < b.seen.left(); });
      for (std::size_t a = 0; a < words.size(); ++a) {
        QVERIFY2(!words[a].cut, qPrintable(words[a].words + " is cut: ") + look.text());
        for (std::size_t b = a + 1; b < words.size() && words[b].seen.left() < words[a].seen.right(); ++b) {
          const QRectF both = words[a].seen & words[b].seen;
          QVERIFY2(both.width() <= 1 || both.height() <= 1,
                   QStringLiteral("\"%1\" over \"%2\": ").arg(words[a].words, words[b].words).toUtf8() + look.text());
        }
      }
    }
    QVERIFY(read > 10 * static_cast<std::size_t>(Looks::count()));
  }

  void everyIncidentHasItsColourInTheRail() {
    Looks looks;
    int seen = 0;
    for (int i = 0; i < Looks::count(); ++i) {
      const Look look = looks.next();
      const Rail rail = rail_of(look.scene());
      QVERIFY2(!rail.hidden, QByteArray(text(*rail.hidden).data()) + " is not seen: " + look.text());
      seen += rail.seen;
    }
    QVERIFY(seen > Looks::count());
  }

  // As narrow as a double grant may be, and all kinds at once in a place that is too narrow for their glyphs.
  void everyKindIsSeenInACrowdOfAll() {
    const ChartData data = crowd_of_all_kinds();
    for (const int width : {420, 750, 1'900})
      for (const int seconds : {1, 7, 60, 400}) {
        const ChartLayout layout = layout_chart(data, width);
        const Scene scene{data, layout, Viewport::fitting(at_ms(0), at_ms(seconds * 1'000), layout.plot_width()), 400};
        const Rail rail = rail_of(scene);
        QVERIFY2(!rail.hidden, QStringLiteral("%1 is not seen on %2 px in %3 s")
                                   .arg(QString::fromUtf8(text(*rail.hidden).data()))
                                   .arg(width)
                                   .arg(seconds)
                                   .toUtf8());
        QVERIFY(rail.seen >= kIncidentKinds);
      }
  }

  void aBarStandsExactlyWhereALeaseDoes() {
    Looks looks;
    int lanes = 0;
    for (int i = 0; i < Looks::count(); ++i) {
      const Look look = looks.next();
      const Scene scene = look.scene();
      const QImage image = painted(scene, Theme::kLight);
      const RowBox* const pinned = scene.layout.pinned_row(scene.scroll);
      const int top = scene.layout.top() + (pinned != nullptr ? pinned->height : 0);
      for (const RowBox& row : scene.layout.rows) {
        if (row.kind != RowKind::kContender) continue;
        const ContenderRow& contender = look.data->contenders()[static_cast<std::size_t>(row.index)];
        for (const bool held : {true, false}) {
          const Band band = held ? scene.layout.row.held : scene.layout.row.believed;
          const Band lane{scene.y(row) + band.y, band.height};
          if (lane.y < top || lane.y + lane.height > scene.height) continue;
          const auto wrong = first_wrong(scene, walked(scene, held ? contender.held : contender.believed),
                                         columns_of(image, scene, lane));
          QVERIFY2(!wrong, QStringLiteral("%1 of row %2 at %3: ")
                                   .arg(held ? "held" : "believed")
                                   .arg(row.index)
                                   .arg(wrong.value_or(0))
                                   .toUtf8() +
                               look.text());
          ++lanes;
        }
      }
    }
    QVERIFY(lanes > Looks::count());
  }
};

LEASESCOPE_SUITE(AnyViewportTest)
#include "any_viewport_test.moc"
