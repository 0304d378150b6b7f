#include "simulator/fault/plan.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>
#include <xxhash.h>

#include "core/base/expect.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

// Where a contender stands in the fleet.
class Places {
 public:
  explicit Places(std::vector<std::string> names) : names_(std::move(names)), sorted_(names_.size()) {
    std::iota(sorted_.begin(), sorted_.end(), NodeIndex{0});
    std::sort(sorted_.begin(), sorted_.end(), [&](NodeIndex a, NodeIndex b) { return names_[a] < names_[b]; });
  }
  NodeIndex at(const std::string& name) const {
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), name,
                                        [&](NodeIndex node, const std::string& of) { return names_[node] < of; });
    expect(found != sorted_.end() && names_[*found] == name, "a fault names a contender that is not in the fleet");
    return *found;
  }

 private:
  std::vector<std::string> names_;
  std::vector<NodeIndex> sorted_;
};

// The draws of a row hang on what it is, not on its place: the others keep theirs when one is taken out of the plan.
// `same`: how many rows before it are the same.
std::uint64_t key_of(const std::string& what, int same, std::uint64_t seed) {
  const std::string text = fmt::format("{} #{}", what, same);
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

std::int64_t word_value(const FaultKey& key, const std::string& word, const Places& contenders) {
  if (key.type == FaultKeyType::kContender) return contenders.at(word);
  return std::find(key.words.begin(), key.words.end(), word) - key.words.begin();
}

FaultValues values_of(const FaultTable& table, const FaultKind& kind, const LeaseTerms& terms,
                      const Places& contenders) {
  FaultValues values{};
  for (std::size_t i = 0; i < kind.keys.size(); ++i) {
    const std::string name(kind.keys[i].name);
    if (const auto time = table.times.find(name); time != table.times.end()) {
      values[i] = time->second.under(terms).count();
    } else if (const auto number = table.numbers.find(name); number != table.numbers.end()) {
      values[i] = number->second;
    } else if (const auto word = table.words.find(name); word != table.words.end()) {
      values[i] = word_value(kind.keys[i], word->second, contenders);
    }
  }
  return values;
}

}  // namespace

std::uint8_t store_place(std::string_view target) {
  const std::size_t space = target.find(' ');
  return space == std::string_view::npos ? 0 : static_cast<std::uint8_t>(target[space + 1] - '1');
}

std::string FaultPlan::Row::words() const {
  return fmt::format("{} of {} at {}", firing.kind->name, target.empty() ? "store" : target,
                     format_duration(at.time_since_epoch()));
}

FaultPlan::FaultPlan(const Scenario& scenario) : nodes_(static_cast<NodeIndex>(scenario.contender_count())) {
  const Places places(scenario.contender_names());
  std::unordered_map<std::uint64_t, int> alike;  // rows that are the same, by the hash of what they are
  auto made = std::make_shared<Table>();
  std::vector<Row>& rows = made->rows;
  rows.reserve(scenario.faults.size());
  made->by_time.reserve(scenario.faults.size());
  for (const FaultTable& table : scenario.faults) {
    const FaultKind* kind = find_fault_kind(table.kind);
    if (kind == nullptr || !table.enabled) {
      rows.emplace_back();  // keeps the numbers of the rows behind it
      continue;
    }
    Row row;
    row.at = TrueTime{} + table.at.under(scenario.terms());
    const std::string what = fmt::format("{} of {} at {}", table.kind, table.target, row.at.time_since_epoch().count());
    row.firing = {static_cast<int>(rows.size()),
                  kind,
                  kNobody,
                  table.duration.under(scenario.terms()),
                  values_of(table, *kind, scenario.terms(), places),
                  key_of(what, alike[XXH3_64bits(what.data(), what.size())]++, scenario.seed)};
    row.during_compute = table.during_compute;
    row.target = table.target;
    if (kind->target != FaultTarget::kContender) {
      row.role = Role::kStore;
      row.firing.store = store_place(table.target);
    } else if (table.target == "owner") {
      row.role = Role::kOwner;
    } else if (table.target == "next") {
      row.role = Role::kNext;
    } else if (table.target == "waiters") {
      row.role = Role::kWaiters;
    } else if (table.target == "all" || table.target == "resource") {
      row.role = Role::kAll;
    } else {
      row.role = Role::kNamed;
      row.firing.node = places.at(table.target);
    }
    made->by_time.push_back(static_cast<std::uint32_t>(rows.size()));
    rows.push_back(std::move(row));
  }
  std::stable_sort(made->by_time.begin(), made->by_time.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return rows[a].at < rows[b].at; });
  table_ = std::move(made);
}

TrueTime FaultPlan::next() const {
  return passed_ == table_->by_time.size() ? TrueTime::max() : table_->rows[table_->by_time[passed_]].at;
}

void FaultPlan::fire(std::uint32_t index, NodeIndex node, std::vector<Firing>& out) {
  if (table_->rows[index].during_compute) {
    armed_.push_back({index, node});
  } else {
    fire_now(index, node, out);
  }
}

void FaultPlan::fire_now(std::uint32_t index, NodeIndex node, std::vector<Firing>& out) {
  Firing firing = table_->rows[index].firing;
  firing.node = node;
  if (hits(firing)) {
    out.push_back(firing);
  } else {
    missed_.push_back(index);
  }
}

std::vector<Firing> FaultPlan::due(TrueTime now, const Roles& roles) {
  std::vector<Firing> out;
  for (; passed_ < table_->by_time.size() && next() <= now; ++passed_) {
    const std::uint32_t index = table_->by_time[passed_];
    const Row& row = table_->rows[index];
    switch (row.role) {
      case Role::kStore:
        if (!row.firing.kind->asked || roles.store_runs()) {
          fire(index, kNobody, out);
        } else {
          missed_.push_back(index);
        }
        break;
      case Role::kNamed:
        fire(index, row.firing.node, out);
        break;
      case Role::kOwner:
        if (const NodeIndex owner = roles.owner(); owner != kNobody) {
          fire(index, owner, out);
          break;
        }
        [[fallthrough]];
      case Role::kNext:
        waiting_.push_back(index);
        break;
      case Role::kAll:
      case Role::kWaiters:
        fire_on_many(index, roles, out);
        break;
    }
  }
  return out;
}

// A row that hits nobody has not fired.
void FaultPlan::fire_on_many(std::uint32_t index, const Roles& roles, std::vector<Firing>& out) {
  const Row& row = table_->rows[index];
  const std::size_t before = out.size();
  for (NodeIndex node = 0; node < nodes_; ++node) {
    if (row.role == Role::kWaiters && (node == roles.owner() || !roles.contends(node))) continue;
    Firing firing = row.firing;
    firing.node = node;
    if (hits(firing)) out.push_back(firing);
  }
  if (out.size() == before) missed_.push_back(index);
}

std::vector<Firing> FaultPlan::granted(NodeIndex node) {
  std::vector<Firing> out;
  std::vector<std::uint32_t> waiting;
  waiting.swap(waiting_);
  for (const std::uint32_t index : waiting) fire(index, node, out);
  return out;
}

std::vector<Firing> FaultPlan::computing(NodeIndex node) {
  std::vector<Firing> out;
  std::vector<Armed> armed;
  armed.swap(armed_);
  for (const Armed& row : armed) {
    if (row.node == node) {
      fire_now(row.row, node, out);
    } else {
      armed_.push_back(row);
    }
  }
  return out;
}

std::vector<std::string> FaultPlan::unfired() const {
  std::vector<std::string_view> why(table_->rows.size());  // empty: it fired
  constexpr std::string_view kNoTarget = " never found its target";
  for (const std::uint32_t row : missed_)
    why[row] = table_->rows[row].firing.kind->asked ? " was in vain: the store was down" : kNoTarget;
  for (const std::uint32_t row : refused_) why[row] = " was refused: its contender's state forbade it";
  for (const std::uint32_t row : taken_) why[row] = {};
  for (const std::uint32_t row : waiting_) why[row] = kNoTarget;
  for (const Armed& armed : armed_) why[armed.row] = kNoTarget;
  for (std::size_t i = passed_; i < table_->by_time.size(); ++i) why[table_->by_time[i]] = kNoTarget;
  std::vector<std::string> words;
  for (std::size_t row = 0; row < why.size(); ++row)
    if (!why[row].empty()) words.push_back(table_->rows[row].words() + std::string(why[row]));
  return words;
}

tl::expected<FaultPlan, std::string> FaultPlan::changed_course(const FaultPlan& changed, TrueTime at) const {
  std::vector<bool> passed(changed.rows(), false);
  const auto end = table_->by_time.begin() + static_cast<std::ptrdiff_t>(passed_);
  for (auto row = table_->by_time.begin(); row != end; ++row) {
    if (*row >= changed.rows() || !(changed.table_->rows[*row] == table_->rows[*row]))
      return tl::make_unexpected(fmt::format("fault.{} ({}) has begun by {} s: what has happened cannot be changed",
                                             *row, table_->rows[*row].words(), format_seconds(at.time_since_epoch())));
    passed[*row] = true;
  }
  for (const std::uint32_t row : changed.table_->by_time)
    if (!passed[row] && changed.table_->rows[row].at < at)
      return tl::make_unexpected(fmt::format("fault.{} ({}) lies before the fork at {} s: it would never begin", row,
                                             changed.table_->rows[row].words(), format_seconds(at.time_since_epoch())));
  auto table = std::make_shared<Table>(*changed.table_);
  std::stable_partition(table->by_time.begin(), table->by_time.end(), [&](std::uint32_t row) { return passed[row]; });
  FaultPlan out = *this;  // what waits for its target goes on waiting
  out.table_ = std::move(table);
  return out;
}

}  // namespace leasescope
