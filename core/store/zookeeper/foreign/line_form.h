// A lock of another maker as it lies in a ZooKeeper: a folder whose nodes stand in a line, each going with its session.
// One more is a file here and a line in line_forms.cpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/observe/sighting.h"

namespace leasescope::zookeeper {

// Those of a folder, in the order of their numbers.
using NodeLine = std::vector<std::string>;

struct LineForm {
  std::string_view maker;  // "Curator"
  std::string_view system;
  // What its nodes are called between their beginning and their number: "-lock-"; there may be two kinds of them.
  std::vector<std::string_view> marks;
  // Whether a node's name may begin so.
  bool (*begins)(std::string_view beginning);
  // How many at the front of the line hold.
  std::size_t (*holders)(const NodeLine& line);
  bool shows_waiters;  // all those in the line who do not hold wait, or all in its queue, and nobody else does
  bool has_tokens;     // the change that made the node which leads rises from owner to owner
  bool named_by_data;  // a node's data is who it is of, for all its terms; else its session is
  // Of the folder that its maker names it by its nodes stand in this one; empty: in that itself.
  std::string_view inner{};
  // Whether those at the front hold beside each other, however many they are; null: who holds is always alone.
  bool (*shares)(const NodeLine& line) = nullptr;
  // The folder beside that one where whoever waits stands in a line of nodes with such a mark: the first of these makes
  // a node in the other line before it holds. Empty: who waits stands in the line itself.
  std::string_view queue{}, queue_mark{};
};

// The number of a node in the line of such a form; none: it stands in no such line.
std::optional<std::uint32_t> place_of(const LineForm& form, std::string_view node);
// Those of a folder's nodes that stand in it, in order.
NodeLine line_of(const LineForm& form, const std::vector<std::string>& nodes);
// Those of the nodes of its queue that stand in that, in order.
NodeLine queue_of(const LineForm& form, const std::vector<std::string>& nodes);

// ---- what forms share

std::size_t first_alone(const NodeLine& line);
// All those who read before the first who does not; else the first alone.
std::size_t readers_or_first(const NodeLine& line, std::string_view reads);
bool leads(const NodeLine& line, std::string_view reads);  // who reads is at the front
// "_c_<uuid>", as Curator protects a node that was made and not told of.
bool is_protection(std::string_view beginning);
// 32 hex digits
bool is_hex_uuid(std::string_view beginning);

}  // namespace leasescope::zookeeper
