#include "ui/watch/mutex_columns.h"

#include <algorithm>
#include <numeric>

namespace leasescope {
namespace {

constexpr int kWidest = 1300, kWider = 1100, kWide = 820, kNarrow = 600;  // px
constexpr int kLeastName = 140;                                           // px, of a mutex

struct Form {
  const char* word;  // in settings
  int narrow, wide;  // px, below and from kWide on
  int from;          // px of room from which on it is shown
};
// As MutexesModel has them. Where there is little room what tells least is left out.
constexpr std::array<Form, MutexesModel::kColumns> kForms{{{"store", 100, 130, 0},
                                                           {"mutex", -1, -1, 0},
                                                           {"system", 96, 130, 0},
                                                           {"owner", 110, 130, 0},
                                                           {"held-for", 78, 78, 0},
                                                           {"lease", 140, 170, 0},
                                                           {"transition", 78, 84, kWidest},
                                                           {"waiters", 62, 62, kWide},
                                                           {"token", 66, 66, kNarrow},
                                                           {"handoffs", 92, 92, kWide},
                                                           {"changed", 116, 126, kWider},
                                                           {"state", 128, 128, 0}}};

}  // namespace

std::vector<int> MutexColumns::widths(const Needs& needs) const {
  std::vector<int> out;
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    const Form& form = kForms[i];
    const bool asked = i == MutexesModel::kStore ? needs.several : i == MutexesModel::kSystem ? needs.foreign : true;
    const bool shown = chosen_[i].value_or(asked && needs.room >= form.from);
    out.push_back(!shown ? 0 : needs.room >= kWide ? form.wide : form.narrow);
  }
  // Where others were chosen that leave it no room its name stands all the same, and the table is scrolled.
  int& name = out[MutexesModel::kMutex];
  const int others = std::accumulate(out.begin(), out.end(), 0) - name;
  if (isChosen() && needs.room - others < kLeastName) name = kLeastName;
  return out;
}

void MutexColumns::choose(Column column, bool shown) {
  if (canBeHidden(column)) chosen_[static_cast<std::size_t>(column)] = shown;
}

bool MutexColumns::isChosen() const {
  return std::any_of(chosen_.begin(), chosen_.end(), [](const auto& each) { return each.has_value(); });
}

QStringList MutexColumns::words() const {
  QStringList out;
  for (std::size_t i = 0; i < kForms.size(); ++i)
    if (chosen_[i])
      out << QLatin1String(kForms[i].word) + (*chosen_[i] ? QStringLiteral("=on") : QStringLiteral("=off"));
  return out;
}

void MutexColumns::take(const QStringList& words) {
  forget();
  for (std::size_t i = 0; i < kForms.size(); ++i)
    for (const bool shown : {true, false})
      if (words.contains(QLatin1String(kForms[i].word) + (shown ? QStringLiteral("=on") : QStringLiteral("=off"))))
        choose(static_cast<Column>(i), shown);
}

}  // namespace leasescope
