// The Lab: a scenario from the list or a file, its run with all that can be done to it, its values beside it.
#pragma once
#include <QTemporaryDir>
#include <functional>
#include <memory>

#include "ui/lab/lab_actions.h"
#include "ui/lab/lab_controller.h"
#include "ui/models/scenario_list_model.h"
#include "ui/window/session_perspective.h"

namespace leasescope {

class FaultTool;
class PairedRuns;
class PlanLane;
class PreparationBox;
class Prospects;
class RunSaver;
class ScenarioPanel;
class TextPanel;
class TransportBar;
class ValuesPanel;

class LabPerspective : public SessionPerspective {
  Q_OBJECT
 public:
  explicit LabPerspective(WindowActions& frame, QWidget* parent = nullptr);
  ~LabPerspective() override;

  LabController& lab() { return lab_; }
  ScenarioPanel* scenarios() const { return scenarios_; }
  Prospects* prospects() const { return prospects_; }
  ValuesPanel* valuesPanel() const { return values_; }
  TransportBar* transport() const { return transport_; }
  RunSaver* saver() const { return saver_; }
  PreparationBox* preparation() const { return preparation_; }
  PairedRuns* pairs() const { return pairs_; }
  PreparationBox* pairsBox() const { return pairsBox_; }
  TextPanel* text() const { return text_; }
  PlanLane* planLane() const { return planLane_; }
  FaultTool* faultTool() const { return faultTool_; }
  using SessionPerspective::action;
  QAction* action(LabAction which) const { return (*actions_)[which]; }

  QWidget* tools() override;
  std::vector<ActionTable*> actionTables() override;
  QString document() const override;
  bool modified() const override { return lab_.document().modified(); }
  bool mayClose() override { return mayLeave(); }
  bool takes(const QString& path, const QByteArray& begin) const override;
  QStringList fileFilters() const override;
  // A built-in name as well. Runs at once where that takes no server: the picture comes first.
  void open(const QString& nameOrPath) override;
  void remember(QSettings& settings) const override;
  void restore(const QSettings& settings) override;
  void layOut() override;
  void letGo() override;
  static QString lastScenario();

  // What is done with changes that lie in no file when their scenario is left; asked in a box of its own unless told
  // otherwise. `name`: of the scenario.
  enum class Leave { kSave, kDiscard, kCancel };
  void askWith(std::function<Leave(const QString& name)> ask) { ask_ = std::move(ask); }
  // Where to save to; empty: nowhere. By the dialog of the system unless told otherwise.
  void choosePathWith(std::function<QString(const QString& proposed)> choose) { choosePath_ = std::move(choose); }
  // Paths, the latest first.
  static QStringList recentScenarios();

 protected:
  void setCompact(bool compact) override;
  void searchList() override;
  void loadActions() override;
  void showEvent(QShowEvent* event) override;

 private:
  void connectActions();
  void connectLab();
  void loadTravel();
  void saveRecording();
  void compareRun();
  QString pathToCompare(const QString& name);

  // ---- two runs at once (lab_pairs.cpp)
  struct PairOf {
    QString name;
    std::vector<Course> courses;
  };
  void connectPairs();
  void runBothWorlds();
  void runTwoSeeds();
  void runTwoSettings();
  void runForkAndOrigin();
  void beginPair(const QString& how, const PairOf& first, const PairOf& second);
  void openPair(const QStringList& paths, const Problem& why);

  void connectFiles();
  void connectText();
  void copy(const tl::expected<std::string, std::string>& text, const QString& what);
  bool mayLeave();
  bool save();
  bool saveAs();
  bool saveTo(const QString& path);
  void openSource(const QString& nameOrPath);
  void newScenario();
  void showRecent();
  void showText();
  void noteRecent(const QString& path);
  void noteLeft();
  Leave ask(const QString& name);

  LabController lab_;
  ScenarioListModel* list_;
  LabActions* actions_;
  TransportBar* transport_;
  ScenarioPanel* scenarios_;
  ValuesPanel* values_;
  TextPanel* text_;
  PlanLane* planLane_;
  FaultTool* faultTool_;
  QDockWidget* textDock_ = nullptr;
  std::function<Leave(const QString&)> ask_;
  std::function<QString(const QString&)> choosePath_;
  PreparationBox* preparation_;
  Prospects* prospects_;
  RunSaver* saver_;
  PairedRuns* pairs_ = nullptr;
  PreparationBox* pairsBox_ = nullptr;
  std::unique_ptr<QTemporaryDir> comparedRuns_;  // of this window
  QString toCompare_;                            // what is written for it just now
};

}  // namespace leasescope
