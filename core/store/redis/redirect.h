// What a node of a cluster answers when it does not serve a slot: where else to ask, or to ask again soon.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/store/url.h"

namespace leasescope::redis {

struct Redirect {
  enum class Kind : std::uint8_t {
    kMoved,  // that node serves the slot from now on
    kAsk,    // that node may have the keys already: this one call goes there, with ASKING before it
    kWait,   // the slot's keys are on two nodes, or nobody serves it now
  };

  Kind kind = Kind::kWait;
  Endpoint server{};  // of kMoved and kAsk
};

// None when the error is another. `from`: who said it, which may call itself by no name.
std::optional<Redirect> read_redirect(std::string_view error, const Endpoint& from);

}  // namespace leasescope::redis
