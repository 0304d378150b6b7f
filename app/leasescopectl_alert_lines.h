// The alerts of a watch among what is complained of: each once when it begins, and once when it is over.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/alerts/alert_desk.h"
#include "core/history/history.h"

namespace leasescope::ctl {

class AlertLines {
 public:
  // epoch_ns: the wall clock at the history's zero, ns since 1970.
  AlertLines(std::vector<AlertRule> rules, std::int64_t epoch_ns) : desk_(std::move(rules)), epoch_ns_(epoch_ns) {}

  std::size_t rules() const { return engine().rules().size(); }
  // Where whoever is told may say that he has heard it; its lines come all the same.
  AlertDesk& desk() { return desk_; }
  // Of the history's next event.
  void append(const Event& event, const NameTable& names);
  // What came to hold, or does no more.
  void tell(const History& history);
  // Other rules, as if they had held from the beginning. They are brought up to the present a piece at each tell(), as
  // the history may be long; until then the old ones hold. What lasts under both goes on; what lasted under the old
  // ones alone is over.
  void replace(std::vector<AlertRule> rules) { next_.emplace(std::move(rules)), next_seen_ = 0; }
  bool is_replacing() const { return next_.has_value(); }

 private:
  const AlertEngine& engine() const { return desk_.engine(); }
  void bring_next_up(const History& history);
  void take_next(const History& history);
  void take_over(AlertDesk& next, std::size_t place, std::size_t before) const;
  void line(const AlertEngine& of, const Alert& alert, TrueTime at, std::string_view how, const History& history) const;

  AlertDesk desk_;
  std::int64_t epoch_ns_;
  std::optional<AlertDesk> next_;
  Sequence seen_ = 0, next_seen_ = 0;
  TrueTime until_{};                  // as far as it is known that nothing else happened
  std::size_t told_ = 0;              // of the engine's alerts
  std::vector<std::size_t> lasting_;  // whose end has not been told
};

}  // namespace leasescope::ctl
