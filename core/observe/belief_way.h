// Where what processes believe is told and heard: on the store's channel, or at a Unix socket of one machine.
#pragma once
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace leasescope {

struct BeliefWay {
  std::string socket;  // the path of one; empty: the channel

  bool is_channel() const { return socket.empty(); }
  bool operator==(const BeliefWay&) const = default;
};

// "channel" or "unix:PATH". The error says what was expected, without the option's name.
tl::expected<BeliefWay, std::string> parse_belief_way(std::string_view text);

}  // namespace leasescope
