// A model of whichever store in the register (models.h): included by what runs servers alone. A model is a value with
// these:
//
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
// What the kernel of a contender says of its connections (World::probe, World::hang_up) are calls whose request bears
// no number, and which nobody waits for an answer to: kHeartbeat, the connection that was probed stands; kCloseSession,
// it does not, or (of no session) the process `thread` has ended that had the connection which request `uid` had
// opened.
//
// One of several servers, which count by majority (simulator/engine/majority.h), has beside these
//
//   const Entry* vote(mutex)                                 for which attempt of whom it is; null: of nobody
//   bool lies_beneath(mutex, acquisition)                    the lock was stolen from that attempt here
//
// Tags are a model's own affair: those of Redis and SQL are their mutexes, sessions and elections can be others. Each
// step names the tag whose deadline it may have moved.
#pragma once
#include <tuple>
#include <variant>

#include "simulator/model/advisory/backend_model.h"
#include "simulator/model/cas/register_model.h"
#include "simulator/model/cp/cp_model.h"
#include "simulator/model/models.h"
#include "simulator/model/quorum/redlock_model.h"
#include "simulator/model/redis_model.h"
#include "simulator/model/sql_model.h"
#include "simulator/model/zookeeper/zookeeper_model.h"

namespace leasescope {

template <class List>
struct ModelOf;
template <class... Terms>
struct ModelOf<std::tuple<Terms...>> {
  using type = std::variant<typename Terms::Model...>;
};
using ServerModel = ModelOf<ModelTerms>::type;

}  // namespace leasescope
