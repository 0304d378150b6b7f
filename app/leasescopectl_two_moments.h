// --from and --to, read together: a moment of any day ("23:50") is that of the night the other one is of.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "core/time/clock.h"
#include "core/time/day_moment.h"

namespace leasescope::ctl {

// As the options say them; empty: from the beginning, to the end.
struct Moments {
  std::string from;
  std::string to;
  bool all() const { return from.empty() && to.empty(); }
};

// Which of several days is meant by a moment that names none.
enum class WhichDay { kLast, kLastBefore, kFirstAfter };
struct DayWish {
  WhichDay which = WhichDay::kLast;
  TrueTime other{};  // before or after which
};

// In ns since 1970, between two such times; `other_ns` is that of the wish. None: there is none.
std::optional<std::int64_t> meant(const DayMoment& moment, WhichDay which, std::int64_t other_ns, std::int64_t begin_ns,
                                  std::int64_t end_ns);

// The moment of that option's text, or an error for the user.
using ReadMoment =
    std::function<tl::expected<TrueTime, std::string>(const char* option, const std::string& text, const DayWish&)>;

struct TwoMoments {
  std::optional<TrueTime> from, to;  // none: it is not asked for
};
// Of two moments of any day the last `to` is meant and the `from` before it; else the one that has a day says of which
// day the other is.
tl::expected<TwoMoments, std::string> two_moments(const Moments& moments, const ReadMoment& read);

}  // namespace leasescope::ctl
