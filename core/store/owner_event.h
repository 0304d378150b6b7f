// The messages of a mutex's channel: "acquired@@id", "released@@id"; on a contender's own: "granted@@token" too
// (core/simba/README.md).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/port.h"

namespace leasescope {

struct OwnerEvent {
  std::string event;
  std::string owner;

  // None for an event nobody handles.
  std::optional<StoreEventKind> kind() const;
};

// Splits at "@@" as the JVM does: what is empty at the end falls away.
std::vector<std::string_view> split_fields(std::string_view text);
// Exactly two fields; the error is worded as Simba's.
tl::expected<OwnerEvent, std::string> parse_owner_event(std::string_view message);
// The term that a release has granted to whose channel it is; none for another event.
std::optional<Token> granted_by(std::string_view message);

}  // namespace leasescope
