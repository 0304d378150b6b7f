// The fields of one row of the fault plan, by what its kind declares: whoever writes, shows or edits a row walks these,
// and a new kind is none of its concern.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "simulator/scenario/scenario.h"

namespace leasescope {

enum class FaultFieldType : std::uint8_t { kKind, kTime, kNumber, kWord, kTarget, kContender, kTruth };

struct FaultField {
  std::string_view name;
  FaultFieldType type = FaultFieldType::kTime;
  std::string_view about;
  std::vector<std::string> words;  // what it may say, where that is known; the first is the default
  std::string value;               // as TOML writes it; empty: it is left out
  bool required = false;           // a row without it is refused
};

// In the order of a file. Of an unknown kind: those that every row has.
std::vector<FaultField> fault_fields(const Scenario& of, const FaultTable& row);
// A row of that kind which is accepted: beginning `at`, with every key that must be given. As TOML writes its table,
// one key a line.
std::string fault_lines(const Scenario& of, const FaultKind& kind, Duration at, Duration lasts,
                        const std::string& target);

}  // namespace leasescope
