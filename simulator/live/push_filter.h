// Cuts a server's byte stream into protocol frames, so that the messages it pushes can be dropped and all else passes.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/store/url.h"

namespace leasescope {

class PushFilter {
 public:
  virtual ~PushFilter() = default;

  // Returns what passes on now; an unfinished frame is kept. With `drop`, pushed messages do not pass: `dropped` is
  // told the body of each.
  virtual std::string pass(std::string_view bytes, bool drop, const std::function<void(std::string_view)>& dropped) = 0;
};

// Redis: pub/sub `message` arrays (RESP2) or pushes (RESP3). PostgreSQL: NotificationResponse of protocol version 3.
std::unique_ptr<PushFilter> make_push_filter(StoreKind kind);

}  // namespace leasescope
