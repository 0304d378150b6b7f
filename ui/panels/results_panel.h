// The bottom panel: incidents, contenders, events and statistics of the run; what is chosen here is shown on the chart.
// Each table has a filter of its own: of words, of events the language of core/history/event_filter.h.
#pragma once
#include <QLineEdit>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>

#include "ui/models/contenders_model.h"
#include "ui/models/events_model.h"
#include "ui/models/filter_words.h"
#include "ui/models/incidents_model.h"
#include "ui/models/session.h"
#include "ui/models/word_filter.h"
#include "ui/panels/parts.h"
#include "ui/panels/problem_box.h"
#include "ui/panels/statistics_page.h"
#include "ui/panels/tables.h"
#include "ui/panels/word_completer.h"

namespace leasescope {

class ResultsPanel : public Pane {
  Q_OBJECT
 public:
  // What is said of a run that has ended without an incident.
  static QString noIncidentOf(const Outcome& outcome);

  enum Tab { kIncidents, kContenders, kEvents, kStatistics, kTabs };

  explicit ResultsPanel(Session& session, QWidget* parent = nullptr);

  QTabBar* tabs() const { return tabs_; }  // becomes the dock's title
  IncidentsModel* incidents() const { return incidents_; }
  ContendersModel* contenders() const { return contenders_; }
  Table* incidentTable() const { return incidentTable_; }
  Table* contenderTable() const { return contenderTable_; }
  Table* eventTable() const { return eventTable_; }
  StatisticsPage* statistics() const { return statistics_; }
  EventsModel* events() const { return events_; }
  ProblemBox* filterProblem() const { return filterProblem_; }  // why what stands in filter() is none
  QLineEdit* filter() const { return filter_; }                 // stands in the dock's title
  void focusFilter();
  void setCompact(bool compact);
  void showTab(int tab);

 signals:
  void timeChosen(leasescope::TrueTime at);
  void incidentChosen(int index);  // here: the chart is to go there
  void contenderChosen(int place);

 private:
  void reset();
  void loadWords();
  void sync();
  void syncEvents();
  friend class TableFilterCommand;
  void connectFilter();
  void offerValues();
  void moreWords();
  void changeFilter(const QString& text);
  void showFilter(int tab, const QString& text);
  void applyFilter(int tab);
  void loadFilter();
  void tellError();
  void titleTabs();
  void countTime();
  void fitTimes();
  void select(int incident);
  void choose(const QModelIndex& row);

  Session& session_;
  QTabBar* tabs_;
  QStackedWidget* pages_;
  IncidentsModel* incidents_;
  ContendersModel* contenders_;
  EventsModel* events_;
  WordFilter *byStart_, *contenderOrder_;
  QLineEdit* filter_;
  WordCompleter* completer_;
  FilterWords filterWords_;
  QString field_;           // of the filter's term for which words are loaded
  bool stale_ = false;      // there are more words by now
  QString filters_[kTabs];  // of what stands in rows
  bool loading_ = false;    // the field shows what is so already
  bool picked_ = false;     // from a menu, and not typed
  ProblemBox* filterProblem_;
  std::optional<FilterError> error_;  // of the filter of events
  QTimer calm_;                       // nobody is told of an error in the middle of a word
  bool compact_ = false;
  Counts counts_ = Counts::kRun;  // what the columns of time are as wide as
  Table *incidentTable_, *contenderTable_, *eventTable_;
  StatisticsPage* statistics_;
  // While rows come and go the tables' current rows move by themselves: nobody has chosen them, and whoever took it for
  // a choice would change the models in the middle of their change.
  class Changing {
   public:
    explicit Changing(int& depth) : depth_(depth) { ++depth_; }
    ~Changing() { --depth_; }
    Changing(const Changing&) = delete;
    Changing& operator=(const Changing&) = delete;

   private:
    int& depth_;
  };
  int changing_ = 0;
};

}  // namespace leasescope
