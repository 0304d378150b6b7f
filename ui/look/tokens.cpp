#include "ui/look/tokens.h"

#include <map>
#include <utility>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

#include "core/base/embedded.h"

namespace leasescope {
namespace embedded {
std::vector<File> tokens_file();
}

namespace {

QJsonObject read_file() {
  for (const embedded::File& file : embedded::tokens_file()) {
    if (file.name != "tokens") continue;
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(file.text));
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

QSet<QString>& read_places() {
  static QSet<QString> places;
  return places;
}

// A place in the file. What is read from it is remembered, so that a value nobody reads is noticed.
class Place {
 public:
  Place(QJsonValue value, QString path) : value_(std::move(value)), path_(std::move(path)) {}
  Place operator[](const QString& key) const { return {value_[key], path_.isEmpty() ? key : path_ + '/' + key}; }

  bool exists() const { return !value_.isUndefined(); }
  int number() const { return read().toInt(); }
  QString text() const { return read().toString(); }
  QJsonArray list() const { return read().toArray(); }

 private:
  const QJsonValue& read() const {
    if (!exists()) qFatal("no %s in the tokens", qPrintable(path_));
    read_places().insert(path_);
    return value_;
  }

  QJsonValue value_;
  QString path_;
};

Place tokens() { return {file(), {}}; }
Place colours_of(Theme theme) { return tokens()["color"][theme == Theme::kLight ? "light" : "dark"]; }

class ColourReader {
 public:
  explicit ColourReader(Theme theme) : place_(colours_of(theme)) {}
  QColor operator()(const QString& name) const { return QColor(place_[name].text()); }

 private:
  Place place_;
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
    const QJsonArray rows = tokens()["pattern"][kTileNames[i]]["tile"].list();
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

Band read_band(const Place& place) {
  const QJsonArray pair = place.list();
  return {pair[0].toInt(), pair[1].toInt()};
}

RowMeasures read_row(const Place& row) {
  return {row["height"].number(),
          read_band(row["believed"]),
          read_band(row["held"]),
          read_band(row["attempts"]),
          {},
          row["upTo"].exists() ? row["upTo"].number() : 0};
}

RowMeasures with_session(RowMeasures row, const Place& session) {
  row.height = session["height"].number();
  row.session = read_band(session["session"]);
  row.attempts = read_band(session["attempts"]);
  return row;
}

LineMeasures read_lines(const Place& lines, const char* height) {
  return {lines["first"].number(), lines[height].number(), lines["pitch"].number()};
}

void read_chart_measures(const Place& row, Measures& m) {
  m.ruler = row["ruler"].number();
  m.incident_rail = row["incidentRail"].number();
  m.minimap = row["minimap"].number();
  m.row_header = row["rowHeader"].number();
  m.row_header_small = row["rowHeaderSmall"].number();
  m.mutex_height = row["mutexHeader"]["height"].number();
  m.mutex_band = read_band(row["mutexHeader"]["band"]);
  m.comfortable = read_row(row["contender"]["comfortable"]);
  m.regular = read_row(row["contender"]["regular"]);
  m.compact = read_row(row["contender"]["compact"]);
  m.comfortable_session = with_session(m.comfortable, row["session"]["comfortable"]);
  m.regular_session = with_session(m.regular, row["session"]["regular"]);
  m.compact_session = with_session(m.compact, row["session"]["compact"]);
  m.folded_height = row["contender"]["folded"]["height"].number();
  m.folded_held = read_band(row["contender"]["folded"]["held"]);
  m.resource_height = row["resource"]["height"].number();
  m.resource_axis_from_bottom = row["resource"]["axisFromBottom"].number();
  m.store_height = row["store"]["height"].number();
  m.store_axis = row["store"]["axis"].number();
  m.permits = read_lines(row["slots"], "slot");
  m.queue = read_lines(row["queue"], "place");
  m.stores = read_lines(row["stores"], "lane");
  m.in_use_height = row["inUse"]["height"].number();
  m.in_use_axis = row["inUse"]["axis"].number();
  m.in_use_unit = row["inUse"]["unit"].number();
  m.transfers = read_lines(row["transfers"], "line");
  m.transfers_height = row["transfers"]["height"].number();
  m.transfers_axis_from_bottom = row["transfers"]["axisFromBottom"].number();
  m.incident_min_width = row["incidentMinWidth"].number();
  m.gap_min_width = row["gapMinWidth"].number();
  m.tape_left_beside_label = row["tapeLeftBesideLabel"].number();
}

void read_chrome_measures(const Place& row, const Place& type, Measures& m) {
  m.table_row = row["table"].number();
  m.table_dense = row["tableDense"].number();
  m.table_header = row["tableHeader"].number();
  m.dock_title = row["dockTitle"].number();
  m.tab = row["tab"].number();
  m.view_strip = row["viewStrip"].number();
  m.menu_bar = row["menuBar"].number();
  m.tool_bar = row["toolBar"].number();
  m.status_bar = row["statusBar"].number();
  m.field = row["field"].number();
  m.button = row["button"].number();
  m.chip = row["chip"].number();
  m.list_item = row["listItem"].number();
  m.font_caption = type["px"]["caption"].number();
  m.font_small = type["px"]["small"].number();
  m.font_body = type["px"]["body"].number();
  m.font_strong = type["px"]["strong"].number();
  m.font_title = type["px"]["title"].number();
  m.font_display = type["px"]["display"].number();
  m.weight_regular = type["weight"]["regular"].number();
  m.weight_medium = type["weight"]["medium"].number();
  m.weight_semibold = type["weight"]["semibold"].number();
}

Measures read_measures() {
  Measures m;
  read_chart_measures(tokens()["row"], m);
  read_chrome_measures(tokens()["row"], tokens()["type"], m);
  m.radius_control = tokens()["radius"]["control"].number();
  m.radius_badge = tokens()["radius"]["badge"].number();
  return m;
}

GlyphBits read_glyph(const Place& glyph, const char* side) {
  GlyphBits bits;
  bits.ink = glyph["ink"].text();
  if (glyph["on"].exists()) bits.on = glyph["on"].text();
  if (!glyph[side].exists()) return bits;
  for (const QJsonValue row : glyph[side].list()) bits.rows.push_back(row.toString().toStdString());
  return bits;
}

// Every leaf of the file under `value`, by its path.
void leaves(const QJsonValue& value, const QString& path, QStringList& found) {
  if (!value.isObject()) {
    found << path;
    return;
  }
  const QJsonObject object = value.toObject();
  for (auto it = object.begin(); it != object.end(); ++it)
    leaves(it.value(), path.isEmpty() ? it.key() : path + '/' + it.key(), found);
}

}  // namespace

const Colours& colours(Theme theme) {
  static const std::array<Colours, 2> all{read_colours(Theme::kLight), read_colours(Theme::kDark)};
  return all[static_cast<std::size_t>(theme)];
}

const TileBits& tile_bits(Tile tile) {
  static const std::array<TileBits, kTiles> all = read_tiles();
  return all[static_cast<std::size_t>(tile)];
}

const GlyphBits& glyph_bits(std::string_view incident, GlyphSize size) {
  static std::map<std::pair<std::string, GlyphSize>, GlyphBits> all;  // read as they are asked for
  const std::pair key(std::string(incident), size);
  const auto found = all.find(key);
  if (found != all.end()) return found->second;
  const Place glyph = tokens()["glyph"][QString::fromStdString(key.first)];
  return all.emplace(key, read_glyph(glyph, size == GlyphSize::kSmall ? "8" : "12")).first->second;
}

QColor glyph_colour(Theme theme, const QString& name) { return ColourReader(theme)(name); }

QStringList unread_tokens() {
  QStringList found;
  leaves(file(), {}, found);
  for (const QString& path : read_places()) found.removeAll(path);
  return found;
}

const Measures& measures() {
  static const Measures all = read_measures();
  return all;
}

}  // namespace leasescope
