// The table of what is watched: search, a chip for each state, and the mutexes.
#pragma once
#include <QLineEdit>
#include <array>

#include "ui/panels/parts.h"
#include "ui/panels/tables.h"
#include "ui/watch/mutexes_model.h"
#include "ui/watch/watch_session.h"

class QButtonGroup;
class QHBoxLayout;

namespace leasescope {

class MutexesPanel : public Pane {
  Q_OBJECT
 public:
  explicit MutexesPanel(WatchSession& session, QWidget* parent = nullptr);

  MutexesModel* model() const { return model_; }
  Table* table() const { return table_; }
  QLineEdit* search() const { return search_; }
  QAbstractButton* chip(std::optional<WatchState> state) const;  // none: of all
  void focusSearch();
  // Between the search and the table.
  void addAbove(QWidget* widget);
  // What is chosen stays so while it is filtered away; null: nothing.
  const WatchedMutex* chosen() const { return chosen_; }
  void choose(const WatchedMutex* mutex);

 signals:
  void chosenChanged();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeHead(QHBoxLayout* row);
  void reset();
  void sync();
  void filter();
  void loadChips();
  void sayNone();
  void fitColumns();

  WatchSession& session_;
  MutexesModel* model_;
  Table* table_;
  QLineEdit* search_;
  QButtonGroup* chips_;
  std::optional<WatchState> state_;
  const WatchedMutex* chosen_ = nullptr;
  bool syncing_ = false;
  int fitted_ = -1;  // how the columns stand: by the room and by the stores
};

}  // namespace leasescope
