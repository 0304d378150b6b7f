// Names as they are on the wire, for a program that keeps no history.
#pragma once
#include <string>
#include <string_view>

#include "core/base/name.h"
#include "core/store/store.h"

namespace leasescope {

class PlainNames final : public WireNames {
 public:
  // Of foreign owners, whose ids nobody bounds; beyond so many they are one, "others".
  static constexpr std::size_t kMost = 10'000;

  std::string text(Name name) const override { return std::string(table_.text(name)); }
  Name intern(std::string_view text) override { return table_.intern(table_.size() < kMost ? text : "others"); }

 private:
  NameTable table_;
};

}  // namespace leasescope
