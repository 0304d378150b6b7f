// How the table of mutexes is divided: by what, which groups there are, how many rows each has, and which are folded.
#pragma once
#include <QHash>
#include <QString>
#include <array>
#include <optional>
#include <vector>

namespace leasescope {

enum class Grouping { kNone, kStore, kSystem, kState };
inline constexpr std::array kGroupings{Grouping::kNone, Grouping::kStore, Grouping::kSystem, Grouping::kState};
QString word(Grouping by);  // in settings: "store"
std::optional<Grouping> groupingOf(const QString& word);

struct MutexGroup {
  QString title;
  int rank = 0;   // its place among the others
  int count = 0;  // of its mutexes that pass the filter, folded or not
  bool folded = false;
};

class MutexGroups {
 public:
  Grouping by() const { return by_; }
  // Anew: nothing is folded. Groups of states are there from the beginning, in the order of the states.
  void divideBy(Grouping by);
  // The group of that title; a new one where there is none yet.
  int of(const QString& title);
  void uncount();

  int size() const { return static_cast<int>(groups_.size()); }
  MutexGroup& operator[](int group) { return groups_[static_cast<std::size_t>(group)]; }
  const MutexGroup& operator[](int group) const { return groups_[static_cast<std::size_t>(group)]; }

 private:
  void rank();

  Grouping by_ = Grouping::kNone;
  std::vector<MutexGroup> groups_;
  QHash<QString, int> places_;  // by title
};

}  // namespace leasescope
