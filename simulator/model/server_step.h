// What a server model is handed and what comes of it: plain data between the models and the world.
#pragma once
#include <vector>

#include "core/base/random_stream.h"
#include "core/history/event.h"
#include "core/store/port.h"
#include "core/time/skewed_clock.h"
#include "simulator/fault/port.h"

namespace leasescope {

// What a model is made of beside its own terms.
struct ModelSetting {
  std::vector<Name> mutexes;
  Duration ttl{};                    // of a lease, or of a session
  std::uint32_t capacity = 1;        // so many may hold one mutex
  std::vector<std::uint32_t> ranks;  // by handle, the order of the contenders' ids as texts; empty: nobody needs it
  std::uint8_t place = 0;            // which of several servers
  RandomStream draws;                // of its own
};

// The moment a server acts at: what its clock shows, for leases, and how time passes, for waits, lags and sessions.
struct ServerNow {
  ServerTime clock;
  TrueTime elapsed;
};

// A request as it reached the server, with what the world needs to bring the answer home.
struct ServerCall {
  Request request;
  NodeIndex node = 0;       // the sender
  std::uint32_t life = 0;   // of the sender's process
  std::uint32_t mutex = 0;  // its place in the world
  std::uint32_t cause = 0;  // the event that led to it
};

// One thing that happened at the server: a fact for the history, then perhaps an answer, then perhaps a message.
struct ServerStep {
  enum class Fact : std::uint8_t {
    kNothing,
    kGranted,
    kRenewed,
    kReleased,
    kReleaseRefused,  // it named another term of its caller than the one that holds
    kExpired,
    kForgotten,  // the lease lasts, but the server knows no more of it
    kRestored,   // what it had known earlier is its state again: that owner holds
    kOther,      // as `kind`, `detail`, `a` and `b` say
    kProbe,      // none: the kernel of `node` is asked whether the connection stands that its process of `life` opened
             // by request `reply.request`; its answer is a call with `reply.number` for its session (server_model.h)
  };

  Fact fact = Fact::kNothing;
  bool replies = false;
  bool publishes = false;
  std::uint32_t mutex = 0;
  std::uint32_t tag = 0;  // whose deadline may be another one now
  Name owner;             // whom the fact is about
  Token token = kNoToken;
  Duration lease{};                     // granted, renewed, restored: the lease promised
  NodeIndex node = 0;                   // whose call led to it; the answer goes there
  std::uint32_t life = 0;               // of that node's process
  std::uint32_t cause = 0;              // the event that led to it
  EventKind kind = EventKind::kQueued;  // kOther
  std::uint8_t detail = 0;              // kOther; granted: a GrantKind
  std::int64_t a = 0;                   // kOther
  std::int64_t b = 0;                   // kOther; granted: permits
  std::uint64_t acquisition = 0;        // kOther, a vote of a quorum: for which attempt
  Reply reply;
  StoreEvent message;
  Name channel;  // publishes: of that contender alone; empty: of the mutex
};

// A release that names another term of its caller frees nothing.
inline void refuse_release(const Request& request, ServerStep& out) {
  out.fact = ServerStep::Fact::kReleaseRefused;
  out.owner = request.contender;
  out.token = request.lease.term;
}

// What one call or wake came to, in order; its memory is used again.
class ServerSteps {
 public:
  // A step that says nothing yet. Not zeroed as a whole: this is hot.
  ServerStep& add(std::uint32_t mutex) {
    if (size_ == steps_.size()) steps_.emplace_back();
    ServerStep& step = steps_[size_++];
    step.fact = ServerStep::Fact::kNothing;
    step.replies = step.publishes = false;
    step.mutex = step.tag = mutex;
    step.cause = 0;
    step.detail = 0;
    step.b = 0;
    step.channel = Name{};
    return step;
  }
  // With an answer to the call, as yet an empty one.
  ServerStep& answer(const ServerCall& call) {
    ServerStep& step = add(call.mutex);
    step.replies = true;
    step.node = call.node;
    step.life = call.life;
    step.cause = call.cause;
    step.reply.begin(call.request);
    return step;
  }
  void clear() { size_ = 0; }
  bool empty() const { return size_ == 0; }
  ServerStep* begin() { return steps_.data(); }
  ServerStep* end() { return steps_.data() + size_; }
  const ServerStep* begin() const { return steps_.data(); }
  const ServerStep* end() const { return steps_.data() + size_; }

 private:
  std::vector<ServerStep> steps_;
  std::size_t size_ = 0;
};

}  // namespace leasescope
