#include "app/leasescopectl_two_moments.h"

namespace leasescope::ctl {
namespace {

bool is_of_any_day(const std::string& text) {
  const auto read = parse_day_moment(text);
  return read && !read->day;
}

}  // namespace

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
