#include "ui/models/notes.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/models/words.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Notes)
};

// The next of "Marker 1", "Marker 2", … that none of them has.
template <class Named>
QString next_name(const std::vector<Named>& all, const QString& pattern) {
  for (std::size_t i = all.size() + 1;; ++i) {
    QString name = pattern.arg(i);
    if (std::none_of(all.begin(), all.end(), [&](const Named& each) { return each.name == name; })) return name;
  }
}

template <class T>
bool has(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

IncidentNote note_for(const History& history, const Incident& incident) {
  IncidentNote note;
  note.kind = incident.kind;
  note.mutex = history.names.text(incident.mutex);
  note.start = incident.start;
  for (const Name who : incident.contenders) note.contenders.emplace_back(history.names.text(who));
  return note;
}

int incident_of(const History& history, const IncidentNote& note) {
  for (std::size_t i = 0; i < history.incidents.size(); ++i) {
    const Incident& incident = history.incidents[i];
    if (incident.kind == note.kind && incident.start == note.start && note_for(history, incident).of_same(note))
      return static_cast<int>(i);
  }
  return -1;
}

std::size_t put_marker(Notes& notes, Marker marker) {
  const auto place = std::upper_bound(notes.markers.begin(), notes.markers.end(), marker,
                                      [](const Marker& a, const Marker& b) { return a.at < b.at; });
  const auto at = static_cast<std::size_t>(place - notes.markers.begin());
  notes.markers.insert(place, std::move(marker));
  return at;
}

QString next_marker_name(const Notes& notes) { return next_name(notes.markers, Say::tr("Marker %1")); }
QString next_view_name(const Notes& notes) { return next_name(notes.views, Say::tr("View %1")); }

Notes merged(const Notes& a, const Notes& b) {
  Notes both = a;
  for (const Marker& each : b.markers)
    if (!has(both.markers, each)) put_marker(both, each);
  for (const IncidentNote& each : b.incidents) {
    const auto same = std::find_if(both.incidents.begin(), both.incidents.end(),
                                   [&](const IncidentNote& known) { return known.of_same(each); });
    if (same == both.incidents.end())
      both.incidents.push_back(each);
    else if (same->text != each.text)
      same->text += u'\n' + each.text;
  }
  for (const NamedView& each : b.views)
    if (!has(both.views, each)) both.views.push_back(each);
  return both;
}

QString notes_path(const QString& recording) { return recording + QStringLiteral(".notes.json"); }

}  // namespace leasescope
