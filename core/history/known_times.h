// Moments of what is known, as people name them: "03:12", "2026-11-27 03:12:04", "15s" after its beginning. One reader
// for the terminal and the window.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/time/clock.h"
#include "core/time/day_moment.h"

namespace leasescope {

// Which of several days is meant by a moment that names none.
enum class WhichDay { kLast, kLastBefore, kFirstAfter };
struct DayWish {
  WhichDay which = WhichDay::kLast;
  TrueTime other{};  // before or after which
};

// In ns since 1970, between two such times; `other_ns` is that of the wish. None: there is none.
std::optional<std::int64_t> meant(const DayMoment& moment, WhichDay which, std::int64_t other_ns, std::int64_t begin_ns,
                                  std::int64_t end_ns);

// What is known, and by which clock.
struct KnownTimes {
  TrueTime begin{}, end{};
  std::optional<std::int64_t> epoch_ns;  // moment 0 by the wall clock; none: there was none
  bool is_one = true;                    // recording, which has a beginning that one can count from
  // For errors: what is from `begin` to `end` there, and the zone of that clock.
  std::string_view what = "the recording is";
  std::string_view zone = "UTC";
};

// The error is for whoever typed it: it begins with the text and says what was expected.
tl::expected<TrueTime, std::string> known_moment(const std::string& text, const KnownTimes& known,
                                                 const DayWish& wish = {});

}  // namespace leasescope
