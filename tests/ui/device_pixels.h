// The pixels of a picture by the chart's own, at any ratio: a device may fill in part what lies between two of these,
// so only what is inside of one is asked for.
#pragma once
#include <cmath>

#include <QImage>
#include <QRect>

namespace leasescope::tests {

struct DevicePixels {
  int from = 0, to = 0;
};
inline DevicePixels inside(int from, int to, double ratio) {
  return {static_cast<int>(std::ceil(from * ratio)), static_cast<int>(std::floor(to * ratio))};
}

// One of a chart's pixel that is in the picture. Also of a picture that is still painted into.
inline QRgb pixel_of(const QImage& image, int x, int y) {
  const double ratio = image.devicePixelRatio();
  const auto* const line = reinterpret_cast<const QRgb*>(image.constScanLine(inside(y, y + 1, ratio).from));
  return line[inside(x, x + 1, ratio).from] | 0xff000000;
}

}  // namespace leasescope::tests
