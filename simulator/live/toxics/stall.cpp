#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class Stall final : public Toxic {
 public:
  using Toxic::Toxic;

  void pass(Parcel& parcel, Way& way) override { tell(way, parcel.frame.bytes.size(), "held"); }
  bool holds() const override { return true; }
  void end(ToxicDesk& desk) override {
    if (row.values[0] == 1) desk.lose_held(row.direction);
  }
};

}  // namespace

ToxicKind stall() {
  ToxicKind kind;
  kind.name = "stall";
  kind.about = "bytes are held, and delivered at the end; or lost, and the connection is silent from then on";
  kind.keys = {word_key("then", {"delivered", "lost"})};
  kind.make = make<Stall>;
  return kind;
}

}  // namespace leasescope::toxics
