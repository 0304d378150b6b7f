#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/live/toxics/keys.h"
#include "simulator/live/toxics/toxics.h"

namespace leasescope::toxics {
namespace {

class DelayFrame final : public Toxic {
 public:
  explicit DelayFrame(const ToxicRow& of) : Toxic(of), count_(of.values[1], of.values[2]) {}

  // What the protocol tells by its turn is waited for; the rest goes past.
  void pass(Parcel& parcel, Way& way) override {
    if (!is_asked_frame(parcel.frame) || !parcel.frame.begins || !count_.hits()) return;
    parcel.due += Duration(row.values[0]);
    parcel.aside = !parcel.frame.in_turn && parcel.frame.whole;
    tell(way, parcel.frame.bytes.size(), fmt::format("later by {}", format_duration(Duration(row.values[0]))));
  }

 private:
  Count count_;
};

}  // namespace

ToxicKind delay_frame() {
  ToxicKind kind;
  kind.name = "delay_frame";
  kind.about = "the nth request (or reply) comes later by so much; where answers bear no numbers, what follows waits";
  kind.keys = {time_key("by", true), nth_key(), count_key()};
  kind.directions = {"to_store", "from_store"};
  kind.reads_frames = true;
  kind.make = make<DelayFrame>;
  return kind;
}

}  // namespace leasescope::toxics
