#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class Refuse final : public Toxic {
 public:
  using Toxic::Toxic;

  void begin(ToxicDesk& desk) override { desk.refuse(true); }
  void end(ToxicDesk& desk) override { desk.refuse(false); }
};

}  // namespace

ToxicKind refuse() {
  ToxicKind kind;
  kind.name = "refuse";
  kind.about = "new connections are refused; those that stand go on";
  kind.directions = {};
  kind.make = make<Refuse>;
  return kind;
}

}  // namespace leasescope::toxics
