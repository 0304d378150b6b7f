// history: who owned a mutex, or each of them, when, and which alerts were told of it, from a recording or from a
// team's database: all of it, or at one moment.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_history_options.h"
#include "app/leasescopectl_team.h"
#include "app/leasescopectl_told.h"
#include "core/base/escaped.h"
#include "core/history/mutex_title.h"
#include "core/history/recording/recording_reader.h"

namespace leasescope::ctl {

tl::expected<TrueTime, std::string> moment_of(const char* option, const std::string& text, const KnownTimes& known,
                                              const DayWish& wish) {
  const auto at = known_moment(text, known, wish);
  if (!at) return tl::unexpected(fmt::format("{} {}", option, at.error()));
  return *at;
}

tl::expected<AskedRange, std::string> range_of(const Moments& moments, const KnownTimes& known) {
  const auto asked = two_moments(moments, [&](const char* option, const std::string& text, const DayWish& wish) {
    return moment_of(option, text, known, wish);
  });
  if (!asked) return tl::unexpected(asked.error());
  const AskedRange out{asked->from.value_or(TrueTime::min()), asked->to.value_or(TrueTime::max())};
  if (out.to < out.from)
    return tl::unexpected(fmt::format("--to {}: expected a moment after --from {}", moments.to, moments.from));
  return out;
}

tl::expected<AskedTimes, std::string> times_of(const HistoryOptions& options, const KnownTimes& known) {
  AskedTimes out;
  if (!options.at.empty()) {
    const auto moment = moment_of("--at", options.at, known);
    if (!moment) return tl::unexpected(moment.error());
    out.at = *moment;
  }
  const auto range = range_of(options.moments(), known);
  if (!range) return tl::unexpected(range.error());
  out.range = *range;
  return out;
}

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostNamed = 10;  // mutexes, in an error

bool is_called(std::string_view title, const std::string& name) {
  return name.empty() || title == name || name_in(title) == name;
}

struct Told {
  History history;
  std::vector<ToldMutex> mutexes;  // those of that name on whichever store, as they were met; all by their titles
};

// `fired`: of all; none: who watched kept none.
ToldMutex told_of(const History& history, const MutexOwnership& of,
                  const std::optional<std::vector<FiredAlert>>& fired) {
  ToldMutex out;
  out.title = history.names.text(of.mutex());
  out.met = of.met();
  for (const OwnedStretch& each : of.owned()) out.owned.push_back({each, {}});
  out.unobserved = of.unobserved();
  if (fired) {
    out.alerts.emplace();
    for (const FiredAlert& each : *fired)
      if (each.subject == of.mutex()) out.alerts->push_back(each);
  }
  out.now = history.now;
  return out;
}

std::string none_of_that_name(const std::string& path, const std::string& name, const Ownerships& all,
                              const NameTable& names) {
  std::string there;
  const std::size_t count = all.all().size();
  for (std::size_t i = 0; i < std::min(count, kMostNamed); ++i)
    there += (i == 0 ? "" : ", ") + escaped(names.text(all.all()[i].mutex()), 100);
  if (count > kMostNamed) there += fmt::format(" and {} more", count - kMostNamed);
  return fmt::format("{}: no mutex \"{}\" is in it; there {}: {}", path, name, count == 1 ? "is" : "are",
                     count == 0 ? "none" : there);
}

// Who owned those that are asked for, or which there are.
tl::expected<Told, std::string> fold(RecordingReader& recording, const std::string& name) {
  Told out;
  auto read = recording.read();
  if (!read) return tl::unexpected(read.error());
  out.history = std::move(*read);
  const NameTable& names = out.history.names;
  std::optional<std::vector<FiredAlert>> fired;
  if (const auto* const notes = recording.alerts()) fired = fired_alerts(*notes);
  Ownerships all(out.history.legend);
  for (const Event& event : out.history.events) all.append(event, names);
  for (const MutexOwnership& each : all.all())
    if (is_called(names.text(each.mutex()), name)) out.mutexes.push_back(told_of(out.history, each, fired));
  if (name.empty())
    std::sort(out.mutexes.begin(), out.mutexes.end(),
              [](const ToldMutex& a, const ToldMutex& b) { return a.title < b.title; });
  if (out.mutexes.empty() && !name.empty())
    return tl::unexpected(none_of_that_name(recording.path(), name, all, names));
  return out;
}

void leave_out_beyond(const AskedRange& range, ToldMutex& of) {
  const auto owned = [&](const ToldStretch& each) { return each.begin_lo > range.to || each.end_hi <= range.from; };
  const auto dark = [&](const UnobservedStretch& each) { return each.begin > range.to || each.end <= range.from; };
  of.owned.erase(std::remove_if(of.owned.begin(), of.owned.end(), owned), of.owned.end());
  of.unobserved.erase(std::remove_if(of.unobserved.begin(), of.unobserved.end(), dark), of.unobserved.end());
  const auto other = [&](const FiredAlert& each) { return each.from > range.to || each.to <= range.from; };
  if (of.alerts) of.alerts->erase(std::remove_if(of.alerts->begin(), of.alerts->end(), other), of.alerts->end());
}

int history(const HistoryOptions& options) {
  if (!options.observer.empty())
    return bad_input(fmt::format("--observer {}: {} is one recording: it goes with a team's database", options.observer,
                                 options.recording));
  auto recording = RecordingReader::open(options.recording);
  if (!recording) return bad_input(recording.error());
  const KnownTimes known{TrueTime{}, recording->frame().now, recording->header().epoch_ns};
  const auto asked = times_of(options, known);
  if (!asked) return bad_input(asked.error());
  const auto& [range, at] = *asked;
  auto told = fold(*recording, options.mutex);
  if (!told) return bad_input(told.error());
  for (ToldMutex& each : told->mutexes) leave_out_beyond(range, each);
  const RecordedClock clock(recording->header().epoch_ns);
  const Teller teller(told->history.names, clock);
  if (options.json) {
    Json out{{"recording", options.recording}};
    if (recording->header().epoch_ns) out["epoch_unix_ns"] = *recording->header().epoch_ns;
    out["mutexes"] = Json::array();
    for (const ToldMutex& each : told->mutexes)
      out["mutexes"].push_back(at ? teller.moment_json(each, *at) : teller.all_json(each));
    put(out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    return kAsExpected;
  }
  for (const ToldMutex& each : told->mutexes) put(at ? teller.moment(each, *at) : teller.all(each));
  return kAsExpected;
}

}  // namespace

void add_history_command(CLI::App& app, int& exit) {
  const auto options = std::make_shared<HistoryOptions>();
  CLI::App* command = app.add_subcommand(
      "history",
      "Who owned a mutex when, and what was alerted of it, from a recording or a team's database: history [MUTEX] "
      "RECORDING");
  command->add_option("MUTEX", options->mutex, "Its name; left out: each mutex there is")->required();
  command->add_option("RECORDING", options->recording,
                      "Of a watch, or of a run; or the database of a team: postgresql://host/database");
  auto* const at = command->add_option("--at", options->at,
                                       "Only who owned it then, and which alerts were on: '03:12' or '2026-11-27 "
                                       "03:12:04' (UTC), or 15s after the beginning");
  command->add_option("--from", options->from, "Only what reaches beyond there, likewise")->excludes(at);
  command->add_option("--to", options->to, "Only what began by then, likewise")->excludes(at);
  command->add_option("--observer", options->observer, "Of a team: only what this one has seen");
  command->add_flag("--json", options->json, "As JSON");
  command->callback([&exit, options] {
    if (options->recording.empty()) std::swap(options->mutex, options->recording);  // one word is what to read
    exit = names_team(options->recording) ? team_history(*options) : history(*options);
  });
}

}  // namespace leasescope::ctl
