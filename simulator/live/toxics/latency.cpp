#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class Latency final : public Toxic {
 public:
  Latency(const ToxicRow& of, std::uint64_t seed)
      : Toxic(of), draws_(seed + static_cast<std::uint64_t>(of.number), "proxy", "latency") {}

  // In their order: one that drew little waits for those before it.
  void pass(Parcel& parcel, Way& way) override {
    const auto jitter = static_cast<std::uint64_t>(row.values[1]);
    const Duration by(row.values[0] + static_cast<std::int64_t>(jitter == 0 ? 0 : draws_.below(jitter + 1)));
    parcel.due += by;
    tell(way, parcel.frame.bytes.size(), fmt::format("later by {}", format_duration(by)));
  }

 private:
  RandomStream draws_;
};

}  // namespace

ToxicKind latency() {
  ToxicKind kind;
  kind.name = "latency";
  kind.about = "bytes arrive later by so much, and by up to `jitter` more, in their order";
  kind.keys = {time_key("by", true), time_key("jitter", false)};
  kind.make = [](const ToxicRow& row, std::uint64_t seed) -> std::unique_ptr<Toxic> {
    return std::make_unique<Latency>(row, seed);
  };
  return kind;
}

}  // namespace leasescope::toxics
