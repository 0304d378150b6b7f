#include "core/check/model.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/time/duration_text.h"

namespace leasescope::check {
namespace {

// ---- one lock with one owner at a time: mutex, owner-aware, reentrant, fenced, reentrant-fenced

bool has_owner(ModelKind kind) { return kind != ModelKind::kMutex; }
bool has_fence(ModelKind kind) { return kind == ModelKind::kFenced || kind == ModelKind::kReentrantFenced; }

std::uint32_t entries(const Model& model) {
  const bool again = model.kind == ModelKind::kReentrant || model.kind == ModelKind::kReentrantFenced;
  return again ? model.n : 1;
}

bool holds(const Model& model, const State& state, const Call& call) {
  return state.count > 0 && (!has_owner(model.kind) || state.owner == call.client);
}

// A new owner's fence is unknown or above all before; one who enters again is told the same, or the first that is known
// of this hold.
bool fence_fits(const State& state, Token fence) {
  if (fence == kNoToken) return true;
  if (state.count > 0 && state.fence != kNoToken) return fence == state.fence;
  return fence > state.highest;
}

bool enter(const Model& model, State& state, const Call& call) {
  const bool free = state.count == 0;
  if (!free && !(holds(model, state, call) && state.count < entries(model))) return false;
  if (has_fence(model.kind)) {
    if (!fence_fits(state, call.fence)) return false;
    if (call.fence != kNoToken) state.fence = state.highest = call.fence;
  }
  if (has_owner(model.kind)) state.owner = call.client;
  ++state.count;
  return true;
}

bool leave(const Model& model, State& state, const Call& call) {
  if (!holds(model, state, call)) return false;
  state.count = call.f == Operation::kExpire ? 0 : state.count - 1;
  if (state.count == 0) {
    state.owner = {};
    state.fence = kNoToken;
  }
  return true;
}

bool step_owned(const Model& model, State& state, const Call& call) {
  if (takes(call.f)) return enter(model, state, call);
  if (frees(call.f)) return leave(model, state, call);
  return holds(model, state, call);
}

// ---- shares: permits of a semaphore, readers

std::uint64_t total(const State& state) {
  std::uint64_t sum = 0;
  for (const Share& share : state.shares) sum += share.count;
  return sum;
}

std::vector<Share>::iterator place_of(State& state, Name client) {
  return std::find_if(state.shares.begin(), state.shares.end(),
                      [&](const Share& share) { return share.client.handle >= client.handle; });
}

std::uint32_t share_of(const State& state, Name client) {
  for (const Share& share : state.shares)
    if (share.client == client) return share.count;
  return 0;
}

void add_share(State& state, Name client, std::uint32_t count) {
  const auto at = place_of(state, client);
  if (at != state.shares.end() && at->client == client)
    at->count += count;
  else
    state.shares.insert(at, {client, count});
}

bool take_share(State& state, Name client, std::uint32_t count) {
  const auto at = place_of(state, client);
  if (at == state.shares.end() || at->client != client || at->count < count) return false;
  at->count -= count;
  if (at->count == 0) state.shares.erase(at);
  return true;
}

bool step_semaphore(const Model& model, State& state, const Call& call) {
  const std::uint32_t held = share_of(state, call.client);
  if (call.f == Operation::kRenew) return held > 0;
  if (frees(call.f)) return take_share(state, call.client, call.permits);
  if (total(state) + call.permits > model.n) return false;
  add_share(state, call.client, call.permits);
  return true;
}

bool step_read_write(State& state, const Call& call) {
  const bool writes = state.count > 0 && state.owner == call.client;
  const std::uint32_t reads = share_of(state, call.client);
  switch (call.f) {
    case Operation::kReadLock:
      if (state.count > 0) return false;
      add_share(state, call.client, 1);
      return true;
    case Operation::kReadUnlock:
      return take_share(state, call.client, 1);
    case Operation::kWriteLock:
      if (state.count > 0 || !state.shares.empty()) return false;
      state.owner = call.client;
      state.count = 1;
      return true;
    case Operation::kRenew:
      return writes || reads > 0;
    case Operation::kExpire:
      if (reads > 0) return take_share(state, call.client, 1);
      [[fallthrough]];
    default:  // write_unlock
      if (!writes) return false;
      state.owner = {};
      state.count = 0;
      return true;
  }
}

// ---- a lease: its end is nobody's call, and comes at its deadline or later

// When the call takes effect at the earliest. Moments only ever wait for others, so that the earliest of each is best
// for all that follow.
std::int64_t earliest(const Model& model, const State& state, const Call& call) {
  std::int64_t at = std::max(call.called.ns, state.now);
  const bool another = takes(call.f) && state.owner != call.client;
  const bool ends = state.count > 0 && (another || call.f == Operation::kExpire);
  if (ends) at = std::max(at, shifted(state.deadline, -model.eps));
  return at;
}

bool step_lease(const Model& model, State& state, const Call& call) {
  const bool own = state.count > 0 && state.owner == call.client;
  if (!takes(call.f) && !own) return false;
  const std::int64_t at = earliest(model, state, call);
  if (at > call.returned.ns) return false;
  state.now = at;
  state.count = frees(call.f) ? 0 : 1;
  state.owner = state.count == 0 ? Name{} : call.client;
  state.deadline = state.count == 0 ? 0 : call.deadline ? *call.deadline : shifted(at, call.ttl.value_or(0));
  return true;
}

// ---- words

std::string_view said(std::string_view name) { return name.empty() ? "somebody" : name; }

std::string moment_text(std::int64_t ns) { return format_seconds(Duration(ns)) + " s"; }

std::string why_not_lease(const Model& model, const State& state, const Call& call, const NameTable& names) {
  const auto owner = said(names.text(state.owner));
  if (!takes(call.f) && state.count == 0) return "nobody holds it";
  if (!takes(call.f) && state.owner != call.client) return fmt::format("{} holds it", owner);
  if (state.count > 0 && earliest(model, state, call) > std::max(call.called.ns, state.now))
    return fmt::format("the lease of {} lasts until {}{}", owner, moment_text(state.deadline),
                       model.eps == 0 ? std::string() : " less " + format_duration(Duration(model.eps)));
  return fmt::format("what was before it took effect at {} at the earliest", moment_text(state.now));
}

std::string why_not_shares(const Model& model, const State& state, const Call& call, const NameTable& names) {
  if (!takes(call.f)) return fmt::format("{} holds {}", said(names.text(call.client)), share_of(state, call.client));
  if (state.count > 0) return fmt::format("{} writes", said(names.text(state.owner)));
  std::string who;
  for (const Share& share : state.shares) who += fmt::format("{}{}", who.empty() ? "" : ", ", names.text(share.client));
  if (model.kind == ModelKind::kReadWrite) return fmt::format("{} read", who);
  return fmt::format("{} of {} permits are out, to {}", total(state), model.n, who.empty() ? "nobody" : who);
}

// ---- the table

struct Row {
  std::string_view word;
  std::string_view about;
  bool (*step)(const Model& model, State& state, const Call& call);
};

constexpr std::array<Row, kModels> kRows{{
    {"mutex", "held or free; anybody may free it", step_owned},
    {"owner-aware", "only its owner frees it", step_owned},
    {"reentrant", "its owner may lock it up to --n times, and frees it as often", step_owned},
    {"fenced", "owner-aware; a new owner's fence is unknown, or above all before", step_owned},
    {"reentrant-fenced", "both; who enters again has the fence of his hold", step_owned},
    {"semaphore", "--n permits; nobody gives back more than he has", step_semaphore},
    {"read-write", "one writer, or any number of readers",
     [](const Model&, State& state, const Call& call) { return step_read_write(state, call); }},
    {"lease", "a mutex that frees itself, but not before its deadline less --eps", step_lease},
}};

const Row& row(ModelKind kind) { return kRows[static_cast<std::size_t>(kind)]; }

// ---- what fits

bool belongs(ModelKind kind, Operation f) {
  const bool reads_or_writes = f == Operation::kReadLock || f == Operation::kReadUnlock || f == Operation::kWriteLock ||
                               f == Operation::kWriteUnlock;
  const bool store = f == Operation::kExpire || f == Operation::kRenew;
  if (kind == ModelKind::kReadWrite) return reads_or_writes || store;
  if (kind == ModelKind::kSemaphore) return f == Operation::kAcquire || f == Operation::kRelease || store;
  return !reads_or_writes;
}

std::string_view model_for(Operation f) {
  const bool permits = f == Operation::kAcquire || f == Operation::kRelease;
  return permits                             ? "semaphore"
         : !belongs(ModelKind::kMutex, f)    ? "read-write"
         : belongs(ModelKind::kReadWrite, f) ? "lease"
                                             : "mutex";
}

std::string misfit_of(const Model& model, const Call& call, const Calls& calls) {
  const auto whose = [&] {
    return fmt::format("the call {} of {} at {} ns", text(call.f), said(calls.text(call.process)), call.called.ns);
  };
  if (!belongs(model.kind, call.f))
    return fmt::format("{} is none that the model {} knows: try --model {}", whose(), text(model.kind),
                       model_for(call.f));
  if (model.kind == ModelKind::kLease && (takes(call.f) || call.f == Operation::kRenew) && !call.ttl && !call.deadline)
    return fmt::format("{} has neither \"ttl\" nor \"deadline\": expected one of them, or --model owner-aware",
                       whose());
  if (model.kind != ModelKind::kSemaphore && call.permits != 1)
    return fmt::format("{} asks for {} permits: try --model semaphore --n N", whose(), call.permits);
  return {};
}

}  // namespace

bool step(const Model& model, State& state, const Call& call) { return row(model.kind).step(model, state, call); }

std::string why_not(const Model& model, const State& state, const Call& call, const NameTable& names) {
  if (model.kind == ModelKind::kLease) return why_not_lease(model, state, call, names);
  if (model.kind == ModelKind::kSemaphore || model.kind == ModelKind::kReadWrite)
    return why_not_shares(model, state, call, names);
  if (!takes(call.f) && state.count == 0) return "nobody holds it";
  if (!holds(model, state, call) && state.count > 0)
    return has_owner(model.kind) ? fmt::format("{} holds it", said(names.text(state.owner))) : "it is held";
  if (state.count >= entries(model))
    return entries(model) == 1 ? "it is held already" : fmt::format("it is held {} times already", state.count);
  if (state.count > 0 && state.fence != kNoToken)
    return fmt::format("fence {} is not the {} of this hold", call.fence, state.fence);
  return fmt::format("fence {} is not above {}", call.fence, state.highest);
}

bool alike(const State& a, const State& b) {
  return a.owner == b.owner && a.count == b.count && a.fence == b.fence && a.shares == b.shares;
}

bool no_worse(const State& a, const State& b) {
  return a.highest <= b.highest && a.deadline <= b.deadline && a.now <= b.now;
}

std::uint64_t hash(const State& state) {
  std::uint64_t out = state.owner.handle * 0x9E3779B97F4A7C15ULL + state.count;
  const auto mix = [&](std::uint64_t value) { out = (out ^ (out >> 29) ^ value) * 0xBF58476D1CE4E5B9ULL; };
  mix(state.fence);
  for (const Share& share : state.shares) mix((std::uint64_t{share.client.handle} << 32) | share.count);
  return out ^ (out >> 32);
}

bool owned_by_client(ModelKind kind) { return kind != ModelKind::kMutex && kind != ModelKind::kLease; }

// Of two clients, only what one frees is of use to the other, who takes it. A reader keeps no reader out.
bool matters(ModelKind kind, const Call& before, const Call& after) {
  if (!owned_by_client(kind) || before.client == after.client) return true;
  const bool readers = before.f == Operation::kReadUnlock && after.f == Operation::kReadLock;
  return frees(before.f) && takes(after.f) && !readers;
}

std::string_view text(ModelKind kind) { return row(kind).word; }
std::string_view about(ModelKind kind) { return row(kind).about; }

std::vector<std::string> model_words() {
  std::vector<std::string> out;
  out.reserve(kRows.size());
  for (const Row& one : kRows) out.emplace_back(one.word);
  return out;
}

std::optional<ModelKind> model_of(std::string_view word) {
  for (int i = 0; i < kModels; ++i)
    if (text(static_cast<ModelKind>(i)) == word) return static_cast<ModelKind>(i);
  return std::nullopt;
}

std::optional<ReadError> misfit(const Model& model, const Calls& calls) {
  const Call* first = nullptr;
  const Call* first_take = nullptr;
  bool fenced = false;
  for (const Call& call : calls.calls) {
    if (call.ending == Ending::kFailed) continue;
    if (first == nullptr) first = &call;
    if (first_take == nullptr && takes(call.f)) first_take = &call;
    fenced = fenced || (takes(call.f) && call.fence != kNoToken);
    if (std::string problem = misfit_of(model, call, calls); !problem.empty())
      return ReadError{call.written, std::move(problem)};
  }
  if (first == nullptr) return ReadError{{}, "there is no call that took effect or may have: nothing to judge"};
  if (!has_fence(model.kind) || fenced) return std::nullopt;
  return ReadError{(first_take != nullptr ? first_take : first)->written,
                   fmt::format("no lock call was told a fence, which the model {} judges: try --model {}",
                               text(model.kind), model.kind == ModelKind::kFenced ? "owner-aware" : "reentrant")};
}

}  // namespace leasescope::check
