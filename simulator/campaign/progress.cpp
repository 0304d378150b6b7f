#include "simulator/campaign/progress.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/campaign/swarm.h"

namespace leasescope {
namespace {

std::string at(TrueTime time) { return format_seconds(time.time_since_epoch()) + " s"; }

}  // namespace

Progress::Progress(const Scenario& scenario, const World& world)
    : world_(&world),
      terms_(scenario.terms()),
      round_trip_(2 * longest_way(scenario)),
      timeout_(scenario.store.timeout),
      loss_ppm_(scenario.store.loss_ppm) {
  const NameTable& names = world.names();
  members_by_name_.assign(names.size(), kNobody);
  leases_by_name_.assign(names.size(), kNobody);
  const std::vector<std::string> mutexes = scenario.mutex_names();
  const auto handle_of = [&](const std::string& wanted) {
    for (std::uint32_t handle = 0; handle < names.size(); ++handle)
      if (names.text({handle}) == wanted) return handle;
    return 0u;
  };
  for (std::uint32_t i = 0; i < mutexes.size(); ++i) {
    leases_.emplace_back().mutex = {handle_of(mutexes[i])};
    leases_by_name_[leases_.back().mutex.handle] = i;
  }
  for (const std::string& name : scenario.contender_names()) {
    const std::size_t place = members_.size();
    const Name handle{handle_of(name)};
    members_by_name_[handle.handle] = static_cast<NodeIndex>(place);
    members_.push_back({handle, static_cast<std::uint32_t>(place % leases_.size()), {}, {}});
  }
  for (const FaultTable& fault : scenario.faults) {
    Duration& echo = echoes_.emplace_back();
    for (const auto& [key, time] : fault.times) echo = std::max(echo, std::chrono::abs(time.under(terms_)));
  }
  for (const ContenderTable& contender : scenario.contenders) callback_ = std::max(callback_, contender.callback);
}

const Progress::Member* Progress::member(Name name) const {
  const NodeIndex index = members_by_name_[name.handle];
  return index == kNobody ? nullptr : &members_[index];
}

void Progress::append(const Event& event, const Change& change, const Standing& standing) {
  standing_ = &standing;
  switch (event.kind) {
    case EventKind::kFaultBegan:
    case EventKind::kFaultEnded:
      on_fault(event);
      break;
    case EventKind::kClockChanged:
      if (member(event.node) != nullptr) break;
      store_ahead_ += Duration(event.a);
      store_peak_ = std::max(store_peak_, store_ahead_);
      store_fall_ = std::max(store_fall_, store_peak_ - store_ahead_);
      break;
    case EventKind::kGranted:
    case EventKind::kRenewed:
      leases_[leases_by_name_[event.mutex.handle]].confirmed = event.hi;
      break;
    case EventKind::kReleased:
    case EventKind::kExpired:
      if (change.hold == Change::Hold::kEnded) on_lost(event, text(event.kind));
      break;
    default:
      if (const NodeIndex index = members_by_name_[event.node.handle]; index != kNobody)
        on_member(event, members_[index]);
  }
}

void Progress::on_member(const Event& event, Member& who) {
  switch (event.kind) {
    case EventKind::kAttempt:
      if (event.detail <= static_cast<std::uint8_t>(AttemptResult::kLost)) who.heard = event.hi;
      who.last = event;
      break;
    case EventKind::kWakeupPlanned:
      who.last = event;
      break;
    case EventKind::kDisbelieved:
      on_lost(event, detail_text(event));
      break;
    default:
      break;
  }
}

// Packets keep their order, so that the delays of several faults add up.
void Progress::on_fault(const Event& event) {
  const FaultKind& kind = all_fault_kinds()[event.detail];
  const Duration echo = echoes_[static_cast<std::size_t>(event.b)];
  const bool began = event.kind == EventKind::kFaultBegan;
  if (began) lasting_echoes_ += echo;
  last_fault_ = event.hi;
  last_echo_ = std::max(last_echo_, event.hi + lasting_echoes_);
  if (kind.lasts) lasting_ += began ? 1 : -1;
  if (!began || !kind.lasts) lasting_echoes_ -= echo;
  if (began) guards_ = false;
}

bool Progress::up(NodeIndex index) const {
  const Standing::Contender* const who = standing_ == nullptr ? nullptr : standing_->contender(members_[index].name);
  return who != nullptr && who->up;
}

bool Progress::believes(NodeIndex index) const {
  const Standing::Contender* const who = standing_ == nullptr ? nullptr : standing_->contender(members_[index].name);
  return who != nullptr && who->believes;
}

Name Progress::holder(const Lease& lease) const {
  const Standing::Mutex* const of = standing_ == nullptr ? nullptr : standing_->mutex(lease.mutex);
  return of == nullptr || of->free() ? Name{} : standing_->contender(of->holds.back().contender).name;
}

void Progress::on_lost(const Event& event, std::string_view what) {
  if (!guards_ || !lost_.empty() || member(event.node) == nullptr || !standing_->contender(event.node)->up) return;
  lost_ = fmt::format("at {} {} lost {} ({}), though nothing had disturbed since {}", at(event.hi),
                      world_->names().text(event.node), world_->names().text(event.mutex), what, at(last_fault_));
}

// What a fault has delayed must arrive first. What a contender may still have to wait for: the call on its way, the
// time until it tries again, what it was told is left of the lease. Then a lease that nobody knows to be his has to run
// out, and another one to wake up. With losses some tries fail; so many in a row that it does not happen.
Duration Progress::budget() const {
  const Duration sleep = terms_.lease() + std::max(Duration::zero(), terms_.jitter.max) + store_fall_;
  const Duration attempt = timeout_ + terms_.ttl + round_trip_;
  Duration out = 2 * sleep + attempt + callback_ + std::max(Duration::zero(), Duration(last_echo_ - last_fault_));
  if (loss_ppm_ > 0) {
    std::uint64_t chance = 1'000'000'000'000;  // that all so far failed, in 1e-12
    do {
      out += attempt;
      chance = std::min(chance - 1, chance / 1'000'000 * std::min(2 * loss_ppm_, 999'999u));
    } while (chance > 0);
  }
  return out + out / 50;  // clocks that are allowed to be slow
}

bool Progress::anybody_up(std::uint32_t mutex) const {
  for (NodeIndex index = 0; index < members_.size(); ++index)
    if (members_[index].mutex == mutex && up(index)) return true;
  return false;
}

bool Progress::clean() const {
  for (NodeIndex index = 0; index < members_.size(); ++index)
    if (member(world_->fleet().id(index)) != &members_[index]) return false;
  return std::all_of(leases_.begin(), leases_.end(),
                     [&](const Lease& lease) { return holder(lease).empty() || moves(lease, last_echo_); });
}

bool Progress::moves(const Lease& lease, TrueTime since) const {
  if (holder(lease).empty() || lease.confirmed <= since) return false;
  for (NodeIndex index = 0; index < members_.size(); ++index)
    if (leases_[members_[index].mutex].mutex == lease.mutex && believes(index)) return true;
  return false;
}

bool Progress::complete() const {
  if (lasting_ > 0) return false;
  for (std::uint32_t i = 0; i < leases_.size(); ++i)
    if (anybody_up(i) && !moves(leases_[i], last_fault_)) return false;
  for (NodeIndex index = 0; index < members_.size(); ++index)
    if (up(index) && members_[index].heard <= last_fault_) return false;
  return true;
}

std::string Progress::words(const Lease& lease) const {
  return fmt::format("{} {}, was last granted or renewed at {}", world_->names().text(lease.mutex),
                     holder(lease).empty() ? std::string("is held by nobody")
                                           : fmt::format("is held by {}", world_->names().text(holder(lease))),
                     at(lease.confirmed));
}

std::string Progress::words(NodeIndex index) const {
  const Member& who = members_[index];
  const Fleet& fleet = world_->fleet();
  std::string out = fmt::format("{} is {}", world_->names().text(fleet.id(index)), text(fleet.status(index)));
  if (believes(index)) out += " and believes to own it";
  if (who.heard == TrueTime{}) return out + ", never had an answer";
  out += fmt::format(", had its last answer at {}", at(who.heard));
  if (who.last.kind == EventKind::kWakeupPlanned)
    return out + fmt::format(" and sleeps until {}", at(who.last.hi + Duration(who.last.a)));
  return out + fmt::format("; its last try, at {}, was {}", at(who.last.hi), detail_text(who.last));
}

std::string Progress::state() const {
  std::string out;
  for (NodeIndex index = 0; index < members_.size(); ++index) out += (out.empty() ? "" : "; ") + words(index);
  return out;
}

std::string Progress::missing() const {
  std::string out;
  const auto add = [&](const std::string& more) { out += (out.empty() ? "" : "; ") + more; };
  for (std::uint32_t i = 0; i < leases_.size(); ++i)
    if (anybody_up(i) && !moves(leases_[i], last_fault_)) add(words(leases_[i]));
  for (NodeIndex index = 0; index < members_.size(); ++index) {
    const Member& who = members_[index];
    if (up(index) && (who.heard <= last_fault_ || !moves(leases_[who.mutex], last_fault_))) add(words(index));
  }
  return fmt::format("nothing disturbed since {}, and within {} s not all got on: {}", at(last_fault_),
                     format_seconds(budget()), out);
}

}  // namespace leasescope
