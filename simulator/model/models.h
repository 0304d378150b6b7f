// The register of store models, one line each: what a scenario may say of it in a table of that name. These terms
// describe their keys (core/base/describe.h), and say
//
//   kName             its word in a scenario, "redis"
//   carries(family)   which calls it answers
//   most_entries()    if one holder may enter more than once: how often it may
//   kEndsWithServer   if so, whatever it has granted ends with its process
//   suffers(what)     if there are any: what else than a crash and a restart can happen to its state
//   wakes(mode)       likewise, of leases: how else than by broadcast a release wakes who waits
//   Model             what it does; declared here, and defined in a header that server_model.h includes
//
// A scenario is compiled with these alone, so that a model may change without all that reads one.
#pragma once
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "simulator/fault/port.h"
#include "simulator/model/advisory/backend_terms.h"
#include "simulator/model/cas/register_terms.h"
#include "simulator/model/cp/cp_terms.h"
#include "simulator/model/quorum/redlock_terms.h"
#include "simulator/model/store_terms.h"
#include "simulator/model/zookeeper/zookeeper_terms.h"

namespace leasescope {

using ModelTerms = std::tuple<  //
    RedisTerms,                 //
    SqlTerms,                   //
    CpTerms,                    //
    ZookeeperTerms,             //
    RegisterTerms,              //
    RedlockTerms,               //
    BackendTerms                //
    >;

template <class List>
struct OfModels;
template <class... Terms>
struct OfModels<std::tuple<Terms...>> {
  template <class Visit>
  static void each(Visit visit) {
    (visit(std::type_identity<Terms>()), ...);
  }
};

// visit(std::type_identity<Terms>()) for each.
template <class Visit>
void each_model(Visit visit) {
  OfModels<ModelTerms>::each(visit);
}

// Those that answer calls of that family, the first of which is what a scenario means that says nothing.
inline std::vector<std::string_view> models_for(Family family) {
  std::vector<std::string_view> names;
  each_model([&]<class Terms>(std::type_identity<Terms>) {
    if (Terms::carries(family)) names.push_back(Terms::kName);
  });
  return names;
}

// Those whose release can wake who waits so.
inline std::vector<std::string_view> models_that_wake(WakeUp mode) {
  std::vector<std::string_view> names;
  each_model([&]<class Terms>(std::type_identity<Terms>) {
    if constexpr (requires { Terms::wakes(mode); }) {
      if (Terms::wakes(mode)) names.push_back(Terms::kName);
    }
  });
  return names;
}

// Those to whose state that can happen: whom a fault that does so may hit.
inline std::vector<std::string_view> models_that_suffer(Disturbance what) {
  std::vector<std::string_view> names;
  each_model([&]<class Terms>(std::type_identity<Terms>) {
    if constexpr (requires { Terms::suffers(what); })
      if (Terms::suffers(what)) names.push_back(Terms::kName);
  });
  return names;
}

}  // namespace leasescope
