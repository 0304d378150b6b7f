#include "app/leasescopectl_two_moments.h"

#include <algorithm>

namespace leasescope::ctl {
namespace {

bool is_of_any_day(const std::string& text) {
  const auto read = parse_day_moment(text);
  return read && !read->day;
}

}  // namespace

std::optional<std::int64_t> meant(const DayMoment& moment, WhichDay which, std::int64_t other_ns, std::int64_t begin_ns,
                                  std::int64_t end_ns) {
  std::optional<std::int64_t> out;
  if (which == WhichDay::kFirstAfter) out = first_of(moment, std::max(other_ns + 1, begin_ns), end_ns);
  if (which == WhichDay::kLastBefore) out = last_of(moment, begin_ns, std::min(other_ns - 1, end_ns));
  return out ? out : last_of(moment, begin_ns, end_ns);
}

tl::expected<TwoMoments, std::string> two_moments(const Moments& moments, const ReadMoment& read) {
  const bool both = !moments.from.empty() && !moments.to.empty();
  const bool to_leads = both && is_of_any_day(moments.from);
  TwoMoments out;
  // The error, or none.
  const auto read_from = [&]() -> std::string {
    const auto at = read("--from", moments.from, to_leads ? DayWish{WhichDay::kLastBefore, *out.to} : DayWish{});
    if (!at) return at.error();
    out.from = *at;
    return {};
  };
  const auto read_to = [&]() -> std::string {
    const auto at = read("--to", moments.to, both && !to_leads ? DayWish{WhichDay::kFirstAfter, *out.from} : DayWish{});
    if (!at) return at.error();
    out.to = *at;
    return {};
  };
  std::string error;
  if (to_leads) error = read_to();
  if (error.empty() && !moments.from.empty()) error = read_from();
  if (error.empty() && !to_leads && !moments.to.empty()) error = read_to();
  if (!error.empty()) return tl::make_unexpected(error);
  return out;
}

}  // namespace leasescope::ctl
