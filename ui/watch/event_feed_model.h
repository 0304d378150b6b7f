// What happens at watched stores, as it is seen: the newest events of a watch, the last first. So many at most, and
// while its reader looks back none comes in between.
#pragma once
#include <QAbstractListModel>
#include <deque>
#include <unordered_map>

#include "ui/watch/watch_session.h"

namespace leasescope {

// Which events are told: of owners, of who waits, of what processes believe, of stores that tell nothing; or all.
enum class FeedKind : std::uint8_t { kOwners, kWaiters, kBeliefs, kSight, kAll };
inline constexpr int kFeedKinds = 5;

class EventFeedModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kAboutRole = Qt::UserRole, kAtRole, kMutexRole };
  static constexpr std::size_t kMost = 1'000;

  explicit EventFeedModel(WatchSession& session, QObject* parent = nullptr);

  // Those of that kind whose mutex, or whoever they tell of, bears every word of `text`.
  void setFilter(FeedKind kind, const QString& text);
  // New ones wait until they are let in.
  void setPaused(bool paused);
  bool paused() const { return paused_; }
  std::size_t waiting() const { return waiting_; }  // how many do

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 signals:
  void synced();

 private:
  void reset();
  void sync();
  void countTime();
  bool passes(std::size_t at);  // of the history's events
  bool bears(Name name, int word);
  const Event& eventAt(int row) const;
  void letIn(std::size_t from);
  void trim();

  WatchSession& session_;
  FeedKind kind_ = FeedKind::kOwners;
  QStringList words_;
  std::deque<std::uint32_t> shown_;  // by time
  std::size_t read_ = 0;             // of the history
  bool paused_ = false;
  std::size_t waiting_ = 0, counted_ = 0;  // of what came while it is paused, and until where that is counted
  std::unordered_map<std::uint32_t, std::uint32_t> known_;  // which words a name bears, asked once each
};

}  // namespace leasescope
