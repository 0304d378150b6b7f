#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class DropPush final : public Toxic {
 public:
  explicit DropPush(const ToxicRow& of) : Toxic(of), count_(of.values[0], of.values[1]) {}

  void pass(Parcel& parcel, Way& way) override {
    if (parcel.frame.kind != FrameKind::kPush || !count_.hits()) return;
    parcel.lost = true;
    tell(way, parcel.frame.bytes.size(), "a message lost");
  }

 private:
  Count count_;
};

}  // namespace

ToxicKind drop_push() {
  ToxicKind kind;
  kind.name = "drop_push";
  kind.about = "messages that nobody asked for are lost: the nth, or `count` from there on; replies pass";
  kind.keys = {nth_key(), count_key(kMostFrames)};
  kind.directions = {"from_store"};
  kind.reads_frames = true;
  kind.refusal = tells_nobody;
  kind.make = make<DropPush>;
  return kind;
}

}  // namespace leasescope::toxics
