// How near to its end a lease was renewed: what an outage or a pause may take before it is lost.
#include "core/history/measures/statistics.h"

namespace leasescope {
namespace {

class Renewals : public MeasureOf<Lengths> {
 public:
  std::string_view name() const override { return "renewal"; }
  std::string_view about() const override { return "what was left of the lease when it was renewed"; }
  void take(const Event& event, const Standing& standing) override {
    if (event.kind != EventKind::kRenewed) return;
    const Standing::Mutex* const of = standing.mutex(event.mutex);
    if (of == nullptr) return;
    const std::uint32_t who = standing.place_of(event.node);
    for (const Standing::Hold& hold : of->holds)
      if (hold.contender == who) return shape().add(hold.until - event.at(), event.at());
  }
};

}  // namespace

std::unique_ptr<Measure> renewals_measure() { return std::make_unique<Renewals>(); }

}  // namespace leasescope
