// history: who owned a mutex when, from a recording: all of it, or at one moment.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_clock.h"
#include "core/base/escaped.h"
#include "core/history/mutex_title.h"
#include "core/history/ownership.h"
#include "core/history/recording/recording_reader.h"
#include "core/time/day_moment.h"
#include "core/time/duration_text.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;

struct HistoryOptions {
  std::string mutex, recording, at;
  bool json = false;
};

constexpr std::size_t kMostNamed = 10;  // mutexes, in an error

tl::expected<TrueTime, std::string> moment_of(const std::string& text, const RecordingReader& recording) {
  const TrueTime now = recording.frame().now;
  const RecordedClock clock(recording.header().epoch_ns);
  const auto outside = [&] {
    return tl::unexpected(
        fmt::format("--at {}: the recording is from {} to {}", text, clock.text(TrueTime{}), clock.zoned(now)));
  };
  if (const auto after = parse_duration(text)) {
    if (*after < Duration::zero() || TrueTime{} + *after > now) return outside();
    return TrueTime{} + *after;
  }
  const auto day = parse_day_moment(text);
  if (!day) return tl::unexpected(fmt::format("--at {}", day.error()));
  const auto& epoch = recording.header().epoch_ns;
  if (!epoch)
    return tl::unexpected(
        fmt::format("--at {}: this run had no wall clock: expected a time after its beginning, such as 15s", text));
  const auto at = last_of(*day, *epoch, *epoch + now.time_since_epoch().count());
  if (!at) return outside();
  return TrueTime(Duration(*at - *epoch));
}

// Those of that name, on whichever store.
std::vector<Name> mutexes_of(const History& history, const std::vector<Name>& met, const std::string& name) {
  std::vector<Name> out;
  for (const Name each : met) {
    const std::string_view text = history.names.text(each);
    if (text == name || name_in(text) == name) out.push_back(each);
  }
  return out;
}

struct Told {
  History history;  // no events: its names and its legend
  std::vector<Name> mutexes;
  std::vector<Ownership> of;
};

// Which mutexes there are, and who owned those that are asked for.
tl::expected<Told, std::string> fold(RecordingReader& recording, const std::string& name) {
  Told out;
  auto read = recording.read();
  if (!read) return tl::unexpected(read.error());
  out.history = std::move(*read);
  std::vector<bool> seen(out.history.names.size());
  std::vector<Name> met;
  for (const Event& event : out.history.events)
    if (!event.mutex.empty() && !seen[event.mutex.handle]) {
      seen[event.mutex.handle] = true;
      met.push_back(event.mutex);
    }
  out.mutexes = mutexes_of(out.history, met, name);
  if (out.mutexes.empty()) {
    std::string there;
    for (std::size_t i = 0; i < std::min(met.size(), kMostNamed); ++i)
      there += (i == 0 ? "" : ", ") + escaped(out.history.names.text(met[i]), 100);
    if (met.size() > kMostNamed) there += fmt::format(" and {} more", met.size() - kMostNamed);
    return tl::unexpected(fmt::format("{}: no mutex \"{}\" is in it; there {}: {}", recording.path(), name,
                                      met.size() == 1 ? "is" : "are", met.empty() ? "none" : there));
  }
  for (const Name each : out.mutexes) {
    out.of.emplace_back(out.history.legend, each);
    for (const Event& event : out.history.events) out.of.back().append(event, out.history.names);
  }
  return out;
}

// ---- in words

std::string owner_text(const History& history, const OwnedStretch& of) {
  return escaped(history.names.text(of.owner), 200) + (of.token == kNoToken ? "" : fmt::format(" #{}", of.token));
}

// To the millisecond, as the clock beside it.
std::string length_of(Duration length) {
  return format_duration(std::chrono::round<std::chrono::milliseconds>(length));
}

std::string within(TrueTime lo, TrueTime hi) {
  return hi - lo < std::chrono::milliseconds(1) ? "" : fmt::format(" (within {} before)", length_of(hi - lo));
}

std::string line_of(const History& history, const OwnedStretch& of, const RecordedClock& clock, TrueTime now) {
  const TrueTime end = of.lasts() ? now : of.end_hi;
  return fmt::format("{}  {}  {}  {}{}\n", clock.text(of.begin_hi), of.lasts() ? "and lasts" : clock.text(of.end_hi),
                     length_of(std::max(Duration::zero(), end - of.begin_hi)), owner_text(history, of),
                     of.lasts() ? "" : fmt::format(", {}", text(of.end)));
}

void put_all(const Told& told, std::size_t which, const RecordedClock& clock) {
  const History& history = told.history;
  const Ownership& of = told.of[which];
  std::vector<std::pair<TrueTime, std::string>> lines;
  for (const OwnedStretch& each : of.owned())
    lines.emplace_back(each.begin_hi, line_of(history, each, clock, history.now));
  for (const UnobservedStretch& each : of.unobserved()) {
    const bool lasts = each.end == TrueTime::max();
    lines.emplace_back(each.begin, fmt::format("{}  {}  {}  not observed\n", clock.text(each.begin),
                                               lasts ? "and lasts" : clock.text(each.end),
                                               length_of((lasts ? history.now : each.end) - each.begin)));
  }
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  put(escaped(history.names.text(told.mutexes[which]), 200) + ":\n");
  for (const auto& [at, line] : lines) put(line);
}

void put_moment(const Told& told, std::size_t which, const RecordedClock& clock, TrueTime at) {
  const History& history = told.history;
  const Ownership::Moment then = told.of[which].at(at);
  std::string out = fmt::format("{} at {}: ", escaped(history.names.text(told.mutexes[which]), 200), clock.zoned(at));
  const auto bounds = [&](const OwnedStretch& of) {
    return fmt::format("{}, from {}{} {}", owner_text(history, of), clock.text(of.begin_hi),
                       within(of.begin_lo, of.begin_hi),
                       of.lasts() ? std::string("on") : fmt::format("to {}, {}", clock.text(of.end_hi), text(of.end)));
  };
  std::vector<std::string> parts;
  if (then.unobserved != nullptr) {
    const bool lasts = then.unobserved->end == TrueTime::max();
    parts.push_back(fmt::format("not observed from {} {}", clock.text(then.unobserved->begin),
                                lasts ? std::string("on") : "to " + clock.text(then.unobserved->end)));
  }
  for (const OwnedStretch* each : then.surely)
    parts.push_back((then.unobserved != nullptr ? "last seen: " : "") + bounds(*each));
  for (const OwnedStretch* each : then.perhaps) parts.push_back("perhaps " + bounds(*each));
  const std::optional<TrueTime> met = told.of[which].met();
  if (parts.empty() && (!met || at < *met))
    parts.push_back(
        fmt::format("nothing was known of it yet: it was first met at {}", met ? clock.text(*met) : "no time"));
  if (parts.empty()) parts.emplace_back("nobody");
  for (std::size_t i = 0; i < parts.size(); ++i) out += (i == 0 ? "" : "; ") + parts[i];
  put(out + "\n");
}

// ---- as JSON

Json json_of(const History& history, const OwnedStretch& of) {
  const auto ns = [](TrueTime at) {
    return at == TrueTime::max() ? Json(nullptr) : Json(at.time_since_epoch().count());
  };
  return {{"owner", std::string(history.names.text(of.owner))},
          {"token", of.token == kNoToken ? Json(nullptr) : Json(of.token)},
          {"begin_from_ns", ns(of.begin_lo)},
          {"begin_ns", ns(of.begin_hi)},
          {"end_from_ns", ns(of.end_lo)},
          {"end_ns", ns(of.end_hi)},
          {"ended", of.lasts() ? Json(nullptr) : Json(std::string(text(of.end)))}};
}

Json json_of(const UnobservedStretch& of) {
  return {{"begin_ns", of.begin.time_since_epoch().count()},
          {"end_ns", of.end == TrueTime::max() ? Json(nullptr) : Json(of.end.time_since_epoch().count())}};
}

Json json_of(const Told& told, std::size_t which, std::optional<TrueTime> at) {
  const Ownership& of = told.of[which];
  Json out{{"mutex", std::string(told.history.names.text(told.mutexes[which]))}};
  const auto all = [&](const auto& list, const auto& get) {
    Json made = Json::array();
    for (const auto& each : list) made.push_back(get(each));
    return made;
  };
  if (!at) {
    out["owned"] = all(of.owned(), [&](const OwnedStretch& each) { return json_of(told.history, each); });
    out["unobserved"] = all(of.unobserved(), [](const UnobservedStretch& each) { return json_of(each); });
    return out;
  }
  const Ownership::Moment then = of.at(*at);
  out["at_ns"] = at->time_since_epoch().count();
  out["known"] = of.met() && *of.met() <= *at;
  out["owners"] = all(then.surely, [&](const OwnedStretch* each) { return json_of(told.history, *each); });
  out["perhaps"] = all(then.perhaps, [&](const OwnedStretch* each) { return json_of(told.history, *each); });
  out["unobserved"] = then.unobserved == nullptr ? Json(nullptr) : json_of(*then.unobserved);
  return out;
}

int history(const HistoryOptions& options) {
  auto recording = RecordingReader::open(options.recording);
  if (!recording) return bad_input(recording.error());
  std::optional<TrueTime> at;
  if (!options.at.empty()) {
    const auto moment = moment_of(options.at, *recording);
    if (!moment) return bad_input(moment.error());
    at = *moment;
  }
  const auto told = fold(*recording, options.mutex);
  if (!told) return bad_input(told.error());
  const RecordedClock clock(recording->header().epoch_ns);
  if (options.json) {
    Json out{{"recording", options.recording}};
    if (recording->header().epoch_ns) out["epoch_unix_ns"] = *recording->header().epoch_ns;
    out["mutexes"] = Json::array();
    for (std::size_t i = 0; i < told->of.size(); ++i) out["mutexes"].push_back(json_of(*told, i, at));
    put(out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    return kAsExpected;
  }
  for (std::size_t i = 0; i < told->of.size(); ++i) at ? put_moment(*told, i, clock, *at) : put_all(*told, i, clock);
  return kAsExpected;
}

}  // namespace

void add_history_command(CLI::App& app, int& exit) {
  const auto options = std::make_shared<HistoryOptions>();
  CLI::App* command =
      app.add_subcommand("history", "Who owned a mutex when, from a recording: history MUTEX RECORDING");
  command->add_option("MUTEX", options->mutex, "Its name")->required();
  command->add_option("RECORDING", options->recording, "Of a watch, or of a run")->required();
  command->add_option("--at", options->at,
                      "Only who owned it then: '03:12' or '2026-11-27 03:12:04' (UTC), or 15s after the beginning");
  command->add_flag("--json", options->json, "As JSON");
  command->callback([&exit, options] { exit = history(*options); });
}

}  // namespace leasescope::ctl
