#include "ui/theme/tokens.h"

#include <utility>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace leasescope {
namespace embedded {
std::vector<std::pair<std::string, std::string>> tokens_file();
}

namespace {

QJsonObject read_file() {
  for (const auto& [name, body] : embedded::tokens_file()) {
    if (name != "tokens") continue;
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(body));
    Q_ASSERT(document.isObject());
    return document.object();
  }
  qFatal("the colours and measures are missing from this build");
  return {};
}

const QJsonObject& file() {
  static const QJsonObject root = read_file();
  return root;
}

QJsonObject colour_object(Theme theme) { return file()["color"][theme == Theme::kLight ? "light" : "dark"].toObject(); }

class ColourReader {
 public:
  explicit ColourReader(Theme theme) : object_(colour_object(theme)) {}
  QColor operator()(const QString& name) const {
    const QColor found(object_[name].toString());
    if (!found.isValid()) qFatal("no colour %s in the tokens", qPrintable(name));
    return found;
  }

 private:
  QJsonObject object_;
};

void read_chrome(const ColourReader& get, Colours& c) {
  c.window = get("window");
  c.panel = get("panel");
  c.chart = get("chart");
  c.chart_alt = get("chartAlt");
  c.header = get("header");
  c.input = get("input");
  c.line = get("line");
  c.line_strong = get("lineStrong");
  c.grid = get("grid");
  c.grid_strong = get("gridStrong");
  c.text = get("text");
  c.muted = get("muted");
  c.faint = get("faint");
  c.accent = get("accent");
  c.on_accent = get("onAccent");
  c.selection = get("selection");
  c.hover = get("hover");
  c.focus = get("focus");
  c.warn_text = get("warnText");
  c.crit_text = get("critText");
}

void read_evidence(const ColourReader& get, Colours& c) {
  c.overlap = get("incident.overlap");
  c.overlap_ink = get("incident.overlapInk");
  c.overlap_tint = get("incident.overlapTint");
  c.critical = get("incident.critical");
  c.on_critical = get("incident.onCritical");
  c.critical_tint = get("incident.criticalTint");
  c.notice = get("incident.notice");
  c.write_accepted = get("write.accepted");
  c.write_rejected = get("write.rejected");
  c.write_on_rejected = get("write.onRejected");
  c.write_stale = get("write.stale");
  c.attempt_won = get("attempt.won");
  c.attempt_lost = get("attempt.lost");
  c.attempt_failed = get("attempt.failed");
  c.wake_window = get("wake.window");
  c.gap_line = get("gap.line");
  c.cursor = get("cursor");
  c.marker = get("marker");
  c.resource = get("resource");
  c.arrow = get("arrow");
}

void read_faults(const ColourReader& get, Colours& c) {
  c.pause_fill = get("pause.fill");
  c.pause_line = get("pause.line");
  c.skew_fill = get("skew.fill");
  c.skew_line = get("skew.line");
  c.partition_fill = get("partition.fill");
  c.partition_line = get("partition.line");
  c.server_fill = get("server.fill");
  c.server_line = get("server.line");
  c.unobserved_fill = get("unobserved.fill");
  c.unobserved_line = get("unobserved.line");
  c.veil_fill = get("veil.fill");
  c.veil_line = get("veil.line");
}

Colours read_colours(Theme theme) {
  const ColourReader get(theme);
  Colours c;
  read_chrome(get, c);
  read_evidence(get, c);
  read_faults(get, c);
  for (int i = 0; i < kIdentities; ++i) {
    const QString id = QStringLiteral("id.%1").arg(i);
    c.id[static_cast<std::size_t>(i)] = {get(id),           get(id + ".on"),    get(id + ".mid"),
                                         get(id + ".tint"), get(id + ".fade1"), get(id + ".fade2"),
                                         get(id + ".fade3")};
  }
  for (std::size_t i = 0; i < c.heat.size(); ++i) c.heat[i] = get(QStringLiteral("heat.%1").arg(i));
  return c;
}

constexpr std::array<const char*, kTiles> kTileNames{"transition.believed",
                                                     "transition.held",
                                                     "belief.overdue",
                                                     "incident.overlap",
                                                     "incident.critical",
                                                     "pause",
                                                     "partition",
                                                     "skew",
                                                     "server",
                                                     "unobserved",
                                                     "veil"};

std::array<TileBits, kTiles> read_tiles() {
  std::array<TileBits, kTiles> tiles;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const QJsonArray rows = file()["pattern"][kTileNames[i]]["tile"].toArray();
    tiles[i].height = static_cast<int>(rows.size());
    for (const QJsonValue row : rows) {
      const QString text = row.toString();
      tiles[i].width = static_cast<int>(text.size());
      for (const QChar c : text) tiles[i].bits.push_back(c == '#');
    }
    if (tiles[i].width == 0) qFatal("no tile %s in the tokens", kTileNames[i]);
  }
  return tiles;
}

Band read_band(const QJsonValue& value) { return {value[0].toInt(), value[1].toInt()}; }

RowMeasures read_row(const QJsonValue& row) {
  return {row["height"].toInt(), read_band(row["believed"]), read_band(row["held"]), read_band(row["attempts"]),
          row["upTo"].toInt()};
}

void read_chart_measures(const QJsonValue& row, Measures& m) {
  m.ruler = row["ruler"].toInt();
  m.incident_rail = row["incidentRail"].toInt();
  m.minimap = row["minimap"].toInt();
  m.row_header = row["rowHeader"].toInt();
  m.row_header_small = row["rowHeaderSmall"].toInt();
  m.mutex_height = row["mutexHeader"]["height"].toInt();
  m.mutex_band = read_band(row["mutexHeader"]["band"]);
  m.comfortable = read_row(row["contender"]["comfortable"]);
  m.regular = read_row(row["contender"]["regular"]);
  m.compact = read_row(row["contender"]["compact"]);
  m.folded_height = row["contender"]["folded"]["height"].toInt();
  m.folded_held = read_band(row["contender"]["folded"]["held"]);
  m.resource_height = row["resource"]["height"].toInt();
  m.resource_axis_from_bottom = row["resource"]["axisFromBottom"].toInt();
  m.store_height = row["store"]["height"].toInt();
  m.store_axis = row["store"]["axis"].toInt();
  m.incident_min_width = row["incidentMinWidth"].toInt();
  m.gap_min_width = row["gapMinWidth"].toInt();
  m.tape_left_beside_label = row["tapeLeftBesideLabel"].toInt();
}

void read_chrome_measures(const QJsonValue& row, const QJsonValue& type, Measures& m) {
  m.table_row = row["table"].toInt();
  m.table_dense = row["tableDense"].toInt();
  m.table_header = row["tableHeader"].toInt();
  m.dock_title = row["dockTitle"].toInt();
  m.tab = row["tab"].toInt();
  m.view_strip = row["viewStrip"].toInt();
  m.menu_bar = row["menuBar"].toInt();
  m.tool_bar = row["toolBar"].toInt();
  m.status_bar = row["statusBar"].toInt();
  m.field = row["field"].toInt();
  m.button = row["button"].toInt();
  m.chip = row["chip"].toInt();
  m.list_item = row["listItem"].toInt();
  m.font_caption = type["px"]["caption"].toInt();
  m.font_small = type["px"]["small"].toInt();
  m.font_body = type["px"]["body"].toInt();
  m.font_strong = type["px"]["strong"].toInt();
  m.font_title = type["px"]["title"].toInt();
  m.font_display = type["px"]["display"].toInt();
  m.weight_regular = type["weight"]["regular"].toInt();
  m.weight_medium = type["weight"]["medium"].toInt();
  m.weight_semibold = type["weight"]["semibold"].toInt();
}

Measures read_measures() {
  Measures m;
  read_chart_measures(file()["row"], m);
  read_chrome_measures(file()["row"], file()["type"], m);
  m.radius_control = file()["radius"]["control"].toInt();
  m.radius_badge = file()["radius"]["badge"].toInt();
  return m;
}

}  // namespace

const Colours& colours(Theme theme) {
  static const std::array<Colours, 2> all{read_colours(Theme::kLight), read_colours(Theme::kDark)};
  return all[static_cast<std::size_t>(theme)];
}

QColor colour(Theme theme, const QString& name) { return QColor(colour_object(theme)[name].toString()); }

const TileBits& tile_bits(Tile tile) {
  static const std::array<TileBits, kTiles> all = read_tiles();
  return all[static_cast<std::size_t>(tile)];
}

const Measures& measures() {
  static const Measures all = read_measures();
  return all;
}

}  // namespace leasescope
