// What a reader does with a session: markers, notes to incidents, named views, which rows are shown. Every change can
// be undone, on the session's own stack. For a recording the notes lie in a file beside it, written at each change;
// else they are kept in memory, for as long as the window is open.
#pragma once
#include <QObject>
#include <map>

#include "ui/models/notes.h"
#include "ui/models/session.h"

namespace leasescope {

class Notebook : public QObject {
  Q_OBJECT
 public:
  explicit Notebook(Session& session, QObject* parent = nullptr);

  // Turns to what is opened now: a scenario by its name, or a recording, whose notes are then read from `file`. What
  // was kept in memory for it is there again; what can be undone is of what was open before, and is forgotten.
  void turnTo(const QString& what, const QString& file = {});
  // A run with these notes was saved to a recording, which has them from now on too.
  void saveBeside(const QString& recording);

  const Notes& notes() const { return state_.notes; }
  const RowChoice& rows() const { return state_.rows; }
  // Why the notes are not in a file; empty: they are, or there is none to be.
  const QString& whyNotKept() const { return whyNotKept_; }

  // ---- undoable; places are those in notes()
  std::size_t addMarker(TrueTime at);
  void setMarker(std::size_t place, Marker marker);
  void removeMarker(std::size_t place);
  // The text of an incident's note; empty takes it away.
  void setNote(IncidentNote note);
  QString noteOf(const IncidentNote& incident) const;
  void addView(TrueTime from, Duration span, int scroll);  // with the rows as they are
  void setView(std::size_t place, NamedView view);
  void removeView(std::size_t place);
  // `what` is done by the reader; what is typed is one step, however many letters it has.
  enum class Typed { kNo, kYes };
  void arrange(RowChoice rows, const QString& what, Typed typed = Typed::kNo);

 signals:
  void notesChanged();
  void rowsChanged();

 private:
  friend class NotebookCommand;
  struct State {
    Notes notes;
    RowChoice rows;
    bool operator==(const State&) const = default;
  };
  template <class Named>
  void remove(std::vector<Named> Notes::*all, std::size_t place);
  void change(State next, const QString& what, Typed typed = Typed::kNo);
  void apply(const State& state);
  void read();
  void write();
  void tell(const QString& why);

  Session& session_;
  State state_;
  QString what_, file_;
  std::optional<QByteArray> onDisk_;  // as it was read or written last; none: there was no file
  bool unreadable_ = false;           // what is there is not ours to overwrite
  QString whyNotKept_;
  std::map<QString, State> others_;  // of what was open before, as far as no file has it
};

}  // namespace leasescope
