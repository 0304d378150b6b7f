#include <fmt/format.h>

#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class Slicer final : public Toxic {
 public:
  using Toxic::Toxic;

  void pass(Parcel& parcel, Way& way) override {
    if (parcel.frame.bytes.size() > static_cast<std::size_t>(row.values[0]))
      tell(way, parcel.frame.bytes.size(), fmt::format("in pieces of {}", row.values[0]));
  }
  std::optional<Pace> pace() const override {
    const auto gap = [](std::size_t, std::int64_t ns) { return Duration(ns); };
    return Pace{static_cast<std::size_t>(row.values[0]), gap, row.values[1]};
  }
};

}  // namespace

ToxicKind slicer() {
  ToxicKind kind;
  kind.name = "slicer";
  kind.about = "bytes arrive in pieces of at most `size`, each `gap` after the last";
  kind.keys = {number_key("size", 1, 65536), time_key("gap", false)};
  kind.make = make<Slicer>;
  return kind;
}

}  // namespace leasescope::toxics
