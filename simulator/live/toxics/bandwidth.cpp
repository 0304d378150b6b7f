#include <algorithm>

#include <fmt/format.h>

#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

// What has been put needs its time before more is.
Duration time_of(std::size_t bytes, std::int64_t a_second) {
  return Duration(static_cast<std::int64_t>(bytes) * 1'000'000'000 / a_second);
}

class Bandwidth final : public Toxic {
 public:
  using Toxic::Toxic;

  void pass(Parcel& parcel, Way& way) override {
    tell(way, parcel.frame.bytes.size(), fmt::format("at {} bytes a second", row.values[0]));
  }
  // Fifty times a second, but no less than a byte.
  std::optional<Pace> pace() const override {
    return Pace{static_cast<std::size_t>(std::clamp<std::int64_t>(row.values[0] / 50, 1, 65536)), time_of,
                row.values[0]};
  }
};

}  // namespace

ToxicKind bandwidth() {
  ToxicKind kind;
  kind.name = "bandwidth";
  kind.about = "each connection carries so many bytes a second; who sends more is made to wait";
  kind.keys = {number_key("bytes_per_second", 1, 1'000'000'000)};
  kind.make = make<Bandwidth>;
  return kind;
}

}  // namespace leasescope::toxics
