// One of two runs that are compared: what it is, over its chart. A recording that is dropped here is opened here.
#pragma once
#include "ui/panels/parts.h"
#include "ui/recordings/recorded_session.h"

namespace leasescope {

class TimelinePage;
class TimelineView;

class ComparedSide : public Pane {
  Q_OBJECT
 public:
  // `letter` is how it is called; `open` asks for another recording.
  ComparedSide(const QString& letter, QAction* open, QWidget* parent = nullptr);

  RecordedSession& session() { return session_; }
  TimelineView* chart() const;
  // Open, and read as far as it goes.
  bool ready() const { return session_.history() != nullptr && session_.state() == RunState::kFinished; }
  // The chart larger, without its minimap.
  void present(bool on);
  // What tells it from the other, behind its letter: "live: redis"; empty: nothing.
  void setName(const QString& name);
  // "A · virtual".
  QString title() const { return title_->text(); }
  // "gc-pause · recorded, live redis · seed 7"; empty: nothing is open.
  QString about() const;

 signals:
  void changed();  // there is another run, or none, or it was read to its end

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void load();

  QString letter_;
  RecordedSession session_;
  TimelinePage* page_;
  QLabel* title_;
  ElidedLabel *file_, *what_;
  QAction* stop_;
};

}  // namespace leasescope
