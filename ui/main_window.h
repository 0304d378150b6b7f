// The window: menus, tool bar, docks and the chart in the middle; remembers how it was left.
#pragma once
#include <QMainWindow>

#include "ui/lab/lab_actions.h"
#include "ui/lab/lab_controller.h"
#include "ui/models/scenario_list_model.h"

class QDockWidget;
class QLabel;

namespace leasescope {

class CursorPanel;
class KeySheet;
class LabView;
class LegendPanel;
class Prospects;
class ResultsPanel;
class ScenarioPanel;
class SelectionPanel;
class SummaryBar;
class TransportBar;
class ValuesPanel;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;

  LabController& lab() { return lab_; }
  LabView* view() const { return view_; }
  ResultsPanel* results() const { return results_; }
  ScenarioPanel* scenarios() const { return scenarios_; }
  Prospects* prospects() const { return prospects_; }
  ValuesPanel* valuesPanel() const { return values_; }
  TransportBar* transport() const { return transport_; }
  SummaryBar* summary() const { return summary_; }
  QAction* action(LabAction which) const { return (*actions_)[which]; }

  std::vector<LabActions::Key> keySheet() const { return actions_->keys(); }

  // Opens, and runs at once where that takes no server: the picture comes first.
  void open(const QString& nameOrPath);
  // Geometry, docks, theme, speed, last scenario. A layout of another version is left aside.
  void remember() const;
  void restore();
  static QString lastScenario();
  static QString rememberedTheme();

  QMenu* createPopupMenu() override;

 protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildDocks();
  void buildMenus();
  void connectActions();
  void connectLab();
  QDockWidget* addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
  QList<QDockWidget*> docks() const;
  void layOut();
  bool everyPanelIsReachable() const;
  void mendSizes();
  void showLegendWhereThereIsRoom();
  void setCompact(bool compact);
  void sizeDocks();
  void sizeAnew();
  void shareWithLegend(int width);
  void placeDocument();
  void loadActions();
  void loadTravel();
  void loadTitle();
  void openFile();
  void exportChart(const QString& ending);
  void about();
  void help();

  LabController lab_;
  ScenarioListModel* list_;
  LabActions* actions_;
  QAction* showScenarios_;
  LabView* view_;
  TransportBar* transport_;
  SummaryBar* summary_;
  ScenarioPanel* scenarios_;
  ResultsPanel* results_;
  SelectionPanel* selection_;
  ValuesPanel* values_;
  CursorPanel* cursor_;
  Prospects* prospects_;
  KeySheet* keys_ = nullptr;
  QLabel* document_ = nullptr;
  QDockWidget *scenarioDock_, *resultsDock_, *selectionDock_, *valuesDock_, *cursorDock_, *legendDock_;
  QWidget* incidentHint_;
  std::vector<QWidget*> rightTitles_;
  bool compact_ = false;
  bool awaited_ = false;  // the first run, which shows what rows there are
  int expected_ = 0;      // height of the chart by which the docks were sized
  int given_ = 0;         // ... and that of the results then
  bool laidOut_ = false;  // by the reader, or for the scenario on the screen
};

}  // namespace leasescope
