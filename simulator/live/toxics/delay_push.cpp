#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class DelayPush final : public Toxic {
 public:
  explicit DelayPush(const ToxicRow& of) : Toxic(of), count_(of.values[1], of.values[2]) {}

  void pass(Parcel& parcel, Way& way) override {
    if (parcel.frame.kind != FrameKind::kPush || !count_.hits()) return;
    parcel.due += Duration(row.values[0]);
    parcel.aside = true;
    tell(way, parcel.frame.bytes.size(),
         fmt::format("a message later by {}", format_duration(Duration(row.values[0]))));
  }

 private:
  Count count_;
};

}  // namespace

ToxicKind delay_push() {
  ToxicKind kind;
  kind.name = "delay_push";
  kind.about =
      "messages that nobody asked for come later by so much: the nth, or `count` from there on; replies do not";
  kind.keys = {time_key("by", true), nth_key(), count_key(kMostFrames)};
  kind.directions = {"from_store"};
  kind.reads_frames = true;
  kind.refusal = tells_nobody;
  kind.make = make<DelayPush>;
  return kind;
}

}  // namespace leasescope::toxics
