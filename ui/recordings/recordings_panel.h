// The list of recordings: search, name, and what each is of.
#pragma once
#include "ui/panels/search_list.h"
#include "ui/recordings/recent_recordings.h"

namespace leasescope {

class RecordingsPanel : public Pane {
  Q_OBJECT
 public:
  explicit RecordingsPanel(RecentRecordings* model, QWidget* parent = nullptr);

  void focusSearch() { rows_->focusSearch(); }
  // Marks the row without opening it.
  void setCurrent(const QString& path);
  QListView* list() const { return rows_->list(); }

 signals:
  void chosen(const QString& path);

 private:
  void forget();

  RecentRecordings* model_;
  SearchList* rows_;
};

}  // namespace leasescope
