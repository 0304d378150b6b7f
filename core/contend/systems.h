// The register of lock systems, one line each: what a scenario may say of it in a table of that name. These terms
// describe their keys (core/base/describe.h), and say what else there is to know of the system, whose folder in core
// has the rest:
//
//   kSystem                  its word in a scenario, "simba"
//   kFamily                  what it asks its stores for
//   Plan                     what a scenario may say of each of its contenders; describes its keys likewise
//   Contender                what every contender is (README.md), and `make(setting, Terms, Plan)`; declared here, and
//                            defined in a header that any_contender.h includes
//   capacity()               if there may be more than one: so many may hold one mutex at once
//   server_count()           likewise: so many stores it talks to
//   model(entries)           which model its calls are judged by (core/check), where nobody enters more often than that
//   Plan::entries()          if an application may hold more than once: how often it does
//   wrong_lease(LeaseTerms)  if it has limits of its own: what is wrong with these, and the remedy; none: nothing
//   wrong_plan(Plan)         likewise, of a contender
//   advice()                 if there may be any: what whoever chose these should know; empty: nothing
//
// A scenario is compiled with these alone, so that a contender may change without all that reads one.
#pragma once
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/advisory/advisory_terms.h"
#include "core/cas/terms.h"
#include "core/fenced/fenced_terms.h"
#include "core/latch/latch_terms.h"
#include "core/quorum/terms.h"
#include "core/simba/simba_terms.h"

namespace leasescope {

using SystemTerms = std::tuple<  //
    SimbaTerms,                  // core/simba: leases with ttl, transition and jitter
    FencedTerms,                 // core/fenced: sessions, a queue, re-entry
    LatchTerms,                  // core/latch: the lowest of numbered nodes leads
    CasTerms,                    // core/cas: leases, permits and read-write locks by compare-and-set
    QuorumTerms,                 // core/quorum: several servers, of which a majority counts, and priorities
    AdvisoryTerms                // core/advisory: connections, a queue, re-entry
    >;

template <class List>
struct OfSystems;
template <class... Terms>
struct OfSystems<std::tuple<Terms...>> {
  using Contenders = std::tuple<typename Terms::Contender...>;
  using Plans = std::tuple<typename Terms::Plan...>;
  template <class Visit>
  static void each(Visit visit) {
    (visit(std::type_identity<Terms>()), ...);
  }
};
using SystemPlans = OfSystems<SystemTerms>::Plans;

// visit(std::type_identity<Terms>()) for each.
template <class Visit>
void each_system(Visit visit) {
  OfSystems<SystemTerms>::each(visit);
}

// Those of one name; nothing is visited where there is none.
template <class Visit>
void visit_system(std::string_view name, Visit visit) {
  each_system([&]<class Terms>(std::type_identity<Terms> of) {
    if (Terms::kSystem == name) visit(of);
  });
}

inline std::vector<std::string_view> system_names() {
  std::vector<std::string_view> names;
  each_system([&]<class Terms>(std::type_identity<Terms>) { names.push_back(Terms::kSystem); });
  return names;
}

}  // namespace leasescope
