// Who is who: the place of each contender, by order of first appearance; its letter and hue follow from it. One class
// for chart, tables and sentences: a letter is the same wherever it stands.
#pragma once
#include <QString>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/history/history.h"

namespace leasescope {

class Cast {
 public:
  // The contenders a scenario names, in fleet order; foreign owners are added as they appear.
  void reset(std::vector<std::string> names);
  // Reads events from where it stopped. True when somebody new appeared.
  bool sync(const History& history);
  // Of one event. True when it brings somebody new.
  bool take(const History& history, const Event& event);

  int size() const { return static_cast<int>(names_.size()); }
  const std::string& name(int index) const { return names_[static_cast<std::size_t>(index)]; }
  // -1: not a contender (a store, a resource).
  int indexOf(const History& history, Name name) const;
  bool foreign(int index) const { return index >= ours_; }
  // "A" … "J", then pairs "AA", "AB" … "ZZ", then three letters, and so on: no two have the same.
  static QString letter(int index);
  // How far a node's clock runs from its own rate after a change of it, in millionths: an event tells the change alone.
  std::int64_t clockRate(const Event& change) const;
  // The letter of a contender, the name of anything else, "Store" for the empty name.
  QString shortName(const History& history, Name name) const;

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, int> places_;
  mutable std::vector<int> byHandle_;  // handle → place, -2 = not looked up yet
  // By node: what its clock's rate was from when on; changes are few.
  std::unordered_map<std::uint32_t, std::vector<std::pair<TrueTime, std::int64_t>>> clocks_;
  Sequence read_ = 0;
  int ours_ = 0;
};

}  // namespace leasescope
