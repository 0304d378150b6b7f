// What an observer tells of one mutex whose true owners are known, by looks that take a while and by a clock of his
// own.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include <QtGlobal>

#include "core/history/recording/observed_account.h"
#include "core/observe/seen_mutex.h"

namespace leasescope::tests {

// All in true ns since 1970.
struct TrueTerm {
  std::string owner;
  Token token = kNoToken;
  std::int64_t begin = 0, end = 0;
};
struct Look {
  std::int64_t asked = 0, at = 0, answered = 0;
  bool after_blindness = false;  // since it was asked before
};

struct Seen {
  std::int64_t epoch_ns = 0;  // moment 0 by its clock
  std::vector<Event> events;
  TrueTime now{};

  TrueTime local(std::int64_t by_its_clock) const { return TrueTime(Duration(by_its_clock - epoch_ns)); }
  ObservedAccount account() const {
    ObservedAccount out;
    for (const Event& event : events)
      if (!out.tell(event)) qFatal("an event that no watch tells of");
    out.finish(now);
    return out;
  }
};

inline const TrueTerm* owner_at(const std::vector<TrueTerm>& truth, std::int64_t at) {
  const auto it =
      std::find_if(truth.begin(), truth.end(), [&](const TrueTerm& each) { return each.begin <= at && at < each.end; });
  return it == truth.end() ? nullptr : &*it;
}

// `ahead_ns`: what its clock shows more than the true time.
inline Seen seen(const std::vector<TrueTerm>& truth, const std::vector<Look>& looks, std::int64_t ahead_ns,
                 NameTable& names) {
  Seen out;
  out.epoch_ns = looks.front().asked + ahead_ns;
  const auto local = [&](std::int64_t at) { return out.local(at + ahead_ns); };
  SeenMutex book(
      {names.intern("orders"), names.intern("redis://host")},
      [&](const Event& event) {
        out.events.push_back(event);
        return static_cast<Sequence>(out.events.size());
      },
      [&](std::string_view text) { return names.intern(text); });
  std::int64_t last = looks.front().asked;
  for (const Look& look : looks) {
    if (look.after_blindness) book.blind(local(last));
    Sighting sighting;
    sighting.mutex = "orders";
    sighting.asked = local(look.asked);
    sighting.answered = local(look.answered);
    if (const TrueTerm* const term = owner_at(truth, look.at)) {
      sighting.owner = term->owner;
      sighting.token = term->token;
      sighting.left = std::chrono::seconds(30);
    }
    book.see(sighting);
    last = look.asked;
  }
  book.blind(local(last));
  out.now = local(looks.back().answered);
  return out;
}

}  // namespace leasescope::tests
