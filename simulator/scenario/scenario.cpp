#include "simulator/scenario/scenario.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace leasescope {

namespace {

// What a server has granted that keeps nothing beyond its process.
bool ends_with_server(const StoreTable& store) {
  bool out = false;
  each_model([&]<class Terms>(std::type_identity<Terms>) {
    if constexpr (requires { Terms::kEndsWithServer; }) out = out || Terms::kName == store.model;
  });
  return out;
}

}  // namespace

bool can_have(const StoreTable& store, const FaultKind& kind) {
  const auto& models = kind.models;
  const bool modelled = models.empty() || std::find(models.begin(), models.end(), store.model) != models.end();
  return modelled && (!kind.needs_replica || (store.model == "redis" && store.redis().replica));
}

std::string_view may_break(const StoreTable& store, const FaultKind& kind) {
  if (kind.disturbs == Disturbs::kRestarts && ends_with_server(store)) return kind.may_break;
  return kind.spares != nullptr && kind.spares(store.redis(), store.sql()) ? std::string_view() : kind.may_break;
}

std::string ContenderTable::called(int place) const {
  if (static_cast<std::size_t>(place) < names.size()) return names[static_cast<std::size_t>(place)];
  return count == 1 ? name : fmt::format("{}{}", name, place + 1);
}

std::string ContenderTable::title() const {
  constexpr std::size_t kMost = 3;
  if (names.empty()) return name;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMost));
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "), names.size() > kMost ? " …" : "");
}

std::vector<std::string> Scenario::contender_names() const {
  std::vector<std::string> names;
  for (const ContenderTable& table : contenders)
    for (int i = 0; i < table.count; ++i) names.push_back(table.called(i));
  return names;
}

int Scenario::contender_count() const {
  int count = 0;
  for (const ContenderTable& table : contenders) count += table.count;
  return count;
}

std::vector<std::string> Scenario::mutex_names() const {
  if (mutex.count == 1) return {mutex.name};
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(mutex.count));
  for (int i = 0; i < mutex.count; ++i) names.push_back(fmt::format("{}-{}", mutex.name, i + 1));
  return names;
}

std::uint32_t Scenario::capacity() const {
  std::uint32_t out = 1;
  visit_system(mutex.system, [&]<class Terms>(std::type_identity<Terms>) {
    if constexpr (requires(const Terms& terms) { terms.capacity(); }) out = std::get<Terms>(system).capacity();
  });
  return out;
}

std::uint8_t Scenario::servers() const {
  std::uint8_t out = 1;
  visit_system(mutex.system, [&]<class Terms>(std::type_identity<Terms>) {
    if constexpr (requires(const Terms& terms) { terms.server_count(); }) out = std::get<Terms>(system).server_count();
  });
  return out;
}

std::uint32_t Scenario::entries() const {
  std::uint32_t out = 1;
  visit_system(mutex.system, [&]<class Terms>(std::type_identity<Terms>) {
    if constexpr (requires(const typename Terms::Plan& plan) { plan.entries(); })
      for (const ContenderTable& contender : contenders)
        out = std::max(out, std::get<typename Terms::Plan>(contender.plan).entries());
  });
  return out;
}

Family Scenario::family() const {
  Family out = Family::kLease;
  visit_system(mutex.system, [&]<class Terms>(std::type_identity<Terms>) { out = Terms::kFamily; });
  return out;
}

// Where a register alone is kept, each contender judges by its own clock when another's lease is over: a clock that
// runs wrong takes it early.
bool Scenario::may_grant_twice(const FaultKind& kind) const {
  const bool takes_early = family() == Family::kRegister && kind.target == FaultTarget::kContender &&
                           (kind.disturbs == Disturbs::kDrifts || kind.disturbs == Disturbs::kSetsClock);
  return takes_early || !may_break(store, kind).empty();
}

// A session's memo of a call goes with the holder's last unlock: an unlock that its own retry had overtaken ends one of
// the holds that the same session has taken since. Of a quorum a handle that is not the last is freed without asking:
// who believes longer than its lease lasts frees what is another's.
bool Scenario::may_mislead(const FaultKind& kind) const {
  const bool overtakes = family() == Family::kSession && kind.may_overtake;
  const bool frees_unasked = family() == Family::kQuorum && entries() > 1 && kind.may_overlap;
  return may_grant_twice(kind) || overtakes || frees_unasked;
}

std::string Scenario::advice() const {
  std::string out;
  visit_system(mutex.system, [&]<class Terms>(std::type_identity<Terms>) {
    if constexpr (requires(const Terms& terms) { terms.advice(); }) out = std::get<Terms>(system).advice();
  });
  return out;
}

bool FaultTable::live() const {
  const FaultKind* fault_kind = find_fault_kind(kind);
  if (fault_kind == nullptr) return true;
  return fault_kind->live && std::none_of(fault_kind->keys.begin(), fault_kind->keys.end(), [&](const FaultKey& key) {
           const auto word = words.find(std::string(key.name));
           return !key.virtual_word.empty() && word != words.end() && word->second == key.virtual_word;
         });
}

std::optional<std::string> Scenario::not_live() const {
  if (!virtual_only.empty()) return fmt::format("it does not happen ({})", virtual_only);
  if (family() == Family::kConnection) return fmt::format("the system {} is not spoken yet", mutex.system);
  for (const FaultTable& table : faults)
    if (table.enabled && !table.live()) return fmt::format("the fault {} cannot be produced", table.kind);
  const bool has_sql = store.model == SqlTerms::kName;
  if (has_sql && (store.sql().statement != SqlTerms::Statement::kForUpdate || store.sql().now != SqlTerms::Now::kClock))
    return "the statements of the model are not those that our calls make";
  for (const ResourceTable& table : resources)
    if (table.bank) return fmt::format("the bank {} is modelled in virtual time alone", table.name);
  return std::nullopt;
}

}  // namespace leasescope
