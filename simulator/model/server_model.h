// The store models. A new one is a type of this variant, a line in make_model (engine/world_setup.cpp), and its terms
// in the scenario form (scenario/reader.cpp, scenario_text.cpp). A model is a value with these operations:
//
//   bool take(const ServerCall&, ServerNow, ServerSteps&)    a call arrives; false: it waits, and its answer comes with
//                                                            a later step. Of another family: the answer is kFailed.
//   TrueTime deadline(tag, const SkewedClock<ServerTime>&)   when it wants to be woken for a tag; max() = not at all.
//                                                            By the server's clock or by elapsed time, as it likes.
//   void wake(tag, ServerNow, ServerSteps&)                  earlier than that changes nothing
//   void disturb(Disturbance, ServerNow, ServerSteps&)
//   bool listen(const ServerCall&)                           a call for messages or for no more, as it is sent: whether
//                                                            the caller listens from now on
//   const Subscribers& subscribers()                         to whom its messages go
//   Name owner(mutex)                                        who holds, as its state says
//   void fetch(mutex)                                        a call for it comes next: a hint for the processor
//
// Tags are a model's own affair: those of Redis and SQL are their mutexes, sessions and elections can be others. Each
// step names the tag whose deadline it may have moved.
#pragma once
#include <variant>

#include "simulator/model/redis_model.h"
#include "simulator/model/sql_model.h"

namespace leasescope {

using ServerModel = std::variant<RedisModel, SqlModel>;

}  // namespace leasescope
