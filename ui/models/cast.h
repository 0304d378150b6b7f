// Who is who: the place of each contender, by order of first appearance; its letter and hue follow from it. One class
// for chart, tables and sentences: a letter is the same wherever it stands.
#pragma once
#include <QString>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/history/history.h"
#include "core/history/offset_course.h"

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
  // By its name; -1: nobody was met under it.
  int placeOf(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? -1 : found->second;
  }
  // -1: not a contender (a store, a resource).
  int indexOf(const History& history, Name name) const;
  // Beside those whom the scenario names; where it names nobody nobody is.
  bool foreign(int index) const { return ours_ > 0 && index >= ours_; }
  // "A" … "J", then pairs "AA", "AB" … "ZZ", then three letters, and so on: no two have the same.
  static QString letter(int index);
  // How far a node's clock runs from the true rate after a change of it, in millionths: an event tells the change
  // alone.
  std::int64_t clockRate(const Event& change) const;
  // The wall clock of a contender; null where it was right all the time.
  const OffsetCourse* wallClock(const History& history, int index) const;
  // The letter of a contender, the name of anything else, "Store" for the empty name.
  QString shortName(const History& history, Name name) const;

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, int> places_;
  mutable std::vector<int> byHandle_;  // handle → place, -2 = not looked up yet
  struct Clocks {
    OffsetCourse wall, steady;
  };
  std::unordered_map<std::uint32_t, Clocks> clocks_;  // by node; changes are few
  Sequence read_ = 0;
  int ours_ = 0;
};

}  // namespace leasescope
