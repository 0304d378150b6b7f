// The pixels of a picture, written at once. A chart is made of thousands of flat rectangles, of lines of colours and of
// hatches; through a painter each of them is a request that is looked at from all sides before a pixel is written.
// The colours are the same as a painter's, to the last bit.
#pragma once
#include <optional>
#include <span>

#include <QImage>
#include <QRect>

class QPainter;

namespace leasescope {

class Pixels {
 public:
  // Of what `painter` paints into: nothing unless that is a picture of 32 bits a pixel that nobody shares, and a
  // logical pixel is a whole number of its own.
  static std::optional<Pixels> of(const QPainter& painter);

  // Whether the painter's world is moved by whole pixels and no more, so that it can be done without it.
  bool follows(const QPainter& painter) const;
  // All of these in the painter's logical pixels; what lies outside `clip` (of the same) or the picture is left out.
  void fill(const QPainter& painter, const QRect& area, const std::optional<QRect>& clip, QRgb colour) const;
  // One opaque colour a logical pixel; 0 leaves what is there.
  void columns(const QPainter& painter, const QRect& area, const std::optional<QRect>& clip,
               std::span<const QRgb> colours) const;
  // An opaque picture of device pixels, again and again; its left upper corner lies at `phase`, 0.
  void tiled(const QPainter& painter, const QRect& area, const std::optional<QRect>& clip, const QImage& tile,
             int phase) const;

 private:
  Pixels(uchar* bits, qsizetype a_line, QSize size, int ratio)
      : bits_(bits), a_line_(a_line), size_(size), ratio_(ratio) {}

  QRect on_device(const QPainter& painter, const QRect& logical) const;
  QRect visible(const QPainter& painter, const QRect& area, const std::optional<QRect>& clip) const;
  QRgb* at(int x, int y) const { return reinterpret_cast<QRgb*>(bits_ + a_line_ * y) + x; }

  uchar* bits_;
  qsizetype a_line_;  // bytes
  QSize size_;        // device pixels
  int ratio_;
};

}  // namespace leasescope
