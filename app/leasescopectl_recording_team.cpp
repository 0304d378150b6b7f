#include "app/leasescopectl_recording_team.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_history_options.h"
#include "app/leasescopectl_recording.h"
#include "app/leasescopectl_recording_out.h"
#include "app/leasescopectl_reports.h"
#include "app/leasescopectl_retention.h"
#include "app/leasescopectl_table.h"
#include "app/leasescopectl_team.h"
#include "core/base/escaped.h"
#include "core/history/recorded_clock.h"
#include "core/history/team/advice.h"
#include "core/history/team/days.h"
#include "core/history/team/team_history.h"
#include "simulator/run/history_part.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;
using team::TeamReading;
using team::TeamRecording;

template <class T>
using Read = tl::expected<T, std::string>;

Read<std::shared_ptr<TeamReading>> open(const std::string& database) {
  const auto url = team_url(database);
  if (!url) return tl::unexpected(url.error());
  return TeamReading::open(*url);
}

TrueTime wall(std::int64_t ns) { return TrueTime(Duration(ns)); }

// ---- info

using AlertCounts = std::map<std::int64_t, std::uint64_t>;  // by recording; of others it is not kept

Json json_of(const TeamRecording& of, const AlertCounts& alerts) {
  const auto fired = alerts.find(of.id);
  return {{"observer", of.observer},
          {"state", std::string(text(of.state))},
          {"begin_unix_ns", of.begin_ns},
          {"known_until_unix_ns", of.end_ns},
          {"events", of.events},
          {"mutexes", of.mutexes},
          {"alerts", fired == alerts.end() ? Json(nullptr) : Json(fired->second)},
          {"store", of.store},
          {"program", of.program}};
}

std::string table_of(const std::vector<TeamRecording>& recordings, const AlertCounts& alerts) {
  const RecordedClock clock(0);
  Table table;
  table.add({"OBSERVER", "BEGAN (UTC)", "KNOWN UNTIL", "STATE", "EVENTS", "MUTEXES", "ALERTS", "STORE"});
  for (const TeamRecording& each : recordings) {
    const auto fired = alerts.find(each.id);
    table.add({each.observer, clock.text(wall(each.begin_ns)), clock.text(wall(each.end_ns)),
               std::string(text(each.state)), std::to_string(each.events), std::to_string(each.mutexes),
               fired == alerts.end() ? "-" : std::to_string(fired->second), escaped(each.store, 100)});
  }
  return table.text();
}

// ---- export

struct Wanted {
  std::vector<TeamRecording> recordings;
  std::optional<AskedRange> range;  // by the wall clock; none: all of it
};

std::string nothing_there(const std::string& name, const std::vector<TeamRecording>& all, const std::string& observer) {
  std::set<std::string> observers;
  for (const TeamRecording& each : all) observers.insert(each.observer);
  if (all.empty()) return fmt::format("{}: nothing has been recorded there yet", name);
  return fmt::format("{}: no observer {} is in it; there are: {}", name, escaped(observer, 60),
                     fmt::join(observers, ", "));
}

// Those that reach into what is asked for.
Read<Wanted> wanted(TeamReading& reading, const TeamPart& part) {
  auto all = reading.recordings();
  if (!all) return tl::unexpected(all.error());
  Wanted out;
  KnownTimes known{TrueTime::max(), TrueTime::min(), 0, false};
  for (const TeamRecording& each : *all) {
    if (!part.observer.empty() && each.observer != part.observer) continue;
    out.recordings.push_back(each);
    known.begin = std::min(known.begin, wall(each.begin_ns));
    known.end = std::max(known.end, wall(each.end_ns));
  }
  if (out.recordings.empty()) return tl::unexpected(nothing_there(reading.name(), *all, part.observer));
  if (part.from.empty() && part.to.empty()) return out;
  auto range = range_of({part.from, part.to}, known);
  if (!range) return tl::unexpected(range.error());
  range->from = std::max(range->from, known.begin);
  range->to = std::min(range->to, known.end);
  const auto beyond = [&](const TeamRecording& each) {
    return wall(each.begin_ns) > range->to || wall(each.end_ns) < range->from;
  };
  auto& list = out.recordings;
  list.erase(std::remove_if(list.begin(), list.end(), beyond), list.end());
  if (list.empty())
    return tl::unexpected(fmt::format("{}: nobody recorded anything between {} and {}", reading.name(),
                                      RecordedClock(0).text(range->from), RecordedClock(0).zoned(range->to)));
  out.range = *range;
  return out;
}

Read<std::unique_ptr<HistorySource>> source_of(const std::shared_ptr<TeamReading>& reading, const TeamPart& part) {
  const auto what = wanted(*reading, part);
  if (!what) return tl::unexpected(what.error());
  auto source = team::history_of(reading, what->recordings);
  if (!source || !what->range) return source;
  const Duration epoch((*source)->header().epoch_ns.value_or(0));
  return HistoryPart::of(std::move(*source), std::max(TrueTime{}, what->range->from - epoch), what->range->to - epoch);
}

// What was wrong; empty: all of it is written.
std::string write_words(HistorySource& source, Report& report) {
  if (std::string error = report.head(source.header()); !error.empty()) return error;
  History page = source.frame();
  std::string error;
  while (error.empty() && source.read_page(page.events)) {
    take_names(page, source.frame());
    error = report.append(page);
    page.forgotten = page.last();
    page.events.clear();
  }
  if (error.empty()) error = source.error();
  return error.empty() ? report.finish(page, Scenario{}, Outcome{}) : error;
}

int export_words(HistorySource& source, const ReportKind& kind, const std::string& out) {
  const auto report = kind.make();
  std::string error = report->open(out);
  if (error.empty()) error = write_words(source, *report);
  return error.empty() ? kAsExpected : failed(error);
}

int export_recording(HistorySource& source, const std::string& out, const TeamPart& part) {
  NewRecording made;
  if (const std::string reason = made.open(out); !reason.empty()) return bad_input(reason);
  Progress progress(part.quiet);
  if (const int code = made.fill(source, progress); code != kAsExpected) return code;
  say("{}: what {} tell\n", out, source.path());
  return kAsExpected;
}

// ---- retain

int retain_team(const std::string& database, const Retention& retention) {
  const auto url = team_url(database);
  if (!url) return bad_input(url.error());
  team::ConnectionTerms terms;
  terms.patience = std::chrono::minutes(5);
  auto connection = team::Connection::open(*url, terms);
  if (!connection) return bad_input(team::told(connection.error(), *url));
  if (const auto readable = team::expect_readable(**connection); !readable)
    return bad_input(team::told(readable.error(), *url));
  const auto dropped = team::drop_older(**connection, retention);
  if (!dropped) return failed(team::told(dropped.error(), *url));
  say("{}: {} dropped, and {} of which nothing is left; what is from {} on stays\n", printable(*url),
      counted(static_cast<std::uint64_t>(dropped->days), "day"),
      counted(static_cast<std::uint64_t>(dropped->recordings), "recording"), team::date_of(dropped->first));
  return kAsExpected;
}

int retain(const std::string& database, const std::string& keep_text, const std::string& keep_size) {
  if (keep_text.empty() && keep_size.empty())
    return bad_input("recording retain: expected --keep or --keep-size: how much stays");
  const bool team = names_team(database);
  if (!team)
    if (const std::string why = why_no_team(database); !why.empty()) return bad_input(why);
  const auto retention = read_retention(keep_text, keep_size);
  if (!retention) return bad_input(retention.error());
  return team ? retain_team(database, *retention) : retain_file(database, *retention);
}

}  // namespace

int team_info(const std::string& database, bool json) {
  const auto reading = open(database);
  if (!reading) return bad_input(reading.error());
  const auto recordings = (*reading)->recordings();
  if (!recordings) return failed(recordings.error());
  const auto alerts = (*reading)->alerts();
  if (!alerts) return failed(alerts.error());
  if (!json) {
    put(table_of(*recordings, *alerts));
    return kAsExpected;
  }
  Json out{{"team", (*reading)->name()}, {"recordings", Json::array()}};
  for (const TeamRecording& each : *recordings) out["recordings"].push_back(json_of(each, *alerts));
  put(out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  return kAsExpected;
}

int team_export(const std::string& database, const std::string& out, const TeamPart& part) {
  const ReportKind* const words = report_kind_of("--history", out);
  if (words != nullptr)
    if (const std::string reason = unwritable(out); !reason.empty()) return bad_input(reason);
  const auto reading = open(database);
  if (!reading) return bad_input(reading.error());
  const auto source = source_of(*reading, part);
  if (!source) return bad_input(source.error());
  for (const std::string& remark : (*source)->remarks()) complain(remark);
  return words != nullptr ? export_words(**source, *words, out) : export_recording(**source, out, part);
}

void add_recording_retain(CLI::App& group, int& exit) {
  struct Asked {
    std::string database, keep, keep_size;
  };
  auto asked = std::make_shared<Asked>();
  CLI::App* command = group.add_subcommand("retain",
                                           "Drops what is older, or too much, from a team's database, in whole days, "
                                           "or from a file that watch --record wrote and nobody "
                                           "writes to; what was owned then and still after it stays");
  command->add_option("DATABASE", asked->database, "postgresql://host/database, or a FILE")->required();
  command->add_option("--keep", asked->keep, "So many days stay, such as 30d");
  command->add_option("--keep-size", asked->keep_size,
                      "So much stays, such as 2GB (kB, MB, GB); of a team's database the last day, whatever its size");
  command->callback([asked, &exit] { exit = retain(asked->database, asked->keep, asked->keep_size); });
}

}  // namespace leasescope::ctl
