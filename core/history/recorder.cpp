#include "core/history/recorder.h"

namespace leasescope {

// NOLINTNEXTLINE(performance-unnecessary-value-param): who makes a recorder hands its list over
Recorder::Recorder(NameTable names, const LeaseTerms& terms, std::vector<std::string> fault_kinds)
    : checkers_(terms, history_.names, fault_kinds) {
  history_.names = std::move(names);
}

Sequence Recorder::append(const Event& event) {
  history_.events.push_back(event);
  checkers_.append(event);
  return history_.last();
}

void Recorder::advance(TrueTime now) {
  history_.now = now;
  checkers_.advance(now);
  publish();
}

void Recorder::finish(TrueTime end) {
  history_.now = end;
  checkers_.finish(end);
  publish();
}

void Recorder::publish() {
  history_.incidents = checkers_.incidents();
  history_.summary = checkers_.summary();
}

}  // namespace leasescope
