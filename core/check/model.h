// What a lock may do, as a sequential model: a state, and which call may take effect in it and what it leaves.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/check/call.h"
#include "core/check/model_kind.h"

namespace leasescope::check {

struct Share {
  Name client;
  std::uint32_t count = 0;
  friend bool operator==(const Share&, const Share&) = default;
};

// Of one lock. What a model does not use stays as it is.
struct State {
  Name owner;                 // of a mutex without owners: unused
  std::uint32_t count = 0;    // how often it is held
  Token fence = kNoToken;     // of the present owner, 0 = unknown
  std::vector<Share> shares;  // permits and readers by client, sorted by name handle
  // Of these the lower can do all that the higher can:
  Token highest = kNoToken;   // fence seen so far
  std::int64_t deadline = 0;  // ns, of a lease
  std::int64_t now = 0;       // ns, when the last call took effect at the earliest; of a lease

  friend bool operator==(const State&, const State&) = default;
};

// The call takes effect: true, and `state` is the one after. Else false, and it is untouched.
bool step(const Model& model, State& state, const Call& call);
// Why it cannot, in words: "c1 holds it", "nobody holds it", "fence 4 is not above 5".
std::string why_not(const Model& model, const State& state, const Call& call, const NameTable& names);

// The two differ in nothing but what is ordered, ...
bool alike(const State& a, const State& b);
// ... and of that `a` has the lower everywhere.
bool no_worse(const State& a, const State& b);
std::uint64_t hash(const State& state);

// To whom the lock is given matters to his own calls alone.
bool owned_by_client(ModelKind kind);
// Whether it can make a difference to `after` that `before` took effect just before it, and not just after it.
bool matters(ModelKind kind, const Call& before, const Call& after);

std::string_view text(ModelKind kind);   // "reentrant-fenced"
std::string_view about(ModelKind kind);  // one line for the help
std::vector<std::string> model_words();
std::optional<ModelKind> model_of(std::string_view word);

// Why the model cannot judge these calls, by which of them that shows, and which model can; nothing where it can.
std::optional<ReadError> misfit(const Model& model, const Calls& calls);

}  // namespace leasescope::check
