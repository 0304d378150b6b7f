#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class SlowClose final : public Toxic {
 public:
  using Toxic::Toxic;

  Duration closes_later() const override { return Duration(row.values[0]); }
};

}  // namespace

ToxicKind slow_close() {
  ToxicKind kind;
  kind.name = "slow_close";
  kind.about = "that one side has closed, the other learns so much later";
  kind.keys = {time_key("by", true)};
  kind.make = make<SlowClose>;
  return kind;
}

}  // namespace leasescope::toxics
