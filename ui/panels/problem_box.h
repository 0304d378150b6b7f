// What did not work, beside the chart: title, what was expected, the lines of the file it concerns. Never modal.
#pragma once
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/problem.h"
#include "ui/panels/parts.h"

namespace leasescope {

class ProblemBox : public QWidget {
  Q_OBJECT
 public:
  explicit ProblemBox(QWidget* parent = nullptr);
  void showProblem(const Problem& problem);
  const Problem& problem() const { return problem_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Problem problem_;
  QLabel *title_, *message_;
  QWidget* excerpt_;
};

}  // namespace leasescope
