// The table of what is watched: search, a chip for each state and one for alerts, how it is divided, and the mutexes.
#pragma once
#include <QLineEdit>
#include <array>

#include "ui/panels/parts.h"
#include "ui/panels/tables.h"
#include "ui/watch/mutex_columns.h"
#include "ui/watch/watch_session.h"

class QButtonGroup;
class QHBoxLayout;
class QMenu;

namespace leasescope {

class MutexesPanel : public Pane {
  Q_OBJECT
 public:
  explicit MutexesPanel(WatchSession& session, QWidget* parent = nullptr);

  MutexesModel* model() const { return model_; }
  Table* table() const { return table_; }
  QLineEdit* search() const { return search_; }
  QAbstractButton* chip(std::optional<WatchState> state) const;  // none: of all
  QAbstractButton* alertChip() const;                            // hidden where no rules are watched
  void focusSearch();
  // Between the search and the table.
  void addAbove(QWidget* widget);
  // Each divides the table, in the order of kGroupings: behind a button of the bar, and in the menu of the table's
  // head.
  void offerGrouping(const QList<QAction*>& actions);
  void setGrouping(Grouping by);
  QToolButton* groupButton() const { return groupButton_; }
  // Which columns stand: in the menu that the table's head has, shown under it.
  void askForColumns();
  QMenu* columnsMenu() const { return columnsMenu_; }
  const MutexColumns& columns() const { return columns_; }
  void setColumns(const MutexColumns& columns);
  // What is chosen stays so while it is filtered away; null: nothing.
  const WatchedMutex* chosen() const { return chosen_; }
  void choose(const WatchedMutex* mutex);

 signals:
  void chosenChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeHead(QHBoxLayout* row);
  void reset();
  void sync();
  void filter();
  void loadChips();
  void sayNone();
  void fitColumns();
  void makeColumnsMenu();
  void loadColumnsMenu();
  bool foldByKey(int key);
  void setFolded(int row, bool folded);
  void goToRow(int row);

  WatchSession& session_;
  MutexesModel* model_;
  Table* table_;
  QLineEdit* search_;
  QButtonGroup* chips_;
  QToolButton* groupButton_;
  QMenu *groupMenu_, *columnsMenu_;
  QAction* byRoom_;
  MutexColumns columns_;
  std::optional<WatchState> state_;
  bool alarmed_ = false;  // they alone
  const WatchedMutex* chosen_ = nullptr;
  bool syncing_ = false;
  std::vector<int> fitted_;  // widths of the columns, as they were set last
};

}  // namespace leasescope
