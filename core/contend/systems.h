// The register of lock systems, one line each: the type of its contenders, whose folder in core says the rest. Beside
// what every contender is (README.md) that type says
//
//   kSystem                  its word in a scenario, "simba"
//   kFamily                  what it asks its stores for
//   Terms, Plan              what a scenario may say of it in a table of that name, and of each of its contenders;
//                            both describe their keys (describe.h)
//   make(setting, Terms, Plan)
//   capacity(Terms)          so many may hold one mutex at once
//   servers(Terms)           so many stores it talks to
//   wrong_lease(LeaseTerms)  if it has limits of its own: what is wrong with these, and the remedy; none: nothing
//   wrong_plan(Plan)         likewise, of a contender
//   advice(Terms)            if there may be any: what whoever chose these should know; empty: nothing
#pragma once
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/cas/contender.h"
#include "core/fenced/fenced_contender.h"
#include "core/latch/latch_contender.h"
#include "core/quorum/contender.h"
#include "core/simba/contender.h"

namespace leasescope {

using Contenders = std::tuple<  //
    SimbaContender,             // core/simba: leases with ttl, transition and jitter
    FencedContender,            // core/fenced: sessions, a queue, re-entry
    LatchContender,             // core/latch: the lowest of numbered nodes leads
    CasContender,               // core/cas: leases, permits and read-write locks by compare-and-set
    QuorumContender             // core/quorum: several servers, of which a majority counts, and priorities
    >;

template <class List>
struct OfSystems;
template <class... Contender>
struct OfSystems<std::tuple<Contender...>> {
  using Any = std::variant<Contender...>;
  using Terms = std::tuple<typename Contender::Terms...>;
  using Plans = std::tuple<typename Contender::Plan...>;
  template <class Visit>
  static void each(Visit visit) {
    (visit(std::type_identity<Contender>()), ...);
  }
};
using AnyContender = OfSystems<Contenders>::Any;  // of whichever system
using SystemTerms = OfSystems<Contenders>::Terms;
using SystemPlans = OfSystems<Contenders>::Plans;

// visit(std::type_identity<Contender>()) for each.
template <class Visit>
void each_system(Visit visit) {
  OfSystems<Contenders>::each(visit);
}

// Those of one name; nothing is visited where there is none.
template <class Visit>
void visit_system(std::string_view name, Visit visit) {
  each_system([&]<class Contender>(std::type_identity<Contender> of) {
    if (Contender::kSystem == name) visit(of);
  });
}

inline std::vector<std::string_view> system_names() {
  std::vector<std::string_view> names;
  each_system([&]<class Contender>(std::type_identity<Contender>) { names.push_back(Contender::kSystem); });
  return names;
}

}  // namespace leasescope
