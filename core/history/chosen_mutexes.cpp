#include "core/history/chosen_mutexes.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/history/mutex_title.h"

namespace leasescope {
namespace {

constexpr std::size_t kMostNamed = 10;  // mutexes, in an error

}  // namespace

bool ChosenMutexes::picks(std::string_view title) const {
  return all() || std::any_of(patterns_.begin(), patterns_.end(),
                              [&](const std::string& pattern) { return is_called(pattern, title); });
}

bool ChosenMutexes::is_in(Name mutex, const NameTable& names) {
  if (choices_.size() <= mutex.handle) choices_.resize(mutex.handle + 1, Choice::kUnknown);
  Choice& choice = choices_[mutex.handle];
  if (choice == Choice::kUnknown) {
    choice = picks(names.text(mutex)) ? Choice::kIn : Choice::kOut;
  }
  return choice == Choice::kIn;
}

void ChosenMutexes::filter(std::vector<Event>& events, std::size_t from, const NameTable& names, Sequence first) {
  if (all()) return;
  std::size_t kept = from;
  for (std::size_t place = from; place < events.size(); ++place) {
    Event event = events[place];
    const bool stays = event.mutex.empty() || is_in(event.mutex, names);
    numbers_.push_back(stays ? first + given_++ : 0);
    if (!stays) continue;
    const bool known = event.cause >= first && event.cause - first < numbers_.size();
    event.cause = known ? numbers_[event.cause - first] : 0;
    events[kept++] = event;
  }
  events.resize(kept);
}

std::string ChosenMutexes::problem(const std::string& recording, const NameTable& names) const {
  for (const std::string& pattern : patterns_) {
    std::string there;
    std::size_t met = 0;
    bool found = false;
    for (std::uint32_t handle = 0; handle < choices_.size(); ++handle) {
      if (choices_[handle] == Choice::kUnknown) continue;
      found = found || is_called(pattern, names.text({handle}));
      if (++met <= kMostNamed) there += (met == 1 ? "" : ", ") + escaped(names.text({handle}), 100);
    }
    if (found) continue;
    if (met > kMostNamed) there += fmt::format(" and {} more", met - kMostNamed);
    return fmt::format("--mutex {}: no such mutex is in {}; there {}: {}", pattern, recording, met == 1 ? "is" : "are",
                       met == 0 ? "none" : there);
  }
  return {};
}

}  // namespace leasescope
