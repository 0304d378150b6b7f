#include "app/leasescopectl_watch_options.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/leasescopectl_password.h"
#include "app/leasescopectl_retention.h"
#include "app/leasescopectl_team.h"
#include "core/observe/belief_way.h"
#include "core/observe/watch_record.h"
#include "core/store/store_type.h"
#include "core/time/duration_text.h"
#include "simulator/alerts/alert_rules_file.h"
#include "simulator/campaign/replay.h"

namespace leasescope::ctl {
namespace {

using namespace std::chrono_literals;

tl::expected<StoreUrl, std::string> read_store(const std::string& text, const WatchOptions& options) {
  if (!options.password_file.empty() && options.stores.size() > 1)
    return tl::unexpected(
        std::string("--password-file: expected one store, whose password it is; of several each URL has its own"));
  return given_store(text, options.password_file,
                     "a server that was started for this command alone would hold nothing: "
                     "expected the URL of a store that is in use");
}

constexpr std::array kForeign{Foreign::kNone, Foreign::kCertain, Foreign::kLikely};

tl::expected<std::optional<TeamWish>, std::string> read_team(const WatchOptions& options) {
  if (!names_team(options.record)) {
    if (const std::string why = why_no_team(options.record); !why.empty()) return tl::unexpected("--record " + why);
    if (options.observer.empty()) return std::nullopt;
    return tl::unexpected(std::string("--observer: goes with a team's database: --record postgresql://host/database"));
  }
  const auto url = team_url(options.record);
  if (!url) return tl::unexpected("--record " + url.error());
  TeamWish out{*url, {}};
  out.terms.observer = options.observer.empty() ? usual_observer() : options.observer;
  out.terms.program = program_version();
  if (const std::string why = team::why_no_observer(out.terms.observer); !why.empty())
    return tl::unexpected("--observer " + why);
  const auto retention = read_retention(options.keep, options.keep_size);
  if (!retention) return tl::unexpected(retention.error());
  out.terms.retention = *retention;
  return out;
}

tl::expected<void, std::string> read_beliefs(const WatchOptions& options, WatchWish& out) {
  for (const std::string& text : options.beliefs) {
    const auto way = parse_belief_way(text);
    if (!way) return tl::unexpected("--beliefs " + way.error());
    if (way->is_channel()) {
      // Beside one that has messages others without them may be watched too.
      if (std::none_of(out.stores.begin(), out.stores.end(),
                       [](const StoreUrl& url) { return url.type->tell_beliefs; }))
        return tl::unexpected(
            fmt::format("--beliefs channel: {} has no messages to hear beliefs by: expected "
                        "unix:PATH, a socket on this machine",
                        printable(out.stores.front())));
      out.terms.look.beliefs = true;
    } else if (!std::exchange(out.belief_socket, way->socket).empty()) {
      return tl::unexpected<std::string>("--beliefs unix: expected one socket, to which all may write");
    } else {
      out.terms.beliefs = true;
    }
  }
  return {};
}

}  // namespace

tl::expected<WatchWish, std::string> read_watch_wish(const WatchOptions& options) {
  WatchWish out;
  auto team = read_team(options);
  if (!team) return tl::unexpected(team.error());
  out.team = *std::move(team);
  if (!out.team) {
    const auto retention = read_retention(options.keep, options.keep_size);
    if (!retention) return tl::unexpected(retention.error());
    out.retention = *retention;
  }
  for (const std::string& text : options.stores) {
    const auto url = read_store(text, options);
    if (!url) return tl::unexpected(url.error());
    if (url->type->observe == nullptr)
      return tl::unexpected(fmt::format("{}: {} cannot be watched yet", printable(*url), url->type->title));
    out.stores.push_back(*url);
  }
  if (const auto beliefs = read_beliefs(options, out); !beliefs) return tl::unexpected(beliefs.error());
  const auto poll = parse_duration(options.poll), within = parse_duration(options.within);
  if (!poll || *poll < 50ms) return tl::unexpected("--poll " + options.poll + ": expected 50ms or more, such as 1s");
  if (!within || *within <= Duration::zero())
    return tl::unexpected("--within " + options.within + ": expected a length of time, such as 5s");
  if (!options.alerts.empty()) {
    auto rules = read_alert_rules_file(options.alerts);
    if (!rules) return tl::unexpected("--alerts " + rules.error());
    out.rules = *std::move(rules);
  }
  const auto* const foreign =
      std::find_if(kForeign.begin(), kForeign.end(), [&](Foreign each) { return text(each) == options.foreign; });
  if (foreign == kForeign.end())
    return tl::unexpected("--foreign " + options.foreign + ": expected none, certain or likely");
  out.terms.look.foreign = *foreign;
  if (!options.metrics.empty()) {
    auto terms = parse_metrics_address(options.metrics);
    if (!terms) return tl::unexpected("--metrics " + terms.error());
    out.metrics = *std::move(terms);
    out.metrics->owners = options.metrics_owners;
  }
  out.terms.look.poll = *poll;
  out.terms.glob = options.mutex;
  out.within = *within;
  return out;
}

}  // namespace leasescope::ctl
