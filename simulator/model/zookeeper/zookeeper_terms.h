// What a scenario says about a ZooKeeper, [store.zookeeper].
#pragma once
#include <string_view>

#include "core/base/describe.h"
#include "core/store/port.h"
#include "core/time/clock.h"
#include "simulator/fault/port.h"

namespace leasescope {

struct ZookeeperTerms {
  static constexpr std::string_view kName = "zookeeper";
  static constexpr bool carries(Family family) { return family == Family::kNodes; }
  static constexpr bool suffers(Disturbance what) { return what == Disturbance::kCloseSession; }
  using Model = class ZookeeperModel;

  Duration tick = std::chrono::milliseconds(500);
  Duration min_session = std::chrono::seconds(1);
  Duration max_session = std::chrono::seconds(60);
  bool drawn_ticks = false;

  template <class Keys>
  static void describe(Keys& keys) {
    const Duration least = std::chrono::milliseconds(1);
    keys.span("tick", &ZookeeperTerms::tick, least, "sessions end at the next of its ticks");
    keys.span("min_session", &ZookeeperTerms::min_session, least, "a client that asks for a shorter one gets this");
    keys.span("max_session", &ZookeeperTerms::max_session, least, "a client that asks for a longer one gets this");
    keys.truth(
        "drawn_ticks", &ZookeeperTerms::drawn_ticks,
        "its ticks were there before the run: the first comes at a drawn moment, not a tick after the beginning");
  }
  bool operator==(const ZookeeperTerms&) const = default;
};

}  // namespace leasescope
