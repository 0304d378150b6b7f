// An incident needs a person; all else is an event. What each kind says, and from when to when: core/history/README.md.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/history/event.h"
#include "core/history/incident_kinds.h"

namespace leasescope {

// The mark of a kind; how it looks is for whoever paints it.
enum class Glyph : int { kNone = 0 };
constexpr Glyph glyph_of(IncidentKind kind) { return static_cast<Glyph>(static_cast<int>(kind) + 1); }

std::string_view text(IncidentKind kind);   // "belief_overlap"
std::string_view title(IncidentKind kind);  // "Belief overlap"
int severity(IncidentKind kind);            // 1 is the worst
bool lasts(IncidentKind kind);              // goes on from start to end; else a moment, or some of them

struct Incident {
  IncidentKind kind = IncidentKind::kBeliefOverlap;
  Name mutex;
  TrueTime start{};
  TrueTime end{};
  bool open = false;  // has not ended yet; `end` is then the latest moment known
  std::vector<Name> contenders;
  std::vector<Token> tokens;
  std::string cause;  // a sentence built from the event chain
};

}  // namespace leasescope
