#include "simulator/live/live_refusal.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/quorum/terms.h"
#include "core/simba/contender_id.h"
#include "core/store/types/types.h"
#include "simulator/fault/kinds.h"
#include "simulator/live/live_names.h"
#include "simulator/model/cp/cp_terms.h"

namespace leasescope {
namespace {

std::string live_world(const StoreType& type) { return fmt::format("live:{}", type.name()); }

// `live`: on those stores that carry it.
template <class Carries>
std::vector<std::string> worlds(bool live, Carries carries) {
  std::vector<std::string> out{"virtual"};
  for (const StoreType* type : store_types())
    if (live && carries(*type)) out.push_back(live_world(*type));
  return out;
}

std::string in_other_worlds(const Scenario& scenario, const StoreUrl& store, const std::string& reason) {
  const std::vector<std::string> all = worlds_of(scenario);
  std::vector<std::string> remedies{"leave --store out"};
  for (const StoreType* type : store_types())
    if (std::find(all.begin(), all.end(), live_world(*type)) != all.end())
      remedies.push_back(fmt::format("say --store {}", type->name()));
  return fmt::format("{} on {}: {} runs in these worlds: {}; {}", reason, printable(store), scenario.name,
                     fmt::join(all, ", "), fmt::join(remedies, " or "));
}

// Two servers of which one follows the other are made of some stores only.
bool lacks_replica(const StoreType& type, const FaultKind& kind) { return kind.needs_replica && type.lead == nullptr; }

// What a model of that word suffers, the store it stands for does. Where nobody is told anything no message comes late;
// to lose them is done there by itself.
bool can_suffer(const StoreType& type, const FaultKind& kind) {
  if (kind.needs_messages && !type.tells) return false;
  if (lacks_replica(type, kind)) return false;
  // Sessions are measured by what no clock step touches, and deadlines in registers by their writers' own clocks.
  if (is_of_store_clock(kind) && !type.carries(Family::kLease)) return false;
  const auto of_model = [&](std::string_view model) {
    return std::find(kind.models.begin(), kind.models.end(), model) != kind.models.end();
  };
  // Of its fenced locks it does what the model of those does, where it can be asked to.
  const bool ends_sessions = type.carries(Family::kSession) && type.end_session != nullptr && of_model(CpTerms::kName);
  return kind.models.empty() || of_model(type.model) || ends_sessions;
}

// The first fault of the plan that is not for such a store.
const FaultKind* foreign_fault(const Scenario& scenario, const StoreType& type) {
  for (const FaultTable& row : scenario.faults) {
    const FaultKind* const kind = find_fault_kind(row.kind);
    if (!row.enabled || kind == nullptr) continue;
    // A store of sessions has not been seen to suffer by its clock what its model does.
    const bool ends_by_clock = scenario.family() == Family::kLease || scenario.family() == Family::kQuorum;
    if (!can_suffer(type, *kind) || (is_of_store_clock(*kind) && !ends_by_clock)) return kind;
  }
  return nullptr;
}

// What the scenario says of its model beside the word for it is true of the store that the model stands for, at best.
// Each server of a quorum is made as it says.
bool is_its_own(const Scenario& scenario, const StoreType& type) {
  if (scenario.store.model == RedlockTerms::kName) return true;
  const bool particular = scenario.store.terms != decltype(scenario.store.terms){};
  return !particular || scenario.store.model == type.model;
}

// Where a system needs several servers that know nothing of each other, and somebody names them.
std::optional<std::string> wrong_number(const Scenario& scenario, const StoreUrl& store) {
  const std::size_t wanted = scenario.servers();
  const std::size_t named = store.type->apart != nullptr ? store.type->apart(store).size() : 1;
  if (wanted == 1 || !store.given || named == wanted) return std::nullopt;
  if (named == 1)
    return fmt::format(
        "the system {} needs {} servers that know nothing of each other, and {} is one: expected --store {}, private "
        "servers for this run, or a URL that names all of them, host:port,host:port,…",
        scenario.mutex.system, wanted, printable(store), store.type->name());
  const std::string key = scenario.mutex.system + ".servers";
  const bool can_be = named >= QuorumTerms::kFewestServers && named <= QuorumTerms::kMostServers;
  return fmt::format("{} names {} servers, and {} is {}: name {}{}", printable(store), named, key, wanted, wanted,
                     can_be ? fmt::format(", or say --set {}={}", key, named) : "");
}

// Contenders up to 3.1 wait in a queue, and the release of one wakes the next: they are spoken for where there is such
// a queue.
const ContenderTable* foreign_contender(const Scenario& scenario, const StoreType& type) {
  if (scenario.family() != Family::kLease || type.wakes(WakeUp::kQueue)) return nullptr;
  for (const ContenderTable& table : scenario.contenders)
    if (generation(table.behaviour).wire == Wire::kTokenless) return &table;
  return nullptr;
}

const FaultTable* fault_of_server(const Scenario& scenario) {
  for (const FaultTable& row : scenario.faults) {
    const FaultKind* const kind = find_fault_kind(row.kind);
    if (row.enabled && kind != nullptr && kind->target != FaultTarget::kContender) return &row;
  }
  return nullptr;
}

// Why it does not happen on any server of that make, where it does happen live; none: it does.
std::optional<std::string> refusal_on(const Scenario& scenario, const StoreType& type) {
  if (!type.carries(scenario.family())) return fmt::format("the system {} is not kept", scenario.mutex.system);
  if (const FaultKind* const kind = foreign_fault(scenario, type))
    return fmt::format(
        "the fault {} {}", kind->name,
        lacks_replica(type, *kind) ? "needs a replica, and no private server has one" : "cannot be produced");
  if (!is_its_own(scenario, type))
    return fmt::format("what it says of its model {} does not hold", scenario.store.model);
  if (!type.wakes(scenario.mutex.wake_up))
    return fmt::format("mutex.wake_up = \"{}\" is not done", text(scenario.mutex.wake_up));
  if (scenario.needs_messages && !type.tells)
    return std::string("its outcome hangs on hearing of grants and releases, of which nobody is told");
  if (const ContenderTable* const old = foreign_contender(scenario, type))
    return fmt::format("the behaviour {} of contender {} is not spoken", text(old->behaviour), old->title());
  return std::nullopt;
}

}  // namespace

std::vector<std::string> worlds_of(const Scenario& scenario) {
  return worlds(!scenario.not_live().has_value(),
                [&](const StoreType& type) { return !refusal_on(scenario, type).has_value(); });
}
std::string why_not_live(const Scenario& scenario) {
  if (const auto reason = scenario.not_live()) return *reason;
  std::string out;
  for (const StoreType* type : store_types()) {
    const auto reason = refusal_on(scenario, *type);
    if (!reason) return {};
    if (type->carries(scenario.family()))
      out += fmt::format("{}{} on {}", out.empty() ? "" : "; ", *reason, type->name());
  }
  return out;
}
std::vector<std::string> worlds_of(const FaultKind& kind) {
  return worlds(kind.live, [&](const StoreType& type) { return can_suffer(type, kind); });
}

std::optional<std::string> live_refusal(const Scenario& scenario, const StoreUrl& store) {
  if (store.type->is_only_watched())
    return in_other_worlds(scenario, store, fmt::format("{}, so nothing runs", why_not_contended(*store.type)));
  if (const auto reason = scenario.not_live()) return in_other_worlds(scenario, store, *reason);
  if (const auto reason = refusal_on(scenario, *store.type)) return in_other_worlds(scenario, store, *reason);
  const std::string fixed = store.type->fixes_wake_up != nullptr ? store.type->fixes_wake_up(store) : "";
  if (!fixed.empty() && scenario.mutex.wake_up != WakeUp::kBroadcast && scenario.mutex.wake_up != store.wake_up)
    return fmt::format("mutex.wake_up is \"{}\", and the URL says {}: leave one of them out",
                       text(scenario.mutex.wake_up), fixed);
  if (auto wrong = wrong_number(scenario, store)) return wrong;
  if (const FaultTable* const row = fault_of_server(scenario); row != nullptr && store.given)
    return fmt::format(
        "the fault {} is done to the server itself, and {} may have other users: expected --store {}, a "
        "private server for this run",
        row->kind, printable(store), store.type->name());
  for (const FaultTable& table : scenario.faults)
    if (const FaultKind* kind = find_fault_kind(table.kind);
        table.enabled && store.sealed && kind != nullptr && kind->reads_messages)
      return in_other_worlds(
          scenario, store,
          fmt::format("the fault {} cannot be produced over TLS, where nobody in between can read a message,",
                      table.kind));
  for (const std::string& mutex : scenario.mutex_names())
    if (auto valid = validate_mutex_name(wire_name(scenario, mutex, store.given)); !valid) return valid.error();
  return std::nullopt;
}

}  // namespace leasescope
