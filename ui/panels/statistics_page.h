// What is measured of a session: a table, and beside it as many of its charts as there is room for, among them the one
// of the current row.
#pragma once
#include <QTimer>

#include "ui/charts/chart_view.h"
#include "ui/models/session.h"
#include "ui/models/statistics_model.h"
#include "ui/panels/parts.h"
#include "ui/panels/tables.h"

namespace leasescope {

class StatisticsPage : public Pane {
  Q_OBJECT
 public:
  explicit StatisticsPage(Session& session, QWidget* parent = nullptr);

  Table* table() const { return table_; }
  StatisticsModel* model() const { return model_; }
  ChartView* chart(int measure) const { return charts_[static_cast<std::size_t>(measure)]; }
  void setCompact(bool compact);
  // A page nobody looks at costs nothing: only the one that is shown follows.
  void sync();
  void reset();

 signals:
  void timeChosen(leasescope::TrueTime at);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void draw();
  void arrange();
  void chooseBar(int measure, int bar);

  Session& session_;
  StatisticsModel* model_;
  Table* table_;
  std::vector<ChartView*> charts_;  // by row of the table
  int first_ = 0;                   // the leftmost that is shown
  QTimer more_;                     // events that wait
  // The bar that was chosen last: chosen again, it leads to the next moment that is in it.
  struct {
    int measure = -1, bar = -1;
    TrueTime at{};
  } chosen_;
};

}  // namespace leasescope
