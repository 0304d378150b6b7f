// Which rows a chart has and in which order, as its reader chose. Rows are known by the names of their contenders, so
// that a choice outlives the run it was made for.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/history/incident_kinds.h"

namespace leasescope {

// Only rows with all of this; what is empty asks for nothing.
struct RowFilter {
  std::string words{};                 // each of them in the names of the contender or its mutex, whatever the case
  std::string mutex{};                 // its name
  std::optional<IncidentKind> kind{};  // the contender is part of such an incident
  bool any() const { return !words.empty() || !mutex.empty() || kind.has_value(); }
  bool operator==(const RowFilter&) const = default;
};

// Which contenders have a row of their own, and in which order.
struct RowChoice {
  bool by_relevance = false;  // who owned, believed, was disturbed or is part of an incident first, the busiest on top
  bool unfolded = false;      // idle ones too, as long as they can be drawn at all
  std::vector<std::string> pinned{};  // on top of all rows, in this order; shown whatever is filtered
  std::vector<std::string> hidden{};
  std::vector<std::string> order{};  // before the others of their mutex, in this order
  RowFilter filter{};
  bool operator==(const RowChoice&) const = default;
};

inline bool has_name(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What a reader does with one row; of the choice before it makes the one after it.
RowChoice with_hidden(RowChoice rows, const std::string& name);
RowChoice with_shown(RowChoice rows, const std::string& name);
RowChoice with_pinned(RowChoice rows, const std::string& name, bool pinned);
// All that was hidden or filtered; pins and order stay.
RowChoice with_all_shown(RowChoice rows);
// As if nothing had been arranged; whether the busiest come first stays.
RowChoice rearranged(const RowChoice& rows);
// `shown`: those among whom it moves, as they stand. By ±1 past a neighbour; no further than the ends.
RowChoice with_moved(RowChoice rows, const std::vector<std::string>& shown, const std::string& name, int by);

}  // namespace leasescope
