// What a perspective over a session does with its notebook: markers, notes to incidents, named views.
#include <QDockWidget>
#include <QInputDialog>
#include <QTimer>

#include "ui/models/words.h"
#include "ui/notes/notes_panel.h"
#include "ui/panels/parts.h"
#include "ui/panels/selection_panel.h"
#include "ui/panels/summary_bar.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/session_perspective.h"

namespace leasescope {
namespace {

constexpr int kNotesWidth = 360;

Duration apart(TrueTime a, TrueTime b) { return a > b ? a - b : b - a; }

}  // namespace

void SessionPerspective::buildNotes() {
  notes_ = new NotesPanel(session_, *notebook_);
  notesDock_ = addDock(QStringLiteral("notesDock"), tr("Markers"), notes_, Qt::BottomDockWidgetArea);
  notesDock_->setTitleBarWidget(new DockTitle(notesDock_, tr("Markers, notes and views")));
  connect(notesDock_->toggleViewAction(), &QAction::triggered, this, [this](bool shown) {
    if (shown) showNotes();
  });
}

void SessionPerspective::showNotes() {
  notesDock_->show();
  notesDock_->raise();
  const int room = resultsDock_->width() + notesDock_->width();
  if (!notesDock_->isFloating())
    resizeDocks({resultsDock_, notesDock_}, {room - kNotesWidth, kNotesWidth}, Qt::Horizontal);
}

void SessionPerspective::connectNotes() {
  const auto on = [this](ChartAction which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  TimelineView* chart = view_->timeline();
  on(ChartAction::kPutMarker, [this] { putMarker(); });
  on(ChartAction::kNameMarker, [this] { nameMarker(); });
  on(ChartAction::kIncidentNote, [this] { writeNote(); });
  on(ChartAction::kNextMarker, [chart] { chart->goToMarker(1); });
  on(ChartAction::kPreviousMarker, [chart] { chart->goToMarker(-1); });
  on(ChartAction::kKeepView, [this] { keepView(); });
  connect(notebook_, &Notebook::notesChanged, this, &SessionPerspective::loadNotes);
  connect(notes_, &NotesPanel::chosen, this, &SessionPerspective::goToNote);
  connect(chart, &TimelineView::markerClicked, this,
          [this](int marker) { goToNote(NotesModel::Kind::kMarker, static_cast<std::size_t>(marker)); });
  connect(chart, &TimelineView::markerOpened, this, [this](int marker) {
    showNotes();
    notes_->show(NotesModel::Kind::kMarker, static_cast<std::size_t>(marker), true);
  });
  connect(&session_, &Session::incidentSelected, this, &SessionPerspective::tellNote);
  loadNotes();
}

void SessionPerspective::loadNotes() {
  MarkerFlags flags;
  for (const Marker& each : notebook_->notes().markers) flags.push_back({each.at, each.name, each.text});
  view_->timeline()->setMarkers(std::move(flags));
  loadViews();
  loadNoteActions();
  tellNote();
}

void SessionPerspective::loadNoteActions() {
  const bool open = session_.runScenario() != nullptr, marked = !notebook_->notes().markers.empty();
  action(ChartAction::kPutMarker)->setEnabled(open);
  action(ChartAction::kKeepView)->setEnabled(open);
  action(ChartAction::kIncidentNote)->setEnabled(session_.selectedIncident() >= 0);
  for (const ChartAction which : {ChartAction::kNameMarker, ChartAction::kNextMarker, ChartAction::kPreviousMarker})
    action(which)->setEnabled(open && marked);
}

// The menus have an entry for each view.
void SessionPerspective::loadViews() {
  const std::vector<NamedView>& views = notebook_->notes().views;
  QStringList names;
  for (const NamedView& view : views) names << view.name;
  if (names == viewNames_) return;
  viewNames_ = names;
  for (QAction* action : viewActions_) action->deleteLater();
  viewActions_.clear();
  for (std::size_t i = 0; i < views.size(); ++i) {
    auto* go = new QAction(tr("Show %1").arg(QString(views[i].name).replace(u'&', QStringLiteral("&&"))), this);
    connect(go, &QAction::triggered, this, [this, i] { goToNote(NotesModel::Kind::kView, i); });
    viewActions_.push_back(go);
  }
  emit entriesChanged();
}

// ---- markers

void SessionPerspective::putMarker() {
  const TrueTime at = view_->timeline()->markedTime();
  for (const Marker& each : notebook_->notes().markers)
    if (each.at == at) return summary_->tell(tr("%1 is there already").arg(each.name));
  const std::size_t place = notebook_->addMarker(at);
  const QString name = notebook_->notes().markers[place].name;
  const QString key = action(ChartAction::kNameMarker)->shortcut().toString();
  summary_->tell(tr("%1 at %2; %3 names it").arg(name, session_.time().text(at), key));
}

// What is marked in the panel, when a reader is there; else the nearest marker.
void SessionPerspective::nameMarker() {
  const QModelIndex current = notes_->currentIndex();
  if (notes_->hasFocus() && current.isValid()) {
    const NotesModel::Row row = notes_->notes()->at(current.row());
    return notes_->show(row.kind, row.place, true);
  }
  const std::vector<Marker>& markers = notebook_->notes().markers;
  if (markers.empty()) return;
  const TrueTime at = view_->timeline()->markedTime();
  const auto nearest = std::min_element(markers.begin(), markers.end(), [at](const Marker& a, const Marker& b) {
    return apart(a.at, at) < apart(b.at, at);
  });
  showNotes();
  notes_->show(NotesModel::Kind::kMarker, static_cast<std::size_t>(nearest - markers.begin()), true);
}

void SessionPerspective::goToNote(NotesModel::Kind kind, std::size_t place) {
  const Notes& notes = notebook_->notes();
  TimelineView* chart = view_->timeline();
  if (kind == NotesModel::Kind::kMarker) return chart->goToMoment(notes.markers[place].at);
  if (kind == NotesModel::Kind::kIncident) {
    const int incident = session_.history() ? incident_of(*session_.history(), notes.incidents[place]) : -1;
    if (incident < 0) return chart->goToMoment(notes.incidents[place].start);
    session_.selectIncident(incident);
    return view_->showIncident(incident);
  }
  const NamedView view = notes.views[place];
  notebook_->arrange(view.rows, tr("rows of %1").arg(view.name));
  chart->goToPlace({view.from, view.span, view.scroll});
}

// ---- notes to incidents

void SessionPerspective::writeNote() {
  const int index = session_.selectedIncident();
  if (index < 0) return;
  const Incident& incident = session_.history()->incidents[static_cast<std::size_t>(index)];
  IncidentNote note = note_for(*session_.history(), incident);
  bool done = false;
  const QString about = tr("%1, at %2").arg(fromText(title(incident.kind)), session_.time().text(incident.start));
  const QString text =
      QInputDialog::getMultiLineText(this, tr("Note to the incident"), about, notebook_->noteOf(note), &done);
  if (!done) return;
  note.text = text.trimmed();
  notebook_->setNote(std::move(note));
}

void SessionPerspective::tellNote() { selection_->setNote(noteOfSelected()); }

QString SessionPerspective::noteOfSelected() const {
  const int index = session_.selectedIncident();
  if (index < 0 || session_.history() == nullptr) return {};
  const Incident& incident = session_.history()->incidents[static_cast<std::size_t>(index)];
  return notebook_->noteOf(note_for(*session_.history(), incident));
}

// ---- views

void SessionPerspective::keepView() {
  const ViewPlace place = view_->timeline()->place();
  notebook_->addView(place.from, place.span, place.scroll);
  summary_->tell(tr("%1 is kept; it is in the menu Go").arg(notebook_->notes().views.back().name));
}

}  // namespace leasescope
