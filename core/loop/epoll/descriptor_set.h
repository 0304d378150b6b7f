// Descriptors that are waited for together, behind one of epoll's: what the loops on real time share.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "core/loop/loop.h"

namespace leasescope {

class DescriptorSet {
 public:
  DescriptorSet();
  ~DescriptorSet();
  DescriptorSet(const DescriptorSet&) = delete;
  DescriptorSet& operator=(const DescriptorSet&) = delete;

  // As Loop has them.
  Loop::WatchId watch(int descriptor, Readiness readiness, Loop::Task task);
  void unwatch(Loop::WatchId watch);

  // Readable while one of those watched is ready.
  int descriptor() const { return epoll_; }
  // Calls the tasks of those that are ready; waits for one for so many milliseconds (-1: without end). `goes_on` is
  // asked after each: what is left is ready the next time too.
  void take_ready(int wait_ms = 0, const std::function<bool()>& goes_on = {});

 private:
  // What is watched of one descriptor.
  struct Watched {
    std::uint32_t serial = 0;  // tells it from an earlier one of the same number
    std::map<Loop::WatchId, std::pair<Readiness, std::shared_ptr<Loop::Task>>> tasks;
  };

  void tell_epoll(int descriptor, const Watched& watched) const;
  void call(int descriptor, std::uint32_t serial, Readiness readiness);

  int epoll_;
  std::unordered_map<int, Watched> watched_;
  std::unordered_map<Loop::WatchId, int> descriptors_;  // of the watches
  std::uint32_t last_serial_ = 0;
  Loop::WatchId last_id_ = 0;
};

}  // namespace leasescope
