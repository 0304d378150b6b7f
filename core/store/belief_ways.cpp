#include "core/store/belief_ways.h"

#include <utility>

#include <fmt/format.h>

#include "core/observe/belief_socket.h"
#include "core/store/store_type.h"

namespace leasescope {

tl::expected<void, std::string> check_belief_way(const BeliefWay& way, const StoreUrl& url) {
  if (!way.is_channel() || url.type->tell_beliefs != nullptr) return {};
  return tl::unexpected(fmt::format(
      "channel: {} has no messages to tell beliefs by: expected unix:PATH, a socket on this machine", url.type->title));
}

std::unique_ptr<BeliefOutlet> open_belief_outlet(Loop& loop, const BeliefWay& way, const StoreUrl& url,
                                                 BeliefOutlet::Refused refused) {
  const auto make = [&](BeliefSender::Events events) -> std::unique_ptr<BeliefSender> {
    if (way.is_channel()) return url.type->tell_beliefs(loop, url, std::move(events));
    auto socket = send_to_socket(way.socket);
    if (socket) return *std::move(socket);
    events.refused(socket.error());
    return nullptr;
  };
  return std::make_unique<BeliefOutlet>(loop, printable(url), make, std::move(refused));
}

}  // namespace leasescope
