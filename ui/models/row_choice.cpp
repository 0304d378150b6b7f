#include "ui/models/row_choice.h"

namespace leasescope {
namespace {

void take_out(std::vector<std::string>& names, const std::string& name) {
  names.erase(std::remove(names.begin(), names.end(), name), names.end());
}

}  // namespace

RowChoice with_hidden(RowChoice rows, const std::string& name) {
  take_out(rows.pinned, name);
  if (!has_name(rows.hidden, name)) rows.hidden.push_back(name);
  return rows;
}

RowChoice with_shown(RowChoice rows, const std::string& name) {
  take_out(rows.hidden, name);
  return rows;
}

RowChoice with_pinned(RowChoice rows, const std::string& name, bool pinned) {
  take_out(rows.pinned, name);
  take_out(rows.hidden, name);
  if (pinned) rows.pinned.push_back(name);
  return rows;
}

RowChoice with_all_shown(RowChoice rows) {
  rows.hidden.clear();
  rows.filter = {};
  return rows;
}

RowChoice rearranged(const RowChoice& rows) {
  RowChoice plain;
  plain.by_relevance = rows.by_relevance;
  plain.unfolded = rows.unfolded;
  return plain;
}

RowChoice with_moved(RowChoice rows, const std::vector<std::string>& shown, const std::string& name, int by) {
  std::vector<std::string> moved = shown;
  const auto from = std::find(moved.begin(), moved.end(), name);
  if (from == moved.end()) return rows;
  const auto place = from - moved.begin();
  const auto to = std::clamp<std::ptrdiff_t>(place + by, 0, static_cast<std::ptrdiff_t>(moved.size()) - 1);
  if (to == place) return rows;
  moved.erase(from);
  moved.insert(moved.begin() + to, name);
  std::vector<std::string>& order = has_name(rows.pinned, name) ? rows.pinned : rows.order;
  for (const std::string& each : moved) take_out(order, each);
  order.insert(order.end(), moved.begin(), moved.end());
  return rows;
}

}  // namespace leasescope
