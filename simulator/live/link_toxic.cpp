#include "simulator/live/link_toxic.h"

#include <utility>

namespace leasescope {
namespace {

ToxicRow row_of(int number, LinkDirection direction) {
  ToxicRow row;
  row.number = number;
  row.direction = direction;
  return row;
}

class LinkToxic final : public Toxic {
 public:
  LinkToxic(const ToxicRow& of, const LinkTrouble& trouble, RandomStream draws, LinkEnd end)
      : Toxic(of), trouble_(trouble), draws_(draws), end_(std::move(end)) {}

  // As the virtual world does it, in the same order of draws. What is no message of the protocol, or goes on with one,
  // takes longer with the rest.
  void pass(Parcel& parcel, Way& way) override {
    const bool message = parcel.frame.kind != FrameKind::kBytes && parcel.frame.begins && end_.served();
    const bool lost = message && chance(trouble_.loss_ppm), twice = message && chance(trouble_.duplication_ppm);
    parcel.due += trouble_.delay + up_to(trouble_.jitter);
    if (!message) return;
    const Duration behind = up_to(trouble_.behind);
    if (chance(trouble_.reordering_ppm)) fall_behind(parcel, behind);
    if (twice && parcel.frame.kind != FrameKind::kReply) parcel.twice = parcel.answered_once = true;
    if (lost) lose(parcel, way);
  }

 private:
  static constexpr std::uint64_t kNobodyLetsGo = ~std::uint64_t{0};

  bool chance(std::int64_t ppm) { return draws_.chance_ppm(static_cast<std::uint32_t>(ppm)); }
  Duration up_to(Duration most) {
    if (most <= Duration::zero()) return Duration::zero();
    return Duration(draws_.below(static_cast<std::uint64_t>(most.count())));
  }
  static void fall_behind(Parcel& parcel, Duration by) {
    parcel.due += by;
    if (parcel.frame.kind != FrameKind::kPush) return;
    parcel.aside = true;
    parcel.held_by = kNobodyLetsGo;  // else it would keep its turn among the others
  }
  // Where an answer's turn tells what it is to, nothing can come behind a gap.
  void lose(Parcel& parcel, Way& way) {
    parcel.lost = true;
    if (parcel.frame.kind == FrameKind::kPush) return end_.lost(parcel.frame.says);
    if (parcel.frame.in_turn || !parcel.frame.whole) way.silence();
  }

  LinkTrouble trouble_;
  RandomStream draws_;
  LinkEnd end_;
};

}  // namespace

std::unique_ptr<Toxic> make_link_toxic(int number, LinkDirection direction, const LinkTrouble& trouble,
                                       RandomStream draws, LinkEnd end) {
  return std::make_unique<LinkToxic>(row_of(number, direction), trouble, draws, std::move(end));
}

}  // namespace leasescope
