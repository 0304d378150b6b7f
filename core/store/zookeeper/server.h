// A private ZooKeeper: a server of its own on a port of the loopback, or several that elect one of them as theirs.
#pragma once
#include <chrono>
#include <string>

#include <tl/expected.hpp>

#include "core/store/server_recipe.h"

namespace leasescope::zookeeper {

// A short tick, by which sessions of a second are granted: the shortest lasts two ticks.
inline constexpr std::chrono::milliseconds kTick{250};
inline constexpr std::chrono::milliseconds kShortestSession = 2 * kTick;
inline constexpr std::chrono::milliseconds kLongestSession{60'000};

ServerRecipe server_recipe(const ServerPlace& place);
// It listens before it serves; several serve when they have found together.
bool answers(const StoreUrl& url);
// Of whoever leads there.
tl::expected<void, std::string> end_session(const StoreUrl& url, const std::string& mutex);

}  // namespace leasescope::zookeeper
