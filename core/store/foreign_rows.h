// The locks of other makers that the rows of one form tell of, look after look.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/observe/observer.h"
#include "core/store/row_form.h"

namespace leasescope {

class ForeignRows {
 public:
  enum class Turn : std::uint8_t {
    kNone,
    kTry,  // whether there is anything to read
    kRead,
  };
  // What a look says; of those that are hidden nothing is known any more.
  struct Seen {
    std::vector<Sighting> told;
    std::vector<std::string> hidden;
    bool cut = false;  // there are more than it may bring
  };

  explicit ForeignRows(const RowForm& form) : form_(&form), there_(form.present == nullptr) {}

  const RowForm& form() const { return *form_; }
  Turn turn(TrueTime now) const;
  // It was tried, or refused, and is tried again after so long. Returns of which nothing is known any more.
  std::vector<std::string> tried(bool there, TrueTime now, Duration again);
  std::vector<std::string> refused(TrueTime now, Duration again);
  // That was the answer: who was met before and is not there is held by nobody. Whose names are asked for: empty is
  // all.
  Seen see(std::vector<ForeignRow> rows, const std::vector<std::string>& only);
  // Nothing was known meanwhile: the next look tells of each that was ever met.
  void after_gap() { tells_all_ = true; }

 private:
  Sighting sighting_of(const std::string& mutex) const;
  std::vector<std::string> lose_sight();

  const RowForm* form_;
  std::set<std::string> met_;   // ever
  std::set<std::string> held_;  // as of the last look
  bool tells_all_ = false;
  bool there_;
  TrueTime not_before_ = TrueTime::min();
};

}  // namespace leasescope
