// One kind of fault: its keys, the worlds it works in, what it may break, what it does. One file a kind, one line in
// all_kinds.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/fault/port.h"

namespace leasescope {

enum class FaultKeyType : std::uint8_t { kTime, kWord };

struct FaultKey {
  std::string_view name;
  FaultKeyType type = FaultKeyType::kTime;
  std::vector<std::string_view> words;  // kWord: what it may say; the first is the default
  bool required = false;
};

// Plain data, in the order of the kind's keys: a time in ns, or the index of a word.
using FaultValues = std::array<std::int64_t, 2>;

enum class FaultTarget : std::uint8_t { kContender, kStore };

struct FaultKind {
  std::string_view name;   // "pause"
  std::string_view about;  // one line
  std::vector<FaultKey> keys;
  FaultTarget target = FaultTarget::kContender;
  bool lasts = false;           // takes a `duration`; what does not ends as it begins
  bool during_compute = false;  // takes `during = "compute"`
  bool live = true;             // can be produced on a live store
  std::string_view may_break;   // "", "grant", "fence"
  void (*begin)(FaultPort& world, NodeIndex node, const FaultValues& values) = nullptr;
  void (*end)(FaultPort& world, NodeIndex node, const FaultValues& values) = nullptr;
};

// Every kind there is; the index of one is what `fault_began` carries as its detail.
const std::vector<FaultKind>& all_fault_kinds();
// Null when there is none of that name.
const FaultKind* find_fault_kind(std::string_view name);
int index_of(const FaultKind& kind);
// Their names in that order, for the checkers.
std::vector<std::string> fault_kind_names();

}  // namespace leasescope
