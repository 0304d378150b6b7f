#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class DuplicateFrame final : public Toxic {
 public:
  explicit DuplicateFrame(const ToxicRow& of) : Toxic(of), count_(of.values[0], of.values[1]) {}

  // Where answers bear no numbers that to a second request would be taken for that to the next, and a second answer
  // likewise: the one is kept back, and the other is not made.
  void pass(Parcel& parcel, Way& way) override {
    const Frame& frame = parcel.frame;
    const bool request = frame.kind == FrameKind::kRequest, alone = !frame.in_turn && frame.whole;
    if (frame.kind == FrameKind::kBytes || !frame.begins || !(request || alone) || !count_.hits()) return;
    parcel.twice = true;
    parcel.answered_once = request && frame.in_turn;
    tell(way, frame.bytes.size(), parcel.answered_once ? "twice, and answered once" : "twice");
  }

 private:
  Count count_;
};

}  // namespace

ToxicKind duplicate_frame() {
  ToxicKind kind;
  kind.name = "duplicate_frame";
  kind.about =
      "the nth message that nobody asked for, or request, comes twice; where answers bear no numbers the second one is "
      "kept back. Of replies only those of ZooKeeper, which bear numbers";
  kind.keys = {nth_key(), count_key()};
  kind.directions = {"from_store", "to_store"};
  kind.reads_frames = true;
  kind.refusal = [](const ToxicRow& row, const StoreType& type) -> std::string {
    if (type.numbered || row.direction == LinkDirection::kToStore) return {};
    return tells_nobody(row, type);
  };
  kind.make = make<DuplicateFrame>;
  return kind;
}

}  // namespace leasescope::toxics
