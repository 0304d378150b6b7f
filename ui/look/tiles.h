// Hatches: each bit map of the tokens repeated into one opaque 48x48 brush per colour pair and whole-number scale.
// Rings and other small shapes: drawn smooth once and then put down as a picture, because a chart may show thousands.
// Of pictures that any thread may paint; a cache itself is of one.
#pragma once
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <QBrush>
#include <QImage>

#include "ui/look/tokens.h"

class QPainterPath;

namespace leasescope {

inline constexpr int kTilePeriod = 48;  // every pitch divides it

class TileCache {
 public:
  struct Hatch {
    QImage picture;  // of device pixels
    QBrush brush;    // the same, for painters; keeps its bits square at any ratio
  };
  // For a device of `ratio` device pixels a logical pixel.
  const Hatch& hatch(Tile tile, const QColor& line, const QColor& ground, double ratio);
  // For whole-number ratios. Its centre is `reach` pixels right of and below the picture's corner, and `at` more.
  const QImage& ring(double radius, double thickness, QPointF at, const QColor& line, const QColor& ground, int ratio);
  // A small smooth shape: `path` within a square of `side` pixels; for whole-number ratios.
  const QImage& shape(const QPainterPath& path, int side, const QColor& colour, int ratio);
  // For a thread that paints beside this one's.
  TileCache& beside();
  static int reach(double radius, double thickness) { return static_cast<int>(radius + thickness / 2) + 2; }

 private:
  struct Ring {
    double radius = 0, thickness = 0, x = 0, y = 0;  // its centre lies at x, y within its pixel
    QRgb line = 0, ground = 0;
    int ratio = 1;
    QImage picture;
  };

  std::unordered_map<std::uint64_t, Hatch> hatches_;
  std::vector<Ring> rings_;  // a handful
  std::unordered_map<std::string, QImage> shapes_;
  std::unique_ptr<TileCache> beside_;
};

}  // namespace leasescope
