// Most writes bear a token that the same writer has shown before, or a new one: only where another shows it, too, does
// anybody need to look.
#pragma once
#include <cstdint>

#include "core/base/large_vector.h"
#include "core/history/event.h"

namespace leasescope {

class WriteMeter {
 public:
  // A write that was accepted; true when another writer was the first to show its token.
  bool add(const Event& event) {
    if (event.token == kNoToken) return false;
    const auto resource = static_cast<std::size_t>(event.a);
    if (resources_.size() <= resource) resources_.resize(resource + 1);
    Shown& of = resources_[resource];
    if (of.token == event.token) return of.writer != event.node;
    of = {event.token, event.node};
    return false;
  }

  // Who was the first to show the token that the resource has accepted last.
  Name first_writer(Name resource) const { return resources_[resource.handle].writer; }

  std::size_t bytes() const { return resources_.size() * sizeof(Shown); }

 private:
  struct Shown {
    Token token = kNoToken;
    Name writer;
  };

  LargeVector<Shown> resources_;  // by the resource's name
};

}  // namespace leasescope
