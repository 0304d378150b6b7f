// A paint device that makes no picture: it keeps where words were written, and what was laid over them afterwards, and
// counts what was drawn.
#pragma once
#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QString>

#include <vector>

namespace leasescope::tests {

struct Written {
  QString words;
  QRectF seen;       // their ink in the picture, within the clip; empty: covered whole by what came later
  bool cut = false;  // a part of it was covered
};

class InkEngine : public QPaintEngine {
 public:
  InkEngine() : QPaintEngine(QPaintEngine::AllFeatures) {}

  bool begin(QPaintDevice* device) override {
    picture_ = QRectF(0, 0, device->width(), device->height());
    return true;
  }
  bool end() override { return true; }
  Type type() const override { return QPaintEngine::User; }
  void updateState(const QPaintEngineState& changed) override {
    if (!(changed.state() & (DirtyClipRegion | DirtyClipPath | DirtyClipEnabled))) return;
    clipped_ = painter()->hasClipping();
    clip_ = clipped_ ? painter()->clipBoundingRect() : QRectF();
  }
  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    ++drawn_;
    const QString words = item.text().trimmed();
    if (words.isEmpty()) return;
    const QRectF ink = QFontMetricsF(item.font()).tightBoundingRect(item.text()).translated(at) & picture_;
    const QRectF seen = clipped_ ? ink & clip_ : ink;
    if (!seen.isEmpty()) written_.push_back({words, seen});
  }
  void drawRects(const QRectF* rects, int count) override {
    for (int i = 0; i < count; ++i) cover(rects[i]);
  }
  void drawRects(const QRect* rects, int count) override {
    for (int i = 0; i < count; ++i) cover(rects[i]);
  }
  void drawPixmap(const QRectF& place, const QPixmap&, const QRectF&) override { cover(place); }
  void drawTiledPixmap(const QRectF& place, const QPixmap&, const QPointF&) override { cover(place); }
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override { ++drawn_; }
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override { ++drawn_; }
  void drawPath(const QPainterPath&) override { ++drawn_; }

  const std::vector<Written>& written() const { return written_; }
  std::size_t drawn() const { return drawn_; }

 private:
  // Only what is opaque hides what it lies on.
  void cover(QRectF place) {
    ++drawn_;
    const QBrush& brush = painter()->brush();
    if (brush.style() == Qt::NoBrush || !brush.isOpaque()) return;
    if (clipped_) place &= clip_;
    for (Written& each : written_) {
      const QRectF both = each.seen & place;
      if (both.isEmpty()) continue;
      if (place.contains(each.seen))
        each.seen = {};
      else
        each.cut = true;
    }
  }

  std::vector<Written> written_;
  std::size_t drawn_ = 0;
  QRectF picture_, clip_;
  bool clipped_ = false;
};

class InkRecorder : public QPaintDevice {
 public:
  explicit InkRecorder(QSize size) : size_(size) {}
  QPaintEngine* paintEngine() const override { return &engine_; }
  // Words of which something is seen.
  std::vector<Written> seen() const {
    std::vector<Written> found;
    for (const Written& each : engine_.written())
      if (!each.seen.isEmpty()) found.push_back(each);
    return found;
  }
  // All so far, in the order in which they were written, also those that were covered since.
  const std::vector<Written>& written() const { return engine_.written(); }
  // Rectangles, shapes, pictures and words, also those that something was laid over.
  std::size_t drawn() const { return engine_.drawn(); }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    switch (metric) {
      case PdmWidth:
        return size_.width();
      case PdmHeight:
        return size_.height();
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY:
        return 96;
      case PdmNumColors:
        return 1 << 24;
      case PdmDepth:
        return 32;
      case PdmDevicePixelRatio:
        return 1;
      case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
      default:
        return 0;
    }
  }

 private:
  QSize size_;
  mutable InkEngine engine_;
};

}  // namespace leasescope::tests
