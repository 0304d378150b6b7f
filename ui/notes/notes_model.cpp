#include "ui/notes/notes_model.h"

#include "ui/models/glyph.h"
#include "ui/models/words.h"

namespace leasescope {

NotesModel::NotesModel(Session& session, Notebook& notebook, QObject* parent)
    : QAbstractTableModel(parent), session_(session), notebook_(notebook) {
  connect(&notebook, &Notebook::notesChanged, this, &NotesModel::load);
  connect(&session, &Session::timeCounted, this, [this] {
    emit headerDataChanged(Qt::Horizontal, kTime, kTime);
    if (rowCount() > 0) emit dataChanged(index(0, kTime), index(rowCount() - 1, kTime));
  });
  load();
}

void NotesModel::load() {
  const Notes& notes = notebook_.notes();
  std::vector<Row> rows;
  for (std::size_t i = 0; i < notes.markers.size(); ++i) rows.push_back({Kind::kMarker, i, notes.markers[i].at});
  for (std::size_t i = 0; i < notes.incidents.size(); ++i)
    rows.push_back({Kind::kIncident, i, notes.incidents[i].start});
  for (std::size_t i = 0; i < notes.views.size(); ++i) rows.push_back({Kind::kView, i, notes.views[i].from});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.at < b.at; });
  // A name that is edited in the table stays where it is.
  if (rows == rows_) {
    if (!rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    return;
  }
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

int NotesModel::rowOf(Kind kind, std::size_t place) const {
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].kind == kind && rows_[i].place == place) return static_cast<int>(i);
  return -1;
}

void NotesModel::remove(int row) {
  const Row which = at(row);
  if (which.kind == Kind::kMarker) return notebook_.removeMarker(which.place);
  if (which.kind == Kind::kView) return notebook_.removeView(which.place);
  IncidentNote note = notebook_.notes().incidents[which.place];
  note.text.clear();
  notebook_.setNote(std::move(note));
}

int NotesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int NotesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

// An incident is called what it is, and whether this run has it.
QString NotesModel::nameOf(const Row& row) const {
  const Notes& notes = notebook_.notes();
  if (row.kind == Kind::kMarker) return notes.markers[row.place].name;
  if (row.kind == Kind::kView) return notes.views[row.place].name;
  const IncidentNote& note = notes.incidents[row.place];
  const QString name = fromText(title(note.kind));
  const bool here = session_.history() != nullptr && incident_of(*session_.history(), note) >= 0;
  return here ? name : tr("%1 (not in this run)").arg(name);
}

QString NotesModel::textOf(const Row& row) const {
  const Notes& notes = notebook_.notes();
  if (row.kind == Kind::kMarker) return notes.markers[row.place].text;
  if (row.kind == Kind::kIncident) return notes.incidents[row.place].text;
  const NamedView& view = notes.views[row.place];
  QString text = tr("view of %1").arg(spanText(view.span));
  const auto hidden = static_cast<int>(view.rows.hidden.size());
  if (hidden > 0) text += QStringLiteral(", ") + tr("%n row(s) hidden", nullptr, hidden);
  if (view.rows.filter.any()) text += QStringLiteral(", ") + tr("rows filtered");
  return text;
}

QVariant NotesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = at(index.row());
  const bool shown = role == Qt::DisplayRole || role == Qt::EditRole;
  switch (index.column()) {
    case kMark:
      if (role == kGlyphRole && row.kind == Kind::kIncident)
        return static_cast<int>(glyph_of(notebook_.notes().incidents[row.place].kind));
      if (shown && row.kind != Kind::kIncident)
        return row.kind == Kind::kMarker ? QStringLiteral("⚑") : QStringLiteral("▭");
      if (role == Qt::AccessibleTextRole)
        return row.kind == Kind::kMarker ? tr("Marker")
               : row.kind == Kind::kView ? tr("View")
                                         : tr("Note to an incident");
      return {};
    case kTime:
      if (role == kNumericRole) return true;
      return shown ? session_.time().figure(row.at) : QVariant();
    case kName:
      return shown ? nameOf(row) : QVariant();
    case kText:
      if (role == kMutedRole) return row.kind == Kind::kView;
      return shown ? textOf(row).replace(u'\n', role == Qt::DisplayRole ? u' ' : u'\n') : QVariant();
    default:
      return {};
  }
}

Qt::ItemFlags NotesModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const Kind kind = at(index.row()).kind;
  const bool edited =
      (index.column() == kName && kind != Kind::kIncident) || (index.column() == kText && kind != Kind::kView);
  return QAbstractTableModel::flags(index) | (edited ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool NotesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) return false;
  const Row row = at(index.row());
  const QString text = value.toString().trimmed();
  const Notes& notes = notebook_.notes();
  const bool name = index.column() == kName;
  if (name && text.isEmpty()) return false;
  if (row.kind == Kind::kIncident) {
    IncidentNote note = notes.incidents[row.place];
    note.text = text;
    notebook_.setNote(std::move(note));
  } else if (row.kind == Kind::kView) {
    NamedView view = notes.views[row.place];
    view.name = text;
    notebook_.setView(row.place, std::move(view));
  } else {
    Marker marker = notes.markers[row.place];
    (name ? marker.name : marker.text) = text;
    notebook_.setMarker(row.place, std::move(marker));
  }
  return true;
}

QVariant NotesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case kTime:
      return tr("At, %1").arg(session_.time().unit());
    case kName:
      return tr("Name");
    case kText:
      return tr("Note");
    default:
      return {};
  }
}

}  // namespace leasescope
