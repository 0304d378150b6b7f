// The two faces of the window: text and figures. Inter and JetBrains Mono where installed, else the system's own.
#pragma once
#include <QFont>

namespace leasescope {

enum class Face : std::uint8_t { kText, kMono };

// Figures in kMono are tabular, so numbers that stand under each other use it. Weights: 400, 500, 600.
QFont font(Face face, int px, int weight = 400);

}  // namespace leasescope
