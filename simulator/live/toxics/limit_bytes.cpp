#include <fmt/format.h>

#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class LimitBytes final : public Toxic {
 public:
  using Toxic::Toxic;

  void pass(Parcel& parcel, Way& way) override {
    std::int64_t& carried = way.memory(*this);
    const auto size = static_cast<std::int64_t>(parcel.frame.bytes.size());
    const std::int64_t left = row.values[0] - carried;
    carried += size;
    if (size <= left) return;
    parcel.frame.bytes.resize(static_cast<std::size_t>(left));
    parcel.frame.whole = false;
    parcel.lost = left == 0;
    way.end_after(farewell());
    tell(way, static_cast<std::size_t>(size - left),
         fmt::format("too many: {} after {} bytes", farewell_words(farewell()), row.values[0]));
  }
  Farewell farewell() const override { return static_cast<Farewell>(row.values[1]); }
};

}  // namespace

ToxicKind limit_bytes() {
  ToxicKind kind;
  kind.name = "limit_bytes";
  kind.about = "a connection ends when so many bytes have gone in a direction";
  kind.keys = {number_key("bytes", 0, 1'000'000'000'000), farewell_key()};
  kind.make = make<LimitBytes>;
  return kind;
}

}  // namespace leasescope::toxics
