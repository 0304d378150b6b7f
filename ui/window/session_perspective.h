// A perspective over one session: its chart in the middle, and the panels about it around. What there is to be opened
// lies at the left, the results below, and the selection, what the perspective has of its own, and the cursor at the
// right.
#pragma once
#include <functional>
#include <optional>

#include "ui/models/session.h"
#include "ui/notes/notes_model.h"
#include "ui/timeline/paint/axis.h"
#include "ui/window/chart_actions.h"
#include "ui/window/perspective.h"
#include "ui/window/window_actions.h"

namespace leasescope {

class CursorPanel;
class NotesPanel;
class ReportExport;
struct PartOffer;
struct ReportFormat;
class ResultsPanel;
class SelectionPanel;
class SummaryBar;
class TimelinePage;
struct WantedPart;

class SessionPerspective : public Perspective {
  Q_OBJECT
 public:
  Session& session() { return session_; }
  TimelinePage* view() const { return view_; }
  ResultsPanel* results() const { return results_; }
  Notebook& notebook() const { return *notebook_; }
  NotesPanel* notes() const { return notes_; }
  CursorPanel* cursor() const { return cursor_; }
  SelectionPanel* selection() const { return selection_; }
  SummaryBar* summary() const { return summary_; }
  ReportExport* exporter() const { return exporter_; }
  QAction* action(ChartAction which) const { return (*chartActions_)[which]; }
  // What of a watch is exported; none: nothing after all. By a dialog unless told otherwise.
  void askPartWith(std::function<std::optional<WantedPart>(const PartOffer&)> ask) { askPart_ = std::move(ask); }

  QWidget* status() override;
  std::vector<ActionTable*> actionTables() override { return {chartActions_}; }
  std::vector<QAction*> entries() const override { return viewActions_; }
  void layOut() override;
  void present(bool on) override;
  void letGo() override;
  void remember(QSettings& settings) const override;
  void restore(const QSettings& settings) override;

 protected:
  // What is at the left is called `listTitle`; the session outlives the perspective's widgets.
  SessionPerspective(Session& session, const QString& word, const QString& name, QWidget* parent);
  // Once, by the one that is derived: `empty` stands in the middle without a run.
  struct Parts {
    QString listTitle;
    QString how;  // of the help: what is done first
    QWidget* list = nullptr;
    QWidget* empty = nullptr;
    // Between the selection and the cursor; null: nothing. The short title is for its tab.
    QString ownTitle, ownShort;
    QWidget* own = nullptr;
  };
  void build(const Parts& parts);
  void setListNote(const QString& note);
  // These two do and undo what the session remembers, and say what that is.
  void offerUndo(QAction& undo, QAction& redo);
  // What the ruler counts until the reader chooses something else; before build().
  void countByDefault(Counts counts) { counts_ = default_ = counts; }

  virtual void searchList() = 0;
  // Which of the chart's actions can be done.
  virtual void loadActions();
  void setCompact(bool compact) override;
  void sizeDocks() override;
  // Beside the results, where there are any; sizes all docks.
  void showLegendWhereThereIsRoom();
  void showEvent(QShowEvent* event) override;

  QDockWidget* listDock() const { return listDock_; }
  QDockWidget* resultsDock() const { return resultsDock_; }

 private:
  void buildPanels(const Parts& parts);
  void connectChart();
  void tellMeasured();
  void count(Counts counts);
  void countByRow();
  Axis chosenAxis() const;
  void loadAxis();
  void loadPlaces();
  void connectTables();
  void connectSession();
  QList<QDockWidget*> atRight() const;
  void shareWithLegend(int room);
  void sizeAnew();
  void help();
  void copyIncident();
  QList<QAction*> exportActions() const;
  void exportAs(const ReportFormat& format);
  PartOffer partOffer() const;
  void connectExporter();

  // ---- markers, notes and views (session_notes.cpp)
  void buildNotes();
  void connectNotes();
  void showNotes();
  void loadNotes();
  void loadNoteActions();
  void loadViews();
  void putMarker();
  void nameMarker();
  void goToNote(NotesModel::Kind kind, std::size_t place);
  void writeNote();
  void tellNote();
  QString noteOfSelected() const;
  void keepView();
  // ---- the chart's rows (session_rows.cpp)
  void connectRows();
  void loadRows();
  std::string currentRowName() const;
  void pinRow();
  void hideRow();
  void moveRow(int by);
  void goToBlocker();
  void showRowMenu(int contender, int mutex, QPoint at);

  Session& session_;
  Notebook* notebook_;
  NotesPanel* notes_ = nullptr;
  QStringList viewNames_;
  std::vector<QAction*> viewActions_;
  ChartActions* chartActions_;
  QAction* showList_;
  TimelinePage* view_ = nullptr;
  SummaryBar* summary_ = nullptr;
  ReportExport* exporter_ = nullptr;
  ResultsPanel* results_ = nullptr;
  SelectionPanel* selection_ = nullptr;
  CursorPanel* cursor_ = nullptr;
  QWidget* own_ = nullptr;
  QDockWidget *listDock_ = nullptr, *resultsDock_ = nullptr, *selectionDock_ = nullptr, *ownDock_ = nullptr,
              *cursorDock_ = nullptr, *legendDock_ = nullptr, *notesDock_ = nullptr;
  class DockTitle* listTitle_ = nullptr;
  QWidget* incidentHint_ = nullptr;
  std::vector<QWidget*> rightTitles_;
  Counts counts_ = Counts::kRun;  // as chosen; a run without a wall clock counts its seconds
  Counts default_ = Counts::kRun;
  std::string counted_by_;  // kContender: whose clock
  std::function<std::optional<WantedPart>(const PartOffer&)> askPart_;
  bool awaited_ = false;  // the first run, which shows what rows there are
  int expected_ = 0;      // height of the chart by which the docks were sized
  int given_ = 0;         // ... and that of the results then
};

}  // namespace leasescope
