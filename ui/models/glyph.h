// Which mark stands for what kind of incident; how the marks look is the theme's business.
#pragma once
#include <optional>

#include "core/history/incident.h"

namespace leasescope {

enum class Glyph : int { kNone, kLattice, kDiamond, kStep, kTape, kDisc, kRing, kGap, kFlap, kCrossed, kPlate };

inline Glyph glyphOf(IncidentKind kind) {
  switch (kind) {
    case IncidentKind::kDoubleGrant:
      return Glyph::kLattice;
    case IncidentKind::kStaleWriteAccepted:
      return Glyph::kDiamond;
    case IncidentKind::kFenceRegression:
      return Glyph::kStep;
    case IncidentKind::kBeliefOverlap:
      return Glyph::kTape;
    case IncidentKind::kStaleWriteRejected:
      return Glyph::kDisc;
    case IncidentKind::kLateRenewal:
      return Glyph::kRing;
    case IncidentKind::kLeaderless:
      return Glyph::kGap;
    case IncidentKind::kFlapping:
      return Glyph::kFlap;
    case IncidentKind::kStoreRefuses:
      return Glyph::kCrossed;
    case IncidentKind::kTokenlessRefused:
      return Glyph::kPlate;
  }
  return Glyph::kNone;
}

// The other way; nothing for kNone.
inline std::optional<IncidentKind> kindOf(Glyph glyph) {
  for (int i = 0; i < kIncidentKinds; ++i)
    if (glyphOf(static_cast<IncidentKind>(i)) == glyph) return static_cast<IncidentKind>(i);
  return {};
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
};

}  // namespace leasescope
