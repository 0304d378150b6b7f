#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class BlackHole final : public Toxic {
 public:
  using Toxic::Toxic;

  // A stream with a hole in it is none: what has lost bytes gets nothing more, also after the end.
  void pass(Parcel& parcel, Way& way) override {
    parcel.lost = true;
    way.silence();
    tell(way, parcel.frame.bytes.size(), "lost, and silent from now on");
  }
};

}  // namespace

ToxicKind black_hole() {
  ToxicKind kind;
  kind.name = "black_hole";
  kind.about = "bytes are lost without a word, and so is all that comes later on their connection";
  kind.make = make<BlackHole>;
  return kind;
}

}  // namespace leasescope::toxics
