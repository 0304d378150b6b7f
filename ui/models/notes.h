// What a reader keeps of a history: markers, notes to incidents, views with a name. Qt Core only.
#pragma once
#include <QByteArray>
#include <QString>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/history.h"
#include "ui/models/row_choice.h"

namespace leasescope {

struct Marker {
  TrueTime at{};
  QString name, text;
  bool operator==(const Marker&) const = default;
};

// Known by what the incident is, not by its place in a list: the same run made again finds it again.
struct IncidentNote {
  IncidentKind kind = IncidentKind::kBeliefOverlap;
  std::string mutex;
  TrueTime start{};
  std::vector<std::string> contenders;
  QString text;
  bool of_same(const IncidentNote& other) const {
    return kind == other.kind && mutex == other.mutex && start == other.start && contenders == other.contenders;
  }
  bool operator==(const IncidentNote&) const = default;
};
// Without a text.
IncidentNote note_for(const History& history, const Incident& incident);
// Its place among the history's incidents; -1: this run has no such.
int incident_of(const History& history, const IncidentNote& note);

struct NamedView {
  QString name;
  TrueTime from{};
  Duration span{};
  int scroll = 0;  // of the rows, in pixels
  RowChoice rows;
  bool operator==(const NamedView&) const = default;
};

struct Notes {
  std::vector<Marker> markers;  // in order of time
  std::vector<IncidentNote> incidents;
  std::vector<NamedView> views;
  bool empty() const { return markers.empty() && incidents.empty() && views.empty(); }
  bool operator==(const Notes&) const = default;
};

// Its place, after those at the same moment.
std::size_t put_marker(Notes& notes, Marker marker);
// "Marker 3", "View 1": the next that is not there yet.
QString next_marker_name(const Notes& notes);
QString next_view_name(const Notes& notes);
// All of both; where an incident has two texts, both of them.
Notes merged(const Notes& a, const Notes& b);

// ---- as a file beside a recording (ui/README.md, Notes): JSON, of version kNotesVersion

inline constexpr int kNotesVersion = 1;
// "night.recording" → "night.recording.notes.json"
QString notes_path(const QString& recording);
QByteArray notes_text(const Notes& notes);
// The error says what is wrong and where: "line 3: …", "markers[2].at_ns: …".
tl::expected<Notes, QString> read_notes(const QByteArray& text);

}  // namespace leasescope
