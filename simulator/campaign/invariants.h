// What must hold in a run whatever befalls it, and what excuses it: a fault that takes it away by its nature and has
// fired before.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/history/checkers.h"
#include "simulator/fault/kind.h"
#include "simulator/run/legality.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

// From the worst on; a run is said to fail by the first that applies.
enum class Failure : std::uint8_t {
  kStaleWriteAccepted,  // by a resource that fences
  kDoubleGrant,
  kFenceRegression,
  kIllegal,             // what applications were told, or stores granted, the model of the system does not allow
  kUnexplainedOverlap,  // two believed at once, though nothing held one of them up
  kNoProgress,          // after the faults have ended
  kLostUndisturbed,     // an owner that nothing disturbed lost what it held
  kStorm,               // so much happens that the run would never end
  kNotAsExpected,       // the scenario's declared outcome did not happen
};
inline constexpr int kFailures = 9;
std::string_view text(Failure failure);   // "double_grant"
std::string_view about(Failure failure);  // "the store granted one mutex twice"

// An accepted stale write and a lost fence take a fault that may break the fence; a double grant and an illegal
// history one that may break the grant or more; an overlap any of these, or one that may hold its contender up: what
// lasts, if it hit one of the two and had not been over for longer than a lease. The others are excused by nothing. A
// second contender of one id excuses only overlaps of these two. Beside that, an overlap after a release that came late
// takes a fault that lets packets of whom it hit overtake each other, and a behaviour of his whose release names no
// term.
bool excuses(const Scenario& scenario, const FaultKind& kind, Failure failure);

struct Broken {
  Failure failure = Failure::kDoubleGrant;
  TrueTime at{};
  std::string reason;
  int excused_by = -1;  // index of the kind of fault that excuses it: of those, the last that began before
};

// Collects what was broken, from the events of a run as they are appended.
class Invariants {
 public:
  Invariants(const Scenario& scenario, const NameTable& names);

  void append(const Event& event);
  // Of the incidents that the checkers found, of the writes seen, and of the calls. The checkers must have been
  // finished.
  std::vector<Broken> broken(const Checkers& checkers, const LegalVerdict& legal = {}) const;

  // How often each kind of fault has begun, by its index.
  const std::vector<std::uint32_t>& firings() const { return firings_; }

 private:
  struct Began {
    TrueTime at{};
    int kind = 0;
    Name whom;
    Name as;               // under whose id `whom` came back
    std::int64_t row = 0;  // in the plan
    TrueTime until{};      // max() while it lasts
  };

  // It named no term, and ended one that its sender had been granted since; he goes on believing until he is told.
  struct LateRelease {
    Name whose;
    Name mutex;
    TrueTime at{};
    TrueTime until = TrueTime::max();
  };

  void on_accepted(Event write);
  void on_fault_began(const Event& event);
  void on_fault_ended(const Event& event);
  Name name_of(std::string_view text) const;
  void note_old_releases(const Scenario& scenario);
  int excuse(Failure failure, const Incident* incident, TrueTime at) const;
  // Whether it still disturbed one of them, or the store, when their overlap began.
  bool reaches(const Began& fault, const Incident& overlap) const;
  bool made_a_release_late(const Began& fault, const Incident& overlap) const;
  static bool may_overtake(int kind) { return all_fault_kinds()[static_cast<std::size_t>(kind)].may_overtake; }

  bool excuses(int kind, Failure failure) const {
    return excuses_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(failure)];
  }

  const NameTable* names_;
  Duration lease_;
  std::vector<std::array<bool, kFailures>> excuses_;  // by kind of fault
  std::vector<Name> as_;                              // by row of the plan: the id that it gives
  std::vector<bool> old_release_;                     // by name handle: a contender whose release names no term
  std::vector<bool> fences_;                          // by name handle: a resource that does
  std::size_t permits_;         // that one mutex has: permit i has the tokens that leave i when divided by it
  std::vector<Token> highest_;  // by name handle and permit: what a resource has accepted
  std::vector<Began> began_;    // faults that may break something
  Sequence appended_ = 0;
  std::vector<Sequence> started_;  // by name handle: when last
  std::vector<LateRelease> late_releases_;
  std::vector<Event> stale_;  // writes that such a resource accepted
  std::vector<std::uint32_t> firings_;
};

}  // namespace leasescope
