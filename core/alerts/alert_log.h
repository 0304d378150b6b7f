// What a recording keeps of the alerts of a watch, each thing once, as a desk comes to know it.
#pragma once
#include <cstdint>
#include <vector>

#include "core/alerts/alert_desk.h"
#include "core/alerts/alert_note.h"

namespace leasescope {

class AlertLog {
 public:
  // What has come since, on the desk that was looked at before or that took its place. `now`: when it is looked at,
  // which is when whoever acknowledged or muted since is said to have done it.
  void look(const AlertDesk& desk, TrueTime now);
  // Another desk takes the place of one that was looked at, with other rules from `at` on: what lasts on both goes on,
  // what lasted on the former alone is over. Of what the other finds to be over nobody was told.
  void replace(const AlertDesk& before, const AlertDesk& next, TrueTime at);
  // What was not taken yet, in the order in which it was noted.
  std::vector<AlertNote> take();

 private:
  // One that was not said to be over yet.
  struct Open {
    std::size_t place;  // on the desk
    std::uint64_t number;
    bool acknowledged = false;
    TrueTime muted_until = TrueTime::min();
  };

  void begin(const AlertDesk& desk, std::size_t place);
  void note_answers(const AlertDesk& desk, Open& of, TrueTime now);
  AlertNote& note(const AlertDesk& desk, const Open& of, AlertDeed deed, TrueTime at);

  std::size_t seen_ = 0;    // of the desk's alerts
  std::uint64_t last_ = 0;  // number
  std::vector<Open> open_;
  std::vector<AlertNote> notes_;
};

}  // namespace leasescope
