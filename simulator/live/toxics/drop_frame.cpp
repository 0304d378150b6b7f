#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class DropFrame final : public Toxic {
 public:
  explicit DropFrame(const ToxicRow& of) : Toxic(of), count_(of.values[0], of.values[1]) {}

  void pass(Parcel& parcel, Way& way) override {
    if (!is_asked_frame(parcel.frame) || !parcel.frame.begins || !count_.hits()) return;
    parcel.lost = true;
    // Else what follows would be taken for what is lost; of a frame in pieces, the rest for a beginning.
    const bool silent = parcel.frame.in_turn || !parcel.frame.whole;
    if (silent) way.silence();
    tell(way, parcel.frame.bytes.size(), silent ? "lost, and silent from now on" : "lost");
  }

 private:
  Count count_;
};

}  // namespace

ToxicKind drop_frame() {
  ToxicKind kind;
  kind.name = "drop_frame";
  kind.about =
      "the nth request (or reply) is lost; where answers bear no numbers, nothing more comes on its connection";
  kind.keys = {nth_key(), count_key()};
  kind.directions = {"to_store", "from_store"};
  kind.reads_frames = true;
  kind.make = make<DropFrame>;
  return kind;
}

}  // namespace leasescope::toxics
