// How long hand-offs, gaps and the like took in two runs: of each measure both distributions, and how far apart they
// are.
#pragma once
#include <QTimer>
#include <array>

#include "core/history/measures/statistics.h"
#include "ui/charts/chart_view.h"
#include "ui/panels/parts.h"

namespace leasescope {

class DistributionsPanel : public Pane {
  Q_OBJECT
 public:
  explicit DistributionsPanel(QWidget* parent = nullptr);

  // Measured a part at a time beside the window's own work; null: nothing is compared. They outlive it, or are taken
  // away by another call.
  void setHistories(const History* a, const History* b);
  std::size_t size() const { return charts_.size(); }
  ChartView* chart(std::size_t i) const { return charts_[i].view; }

 signals:
  void measured();
  // Where the length next to the chosen one is, in A or in B.
  void momentChosen(leasescope::TrueTime at);

 private:
  struct Chart {
    std::size_t measure = 0;  // its place in the statistics
    ChartView* view = nullptr;
  };
  void measure();
  void draw();
  void draw(const Chart& chart);
  void choose(const Chart& chart, double across);

  std::array<const History*, 2> histories_{};
  std::array<Statistics, 2> statistics_;
  std::vector<Chart> charts_;
  std::size_t drawn_ = 0;  // so many show what was measured
  QTimer work_;
};

}  // namespace leasescope
