#include "core/history/occurring.h"

#include "core/history/kind_words.h"

namespace leasescope {

bool Occurring::Known::add(std::uint32_t key) {
  if (key == last) return false;
  last = key;
  return keys.insert(key).second;
}

bool Occurring::take(const Event& event) {
  const auto name = [](Known& known, std::vector<Name>& names, Name which) {
    if (which.empty() || !known.add(which.handle)) return false;
    names.push_back(which);
    return true;
  };
  bool grown = name(mutex_, mutexes_, event.mutex);
  switch (event.kind) {
    case EventKind::kVoteGranted:
    case EventKind::kVoteEnded:
      grown = name(store_, stores_, Name{static_cast<std::uint32_t>(event.b)}) || grown;
      break;
    case EventKind::kWriteAccepted:
    case EventKind::kWriteRejected:
    case EventKind::kWriteStaleAccepted:
      grown = name(resource_, resources_, Name{static_cast<std::uint32_t>(event.a)}) || grown;
      break;
    default:
      break;
  }
  if (kind_.add(outcome_key(event))) {
    kinds_.push_back(event);
    grown = true;
  }
  return grown;
}

}  // namespace leasescope
