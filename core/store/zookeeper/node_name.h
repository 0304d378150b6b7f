// The names of a latch's nodes, as Curator makes and reads them: `_c_<uuid>-latch-0000000007`.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leasescope::zookeeper {

// "/simba/<mutex>"
std::string folder_of(std::string_view mutex);
// What has to be there before a node in that folder: "/simba", "/simba/orders".
std::vector<std::string> folders_to(const std::string& folder);
// What a node's name begins with, up to its number; a word of 0 is none.
std::string beginning_of(std::uint64_t word);
// Counted from 1, where the server counts from 0; none: it is no latch's.
std::optional<std::uint32_t> number_of(std::string_view name);
// In the order in which they lead; what is no latch's is left out.
std::vector<std::string> in_order(std::vector<std::string> names);

}  // namespace leasescope::zookeeper
