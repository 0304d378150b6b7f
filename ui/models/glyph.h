// Which kind of incident a mark stands for, and what all tables share.
#pragma once
#include <optional>

#include "core/history/incident.h"

namespace leasescope {

// Nothing for kNone.
inline std::optional<IncidentKind> kindOf(Glyph mark) {
  if (mark == Glyph::kNone) return {};
  return static_cast<IncidentKind>(static_cast<int>(mark) - 1);
}

// Roles all tables share: the delegate paints a mark or badges from them.
enum ModelRole : int {
  kGlyphRole = 0x0100 + 1,  // int(Glyph)
  kWhoRole,                 // QVariantList of places in the cast
  kNumericRole,             // true: right-aligned in the fixed font
  kFixedRole,               // true: the fixed font
  kMutedRole,               // true: secondary text
  kSortRole,                // what sorting compares
  kAlikeRole,               // words that rows like this one are found by, where they are not what it shows
  kTimeRole,                // qint64 ns of the place on the chart
  kIndentRole,              // int, px that are left free before the text, for what else is painted there
};

}  // namespace leasescope
