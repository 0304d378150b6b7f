// Alerts as somebody at a desk deals with them: acknowledged, or muted for a while.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/alerts/alert_engine.h"

namespace leasescope {

class AlertDesk {
 public:
  explicit AlertDesk(std::vector<AlertRule> rules, const Legend& legend = {}) : engine_(std::move(rules), legend) {}

  // Goes on where `before` is, by other rules; nothing is acknowledged or muted there yet: see take_over().
  AlertDesk(std::vector<AlertRule> rules, const AlertDesk& before, const NameTable& names)
      : engine_(std::move(rules), before.engine_, names) {}

  void append(const Event& event, const NameTable& names) { engine_.append(event, names); }
  void advance(TrueTime now, const NameTable& names) { engine_.advance(now, names); }
  const AlertEngine& engine() const { return engine_; }

  // So many alerts that are over are held at least, the last ones.
  static constexpr std::size_t kOverHeld = 1'000;
  // Lets go of older ones, and of what was done about them: whoever is to know that they are over does.
  void forget_over();

  // By the place of the alert: it was seen, and is no more told of. One that comes later is another.
  void acknowledge(std::size_t alert) { acknowledged_.insert(alert); }
  bool is_acknowledged(std::size_t alert) const { return acknowledged_.count(alert) > 0; }
  // What that rule says of that mutex is not told of before then. Nothing where the alert was let go of meanwhile.
  void mute(std::size_t alert, TrueTime until);
  bool is_muted(std::size_t alert, TrueTime now) const { return now < muted_until(alert); }
  TrueTime muted_until(std::size_t alert) const;  // min(): nobody has muted it
  // What was said at `before`, of the same history by other rules: who has seen an alert has seen the same one here,
  // and what an equal rule says of a mutex is muted until then, whether it holds now or not.
  void take_over(const AlertDesk& before);
  // The places of those that last and that somebody should be told of, in the order of their begins.
  std::vector<std::size_t> standing(TrueTime now) const;

 private:
  AlertEngine engine_;
  std::set<std::size_t> acknowledged_;
  std::map<std::pair<std::size_t, std::uint32_t>, TrueTime> muted_;  // by rule and mutex or store: until when
};

}  // namespace leasescope
