#include "ui/notes/notebook.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QUndoStack>
#include <utility>

namespace leasescope {
namespace {

// Nothing where there is no file; the error when there is one that cannot be read.
tl::expected<std::optional<QByteArray>, QString> contentOf(const QString& path) {
  QFile file(path);
  if (!file.exists()) return std::optional<QByteArray>();
  if (!file.open(QIODevice::ReadOnly)) return tl::make_unexpected(file.errorString());
  return std::optional<QByteArray>(file.readAll());
}

tl::expected<void, QString> put(const QString& path, const QByteArray& text) {
  QSaveFile file(path);
  if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit()) return {};
  return tl::make_unexpected(file.errorString());
}

}  // namespace

class NotebookCommand : public QUndoCommand {
 public:
  NotebookCommand(Notebook& notebook, Notebook::State after, const QString& what, bool typed)
      : QUndoCommand(what), notebook_(notebook), before_(notebook.state_), after_(std::move(after)), typed_(typed) {}

  void undo() override { notebook_.apply(before_); }
  void redo() override { notebook_.apply(after_); }
  int id() const override { return typed_ ? 1 : -1; }
  bool mergeWith(const QUndoCommand* next) override {
    const auto* more = dynamic_cast<const NotebookCommand*>(next);
    if (more == nullptr || !typed_ || !more->typed_ || text() != more->text()) return false;
    after_ = more->after_;
    setObsolete(after_ == before_);
    return true;
  }

 private:
  Notebook& notebook_;
  Notebook::State before_, after_;
  bool typed_;
};

Notebook::Notebook(Session& session, QObject* parent) : QObject(parent), session_(session) {}

void Notebook::change(State next, const QString& what, Typed typed) {
  if (next == state_) return;
  session_.undo().push(new NotebookCommand(*this, std::move(next), what, typed == Typed::kYes));
}

void Notebook::apply(const State& state) {
  const bool notes = !(state.notes == state_.notes), rows = !(state.rows == state_.rows);
  state_ = state;
  if (notes) write();
  if (notes) emit notesChanged();
  if (rows) emit rowsChanged();
}

// ---- markers, notes, views, rows

std::size_t Notebook::addMarker(TrueTime at) {
  State next = state_;
  const QString name = next_marker_name(next.notes);
  const std::size_t place = put_marker(next.notes, {at, name, {}});
  change(std::move(next), name);
  return place;
}

void Notebook::setMarker(std::size_t place, Marker marker) {
  State next = state_;
  next.notes.markers.erase(next.notes.markers.begin() + static_cast<std::ptrdiff_t>(place));
  const QString name = marker.name;
  put_marker(next.notes, std::move(marker));
  change(std::move(next), tr("change of %1").arg(name));
}

template <class Named>
void Notebook::remove(std::vector<Named> Notes::*all, std::size_t place) {
  State next = state_;
  std::vector<Named>& from = next.notes.*all;
  const QString name = from[place].name;
  from.erase(from.begin() + static_cast<std::ptrdiff_t>(place));
  change(std::move(next), Notebook::tr("removal of %1").arg(name));
}

void Notebook::removeMarker(std::size_t place) { remove(&Notes::markers, place); }

void Notebook::setNote(IncidentNote note) {
  State next = state_;
  std::vector<IncidentNote>& all = next.notes.incidents;
  const auto known = std::find_if(all.begin(), all.end(), [&](const IncidentNote& each) { return each.of_same(note); });
  if (known == all.end() && note.text.isEmpty()) return;
  if (known == all.end())
    all.push_back(std::move(note));
  else if (note.text.isEmpty())
    all.erase(known);
  else
    known->text = note.text;
  change(std::move(next), tr("note to an incident"));
}

QString Notebook::noteOf(const IncidentNote& incident) const {
  for (const IncidentNote& each : state_.notes.incidents)
    if (each.of_same(incident)) return each.text;
  return {};
}

void Notebook::addView(TrueTime from, Duration span, int scroll) {
  State next = state_;
  const QString name = next_view_name(next.notes);
  next.notes.views.push_back({name, from, span, scroll, next.rows});
  change(std::move(next), name);
}

void Notebook::setView(std::size_t place, NamedView view) {
  State next = state_;
  const QString name = view.name;
  next.notes.views[place] = std::move(view);
  change(std::move(next), tr("change of %1").arg(name));
}

void Notebook::removeView(std::size_t place) { remove(&Notes::views, place); }

void Notebook::arrange(RowChoice rows, const QString& what, Typed typed) {
  State next = state_;
  next.rows = std::move(rows);
  change(std::move(next), what, typed);
}

// ---- where they are kept

void Notebook::turnTo(const QString& what, const QString& file) {
  // What a file has need not be kept here; what could not be written must.
  if (!what_.isEmpty()) others_[what_] = file_.isEmpty() || !whyNotKept_.isEmpty() ? state_ : State{{}, state_.rows};
  what_ = what;
  file_ = file.isEmpty() ? QString() : notes_path(file);
  State next;
  if (const auto known = others_.find(what); !what.isEmpty() && known != others_.end()) next = known->second;
  session_.undo().clear();
  whyNotKept_.clear();
  unreadable_ = false;
  onDisk_.reset();
  state_ = std::move(next);
  if (!file_.isEmpty()) read();
  emit notesChanged();
  emit rowsChanged();
}

void Notebook::read() {
  const auto content = contentOf(file_);
  if (!content) {
    unreadable_ = true;
    return tell(tr("it cannot be read: %1").arg(content.error()));
  }
  onDisk_ = *content;
  if (!onDisk_) return;
  const auto found = read_notes(*onDisk_);
  if (!found) {
    unreadable_ = true;
    return tell(found.error());
  }
  const Notes both = merged(*found, state_.notes);
  const bool more = !(both == *found);
  state_.notes = both;
  if (more) write();
}

// Another window may have written meanwhile: its notes are not overwritten either.
void Notebook::write() {
  if (file_.isEmpty()) return;
  if (unreadable_) return tell(whyNotKept_);
  const auto there = contentOf(file_);
  if (!there || *there != onDisk_)
    return tell(
        tr("the file was changed by another program meanwhile: read the recording again (F5), and both are "
           "kept"));
  if (!onDisk_ && state_.notes.empty()) return;
  const QByteArray text = notes_text(state_.notes);
  if (const auto written = put(file_, text); !written)
    return tell(tr("%1: make its folder writable, and change a note again").arg(written.error()));
  onDisk_ = text;
  if (!whyNotKept_.isEmpty()) emit session_.problem({});
  whyNotKept_.clear();
}

// The first time beside the chart; whoever goes on is reminded in the status bar.
void Notebook::tell(const QString& why) {
  const QString name = QFileInfo(file_).fileName();
  const bool first = whyNotKept_.isEmpty();
  whyNotKept_ = why;
  if (!first) return emit session_.told(tr("Notes are kept in memory only: %1 is not written").arg(name));
  Problem p;
  p.title = unreadable_ ? tr("%1 was not read").arg(name) : tr("%1 was not written").arg(name);
  p.message = unreadable_
                  ? tr("%1. It is left as it is: mend it or move it away, and read the recording again (F5).").arg(why)
                  : why;
  p.remains = tr("Markers, notes and views are kept in memory until the window is closed.");
  emit session_.problem(p);
}

void Notebook::saveBeside(const QString& recording) {
  const QString file = notes_path(recording);
  const auto there = contentOf(file);
  if (state_.notes.empty() && there && !*there) return;
  // Of the recording that was there before, which is gone with its notes; but what is no notes is not ours.
  const bool ours = there && (!*there || read_notes(**there));
  const auto written = ours ? put(file, notes_text(state_.notes))
                            : tl::expected<void, QString>(tl::make_unexpected(tr("what is there is no notes of ours")));
  if (written) return;
  Problem p;
  p.title = tr("%1 was not written").arg(QFileInfo(file).fileName());
  p.message = tr("The recording was; its markers, notes and views were not: %1.").arg(written.error());
  p.remains = tr("They are kept in memory until the window is closed.");
  emit session_.problem(p);
}

}  // namespace leasescope
