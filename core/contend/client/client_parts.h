// What a client is made of: a store, and a loop in a thread of its own.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "core/contend/client/leasescope.h"
#include "core/loop/epoll/epoll_loop.h"
#include "core/observe/belief_outlet.h"
#include "core/simba/lease_terms.h"
#include "core/store/url.h"

namespace leasescope::client {

struct Client::Parts {
  StoreUrl url;
  EpollLoop loop;
  std::unique_ptr<BeliefOutlet> beliefs;  // in the loop's thread; null: what is believed is not told
  std::thread thread;
  std::atomic<bool> looked = false;  // at the store, and all was well

  explicit Parts(StoreUrl store);
  ~Parts();

  // In the loop's thread, and waits until it is done. Not from that thread.
  void run_in_loop(const std::function<void()>& task);
};

LeaseTerms lease_terms(const Terms& terms);

}  // namespace leasescope::client
