#include "simulator/model/cas/register_model.h"

#include <algorithm>

namespace leasescope {

RegisterModel::RegisterModel(const ModelSetting& setting)
    : ttl_(setting.ttl), registers_(setting.mutexes.size()), subscribers_(setting.mutexes.size()) {}

RegisterModel::Register& RegisterModel::at(std::uint32_t mutex, std::uint8_t cell) {
  std::vector<Register>& of = registers_[mutex];
  if (of.size() <= cell) of.resize(std::size_t{cell} + 1);
  return of[cell];
}

bool RegisterModel::take(const ServerCall& call, ServerNow now, ServerSteps& out) {
  const Request& request = call.request;
  const bool reads = request.kind == RequestKind::kRead;
  if ((!reads && request.kind != RequestKind::kCompareAndSet) || request.cell.cell >= kMostCells) {
    out.answer(call).reply.ending = Ending::kFailed;  // of another family
    return true;
  }
  const std::uint32_t tag = call.mutex * kMostCells + request.cell.cell;
  Register& of = at(call.mutex, request.cell.cell);
  wake(tag, now, out);  // a lease that has run out is over before anything looks at it
  const bool sets = !reads && request.cell.version == of.version;
  if (sets && begins_anew(of, request)) end_former(of, call, out);
  ServerStep& step = out.answer(call);
  step.tag = tag;
  if (sets) set(of, request, now, step);
  tell(of, request.cell, now, step.reply);
  return true;
}

TrueTime RegisterModel::deadline(std::uint32_t tag, const SkewedClock<ServerTime>& clock) const {
  const std::vector<Register>& all = registers_[tag / kMostCells];
  const std::uint32_t cell = tag % kMostCells;
  if (cell >= all.size() || !all[cell].promised) return TrueTime::max();
  const Register& of = all[cell];
  return of.by == Stamp::kServer ? clock.when(ServerTime(of.stamp)) : of.promised_until;
}

// The register stays as it is: whoever looks judges it for himself.
void RegisterModel::wake(std::uint32_t tag, ServerNow now, ServerSteps& out) {
  const std::uint32_t mutex = tag / kMostCells;
  std::vector<Register>& all = registers_[mutex];
  if (tag % kMostCells >= all.size()) return;
  Register& of = all[tag % kMostCells];
  if (!of.promised || !of.over(now)) return;
  of.promised = false;
  ServerStep& step = out.add(mutex);
  step.tag = tag;
  step.fact = ServerStep::Fact::kExpired;
  step.owner = of.owner;
  step.token = of.token;
}

// Its owner gives up the rest of a term for a new one.
bool RegisterModel::begins_anew(const Register& of, const Request& request) {
  return of.promised && of.held() && of.owner == request.contender && request.cell.mode != CellMode::kFree &&
         of.token != request.cell.token;
}

void RegisterModel::end_former(const Register& of, const ServerCall& call, ServerSteps& out) {
  ServerStep& step = out.add(call.mutex);
  step.fact = ServerStep::Fact::kReleased;
  step.cause = call.cause;
  step.owner = of.owner;
  step.token = of.token;
}

Name RegisterModel::owner(std::uint32_t mutex) const {
  const std::vector<Register>& all = registers_[mutex];
  const auto found = std::find_if(all.begin(), all.end(), [](const Register& of) { return of.promised; });
  return found == all.end() ? Name{} : found->owner;
}

// ---- what stands there, and what it means

void RegisterModel::tell(const Register& of, const CellCall& asked, ServerNow now, Reply& reply) {
  reply.owner = of.owner;
  reply.token = of.token;
  reply.number = of.version;
  reply.answer = static_cast<std::uint8_t>(of.mode);
  reply.remaining = of.stamp;
  if (of.mode == CellMode::kFree || of.by != Stamp::kServer) return;
  const Duration left = of.stamp - now.clock.time_since_epoch();
  if (left <= Duration::zero()) reply.answer |= kLeaseOver;
  if (!asked.dated) reply.remaining = left;
}

void RegisterModel::set(Register& of, const Request& request, ServerNow now, ServerStep& out) const {
  const CellCall& call = request.cell;
  const Register before = of;
  ++of.version;
  of.mode = call.mode;
  of.by = call.by;
  of.owner = call.mode == CellMode::kFree ? Name{} : request.contender;
  of.token = call.token;
  of.stamp = call.by == Stamp::kServer ? now.clock.time_since_epoch() + call.stamp : call.stamp;
  of.promised_until = now.elapsed + ttl_;
  // As a clock that is right reads it; of one that is ahead nobody is promised more than a ttl.
  if (call.by == Stamp::kClient) of.promised_until = std::min(of.promised_until, TrueTime(call.stamp));
  of.promised = of.held();
  out.reply.done = true;

  const bool same_term = before.held() && before.owner == of.owner && before.token == of.token;
  out.owner = of.held() ? of.owner : before.owner;
  out.token = of.held() ? of.token : before.token;
  out.lease = std::max(Duration::zero(), Duration(of.promised_until - now.elapsed));
  if (of.held()) {
    out.fact = same_term ? ServerStep::Fact::kRenewed : ServerStep::Fact::kGranted;
    if (of.mode == CellMode::kShared) out.detail = static_cast<std::uint8_t>(GrantKind::kShared);
  } else if (before.promised) {
    // Somebody else has freed it, though its lease lasts.
    out.fact = before.owner == request.contender ? ServerStep::Fact::kReleased : ServerStep::Fact::kForgotten;
  }
}

}  // namespace leasescope
