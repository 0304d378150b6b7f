#include "ui/report/run_account.h"

#include <algorithm>
#include <utility>

namespace leasescope {

History frame_of(const History& history) {
  History frame;
  frame.names = history.names;
  frame.legend = history.legend;
  frame.incidents = history.incidents;
  frame.summary = history.summary;
  frame.now = history.now;
  return frame;
}

RunAccount::RunAccount(Of of)
    : now_(of.frame.now),
      cast_(std::move(of.cast)),
      contenders_(of.frame.legend),
      stories_(frame_of(of.frame), cast_, std::move(of.wanted)) {
  if (of.watched) owners_.emplace(of.frame.legend);
  if (of.rules.empty()) return;
  alerts_.emplace(std::move(of.rules), of.frame.legend);
  names_ = std::move(of.frame.names);
}

void RunAccount::append(const History& history) {
  contenders_.sync(history, cast_);
  stories_.append(history);
  if (!owners_ && !alerts_) return;
  for (read_ = std::max(read_, history.forgotten); read_ < history.last(); ++read_) {
    const Event& event = history.event(read_ + 1);
    if (owners_) owners_->append(event, history.names);
    if (alerts_) alerts_->append(event, history.names);
  }
}

void RunAccount::finish() {
  stories_.finish();
  if (alerts_) alerts_->advance(now_, names_);
}

}  // namespace leasescope
