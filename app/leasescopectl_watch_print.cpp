#include "app/leasescopectl_watch_print.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/leasescopectl_table.h"
#include "app/watch/watch_words.h"
#include "core/base/escaped.h"
#include "core/observe/watched_row.h"

namespace leasescope::ctl {
namespace {

using nlohmann::json;

std::vector<const WatchedMutex*> sorted(const Watch& watch) {
  std::vector<const WatchedMutex*> out;
  for (const auto& each : watch.mutexes()) out.push_back(each.get());
  std::sort(out.begin(), out.end(), [](const WatchedMutex* a, const WatchedMutex* b) {
    return std::pair(a->name, a->source) < std::pair(b->name, b->source);
  });
  return out;
}

json json_of(const ToldBelief& of, TrueTime now, std::int64_t epoch_ns);

json json_of(const WatchedMutex& mutex, const WatchedStore& store, TrueTime now, std::int64_t epoch_ns) {
  const WatchedRow row = row_of(mutex, now);
  const auto seconds = [](Duration d) { return static_cast<double>(d.count()) / 1e9; };
  json out{{"mutex", mutex.name},
           {"store", store.name},
           {"maker", mutex.maker.empty() ? json() : json(std::string(mutex.maker))},
           {"system", std::string(mutex.book.last().system)},
           {"likely", mutex.book.last().likely},
           {"state", std::string(text(row.state))},
           {"note", row.note.empty() ? json() : json(row.note)},
           {"owner", row.owner.empty() ? json() : json(row.owner)},
           {"holders", row.holders},
           {"held", row.held},
           {"permits", row.permits ? json(*row.permits) : json()},
           {"token", row.token == kNoToken ? json() : json(row.token)},
           {"since_at_least_seconds", seconds(row.lasts_least)},
           {"since_at_most_seconds", row.lasts_most ? json(seconds(*row.lasts_most)) : json()},
           {"lease_left_seconds", row.left ? json(seconds(*row.left)) : json()},
           {"waiters", row.waiters ? json(*row.waiters) : json()},
           {"waiters_age_seconds", row.waiters_age ? json(seconds(*row.waiters_age)) : json()},
           {"queue", mutex.book.last().queue},
           {"handoffs_last_hour", row.handoffs},
           {"believers", row.believers},
           {"age_seconds", seconds(row.age)}};
  json raw = json::object();
  for (const auto& [key, value] : mutex.book.last().raw) raw[key] = value;
  out["raw"] = std::move(raw);
  if (mutex.beliefs != nullptr)
    for (const ToldBelief& each : mutex.beliefs->all()) out["beliefs"].push_back(json_of(each, now, epoch_ns));
  return out;
}

// Whose clock no answer has told is null, and so are all where it is watched no more.
json json_of(const WatchedStore& store, std::int64_t epoch_ns) {
  const ObserverFigures figures = store.observer == nullptr ? ObserverFigures{} : store.observer->figures();
  const auto ms = [](std::int64_t ns) { return static_cast<double>(ns) / 1e6; };
  json out{{"store", store.name},        {"answers", !store.blind},          {"not_observed", unobserved_text(store)},
           {"clock_offset_ms", nullptr}, {"clock_offset_bound_ms", nullptr}, {"clock_offset_age_ms", nullptr}};
  if (!figures.clock) return out;
  out["clock_offset_ms"] = ms(figures.clock->at_zero.count() - epoch_ns);
  out["clock_offset_bound_ms"] = ms(figures.clock->bound.count());
  out["clock_offset_age_ms"] = ms(figures.clock->age.count());
  return out;
}

// Of a table, where somebody listens: who believes that he owns, or that none does.
std::string believers_text(const WatchedMutex& mutex, TrueTime now) {
  std::string out;
  if (mutex.beliefs != nullptr)
    for (const ToldBelief& each : mutex.beliefs->all())
      if (each.owns)
        out += fmt::format("{}{} {}", out.empty() ? "" : "; ", escaped(each.said.owner, 60), belief_words(each, now));
  return out.empty() ? "–" : out;
}

json json_of(const ToldBelief& of, TrueTime now, std::int64_t epoch_ns) {
  const auto seconds = [](Duration d) { return static_cast<double>(d.count()) / 1e9; };
  const auto wall = [&](TrueTime at) { return epoch_ns + at.time_since_epoch().count(); };
  json out{{"owner", of.said.owner},
           {"host", of.said.host},
           {"pid", of.said.pid},
           {"believes", std::string(text(of.said.what))},
           {"owns", of.owns},
           {"token", of.said.fence == kNoToken ? json() : json(of.said.fence)},
           {"sent_from_ns", wall(of.lo)},
           {"sent_ns", wall(of.hi)},
           {"left_seconds", of.owns && of.until_hi != TrueTime::max() ? json(seconds(of.until_hi - now)) : json()}};
  if (of.offset) {
    out["clock_behind_ns"] = {of.offset->least + epoch_ns, of.offset->most + epoch_ns};
    out["clock_behind_least_proved"] = of.offset->proved;
  }
  return out;
}

std::string dump(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string watched_table(const Watch& watch, TrueTime now) {
  Table table;
  const bool beliefs = watch.listens_for_beliefs();
  std::vector<std::string> head{"MUTEX", "STORE", "SYSTEM", "OWNER", "FOR", "LEASE LEFT", "WAITERS", "TOKEN", "STATE"};
  if (beliefs) head.emplace_back("BELIEVES");
  table.add(head);
  for (const WatchedMutex* each : sorted(watch)) {
    const WatchedRow row = row_of(*each, now);
    std::vector<std::string> cells{escaped(each->name, 60),
                                   watch.stores()[each->source]->name,
                                   system_text(each->book.last()),
                                   row.owner.empty() ? "–" : escaped(row.owner, 120),
                                   lasting_text(row),
                                   left_text(row),
                                   row.waiters ? std::to_string(*row.waiters) : "?",
                                   number_text(row.token),
                                   state_text(row)};
    if (beliefs) cells.push_back(believers_text(*each, now));
    table.add(cells);
  }
  return table.text();
}

std::string watched_json(const Watch& watch, TrueTime now, std::int64_t epoch_ns) {
  json out{{"at_ns", epoch_ns + now.time_since_epoch().count()}, {"mutexes", json::array()}, {"stores", json::array()}};
  for (const WatchedMutex* each : sorted(watch))
    out["mutexes"].push_back(json_of(*each, *watch.stores()[each->source], now, epoch_ns));
  for (const auto& store : watch.stores()) out["stores"].push_back(json_of(*store, epoch_ns));
  return dump(out, 2);
}

std::string belief_lines(const WatchedMutex& mutex, TrueTime now, std::int64_t epoch_ns) {
  if (mutex.beliefs == nullptr || mutex.beliefs->all().empty()) return fmt::format("  {}\n", no_beliefs_words(true));
  std::string out;
  for (const ToldBelief& each : mutex.beliefs->all())
    out +=
        fmt::format("  {} ({}, process {}) believes: {}; {}\n", escaped(each.said.owner, 200),
                    escaped(each.said.host, 60), each.said.pid, belief_words(each, now), clock_words(each, epoch_ns));
  return out;
}

std::string watched_sentence(const WatchedMutex& mutex, const WatchedStore& store, TrueTime now) {
  const WatchedRow row = row_of(mutex, now);
  std::string out = escaped(mutex.name, 200);
  if (!mutex.maker.empty()) out += fmt::format(" ({})", system_text(mutex.book.last()));
  out += ": ";
  if (row.state == WatchState::kNotObserved) {
    out += fmt::format("not known: {}", store.why.empty() ? "the store does not tell" : store.why);
  } else if (row.owner.empty()) {
    out += "nobody holds it";
  } else {
    const bool several = row.held > 1 || row.permits;
    out += fmt::format("{} {} it, for {}", escaped(row.owner, 300), several ? "hold" : "holds", lasting_text(row));
    if (row.token != kNoToken) out += fmt::format(", #{}", row.token);
    out += row.left ? fmt::format(", {} left", left_text(row)) : ", without an end";
  }
  if (row.waiters) out += fmt::format("; {} wait", *row.waiters);
  if (const std::string counted = counted_text(row); !counted.empty()) out += ", " + counted;
  return out + fmt::format(" ({})\n", store.name);
}

}  // namespace leasescope::ctl
