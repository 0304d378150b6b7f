// Whether a run's calls on its mutexes are legal: an order of them exists that the model of their system allows.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/check/check.h"
#include "core/check/run_calls.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

// The one that the mutex's system names, with the scenario's numbers.
check::Model fitting_model(const Scenario& scenario);

struct LegalVerdict {
  check::Model model;
  std::uint64_t calls = 0;
  std::uint64_t illegal = 0;         // mutexes
  std::uint64_t undecided = 0;       // likewise: it would take longer
  TrueTime since = TrueTime::max();  // illegal: when the first of the calls ended at whose return no order is left
  std::string reason;                // of that one
  bool excused = false;              // a fault had begun before after which calls may be answered so
  bool too_many = false;             // calls to be kept: nothing is judged
};

// Takes the events of a run one by one. What the store of a lease granted has one order, so that it is judged as it
// comes and a long run takes no more memory. Of other systems the calls are kept; not those of a run that is too long.
// What is judged, and when it is given up, does not depend on the machine.
class Legality {
 public:
  explicit Legality(const Scenario& scenario);

  void append(const Event& event, const NameTable& names);
  LegalVerdict judge() const;

  static constexpr std::size_t kMostCalls = 1'000'000;

 private:
  void judge_grant(const Event& event, const NameTable& names);
  LegalVerdict judge_calls() const;

  check::Model model_;
  LegalVerdict grants_;                        // of leases, so far
  std::map<std::uint32_t, check::State> now_;  // likewise, by mutex; followed no further once it is illegal
  std::set<std::uint32_t> illegal_;
  std::vector<bool> may_mislead_;       // by kind of fault
  TrueTime excused_ = TrueTime::max();  // from then on
  check::RunCalls calls_;
  Sequence appended_ = 0;
};

}  // namespace leasescope
