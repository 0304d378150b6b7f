#include "app/leasescopectl_team.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "app/leasescopectl_password.h"
#include "core/history/team/observers.h"
#include "core/store/types/types.h"
#include "core/time/duration_text.h"

namespace leasescope::ctl {
namespace {

const StoreType& postgres() { return *find_store_type("postgres"); }

}  // namespace

bool names_team(std::string_view text) {
  const auto& schemes = postgres().schemes;
  return std::any_of(schemes.begin(), schemes.end(), [&](std::string_view scheme) { return text.starts_with(scheme); });
}

tl::expected<StoreUrl, std::string> team_url(const std::string& text) { return given_store(text, {}, {}); }

std::string why_no_team(std::string_view text) {
  const std::size_t scheme = text.find("://");
  if (names_team(text) || scheme == std::string_view::npos || scheme == 0) return {};
  if (text.substr(0, scheme).find('/') != std::string_view::npos) return {};
  return fmt::format("{}://…: a team's history is kept in PostgreSQL: expected a file, or {}", text.substr(0, scheme),
                     postgres().forms.front());
}

std::string usual_observer() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "observer";
  std::string out(name.data());
  if (out.size() > team::kLongestObserver) out.resize(team::kLongestObserver);
  for (char& c : out)
    if (!team::why_no_observer(std::string(1, c)).empty()) c = '-';
  return out.empty() ? "observer" : out;
}

tl::expected<Duration, std::string> parse_keep(const std::string& text) {
  constexpr int kMost = 36'500;
  const auto wrong = [&] {
    return tl::unexpected(fmt::format("--keep {}: expected a number of days, such as 30d, one at least", text));
  };
  if (const auto length = parse_duration(text)) {
    if (*length < std::chrono::hours(24) || *length > std::chrono::hours(24) * kMost) return wrong();
    return *length;
  }
  int days = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), days);
  if (error != std::errc() || std::string_view(end, static_cast<std::size_t>(text.data() + text.size() - end)) != "d" ||
      days < 1 || days > kMost)
    return wrong();
  return Duration(std::chrono::hours(24) * days);
}

}  // namespace leasescope::ctl
