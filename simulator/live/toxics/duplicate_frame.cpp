#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class DuplicateFrame final : public Toxic {
 public:
  explicit DuplicateFrame(const ToxicRow& of) : Toxic(of), count_(of.values[0], of.values[1]) {}

  // Only what bears its own number, or is answered by nobody: the answer to a second request would be taken for that
  // to the next.
  void pass(Parcel& parcel, Way& way) override {
    const bool whole = parcel.frame.begins && parcel.frame.whole;
    if (parcel.frame.kind == FrameKind::kBytes || parcel.frame.in_turn || !whole || !count_.hits()) return;
    parcel.twice = true;
    tell(way, parcel.frame.bytes.size(), "twice");
  }

 private:
  Count count_;
};

}  // namespace

ToxicKind duplicate_frame() {
  ToxicKind kind;
  kind.name = "duplicate_frame";
  kind.about =
      "the nth message that nobody asked for, or a request or reply of ZooKeeper, which bear numbers, comes twice";
  kind.keys = {nth_key(), count_key()};
  kind.directions = {"from_store", "to_store"};
  kind.reads_frames = true;
  kind.refusal = [](const ToxicRow& row, const StoreType& type) -> std::string {
    if (type.numbered) return {};
    if (row.direction == LinkDirection::kFromStore) return tells_nobody(row, type);
    return fmt::format("answers of {} bear no number: one to a second request would be taken for that to the next",
                       type.title);
  };
  kind.make = make<DuplicateFrame>;
  return kind;
}

}  // namespace leasescope::toxics
