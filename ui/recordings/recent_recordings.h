// The recordings, and the databases of teams without their passwords, that were opened or saved, the latest first, and
// what they are of as far as it was seen; remembered.
#pragma once
#include <QAbstractListModel>
#include <QSettings>
#include <vector>

namespace leasescope {

class RecentRecordings : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kPathRole = Qt::UserRole, kAboutRole, kGoneRole };
  static constexpr int kMost = 40;

  explicit RecentRecordings(QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

  // To the top; `about` in a few words: "gc-pause, live redis, 12 s, 3 incidents". Empty: as it was known.
  void note(const QString& path, const QString& about);
  // From the list, not from the disk.
  void remove(const QString& path);
  int rowOf(const QString& path) const;  // -1: not there
  // Those that are databases of teams.
  QStringList teams() const;
  // Which of the others are still files.
  void look();

  void remember(QSettings& settings) const;
  void restore(const QSettings& settings);

 private:
  struct Entry {
    QString path, about;
    bool gone = false;
  };
  std::vector<Entry> entries_;
};

}  // namespace leasescope
