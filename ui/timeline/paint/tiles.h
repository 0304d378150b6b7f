// Hatches: each bit map of the tokens repeated into one opaque 48x48 brush per colour pair and whole-number scale.
#pragma once
#include <unordered_map>

#include <QBrush>

#include "ui/theme/tokens.h"

namespace leasescope {

inline constexpr int kTilePeriod = 48;  // every pitch divides it

class TileCache {
 public:
  // For a device of `ratio` device pixels a logical pixel; the brush keeps its bits square at any ratio.
  const QBrush& brush(Tile tile, const QColor& line, const QColor& ground, double ratio);

 private:
  std::unordered_map<std::uint64_t, QBrush> brushes_;
};

}  // namespace leasescope
