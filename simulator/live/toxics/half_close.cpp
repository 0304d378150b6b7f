#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class HalfClose final : public Toxic {
 public:
  using Toxic::Toxic;

  void begin(ToxicDesk& desk) override { desk.half_close(row.direction); }
};

}  // namespace

ToxicKind half_close() {
  ToxicKind kind;
  kind.name = "half_close";
  kind.about = "every connection is closed in one direction alone; what its sender says further is lost";
  kind.directions = {"to_store", "from_store"};
  kind.lasts = false;
  kind.make = make<HalfClose>;
  return kind;
}

}  // namespace leasescope::toxics
