// Colours, tiles and measures, read once from resources/tokens.json, their only source.
// Qt Gui alone: the window and the pictures of the terminal program use the same values.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <QColor>
#include <QString>
#include <QStringList>

namespace leasescope {

enum class Theme : std::uint8_t { kLight, kDark };

// One hue says who: a solid, what is written on it, the paler steps, and three steps of a fade for bounds.
struct IdentityColours {
  QColor ink, on, mid, tint, fade1, fade2, fade3;
};
inline constexpr int kIdentities = 10;

struct Colours {
  // Chrome: monochrome.
  QColor window, panel, chart, chart_alt, header, input, line, line_strong, grid, grid_strong;
  QColor text, muted, faint, accent, on_accent, selection, hover, focus, warn_text, crit_text;
  // Evidence.
  QColor overlap, overlap_ink, overlap_tint, critical, on_critical, critical_tint, notice;
  QColor write_accepted, write_rejected, write_on_rejected, write_stale;
  QColor attempt_won, attempt_lost, attempt_failed, wake_window;
  QColor pause_fill, pause_line, skew_fill, skew_line, partition_fill, partition_line, server_fill, server_line;
  QColor unobserved_fill, unobserved_line, veil_fill, veil_line;
  QColor gap_line, cursor, marker, resource, arrow;
  std::array<IdentityColours, kIdentities> id;
  std::array<QColor, 7> heat;
};
const Colours& colours(Theme theme);

enum class Tile : std::uint8_t {
  kTransitionBelieved,
  kTransitionHeld,
  kOverdue,
  kOverlap,
  kCritical,
  kPause,
  kPartition,
  kSkew,
  kServer,
  kUnobserved,
  kVeil,
};
inline constexpr int kTiles = 11;

// A bit map, row by row; true is the line, false the ground. Width and height divide 48.
struct TileBits {
  int width = 0;
  int height = 0;
  std::vector<bool> bits;

  bool at(int x, int y) const {
    const int place = (y % height) * width + x % width;
    return bits[static_cast<std::size_t>(place)];
  }
};
const TileBits& tile_bits(Tile tile);

// An incident's mark, row by row: '#' ink, 'o' on, 'e' the outline of a tape, '.' nothing. Whole numbers at 2x.
struct GlyphBits {
  std::vector<std::string> rows;  // none: round ones and tapes are drawn at 16 px
  QString ink, on;                // names of colours
};
enum class GlyphSize : std::uint8_t { kLarge, kSmall };  // a place of 16 px (lists, rail), one of 8 (minimap)
// `incident`: the word for its kind, "belief_overlap".
const GlyphBits& glyph_bits(std::string_view incident, GlyphSize size);
QColor glyph_colour(Theme theme, const QString& name);
// Values of the file that nothing has read so far: for the test that nothing stands there in vain.
QStringList unread_tokens();

struct Band {
  int y = 0;  // from the row's top
  int height = 0;
};
// How a contender's row is divided; the density follows from the number of rows.
struct RowMeasures {
  int height = 0;
  Band believed, held, attempts;
  Band session;   // none where no session is shown
  int up_to = 0;  // contenders; 0 = any number
};
// Lines below each other, of the same height.
struct LineMeasures {
  int first = 0;   // from the row's top
  int height = 0;  // of a line
  int pitch = 0;   // from one to the next
};
struct Measures {
  int ruler = 0, incident_rail = 0, minimap = 0, row_header = 0, row_header_small = 0;
  int mutex_height = 0;
  Band mutex_band;
  RowMeasures comfortable, regular, compact;
  RowMeasures comfortable_session, regular_session, compact_session;
  int folded_height = 0;
  Band folded_held;
  int resource_height = 0, resource_axis_from_bottom = 0;
  int store_height = 0, store_axis = 0;
  LineMeasures permits, queue, stores, transfers;
  int in_use_height = 0, in_use_axis = 0, in_use_unit = 0;
  int transfers_height = 0, transfers_axis_from_bottom = 0;
  int incident_min_width = 0, gap_min_width = 0, tape_left_beside_label = 0;
  int table_row = 0, table_dense = 0, table_header = 0, dock_title = 0, tab = 0, view_strip = 0, menu_bar = 0;
  int tool_bar = 0, status_bar = 0, field = 0, button = 0, chip = 0, list_item = 0;
  int font_caption = 0, font_small = 0, font_body = 0, font_strong = 0, font_title = 0, font_display = 0;
  int weight_regular = 0, weight_medium = 0, weight_semibold = 0;
  int radius_control = 0, radius_badge = 0;
};
const Measures& measures();

}  // namespace leasescope
