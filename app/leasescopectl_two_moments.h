// --from and --to, read together: a moment of any day ("23:50") is that of the night the other one is of.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "core/history/known_times.h"

namespace leasescope::ctl {

// As the options say them; empty: from the beginning, to the end.
struct Moments {
  std::string from;
  std::string to;
  bool all() const { return from.empty() && to.empty(); }
};

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
