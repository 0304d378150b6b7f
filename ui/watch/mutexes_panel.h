// The table of what is watched: search, a chip for each state and one for alerts, how it is divided, and the mutexes.
#pragma once
#include <QLineEdit>
#include <array>

#include "ui/panels/parts.h"
#include "ui/panels/tables.h"
#include "ui/watch/mutexes_model.h"
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
  bool foldByKey(int key);
  void setFolded(int row, bool folded);
  void goToRow(int row);

  WatchSession& session_;
  MutexesModel* model_;
  Table* table_;
  QLineEdit* search_;
  QButtonGroup* chips_;
  QToolButton* groupButton_;
  QMenu* groupMenu_;
  std::optional<WatchState> state_;
  bool alarmed_ = false;  // they alone
  const WatchedMutex* chosen_ = nullptr;
  bool syncing_ = false;
  int fitted_ = -1;  // how the columns stand: by the room and by the stores
};

}  // namespace leasescope
