#include "core/history/recorder.h"

#include <algorithm>

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

void Recorder::forget(Sequence last, const IncidentList& taken) {
  const std::size_t found = checkers_.incidents().size();
  checkers_.forget(found - std::min(found, kIncidentsHeld), taken);
  publish();
  if (last <= history_.forgotten) return;
  const auto count = static_cast<std::ptrdiff_t>(std::min(last, history_.last()) - history_.forgotten);
  history_.events.erase(history_.events.begin(), history_.events.begin() + count);
  history_.forgotten += static_cast<Sequence>(count);
}

std::size_t Recorder::bytes() const {
  return history_.names.bytes() + checkers_.bytes() + history_.events.capacity() * sizeof(Event);
}

History Recorder::with(const std::vector<Event>& more, TrueTime now) const {
  History out;
  out.names = history_.names;
  out.legend = history_.legend;
  out.events = more;
  out.forgotten = history_.last();
  out.now = now;
  Checkers checkers = checkers_;
  checkers.move_names(out.names);
  for (const Event& event : more) checkers.append(event);
  checkers.advance(now);
  out.incidents = checkers.incidents();
  out.summary = checkers.summary();
  return out;
}

void Recorder::publish() {
  history_.incidents = checkers_.incidents();
  history_.summary = checkers_.summary();
}

}  // namespace leasescope
