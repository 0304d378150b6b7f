#include "simulator/fault/plan.h"

#include <algorithm>

#include <fmt/format.h>
#include <xxhash.h>

#include "core/time/duration_text.h"

namespace leasescope {
namespace {

// The draws of a row hang on what it is, not on its place: the others keep theirs when one is taken out of the plan.
std::uint64_t key_of(const Scenario& scenario, std::size_t row) {
  const FaultTable& table = scenario.faults[row];
  const auto same = [&](const FaultTable& other) {
    return other.enabled && other.kind == table.kind && other.target == table.target &&
           other.at.under(scenario.terms()) == table.at.under(scenario.terms());
  };
  const auto end = scenario.faults.begin() + static_cast<std::ptrdiff_t>(row);
  const std::string text =
      fmt::format("{} of {} at {} #{}", table.kind, table.target, table.at.under(scenario.terms()).count(),
                  std::count_if(scenario.faults.begin(), end, same));
  return XXH3_64bits_withSeed(text.data(), text.size(), scenario.seed);
}

std::int64_t word_value(const FaultKey& key, const std::string& word, const std::vector<std::string>& contenders) {
  if (key.type == FaultKeyType::kContender)
    return std::find(contenders.begin(), contenders.end(), word) - contenders.begin();
  return std::find(key.words.begin(), key.words.end(), word) - key.words.begin();
}

FaultValues values_of(const FaultTable& table, const FaultKind& kind, const LeaseTerms& terms,
                      const std::vector<std::string>& contenders) {
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

FaultPlan::FaultPlan(const Scenario& scenario) : nodes_(static_cast<NodeIndex>(scenario.contender_count())) {
  const std::vector<std::string> names = scenario.contender_names();
  for (const FaultTable& table : scenario.faults) {
    const FaultKind* kind = find_fault_kind(table.kind);
    if (kind == nullptr || !table.enabled) {
      rows_.push_back({});
      rows_.back().state = State::kFired;  // keeps the numbers of the rows behind it
      continue;
    }
    Row row;
    row.at = TrueTime{} + table.at.under(scenario.terms());
    row.firing = {static_cast<int>(rows_.size()),
                  kind,
                  kNobody,
                  table.duration.under(scenario.terms()),
                  values_of(table, *kind, scenario.terms(), names),
                  key_of(scenario, rows_.size())};
    row.during_compute = table.during_compute;
    row.words = fmt::format("{} of {} at {}", table.kind, table.target, format_duration(row.at.time_since_epoch()));
    if (kind->target != FaultTarget::kContender) {
      row.role = Role::kStore;
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
      row.firing.node = static_cast<NodeIndex>(std::find(names.begin(), names.end(), table.target) - names.begin());
    }
    by_time_.push_back(static_cast<std::uint32_t>(rows_.size()));
    rows_.push_back(std::move(row));
  }
  std::stable_sort(by_time_.begin(), by_time_.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return rows_[a].at < rows_[b].at; });
}

TrueTime FaultPlan::next() const { return passed_ == by_time_.size() ? TrueTime::max() : rows_[by_time_[passed_]].at; }

void FaultPlan::fire(std::uint32_t index, NodeIndex node, std::vector<Firing>& out) {
  Row& row = rows_[index];
  row.firing.node = node;
  if (!hits(row.firing)) return;
  if (row.during_compute && row.state != State::kWaitingForCompute) {
    row.state = State::kWaitingForCompute;
    armed_.push_back(index);
    return;
  }
  row.state = State::kFired;
  out.push_back(row.firing);
}

std::vector<Firing> FaultPlan::due(TrueTime now, const Fleet& fleet) {
  std::vector<Firing> out;
  for (; next() <= now && passed_ < by_time_.size(); ++passed_) {
    const std::uint32_t index = by_time_[passed_];
    Row& row = rows_[index];
    switch (row.role) {
      case Role::kStore:
        fire(index, kNobody, out);
        break;
      case Role::kNamed:
        fire(index, row.firing.node, out);
        break;
      case Role::kOwner:
        if (const NodeIndex owner = fleet.owner(); owner != kNobody) {
          fire(index, owner, out);
          break;
        }
        [[fallthrough]];
      case Role::kNext:
        row.state = State::kWaitingForGrant;
        waiting_.push_back(index);
        break;
      case Role::kAll:
      case Role::kWaiters:
        fire_on_many(row, fleet, out);
        break;
    }
  }
  return out;
}

// A row that hits nobody has not fired.
void FaultPlan::fire_on_many(Row& row, const Fleet& fleet, std::vector<Firing>& out) {
  for (NodeIndex node = 0; node < nodes_; ++node) {
    if (row.role == Role::kWaiters && (node == fleet.owner() || !fleet.contends(node))) continue;
    Firing firing = row.firing;
    firing.node = node;
    if (!hits(firing)) continue;
    out.push_back(firing);
    row.state = State::kFired;
  }
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
  std::vector<std::uint32_t> armed;
  armed.swap(armed_);
  for (const std::uint32_t index : armed) {
    if (rows_[index].firing.node == node) {
      fire(index, node, out);
    } else {
      armed_.push_back(index);
    }
  }
  return out;
}

std::vector<std::string> FaultPlan::unfired() const {
  std::vector<std::string> words;
  for (const Row& row : rows_)
    if (row.state != State::kFired) words.push_back(row.words + " never found its target");
  return words;
}

}  // namespace leasescope
