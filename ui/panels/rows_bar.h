// Over the rows of a chart, where some are left out or looked for: what is left out, and the filter. Nothing that is
// hidden is forgotten.
#pragma once
#include <QComboBox>
#include <QLineEdit>

#include "ui/models/row_choice.h"
#include "ui/panels/parts.h"

namespace leasescope {

class RowsBar : public Pane {
  Q_OBJECT
 public:
  explicit RowsBar(QAction* showAll, QWidget* parent = nullptr);

  QLineEdit* words() const { return words_; }
  QComboBox* mutexes() const { return mutex_; }
  QComboBox* kinds() const { return kind_; }
  QString text() const { return said_; }

  // `rows` are left out now, some of them part of so many incidents.
  void load(const RowChoice& choice, int rows, int incidents);
  void setMutexes(const QStringList& names);
  // Stays until it is closed.
  void ask();

 signals:
  void filterWanted(const leasescope::RowFilter& filter, bool typed);
  void left();  // by Esc or Enter: the rows are meant again

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void say(int rows, int incidents);
  void close();
  RowFilter filter() const;

  QLineEdit* words_;
  QComboBox *mutex_, *kind_;
  ElidedLabel* text_;
  QString said_;
  bool asked_ = false, needed_ = false;
};

}  // namespace leasescope
