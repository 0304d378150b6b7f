// Events of a watch as they come, beneath the stores: which kind, which words; a choice of one leads there.
#pragma once
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>

#include "core/time/clock.h"
#include "ui/panels/parts.h"
#include "ui/watch/event_feed_model.h"

namespace leasescope {

class EventFeed : public Pane {
  Q_OBJECT
 public:
  explicit EventFeed(WatchSession& session, QWidget* parent = nullptr);

  EventFeedModel* model() const { return model_; }
  QListView* list() const { return list_; }
  QComboBox* kind() const { return kind_; }
  QLineEdit* filter() const { return filter_; }
  // What waits while its reader looks back; hidden while nothing does.
  QPushButton* newest() const { return newest_; }
  void focusList();

 signals:
  void chosen(leasescope::TrueTime at, const QString& mutex);  // by mouse or keys; of no mutex: empty

 private:
  void choose(const QModelIndex& row);
  void applyFilter();
  void pause();
  void load();

  EventFeedModel* model_;
  QComboBox* kind_;
  QLineEdit* filter_;
  QListView* list_;
  QPushButton* newest_;
  QLabel* none_;
};

}  // namespace leasescope
