// The alerts of a watch among what is complained of: each once when it begins, and once when it is over.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/leasescopectl_alert_command.h"
#include "core/alerts/alert_desk.h"
#include "core/alerts/alert_log.h"
#include "core/history/history.h"

namespace leasescope::ctl {

class AlertLines {
 public:
  // epoch_ns: the wall clock at the history's zero, ns since 1970.
  AlertLines(std::vector<AlertRule> rules, std::int64_t epoch_ns) : desk_(std::move(rules)), epoch_ns_(epoch_ns) {}

  // Called for each line that is told, with what it is about.
  using Heard = std::function<void(AlertFacts)>;
  void on_told(Heard heard) { heard_ = std::move(heard); }

  std::size_t rules() const { return engine().rules().size(); }
  // Where whoever is told may say that he has heard it; its lines come all the same.
  AlertDesk& desk() { return desk_; }
  const AlertDesk& desk() const { return desk_; }
  // Of the history's next event.
  void append(const Event& event, const NameTable& names) { desk_.append(event, names); }
  // What came to hold, or does no more.
  void tell(const History& history);
  // What was told of them since, and what was done about it, for a recording.
  std::vector<AlertNote> take_notes() { return log_.take(); }
  // Other rules, from now on. What lasts under both goes on; what lasted under the old ones alone is over.
  void replace(std::vector<AlertRule> rules, const History& history);

 private:
  const AlertEngine& engine() const { return desk_.engine(); }
  void line(const AlertEngine& of, const Alert& alert, TrueTime at, std::string_view how, const History& history) const;

  AlertDesk desk_;
  AlertLog log_;
  std::int64_t epoch_ns_;
  Heard heard_;
  TrueTime until_{};                  // as far as it is known that nothing else happened
  std::size_t told_ = 0;              // of the engine's alerts
  std::vector<std::size_t> lasting_;  // whose end has not been told
};

}  // namespace leasescope::ctl
