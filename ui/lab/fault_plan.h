// The plan of faults as rows: when, what, whom, how long; each can be switched off, opened to all the fields its kind
// has, and taken out. What fields these are is for the kinds to say. Of a long plan a part has rows.
#pragma once
#include <QGridLayout>
#include <vector>

#include "ui/lab/field_grid.h"
#include "ui/lab/lab_controller.h"

class QToolButton;

namespace leasescope {

class FaultPlanForm : public QWidget {
  Q_OBJECT
 public:
  explicit FaultPlanForm(LabController& lab, QWidget* parent = nullptr);

  void load();
  void setCompact(bool compact);
  // One more, as most are: a pause of the owner at the playhead, opened to be changed.
  void addFault();
  int opened() const { return open_; }  // -1: no row is
  void openRow(int row);
  // Opens it where it is not, leaving the focus where it is.
  void showRow(int row);
  FieldGrid* details() const { return details_; }

 signals:
  void rowOpened(int row);

 private:
  struct Row {
    QStringList shown;  // what its widgets say
    std::vector<QWidget*> widgets;
  };
  std::vector<QWidget*> makeRow(int row, const FaultTable& fault);
  void clearRow(Row& row);
  void choosePart(std::size_t count);
  void loadDetails();
  ScenarioDocument::Edited take(const std::string& path, const std::string& value);

  LabController& lab_;
  QGridLayout* rows_;
  QLabel* none_;
  QLabel* others_;
  std::size_t first_ = 0;  // of those that have a row
  std::vector<Row> made_;
  FieldGrid* details_;
  int open_ = -1;
  bool loading_ = false;
  bool compact_ = false;
};

}  // namespace leasescope
