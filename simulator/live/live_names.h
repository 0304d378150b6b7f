// Names in a live run: short ones in the history, unique ones on the wire, where other programs may contend too.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>

#include <tl/expected.hpp>

#include "core/history/recorder.h"
#include "core/store/store.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

class LiveNames final : public WireNames {
 public:
  explicit LiveNames(Recorder& recorder) : recorder_(&recorder) {}

  // "c1" is "c1.5f1c03aa:4242@10.0.0.7" on the wire: two runs never share an id.
  tl::expected<Name, std::string> add_contender(const std::string& name);
  tl::expected<Name, std::string> add_mutex(const std::string& name, const std::string& on_wire);

  std::string text(Name name) const override;
  // Of an owner that is none of ours: its id as it may be printed. Beyond so many they are one: "others".
  Name intern(std::string_view text) override;
  static constexpr std::size_t kMostForeign = 10'000;

 private:
  Name intern_foreign(const std::string& id);

  Recorder* recorder_;
  std::unordered_map<std::uint32_t, std::string> wire_;  // by name handle
  std::unordered_map<std::string, Name> ours_;           // contenders by what they are called on the wire
  std::unordered_map<std::string, Name> foreign_;        // likewise, of other programs
};

// What the mutex is called on the wire: on a given store, unless it was named on purpose, nobody else's name.
std::string wire_name(const Scenario& scenario, const std::string& mutex, bool given_store);

}  // namespace leasescope
