// A call on a lock as a value: who asked for what, when, and how it ended. A history of them is what a model judges.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/name.h"
#include "core/base/token.h"
#include "core/check/place.h"
#include "core/history/operation.h"
#include "core/store/port.h"
#include "core/time/clock.h"

namespace leasescope::check {

// A moment of the history. Of two at the same nanosecond `place` says which came first, as far as the record tells.
struct Moment {
  std::int64_t ns = 0;
  std::int64_t place = 0;
  friend bool operator==(Moment a, Moment b) { return a.ns == b.ns && a.place == b.place; }
  friend bool operator!=(Moment a, Moment b) { return !(a == b); }
  friend bool operator<(Moment a, Moment b) { return a.ns != b.ns ? a.ns < b.ns : a.place < b.place; }
  friend bool operator>(Moment a, Moment b) { return b < a; }
  friend bool operator<=(Moment a, Moment b) { return !(b < a); }
};
inline constexpr Moment kNever{INT64_MAX, INT64_MAX};
// No moment that happened is further from 0, on either side: 146 years. So none is kNever, and to add two is safe.
inline constexpr std::int64_t kFurthest = INT64_MAX / 2;
constexpr bool is_time(std::int64_t ns) { return ns >= -kFurthest && ns <= kFurthest; }
// So much after that; what would be further stays there.
std::int64_t shifted(std::int64_t ns, std::int64_t by);

// `ending` says what is known of it: kOk, it took effect between its call and its return; kFailed, it never did;
// kUnknown, it takes effect at any time after its call, or never.
struct Call {
  Name process;
  Name client;  // whom the lock takes for its owner
  Name mutex;
  Name uid;
  Operation f = Operation::kLock;
  Ending ending = Ending::kOk;
  std::uint32_t permits = 1;
  Token fence = kNoToken;  // 0 = it was told none
  Moment called;
  Moment returned = kNever;              // kUnknown: kNever, whatever the record says
  std::optional<std::int64_t> ttl;       // ns, from the moment it takes effect
  std::optional<std::int64_t> deadline;  // ns, a moment of the history's time
  std::optional<std::int64_t> clock;     // ns, the caller's own clock as it called
  Place written;                         // where its beginning stands in the file that it was read from
};

// Something that is no call: a fault, for whoever reads the history. In a file the process kNemesis tells of it; of the
// operation kFault the value says it all.
inline constexpr std::string_view kNemesis = "nemesis";
inline constexpr std::string_view kFault = "fault";
struct Annotation {
  std::int64_t ns = 0;
  std::string what;
};

struct Calls {
  NameTable names;
  std::vector<Call> calls;  // in the order of their beginnings
  std::vector<Annotation> annotations;
  bool timed = true;  // else the moments are but places in the record

  std::string_view text(Name name) const { return names.text(name); }
};

bool takes(Operation f);                                       // lock, try_lock, acquire, read_lock, write_lock
bool frees(Operation f);                                       // unlock, release, read_unlock, write_unlock, expire
std::string_view type_of(Ending ending);                       // "ok", "fail", "info"
std::optional<Operation> operation_of(std::string_view word);  // "try_lock", also "try-lock"

}  // namespace leasescope::check
