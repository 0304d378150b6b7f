// When waiters asked again, against the moment that they slept for before any jitter was drawn, which is the end of the
// transition where they are told of one: what the jitter spreads, what a message wakes earlier, what a pause delays.
#include <unordered_map>

#include "core/history/measures/statistics.h"

namespace leasescope {
namespace {

class WakeUps : public MeasureOf<Lengths> {
 public:
  std::string_view name() const override { return "wake-ups"; }
  std::string_view about() const override {
    return "from when a waiter meant to wake, without its jitter, until its next call was answered; below 0: before it";
  }
  void take(const Event& event, const Standing& /*standing*/) override {
    switch (event.kind) {
      case EventKind::kWakeupPlanned:
        ends_[event.node.handle] = event.at() + Duration(event.a) - Duration(event.b);
        break;
      case EventKind::kAttempt:
        if (const auto end = ends_.find(event.node.handle); end != ends_.end()) {
          shape().add(event.at() - end->second, event.at());
          ends_.erase(end);
        }
        break;
      case EventKind::kStarted:
      case EventKind::kRestarted:
      case EventKind::kStopped:
      case EventKind::kCrashed:
        ends_.erase(event.node.handle);
        break;
      default:
        break;
    }
  }

 private:
  std::unordered_map<std::uint32_t, TrueTime> ends_;  // by name handle, of who sleeps
};

}  // namespace

std::unique_ptr<Measure> wake_ups_measure() { return std::make_unique<WakeUps>(); }

}  // namespace leasescope
