// Judges a history of calls by a model, lock by lock.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/check/search.h"

namespace leasescope::check {

enum class Verdict : std::uint8_t { kOk, kIllegal, kUndecided };

struct LockVerdict {
  Name mutex;
  Verdict verdict = Verdict::kOk;
  std::size_t calls = 0;    // that took effect or may have
  std::size_t unknown = 0;  // of those
  bool sorted = false;      // by the fast path alone
  // Illegal: the call at whose return no order is left, as a place in Calls::calls.
  std::optional<std::size_t> stuck;
  // Illegal: the shortest sub-history that offends, as places in Calls::calls, in the order of their returns. It is
  // illegal whatever became of all other calls.
  std::vector<std::size_t> offence;
  bool shortest = false;  // it is shown that there is no shorter one; else time was up
  std::string why;        // of its last call: "c1 holds it"
};

struct Judgement {
  Verdict verdict = Verdict::kOk;  // illegal if one lock is, else undecided if one is
  std::vector<LockVerdict> locks;  // by name
};

// An offence takes longer than the verdict.
enum class Wanted : std::uint8_t { kVerdict, kOffence };

// The model must fit: misfit() of model.h. `out_of_time` may be empty.
Judgement judge(const Model& model, const Calls& calls, const OutOfTime& out_of_time, Wanted wanted = Wanted::kOffence);

std::string_view text(Verdict verdict);  // "ok", "illegal", "undecided"

}  // namespace leasescope::check
