// Compare: two recordings in charts one above the other, which show the same stretch of time, and where they part.
#pragma once
#include <QLabel>
#include <QTimer>
#include <array>
#include <memory>

#include "core/history/comparison.h"
#include "ui/compare/compare_actions.h"
#include "ui/models/session.h"
#include "ui/window/chart_actions.h"
#include "ui/window/perspective.h"
#include "ui/window/window_actions.h"

namespace leasescope {

class ComparedSide;
class ComparisonPanel;
class DistributionsPanel;
class PreparationBox;

class ComparePerspective : public Perspective {
  Q_OBJECT
 public:
  explicit ComparePerspective(WindowActions& frame, QWidget* parent = nullptr);
  ~ComparePerspective() override;

  ComparedSide& side(int which) const { return *sides_[static_cast<std::size_t>(which)]; }
  ComparisonPanel* panel() const { return panel_; }
  DistributionsPanel* distributions() const { return distributions_; }
  // How far a comparison is, with its Cancel.
  PreparationBox* progress() const { return box_; }
  bool compares() const { return comparing_ != nullptr; }
  QAction* action(CompareAction which) const { return (*actions_)[which]; }
  QAction* action(ChartAction which) const { return (*chartActions_)[which]; }

  QWidget* tools() override { return tools_; }
  QWidget* status() override { return status_; }
  std::vector<ActionTable*> actionTables() override { return {chartActions_, actions_}; }
  QString document() const override;
  // While it is shown: another perspective has recordings of its own.
  bool takes(const QString& path, const QByteArray& begin) const override;
  QStringList fileFilters() const override { return {}; }
  // As A, or as B when there is an A.
  void open(const QString& path) override;
  // As A and as B, linked; without B, `why` is told on its side.
  void openTwo(const QString& a, const QString& b, const Problem& why) override;
  void layOut() override;
  void present(bool on) override;
  void remember(QSettings& settings) const override;
  void restore(const QSettings& settings) override;

 signals:
  void compared();

 protected:
  void sizeDocks() override;
  void showEvent(QShowEvent* event) override;

 private:
  void connectActions();
  void link(int from, int to);
  QWidget* makeTools();
  void askFor(int which);
  void swap();
  ComparedSide& active() const;
  void loadActions();
  void changed();
  void begin();
  void compareOn();
  void cancel();
  void tellOfB();
  void conclude();
  QString remark() const;
  void goTo(const ComparedEvent& event);
  void goTo(const ComparedPlaces& at);
  void nameSides();
  void goTo(TrueTime at);

  CompareActions* actions_;
  ChartActions* chartActions_;
  std::array<ComparedSide*, 2> sides_{};
  ComparisonPanel* panel_;
  DistributionsPanel* distributions_;
  QLabel* status_;
  QWidget* tools_;
  bool led_ = false;  // one chart follows the other just now
  Problem ofB_;       // to be told on its side, once it is compared
  QTimer work_;
  std::unique_ptr<Comparing> comparing_;
  Preparation progress_;
  PreparationBox* box_ = nullptr;
};

}  // namespace leasescope
