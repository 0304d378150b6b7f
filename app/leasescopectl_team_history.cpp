// history of a team's database: each observer's account of a mutex, by rows of which one moment needs a few.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_history_options.h"
#include "app/leasescopectl_team.h"
#include "app/leasescopectl_told.h"
#include "core/base/escaped.h"
#include "core/history/team/terms.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;
using team::TeamMutex;
using team::TeamTerm;

constexpr int kMostNamed = 10;  // mutexes, in an error

// Of a team moments are in ns since 1970, so that its clock begins there.
TrueTime wall(std::int64_t ns) { return ns == team::kEver ? TrueTime::max() : TrueTime(Duration(ns)); }
std::int64_t ns(TrueTime at) { return at == TrueTime::max() ? team::kEver : at.time_since_epoch().count(); }

// What one observer has recorded of one mutex, by the begins of its recordings.
using Account = std::vector<TeamMutex>;

std::vector<Account> accounts_of(const std::vector<TeamMutex>& mutexes) {
  std::vector<Account> out;
  for (const TeamMutex& each : mutexes) {
    const bool same =
        !out.empty() && out.back().front().by.observer == each.by.observer && out.back().front().title == each.title;
    if (!same) out.emplace_back();
    out.back().push_back(each);
  }
  return out;
}

bool goes_on(const TeamMutex& of) { return of.by.state == team::TeamRecording::State::kGoesOn; }

KnownTimes known_of(const std::vector<TeamMutex>& mutexes) {
  KnownTimes out{wall(mutexes.front().by.begin_ns), TrueTime{}, 0, false};
  for (const TeamMutex& each : mutexes) {
    out.begin = std::min(out.begin, wall(each.by.begin_ns));
    out.end = std::max(out.end, wall(each.by.end_ns));
  }
  return out;
}

// Of the rows of an account what is told of it.
class Told {
 public:
  Told(const Account& account, NameTable& names) : account_(account), names_(names) {
    out_.title = account.front().title;
    out_.by = account.front().by.observer;
    out_.met = wall(account.front().met_ns);
    out_.now = wall(account.back().by.end_ns);
  }

  // `at`: they are to say what was then; none: what is known by now.
  void take(std::size_t part, const std::vector<TeamTerm>& terms, std::optional<TrueTime> at = {});
  // What it once told of the time before has been dropped, and what there was then nobody knows any more.
  void take_dropped(std::size_t part);
  void take_alerts(const std::optional<std::vector<AlertNote>>& notes);
  bool has_owner(TrueTime at) const;
  ToldMutex told();

 private:
  // It is seen again, by the next recording.
  TrueTime seen_again(std::size_t part) const {
    return part + 1 < account_.size() ? wall(account_[part + 1].met_ns) : TrueTime::max();
  }

  const Account& account_;
  NameTable& names_;
  ToldMutex out_;
};

void Told::take(std::size_t part, const std::vector<TeamTerm>& terms, std::optional<TrueTime> at) {
  const TeamMutex& of = account_[part];
  // From there on this recording says nothing of it; of one that goes on it is not known yet.
  const TrueTime end = wall(of.by.end_ns);
  TrueTime dark = goes_on(of) && (!at || *at <= end) ? TrueTime::max() : end;
  for (const TeamTerm& each : terms) {
    if (each.observed) continue;
    if (each.lasts())
      dark = std::min(dark, wall(each.begin_hi));
    else
      out_.unobserved.push_back({wall(each.begin_hi), wall(each.end_hi)});
  }
  const TrueTime again = seen_again(part);
  if (dark < again) out_.unobserved.push_back({dark, again});
  for (const TeamTerm& each : terms) {
    if (!each.observed) continue;
    ToldStretch& stretch = out_.owned.emplace_back();
    stretch.owner = names_.intern(each.owner);
    stretch.token = each.token;
    stretch.begin_lo = wall(each.begin_lo);
    stretch.begin_hi = wall(each.begin_hi);
    stretch.end_lo = wall(each.end_lo);
    stretch.end_hi = wall(each.end_hi);
    stretch.end = each.end;
    if (stretch.lasts() && dark != TrueTime::max()) stretch.seen_until = dark;
  }
}

void Told::take_dropped(std::size_t part) {
  const TeamMutex& of = account_[part];
  if (of.met_ns < of.by.kept_ns) out_.unobserved.push_back({wall(of.met_ns), wall(of.by.kept_ns)});
}

void Told::take_alerts(const std::optional<std::vector<AlertNote>>& notes) {
  if (!notes) return;
  if (!out_.alerts) out_.alerts.emplace();
  for (FiredAlert& each : fired_alerts(*notes)) out_.alerts->push_back(std::move(each));
}

bool Told::has_owner(TrueTime at) const {
  return std::any_of(out_.owned.begin(), out_.owned.end(),
                     [&](const ToldStretch& each) { return each.begin_lo <= at && at < each.end_hi; });
}

// Gaps that meet are one.
ToldMutex Told::told() {
  std::vector<UnobservedStretch>& gaps = out_.unobserved;
  std::sort(gaps.begin(), gaps.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  std::vector<UnobservedStretch> whole;
  for (const UnobservedStretch& each : gaps) {
    if (!whole.empty() && each.begin <= whole.back().end)
      whole.back().end = std::max(whole.back().end, each.end);
    else
      whole.push_back(each);
  }
  gaps = std::move(whole);
  return std::move(out_);
}

// By the recording that knew it last by then; where that had ended before, who owned when it did is told, too.
tl::expected<ToldMutex, std::string> told_at(team::TeamReading& reading, const Account& account, TrueTime at,
                                             NameTable& names) {
  Told told(account, names);
  const auto after =
      std::find_if(account.begin(), account.end(), [&](const TeamMutex& each) { return wall(each.met_ns) > at; });
  if (after == account.begin()) {
    // It may have been looked at, and not be known yet.
    const auto terms = team::terms_at(reading, account.front(), ns(at));
    if (!terms) return tl::unexpected(terms.error());
    if (at >= wall(account.front().by.begin_ns)) told.take(0, *terms, at);
    return told.told();
  }
  const auto part = static_cast<std::size_t>(after - account.begin()) - 1;
  const TeamMutex& of = account[part];
  const auto terms = team::terms_at(reading, of, goes_on(of) ? ns(at) : std::min(ns(at), of.by.end_ns));
  if (!terms) return tl::unexpected(terms.error());
  told.take(part, *terms, at);
  const auto alerts = team::alerts_of(reading, of);
  if (!alerts) return tl::unexpected(alerts.error());
  told.take_alerts(*alerts);
  // Who owned it for so long that he still did on the first day that is kept is known.
  if (!told.has_owner(at)) told.take_dropped(part);
  return told.told();
}

tl::expected<ToldMutex, std::string> told_between(team::TeamReading& reading, const Account& account,
                                                  const AskedRange& range, NameTable& names) {
  Told told(account, names);
  for (std::size_t part = 0; part < account.size(); ++part) {
    const auto terms = team::terms_between(reading, account[part], ns(range.from), ns(range.to));
    if (!terms) return tl::unexpected(terms.error());
    told.take(part, *terms);
    told.take_dropped(part);
    const auto alerts = team::alerts_of(reading, account[part]);
    if (!alerts) return tl::unexpected(alerts.error());
    told.take_alerts(*alerts);
  }
  ToldMutex out = told.told();
  const auto beyond = [&](const UnobservedStretch& each) { return each.begin > range.to || each.end <= range.from; };
  out.unobserved.erase(std::remove_if(out.unobserved.begin(), out.unobserved.end(), beyond), out.unobserved.end());
  const auto other = [&](const FiredAlert& each) { return each.from > range.to || each.to <= range.from; };
  if (out.alerts) out.alerts->erase(std::remove_if(out.alerts->begin(), out.alerts->end(), other), out.alerts->end());
  return out;
}

std::string none_of_that_name(team::TeamReading& reading, const HistoryOptions& options) {
  const auto titles = team::some_titles(reading, options.observer, kMostNamed + 1);
  if (!titles) return titles.error();
  std::vector<std::string> there;
  for (std::size_t i = 0; i < std::min<std::size_t>(titles->size(), kMostNamed); ++i)
    there.push_back(escaped((*titles)[i], 100));
  if (titles->size() > kMostNamed) there.emplace_back("…");
  return fmt::format("{}: no mutex \"{}\" is in it{}; there are: {}", reading.name(), options.mutex,
                     options.observer.empty() ? "" : fmt::format(", seen by {}", options.observer),
                     there.empty() ? "none" : fmt::format("{}", fmt::join(there, ", ")));
}

}  // namespace

int team_history(const HistoryOptions& options) {
  const auto url = team_url(options.recording);
  if (!url) return bad_input(url.error());
  auto reading = team::TeamReading::open(*url);
  if (!reading) return bad_input(reading.error());
  const auto mutexes = team::mutexes_of(**reading, options.mutex, options.observer);
  if (!mutexes) return failed(mutexes.error());
  if (mutexes->empty() && !options.mutex.empty()) return bad_input(none_of_that_name(**reading, options));
  if (mutexes->empty()) return bad_input(fmt::format("{}: nothing is recorded there yet", (*reading)->name()));
  const KnownTimes known = known_of(*mutexes);
  const auto asked = times_of(options, known);
  if (!asked) return bad_input(asked.error());
  const auto& [range, at] = *asked;
  const RecordedClock clock(known.epoch_ns);
  NameTable names;
  const Teller teller(names, clock);
  Json all = Json::array();
  for (const Account& account : accounts_of(*mutexes)) {
    const auto told = at ? told_at(**reading, account, *at, names) : told_between(**reading, account, range, names);
    if (!told) return failed(told.error());
    if (options.json)
      all.push_back(at ? teller.moment_json(*told, *at) : teller.all_json(*told));
    else
      put(at ? teller.moment(*told, *at) : teller.all(*told));
  }
  if (!options.json) return kAsExpected;
  const Json out{{"recording", (*reading)->name()}, {"epoch_unix_ns", 0}, {"mutexes", std::move(all)}};
  put(out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  return kAsExpected;
}

}  // namespace leasescope::ctl
