// Which columns of the table of mutexes stand, and how wide: by the room there is, and as its reader has chosen.
#pragma once
#include <QStringList>
#include <array>
#include <optional>
#include <vector>

#include "ui/watch/mutexes_model.h"

namespace leasescope {

class MutexColumns {
 public:
  using Column = MutexesModel::Column;

  struct Needs {
    int room = 0;          // px, of all of them
    bool several = false;  // stores: of one nobody asks which
    bool foreign = false;  // locks of other makers: where all are ours nobody asks whose
  };
  // In px; 0: it is hidden, -1: what the others leave.
  std::vector<int> widths(const Needs& needs) const;

  // The mutex itself always is.
  static bool canBeHidden(Column column) { return column != MutexesModel::kMutex; }
  // Whatever room there is, from then on.
  void choose(Column column, bool shown);
  bool isChosen() const;
  // As there is room.
  void forget() { chosen_.fill({}); }

  // "waiters=off"; words that are none are left out.
  QStringList words() const;
  void take(const QStringList& words);

 private:
  std::array<std::optional<bool>, MutexesModel::kColumns> chosen_{};
};

}  // namespace leasescope
