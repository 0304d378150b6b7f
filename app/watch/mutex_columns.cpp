#include "app/watch/mutex_columns.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/watch/watch_words.h"

namespace leasescope::ctl {
namespace {

constexpr std::size_t kWidestText = 40;  // of a name, where there is room for more
constexpr std::size_t kNarrowName = 10;
constexpr std::size_t kNarrowBar = 8, kWideBar = 24;

std::size_t place(MutexColumn column) { return static_cast<std::size_t>(column); }

bool is_name(MutexColumn column) {
  return column == MutexColumn::kMutex || column == MutexColumn::kOwner || column == MutexColumn::kStore ||
         column == MutexColumn::kSystem;
}

std::string text_of(MutexColumn column, const WatchedMutex& mutex, const WatchedStore& store, const WatchedRow& row,
                    TrueTime now, std::int64_t epoch_ns) {
  const bool unknown = row.state == WatchState::kNotObserved;
  switch (column) {
    case MutexColumn::kMutex:
      return mutex.name;
    case MutexColumn::kStore:
      return store.name;
    case MutexColumn::kSystem:
      return system_text(mutex.book.last());
    case MutexColumn::kOwner:
      return row.owner.empty() ? "–" : row.owner;
    case MutexColumn::kHeldFor:
      if (row.owner.empty()) return "–";
      return unknown ? "≥ " + length_text(row.lasts_least) : lasting_text(row);
    case MutexColumn::kLease:
      return unknown ? "–" : left_text(row);
    case MutexColumn::kWaiters:
      return row.waiters ? std::to_string(*row.waiters) : "?";
    case MutexColumn::kToken:
      return number_text(row.token);
    case MutexColumn::kHandoffs:
      return std::to_string(row.handoffs);
    case MutexColumn::kChanged:
      return (mutex.book.since_lo() == TrueTime::min() ? "≤ " : "") +
             short_moment_text(epoch_ns, mutex.book.since_hi(), now);
    case MutexColumn::kState:
      return state_text(row);
  }
  return {};
}

// From what stays longest to what goes first.
std::vector<MutexColumn> by_worth(const ColumnNeeds& needs) {
  std::vector<MutexColumn> out{MutexColumn::kMutex,   MutexColumn::kOwner,   MutexColumn::kState, MutexColumn::kLease,
                               MutexColumn::kHeldFor, MutexColumn::kWaiters, MutexColumn::kToken};
  if (needs.several_stores) out.push_back(MutexColumn::kStore);
  if (needs.foreign) out.push_back(MutexColumn::kSystem);
  out.insert(out.end(), {MutexColumn::kHandoffs, MutexColumn::kChanged});
  if (!needs.foreign) out.push_back(MutexColumn::kSystem);
  if (!needs.several_stores) out.push_back(MutexColumn::kStore);
  return out;
}

std::size_t narrowest(MutexColumn column, const ColumnNeeds& needs) {
  const std::size_t widest = std::max(title(column).size(), needs.widest[place(column)]);
  return is_name(column) ? std::min(widest, kNarrowName) : widest;
}

// Names take what room there is, a cell each in turn.
std::size_t widen_names(MutexLayout& layout, const ColumnNeeds& needs, std::size_t left) {
  for (bool grew = true; grew && left > 0;) {
    grew = false;
    for (MutexLayout::Placed& each : layout.columns) {
      if (left == 0 || !is_name(each.column)) continue;
      if (each.cells >= std::min(kWidestText, needs.widest[place(each.column)])) continue;
      ++each.cells;
      --left;
      grew = true;
    }
  }
  return left;
}

}  // namespace

MutexCells cells_of(const WatchedMutex& mutex, const WatchedStore& store, TrueTime now, std::int64_t epoch_ns,
                    Letters letters) {
  const WatchedRow row = row_of(mutex, now);
  MutexCells out;
  for (std::size_t i = 0; i < kMutexColumns; ++i)
    out.texts[i] =
        presented(text_of(static_cast<MutexColumn>(i), mutex, store, row, now, epoch_ns), 2 * kWidestText, letters);
  out.shares = lease_shares(mutex, row);
  out.state = row.state;
  return out;
}

void ColumnNeeds::take(const MutexCells& cells) {
  for (std::size_t i = 0; i < kMutexColumns; ++i) widest[i] = std::max(widest[i], width_of(cells.texts[i]));
}

MutexLayout layout_of(std::size_t cells, const ColumnNeeds& needs) {
  MutexLayout out;
  std::size_t used = 0;
  for (const MutexColumn column : by_worth(needs)) {
    const std::size_t wanted = narrowest(column, needs) + (out.columns.empty() ? 0 : kBetween);
    // The bar goes after what names a system, and before the figures of the last hour.
    const bool bar_first = column == MutexColumn::kHandoffs;
    if (bar_first && used + kNarrowBar + 1 > cells) break;
    if (bar_first) out.bar = kNarrowBar, used += kNarrowBar + 1;
    if (used + wanted > cells && out.columns.size() >= 3) break;
    out.columns.push_back({column, narrowest(column, needs)});
    used += wanted;
  }
  std::sort(out.columns.begin(), out.columns.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
  std::size_t left = widen_names(out, needs, cells - std::min(cells, used));
  if (out.bar > 0) out.bar += std::min(left, kWideBar - kNarrowBar);
  for (MutexLayout::Placed& each : out.columns)
    if (each.column == MutexColumn::kLease && out.bar > 0) each.cells += out.bar + 1;
  return out;
}

bool is_figure(MutexColumn column) {
  return column == MutexColumn::kHeldFor || column == MutexColumn::kLease || column == MutexColumn::kWaiters ||
         column == MutexColumn::kToken || column == MutexColumn::kHandoffs || column == MutexColumn::kChanged;
}

std::string bar_text(const LeaseShares& shares, std::size_t cells, Letters letters) {
  const bool plain = letters == Letters::kAscii;
  std::string out;
  if (shares.unobserved) return std::string(cells, '?');
  // In halves of a cell, rounded up: as long as something is left something is seen.
  const double halves = 2 * static_cast<double>(cells);
  const auto left = static_cast<std::size_t>(std::ceil(shares.left * halves));
  const auto transition = std::min(left / 2, static_cast<std::size_t>(std::lround(shares.transition * halves / 2)));
  const std::size_t whole = left / 2, over = cells - std::min(cells, (left + 1) / 2);
  for (std::size_t i = 0; i < over; ++i) out += plain ? "." : "·";
  if (left % 2 == 1) out += plain ? "#" : "▐";
  for (std::size_t i = 0; i < whole - transition; ++i) out += plain ? "#" : "█";
  for (std::size_t i = 0; i < transition; ++i) out += plain ? "=" : "▒";
  return out;
}

}  // namespace leasescope::ctl
