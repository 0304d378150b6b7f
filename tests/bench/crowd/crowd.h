// Many contenders of several mutexes of one store, all in one process on one loop, who renew for minutes.
#pragma once
#include <memory>
#include <vector>

#include "core/contend/driver/contention.h"
#include "core/loop/epoll/epoll_loop.h"

namespace leasescope::bench {

class Crowd {
 public:
  // Contender i is of mutex i mod `mutexes`.
  Crowd(const StoreUrl& url, std::size_t contenders, std::size_t mutexes, const LeaseTerms& terms);

  // All begin, a few at a time. Throws where not every mutex has its owner a minute later.
  void gather();
  // They go on for so long, and what came of it since is counted anew.
  void stay(Duration for_so_long);

  std::size_t renewals() const { return renewals_; }
  std::size_t losses() const { return losses_; }      // ownerships that ended: nobody stops
  std::size_t troubles() const { return troubles_; }  // calls that failed, lines that broke

 private:
  void put(std::size_t place, const StoreUrl& url, const std::string& mutex, const LeaseTerms& terms);
  void rest(Duration for_so_long);

  EpollLoop loop_;
  std::vector<std::unique_ptr<Contention>> all_;
  std::vector<bool> owned_;  // by mutex
  std::size_t renewals_ = 0, losses_ = 0, troubles_ = 0;
};

}  // namespace leasescope::bench
