#include <map>

#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

// Each that it hits waits until another has gone past it: of another connection, or of its own where that is possible;
// `within` at most.
class ReorderFrame final : public Toxic {
 public:
  explicit ReorderFrame(const ToxicRow& of) : Toxic(of), count_(of.values[1], of.values[2]) {}

  void pass(Parcel& parcel, Way& way) override {
    const Frame& frame = parcel.frame;
    if (frame.kind == FrameKind::kBytes || !frame.begins) return;
    const bool hit = count_.hits();
    let_go(way, frame);
    if (!hit) return;
    parcel.due += Duration(row.values[0]);
    parcel.aside = !frame.in_turn && frame.whole;
    parcel.held_by = static_cast<std::uint64_t>(row.number) << 32 | ++last_;
    waiting_.emplace(parcel.held_by, Waiting{&way, parcel.aside});
    tell(way, frame.bytes.size(), "waits until another has gone past");
  }
  void forget(const Way& way) override {
    for (auto it = waiting_.begin(); it != waiting_.end();) it = it->second.way == &way ? waiting_.erase(it) : ++it;
  }

 private:
  struct Waiting {
    Way* way;
    bool aside;
  };

  void let_go(const Way& passing, const Frame& frame) {
    for (auto it = waiting_.begin(); it != waiting_.end();) {
      const bool past = it->second.way != &passing || (it->second.aside && !frame.in_turn);
      if (past) it->second.way->let_go(it->first);
      it = past ? waiting_.erase(it) : ++it;
    }
  }

  Count count_;
  std::map<std::uint64_t, Waiting> waiting_;  // by the parcel's number
  std::uint32_t last_ = 0;
};

}  // namespace

ToxicKind reorder_frame() {
  ToxicKind kind;
  kind.name = "reorder_frame";
  kind.about =
      "the nth request (or reply, or message) waits, `within` at most, until one of another connection has gone past; "
      "of its own only what bears numbers, or was not asked for";
  kind.keys = {time_key("within", true), nth_key(), count_key()};
  kind.directions = {"to_store", "from_store"};
  kind.reads_frames = true;
  kind.make = make<ReorderFrame>;
  return kind;
}

}  // namespace leasescope::toxics
