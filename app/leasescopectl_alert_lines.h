// The alerts of a watch among what is complained of: each once when it begins, and once when it is over.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/leasescopectl_alert_command.h"
#include "core/alerts/alert_engine.h"
#include "core/history/history.h"

namespace leasescope::ctl {

class AlertLines {
 public:
  // epoch_ns: the wall clock at the history's zero, ns since 1970.
  AlertLines(std::vector<AlertRule> rules, std::int64_t epoch_ns) : engine_(std::move(rules)), epoch_ns_(epoch_ns) {}

  // Called for each line that is told, with what it is about.
  using Heard = std::function<void(AlertFacts)>;
  void on_told(Heard heard) { heard_ = std::move(heard); }

  std::size_t rules() const { return engine_.rules().size(); }
  // Of the history's next event.
  void append(const Event& event, const NameTable& names) { engine_.append(event, names); }
  // What came to hold, or does no more.
  void tell(const History& history);
  // Other rules, from now on. What lasts under both goes on; what lasted under the old ones alone is over.
  void replace(std::vector<AlertRule> rules, const History& history);

 private:
  void line(const AlertEngine& of, const Alert& alert, TrueTime at, std::string_view how, const History& history) const;

  AlertEngine engine_;
  std::int64_t epoch_ns_;
  Heard heard_;
  TrueTime until_{};                  // as far as it is known that nothing else happened
  std::size_t told_ = 0;              // of the engine's alerts
  std::vector<std::size_t> lasting_;  // whose end has not been told
};

// The wall clock of this machine at a moment of a watch, in UTC: "03:12:04.127".
std::string clock_text(std::int64_t epoch_ns, TrueTime at);

}  // namespace leasescope::ctl
