#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class LimitTime final : public Toxic {
 public:
  using Toxic::Toxic;

  std::optional<Duration> lifetime() const override { return Duration(row.values[0]); }
  Farewell farewell() const override { return static_cast<Farewell>(row.values[1]); }
};

}  // namespace

ToxicKind limit_time() {
  ToxicKind kind;
  kind.name = "limit_time";
  kind.about = "a connection ends so long after it was made, or after this began";
  kind.keys = {time_key("after", true), farewell_key()};
  kind.directions = {};
  kind.make = make<LimitTime>;
  return kind;
}

}  // namespace leasescope::toxics
