// What is painted, as an SVG that looks the same where our fonts are not.
#pragma once
#include <functional>
#include <string>

#include <QSize>
#include <QString>

#include "core/base/byte_sink.h"

class QPainter;

namespace leasescope {

// A whole document. Every text says how wide it is here, and which fonts may stand for ours: a viewer that has none of
// them fits what it has into the room.
std::string svg_drawing(QSize size, const QString& title, const std::function<void(QPainter&)>& paint);
// The same into `out`; false when that wanted no more.
bool write_svg_drawing(ByteSink& out, QSize size, const QString& title, const std::function<void(QPainter&)>& paint);

// The families to be tried, as CSS lists them.
std::string css_families(bool fixed);

}  // namespace leasescope
