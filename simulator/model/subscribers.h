// Who asked a server for the messages of a mutex: a connection's affair, which begins and ends as it is asked for.
#pragma once
#include <algorithm>
#include <vector>

#include "core/base/name.h"
#include "simulator/model/server_step.h"

namespace leasescope {

struct Subscriber {
  NodeIndex node = 0;
  Name own_channel;     // beside the mutex's, under its id; empty: none
  bool listens = true;  // who has left keeps its place: many may leave at once

  // A message on that channel; empty: on the mutex's.
  bool hears(Name channel) const { return listens && (channel.empty() || channel == own_channel); }
};

class Subscribers {
 public:
  Subscribers() = default;
  explicit Subscribers(std::size_t mutexes) : by_mutex_(mutexes) {}

  // A call for messages, or for no more of them: whether it listens from now on. The older generations, and those
  // that wait in a line, listen under their own id as well.
  bool take(const ServerCall& call) {
    const LeaseCall& lease = call.request.lease;
    const bool alone = lease.wire == Wire::kTokenless || lease.wake_up != WakeUp::kBroadcast;
    return take(call, alone ? call.request.contender : Name{});
  }
  // `own_channel`: beside the mutex's.
  bool take(const ServerCall& call, Name own_channel) {
    const bool listens = call.request.kind == RequestKind::kSubscribe;
    if (listens) {
      add(call.mutex, {call.node, own_channel});
    } else {
      remove(call.mutex, call.node);
    }
    return listens;
  }
  void join(std::uint32_t mutex, Subscriber who) { add(mutex, who); }
  // In the order of the fleet.
  const std::vector<Subscriber>& of(std::uint32_t mutex) const { return by_mutex_[mutex]; }

 private:
  void add(std::uint32_t mutex, Subscriber who) {
    std::vector<Subscriber>& all = by_mutex_[mutex];
    const auto at = place(all, who.node);
    if (at != all.end() && at->node == who.node) {
      *at = who;
    } else {
      all.insert(at, who);
    }
  }
  void remove(std::uint32_t mutex, NodeIndex node) {
    std::vector<Subscriber>& all = by_mutex_[mutex];
    const auto at = place(all, node);
    if (at != all.end() && at->node == node) at->listens = false;
  }
  static std::vector<Subscriber>::iterator place(std::vector<Subscriber>& all, NodeIndex node) {
    return std::lower_bound(all.begin(), all.end(), node,
                            [](const Subscriber& a, NodeIndex wanted) { return a.node < wanted; });
  }

  std::vector<std::vector<Subscriber>> by_mutex_;
};

}  // namespace leasescope
