#include "simulator/campaign/invariants.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include <fmt/format.h>

#include "core/time/duration_text.h"

namespace leasescope {

std::string_view text(Failure failure) {
  static constexpr std::array<std::string_view, kFailures> kTexts{
      "stale_write_accepted", "double_grant", "fence_regression", "illegal", "unexplained_overlap", "no_progress",
      "lost_undisturbed",     "storm",        "not_as_expected"};
  return kTexts[static_cast<std::size_t>(failure)];
}

std::string_view about(Failure failure) {
  static constexpr std::array<std::string_view, kFailures> kTexts{
      "a resource that fences accepted a stale write",
      "the store granted one mutex twice",
      "the store granted a token that was not higher than the one before",
      "the calls on a mutex have no order that the model of its system allows",
      "two believed at once, though nothing held one of them up",
      "after all faults had ended, somebody did not get on",
      "an owner that nothing disturbed lost what it held",
      "somebody is so busy that the run does not come to its end",
      "the declared outcome did not happen"};
  return kTexts[static_cast<std::size_t>(failure)];
}

bool excuses(const Scenario& scenario, const FaultKind& kind, Failure failure) {
  const std::string_view breaks = may_break(scenario.store, kind);
  switch (failure) {
    case Failure::kStaleWriteAccepted:
    case Failure::kFenceRegression:
      return breaks == "fence";
    case Failure::kDoubleGrant:
      return scenario.may_grant_twice(kind);
    case Failure::kIllegal:
      return scenario.may_mislead(kind);
    case Failure::kUnexplainedOverlap:
      return !breaks.empty() || kind.may_overlap;
    case Failure::kNoProgress:
    case Failure::kLostUndisturbed:
    case Failure::kStorm:
    case Failure::kNotAsExpected:
      return false;
  }
  return false;
}

Invariants::Invariants(const Scenario& scenario, const NameTable& names)
    : names_(&names),
      lease_(scenario.terms().lease()),
      fences_(names.size()),
      permits_(scenario.capacity()),
      highest_(names.size() * permits_),
      started_(names.size()),
      firings_(all_fault_kinds().size()) {
  for (const FaultKind& kind : all_fault_kinds()) {
    excuses_.emplace_back();
    for (std::size_t i = 0; i < kFailures; ++i)
      excuses_.back()[i] = leasescope::excuses(scenario, kind, static_cast<Failure>(i));
  }
  note_old_releases(scenario);
  for (const FaultTable& fault : scenario.faults) {
    const auto as = fault.words.find("as");
    as_.push_back(as == fault.words.end() ? Name{} : name_of(as->second));
  }
  for (std::uint32_t handle = 0; handle < names.size(); ++handle) {
    const std::string_view name = names.text({handle});
    const std::string_view table = name.substr(0, name.find('@'));  // "ledger@orders-2"
    for (const ResourceTable& resource : scenario.resources)
      if (resource.fencing && resource.name == table) fences_[handle] = true;
  }
}

Name Invariants::name_of(std::string_view text) const {
  std::uint32_t handle = 0;
  while (handle < names_->size() && names_->text({handle}) != text) ++handle;
  return handle < names_->size() ? Name{handle} : Name{};
}

// Only the default behaviour's release names its term.
void Invariants::note_old_releases(const Scenario& scenario) {
  std::unordered_set<std::string> old;
  const std::vector<std::string> contenders = scenario.contender_names();
  auto next = contenders.begin();
  for (const ContenderTable& table : scenario.contenders) {
    if (table.behaviour != Behaviour::kLeasescope) old.insert(next, next + table.count);
    next += table.count;
  }
  old_release_.resize(names_->size());
  for (std::uint32_t handle = 0; !old.empty() && handle < names_->size(); ++handle)
    old_release_[handle] = old.count(std::string(names_->text({handle}))) != 0;
}

void Invariants::append(const Event& event) {
  ++appended_;
  switch (event.kind) {
    case EventKind::kFaultBegan:
      on_fault_began(event);
      break;
    case EventKind::kFaultEnded:
      on_fault_ended(event);
      break;
    case EventKind::kWriteAccepted:
    case EventKind::kWriteStaleAccepted:
      on_accepted(event);
      break;
    case EventKind::kStarted:
      started_[event.node.handle] = appended_;
      break;
    case EventKind::kReleased:
      if (old_release_[event.node.handle] && event.cause != 0 && event.cause < started_[event.node.handle])
        late_releases_.push_back({event.node, event.mutex, event.hi});
      break;
    case EventKind::kDisbelieved:
      for (LateRelease& release : late_releases_)
        if (release.whose == event.node) release.until = std::min(release.until, event.hi);
      break;
    default:
      break;
  }
}

// Not by what the resource says of its own writes: it is what is judged.
void Invariants::on_accepted(Event write) {
  const auto resource = static_cast<std::size_t>(write.a);
  Token& highest = highest_[resource * permits_ + write.token % permits_];
  if (fences_[resource] && write.token < highest) {
    write.b = static_cast<std::int64_t>(highest);
    stale_.push_back(write);
  }
  highest = std::max(highest, write.token);
}

void Invariants::on_fault_began(const Event& event) {
  ++firings_[event.detail];
  if (!excuses(event.detail, Failure::kUnexplainedOverlap) && !may_overtake(event.detail)) return;
  const bool lasts = all_fault_kinds()[event.detail].lasts;
  const auto row = static_cast<std::size_t>(event.b);
  const Name as = row < as_.size() ? as_[row] : Name{};
  began_.push_back({event.hi, event.detail, event.node, as, event.b, lasts ? TrueTime::max() : event.hi});
}

void Invariants::on_fault_ended(const Event& event) {
  const auto fault = std::find_if(began_.rbegin(), began_.rend(), [&](const auto& began) {
    return began.until == TrueTime::max() && began.kind == event.detail && began.row == event.b &&
           began.whom == event.node;
  });
  if (fault != began_.rend()) fault->until = event.hi;
}

bool Invariants::reaches(const Began& fault, const Incident& overlap) const {
  // A store whose clock was set keeps its leases by it, and whose id a contender bears stays.
  const FaultKind& kind = all_fault_kinds()[static_cast<std::size_t>(fault.kind)];
  if (kind.target != FaultTarget::kContender) return true;
  if (kind.lasts && fault.until != TrueTime::max() && overlap.start - fault.until > lease_) return false;
  return std::any_of(overlap.contenders.begin(), overlap.contenders.end(),
                     [&](Name one) { return one == fault.whom || (!fault.as.empty() && one == fault.as); });
}

int Invariants::excuse(Failure failure, const Incident* incident, TrueTime at) const {
  const bool overlap = failure == Failure::kUnexplainedOverlap;
  int last = -1;
  for (const Began& fault : began_) {
    if (fault.at > at) continue;
    if (overlap && may_overtake(fault.kind) && made_a_release_late(fault, *incident)) last = fault.kind;
    if (!excuses(fault.kind, failure)) continue;
    if (!overlap || reaches(fault, *incident)) last = fault.kind;
  }
  return last;
}

// One of them believed on what a release of his earlier life had ended, and the fault had hit him.
bool Invariants::made_a_release_late(const Began& fault, const Incident& overlap) const {
  return std::any_of(late_releases_.begin(), late_releases_.end(), [&](const LateRelease& release) {
    return release.whose == fault.whom && fault.at <= release.at && release.mutex == overlap.mutex &&
           release.at <= overlap.start && overlap.start <= release.until &&
           std::find(overlap.contenders.begin(), overlap.contenders.end(), release.whose) != overlap.contenders.end();
  });
}

std::vector<Broken> Invariants::broken(const Checkers& checkers, const LegalVerdict& legal) const {
  std::vector<Broken> out;
  const auto found = [&](Failure failure, TrueTime at, std::string reason, const Incident* incident = nullptr) {
    out.push_back({failure, at, std::move(reason), excuse(failure, incident, at)});
  };
  for (const Event& write : stale_)
    found(Failure::kStaleWriteAccepted, write.hi,
          fmt::format("at {} s {} accepted a write of {} with token {}, after it had seen {}",
                      format_seconds(write.hi.time_since_epoch()), names_->text({static_cast<std::uint32_t>(write.a)}),
                      names_->text(write.node), write.token, write.b));
  if (legal.illegal > 0) found(Failure::kIllegal, legal.since, legal.reason);
  for (const Incident& incident : checkers.incidents()) {
    const std::string reason =
        fmt::format("at {} s: {}", format_seconds(incident.start.time_since_epoch()), incident.cause);
    if (incident.kind == IncidentKind::kDoubleGrant) found(Failure::kDoubleGrant, incident.start, reason);
    if (incident.kind == IncidentKind::kFenceRegression) found(Failure::kFenceRegression, incident.start, reason);
    if (incident.kind == IncidentKind::kBeliefOverlap)
      found(Failure::kUnexplainedOverlap, incident.start, reason, &incident);
  }
  std::stable_sort(out.begin(), out.end(), [](const Broken& a, const Broken& b) { return a.failure < b.failure; });
  return out;
}

}  // namespace leasescope
