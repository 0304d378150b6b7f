#include "core/history/team/team_history.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/history/mutex_title.h"
#include "core/history/recording/continued_history.h"
#include "core/history/recording/merged_history.h"
#include "core/history/team/team_reader.h"

namespace leasescope::team {
namespace {

using Source = std::unique_ptr<HistorySource>;

tl::expected<Source, std::string> account_of(const std::shared_ptr<TeamReading>& team, const std::string& observer,
                                             const std::vector<TeamRecording>& recordings, bool is_named) {
  std::vector<ContinuedHistory::Part> parts;
  for (const TeamRecording& each : recordings) {
    auto reader = TeamReader::open(team, each);
    if (!reader) return tl::unexpected(reader.error());
    ContinuedHistory::Part& part = parts.emplace_back();
    part.mutexes = (*reader)->mutexes();
    part.goes_on = each.state == TeamRecording::State::kGoesOn;
    part.source = std::move(*reader);
  }
  const auto called = [observer](const std::string& title) { return observed_by(title, observer); };
  const std::string name = fmt::format("{} ({})", team->name(), observer);
  auto account =
      is_named ? ContinuedHistory::of(name, std::move(parts), called) : ContinuedHistory::of(name, std::move(parts));
  if (!account) return tl::unexpected(account.error());
  return std::move(*account);
}

}  // namespace

std::string observed_by(const std::string& title, const std::string& observer) {
  return name_in(title) == title ? mutex_title(title, observer) : fmt::format("{}, {}", title, observer);
}

tl::expected<Source, std::string> history_of(const std::shared_ptr<TeamReading>& team,
                                             const std::vector<TeamRecording>& recordings) {
  std::map<std::string, std::vector<TeamRecording>> observers;
  for (const TeamRecording& each : recordings) observers[each.observer].push_back(each);
  std::vector<MergedHistory::Source> accounts;
  for (const auto& [observer, theirs] : observers) {
    auto account = account_of(team, observer, theirs, observers.size() > 1);
    if (!account) return account;
    if (observers.size() == 1) return account;
    accounts.push_back({std::move(*account), {}});
  }
  auto merged = MergedHistory::of(std::move(accounts));
  if (!merged) return tl::unexpected(merged.error());
  return std::move(*merged);
}

}  // namespace leasescope::team
