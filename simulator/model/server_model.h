// The register of store models, one line each. A model is a value with these:
//
//   kName, carries(family)                                   its word in a scenario; which calls it answers
//   Terms                                                    what a scenario may say of it (core/base/describe.h)
//   make(ModelSetting, Terms)
//   bool take(const ServerCall&, ServerNow, ServerSteps&)    a call arrives; false: it waits, and its answer comes with
//                                                            a later step. Of another family: the answer is kFailed.
//   TrueTime deadline(tag, const SkewedClock<ServerTime>&)   when it wants to be woken for a tag; max() = not at all.
//                                                            By the server's clock or by elapsed time, as it likes.
//   void wake(tag, ServerNow, ServerSteps&)                  earlier than that changes nothing
//   kActs                                                    what it does then it does itself: not while its server is
//                                                            down or frozen, but afterwards. Else it is time that acts,
//                                                            as on keys that end
//   void disturb(Disturbance, ServerNow, ServerSteps&)
//   bool listen(const ServerCall&)                           a call for messages or for no more, as it is sent: whether
//                                                            the caller listens from now on
//   const Subscribers& subscribers()                         to whom its messages go
//   Name owner(mutex)                                        who holds, as its state says
//   void fetch(mutex)                                        a call for it comes next: a hint for the processor
//
// One of several servers, which count by majority (simulator/engine/majority.h), has beside these
//
//   const Entry* vote(mutex)                                 for which attempt of whom it is; null: of nobody
//   bool lies_beneath(mutex, acquisition)                    the lock was stolen from that attempt here
//
// Tags are a model's own affair: those of Redis and SQL are their mutexes, sessions and elections can be others. Each
// step names the tag whose deadline it may have moved.
#pragma once
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "simulator/model/cas/register_model.h"
#include "simulator/model/cp/cp_model.h"
#include "simulator/model/quorum/redlock_model.h"
#include "simulator/model/redis_model.h"
#include "simulator/model/sql_model.h"
#include "simulator/model/zookeeper/zookeeper_model.h"

namespace leasescope {

using Models = std::tuple<  //
    RedisModel,             //
    SqlModel,               //
    CpModel,                //
    ZookeeperModel,         //
    RegisterModel,          //
    RedlockModel            //
    >;

template <class List>
struct OfModels;
template <class... Model>
struct OfModels<std::tuple<Model...>> {
  using Any = std::variant<Model...>;
  using Terms = std::tuple<typename Model::Terms...>;
  template <class Visit>
  static void each(Visit visit) {
    (visit(std::type_identity<Model>()), ...);
  }
};
using ServerModel = OfModels<Models>::Any;
using ModelTerms = OfModels<Models>::Terms;

// visit(std::type_identity<Model>()) for each.
template <class Visit>
void each_model(Visit visit) {
  OfModels<Models>::each(visit);
}

// Those that answer calls of that family, the first of which is what a scenario means that says nothing.
inline std::vector<std::string_view> models_for(Family family) {
  std::vector<std::string_view> names;
  each_model([&]<class Model>(std::type_identity<Model>) {
    if (Model::carries(family)) names.push_back(Model::kName);
  });
  return names;
}

}  // namespace leasescope
