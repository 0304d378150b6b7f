// Which node of a Redis cluster keeps which keys, as one of its nodes has it.
#pragma once
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/url.h"

namespace leasescope::redis {

inline constexpr std::size_t kSlots = 16384;
using SlotSet = std::bitset<kSlots>;

// Of a key: by what stands between its first braces, where something does, else by the whole of it (CRC-16 of XMODEM).
// Source: the Redis cluster specification, "Keys hash tags".
std::size_t slot_of(std::string_view key);

// A master that keeps some slots. Whether it answers is another question.
struct ClusterMaster {
  std::string id;
  Endpoint server{};
  SlotSet kept;

  bool has(std::string_view key) const { return kept.test(slot_of(key)); }
};

struct ClusterMap {
  // Of what it is told: rises when a slot is another node's from then on. Of two maps the one with the higher is right.
  std::uint64_t epoch = 0;
  std::vector<ClusterMaster> masters;  // at least one
};

// `answer`: to CLUSTER NODES. `from`: where that was asked: the node that answered is there, and so is one that tells
// no address. `by_name`: a node is asked for by its host's name, where it has one, as its certificate may bear that
// alone. None: it is no such answer, or no master keeps anything yet.
std::optional<ClusterMap> read_cluster(std::string_view answer, const Endpoint& from, bool by_name);

}  // namespace leasescope::redis
