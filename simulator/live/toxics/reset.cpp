#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class Reset final : public Toxic {
 public:
  using Toxic::Toxic;

  void begin(ToxicDesk& desk) override { desk.end_all(Farewell::kReset); }
};

}  // namespace

ToxicKind reset() {
  ToxicKind kind;
  kind.name = "reset";
  kind.about = "every connection ends with a reset, towards both sides; what is under way is lost";
  kind.directions = {};
  kind.lasts = false;
  kind.make = make<Reset>;
  return kind;
}

}  // namespace leasescope::toxics
