#include "core/history/recorder.h"

namespace leasescope {

Recorder::Recorder(NameTable names, const LeaseTerms& terms, Legend legend) : checkers_(terms, history_.names, legend) {
  history_.names = std::move(names);
  history_.legend = std::move(legend);
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
