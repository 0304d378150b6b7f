#include "core/check/check.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "core/base/expect.h"
#include "core/check/fast_path.h"
#include "core/check/offence.h"

namespace leasescope::check {
namespace {

// Why that op cannot take effect, after an order of what had returned before it; what had not may be in it.
std::string why(const Model& model, const Calls& calls, const std::vector<Op>& ops, std::uint32_t stuck,
                const OutOfTime& out_of_time) {
  std::vector<Op> before;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    if (i == stuck || ops[stuck].returned < ops[i].called) continue;
    before.push_back(ops[i]);
    if (ops[i].returned < ops[stuck].returned) continue;
    before.back().must = false;
    before.back().returned = kNever;
  }
  State state;
  for (const std::uint32_t op : search(model, before, out_of_time).order) step(model, state, *before[op].call);
  const State reached = state;
  if (!step(model, state, *ops[stuck].call)) return why_not(model, reached, *ops[stuck].call, calls.names);
  return "what had returned before does not allow it";
}

void blame(const Model& model, const Calls& calls, const std::vector<Op>& ops, const std::vector<std::size_t>& places,
           std::uint32_t stuck, const OutOfTime& out_of_time, LockVerdict& verdict) {
  const Offence offence = shortest_offence(model, ops, stuck, out_of_time);
  verdict.shortest = offence.shortest;
  for (const std::uint32_t op : offence.ops) verdict.offence.push_back(places[op]);
  verdict.why = why(model, calls, ops, stuck, out_of_time);
}

LockVerdict judge_lock(const Model& model, const Calls& calls, Name mutex, const std::vector<std::size_t>& places,
                       const OutOfTime& out_of_time, Wanted wanted) {
  LockVerdict out{mutex, Verdict::kOk, places.size()};
  std::vector<Op> ops;
  for (const std::size_t place : places) {
    const Call& call = calls.calls[place];
    const bool known = call.ending == Ending::kOk;
    out.unknown += known ? 0U : 1U;
    ops.push_back({&call, call.called, known ? call.returned : kNever, known});
  }
  const std::optional<bool> fast = fast_path(model, ops);
  out.sorted = fast.has_value();
  if (fast == true) return out;
  const Searched searched = search(model, ops, out_of_time);
  expect(!fast || searched.found != Searched::kLegal, "sorting and searching come to different verdicts");
  if (searched.found == Searched::kIllegal) {
    out.verdict = Verdict::kIllegal;
    out.stuck = places[searched.stuck];
    if (wanted == Wanted::kOffence) blame(model, calls, ops, places, searched.stuck, out_of_time, out);
  } else if (searched.found == Searched::kOutOfTime) {
    out.verdict = fast ? Verdict::kIllegal : Verdict::kUndecided;
  }
  return out;
}

}  // namespace

Judgement judge(const Model& model, const Calls& calls, const OutOfTime& out_of_time, Wanted wanted) {
  std::map<std::string_view, std::pair<Name, std::vector<std::size_t>>> by_lock;
  for (std::size_t i = 0; i < calls.calls.size(); ++i) {
    const Call& call = calls.calls[i];
    if (call.ending == Ending::kFailed) continue;  // it did nothing
    auto& [mutex, places] = by_lock[calls.text(call.mutex)];
    mutex = call.mutex;
    places.push_back(i);
  }
  Judgement out;
  for (const auto& [name, lock] : by_lock) {
    out.locks.push_back(judge_lock(model, calls, lock.first, lock.second, out_of_time, wanted));
    const Verdict verdict = out.locks.back().verdict;
    if (verdict == Verdict::kIllegal || out.verdict == Verdict::kOk) out.verdict = verdict;
  }
  return out;
}

std::string_view text(Verdict verdict) {
  static constexpr std::array<std::string_view, 3> kTexts{"ok", "illegal", "undecided"};
  return kTexts[static_cast<std::size_t>(verdict)];
}

}  // namespace leasescope::check
