#include "app/leasescopectl_told.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/time/duration_text.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;

// To the millisecond, as the clock beside it.
std::string length_of(Duration length) {
  return format_duration(std::chrono::round<std::chrono::milliseconds>(length));
}

std::string within(TrueTime lo, TrueTime hi) {
  return hi - lo < std::chrono::milliseconds(1) ? "" : fmt::format(" (within {} before)", length_of(hi - lo));
}

Json ns(TrueTime at) { return at == TrueTime::max() ? Json(nullptr) : Json(at.time_since_epoch().count()); }

Json json_of(const UnobservedStretch& of) { return {{"begin_ns", ns(of.begin)}, {"end_ns", ns(of.end)}}; }

Json json_of(const FiredAlert& of) {
  Json out{{"rule", of.rule}, {"kind", of.kind}, {"words", of.words}, {"begin_ns", ns(of.from)}, {"end_ns", ns(of.to)}};
  out["acknowledged_ns"] = of.acknowledged ? ns(*of.acknowledged) : Json(nullptr);
  out["muted_until_ns"] = of.muted ? ns(of.muted->second) : Json(nullptr);
  return out;
}

// At a moment.
struct Then {
  std::vector<const ToldStretch*> surely, perhaps;
  const UnobservedStretch* unobserved = nullptr;
  std::vector<const FiredAlert*> alerts;
};

Then then(const ToldMutex& of, TrueTime at) {
  Then out;
  for (const UnobservedStretch& each : of.unobserved)
    if (each.begin <= at && at < each.end) out.unobserved = &each;
  for (const ToldStretch& each : of.owned) {
    if (each.begin_lo > at || each.end_hi <= at) continue;
    (each.begin_hi <= at && at < each.end_lo ? out.surely : out.perhaps).push_back(&each);
  }
  if (of.alerts)
    for (const FiredAlert& each : *of.alerts)
      if (each.from <= at && at < each.to) out.alerts.push_back(&each);
  return out;
}

std::string head(const ToldMutex& of) {
  return escaped(of.title, 200) + (of.by.empty() ? "" : fmt::format(", seen by {}", of.by));
}

Json head_json(const ToldMutex& of) {
  Json out{{"mutex", of.title}};
  if (!of.by.empty()) out["observer"] = of.by;
  return out;
}

}  // namespace

std::string Teller::owner(const OwnedStretch& of) const {
  return escaped(names_.text(of.owner), 200) + (of.token == kNoToken ? "" : fmt::format(" #{}", of.token));
}

std::string Teller::line(const ToldStretch& of, TrueTime now) const {
  const TrueTime end = !of.lasts() ? of.end_hi : of.seen_until.value_or(now);
  const std::string until = !of.lasts()     ? clock_.text(of.end_hi)
                            : of.seen_until ? "last seen " + clock_.text(*of.seen_until)
                                            : "and lasts";
  return fmt::format("{}  {}  {}  {}{}\n", clock_.text(of.begin_hi), until,
                     length_of(std::max(Duration::zero(), end - of.begin_hi)), owner(of),
                     of.lasts() ? "" : fmt::format(", {}", text(of.end)));
}

std::string Teller::line(const UnobservedStretch& of, TrueTime now) const {
  return fmt::format("{}  {}  {}  not observed\n", clock_.text(of.begin),
                     of.lasts() ? "and lasts" : clock_.text(of.end), length_of((of.lasts() ? now : of.end) - of.begin));
}

std::string Teller::line(const FiredAlert& of, TrueTime now) const {
  std::string out =
      fmt::format("{}  {}  {}  alert {}: {}", clock_.text(of.from), of.lasts() ? "and lasts" : clock_.text(of.to),
                  length_of((of.lasts() ? std::max(now, of.from) : of.to) - of.from), escaped(of.rule, 100),
                  escaped(of.words, 200));
  if (of.acknowledged) out += fmt::format(", acknowledged at {}", clock_.text(*of.acknowledged));
  if (of.muted) out += fmt::format(", muted until {}", clock_.text(of.muted->second));
  return out + "\n";
}

std::string Teller::all(const ToldMutex& of) const {
  std::vector<std::pair<TrueTime, std::string>> lines;
  for (const ToldStretch& each : of.owned) lines.emplace_back(each.begin_hi, line(each, of.now));
  for (const UnobservedStretch& each : of.unobserved) lines.emplace_back(each.begin, line(each, of.now));
  if (of.alerts)
    for (const FiredAlert& each : *of.alerts) lines.emplace_back(each.from, line(each, of.now));
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out = head(of) + ":\n";
  for (const auto& [at, told] : lines) out += told;
  return out;
}

std::string Teller::bounds(const ToldStretch& of) const {
  return fmt::format("{}, from {}{} {}", owner(of), clock_.text(of.begin_hi), within(of.begin_lo, of.begin_hi),
                     of.lasts() ? std::string("on") : fmt::format("to {}, {}", clock_.text(of.end_hi), text(of.end)));
}

std::string Teller::moment(const ToldMutex& of, TrueTime at) const {
  const Then found = then(of, at);
  std::vector<std::string> parts;
  if (found.unobserved != nullptr)
    parts.push_back(
        fmt::format("not observed from {} {}", clock_.text(found.unobserved->begin),
                    found.unobserved->lasts() ? std::string("on") : "to " + clock_.text(found.unobserved->end)));
  for (const ToldStretch* each : found.surely)
    parts.push_back((found.unobserved != nullptr ? "last seen: " : "") + bounds(*each));
  for (const ToldStretch* each : found.perhaps) parts.push_back("perhaps " + bounds(*each));
  if (parts.empty() && (!of.met || at < *of.met))
    parts.push_back(
        fmt::format("nothing was known of it yet: it was first met at {}", of.met ? clock_.text(*of.met) : "no time"));
  if (parts.empty()) parts.emplace_back("nobody");
  std::string out = fmt::format("{} at {}: ", escaped(of.title, 200), clock_.zoned(at));
  if (!of.by.empty()) out = fmt::format("{} at {}, seen by {}: ", escaped(of.title, 200), clock_.zoned(at), of.by);
  for (const FiredAlert* each : found.alerts)
    parts.push_back(fmt::format("alert {} since {}: {}", escaped(each->rule, 100), clock_.text(each->from),
                                escaped(each->words, 200)));
  for (std::size_t i = 0; i < parts.size(); ++i) out += (i == 0 ? "" : "; ") + parts[i];
  return out + "\n";
}

// ---- as JSON

Json Teller::json(const ToldStretch& of) const {
  Json out{{"owner", std::string(names_.text(of.owner))},
           {"token", of.token == kNoToken ? Json(nullptr) : Json(of.token)},
           {"begin_from_ns", ns(of.begin_lo)},
           {"begin_ns", ns(of.begin_hi)},
           {"end_from_ns", ns(of.end_lo)},
           {"end_ns", ns(of.end_hi)},
           {"ended", of.lasts() ? Json(nullptr) : Json(std::string(text(of.end)))}};
  if (of.seen_until) out["last_seen_ns"] = ns(*of.seen_until);
  return out;
}

Json Teller::all_json(const ToldMutex& of) const {
  Json out = head_json(of);
  out["owned"] = Json::array();
  for (const ToldStretch& each : of.owned) out["owned"].push_back(json(each));
  out["unobserved"] = Json::array();
  for (const UnobservedStretch& each : of.unobserved) out["unobserved"].push_back(json_of(each));
  if (!of.alerts) return out;
  out["alerts"] = Json::array();
  for (const FiredAlert& each : *of.alerts) out["alerts"].push_back(json_of(each));
  return out;
}

Json Teller::moment_json(const ToldMutex& of, TrueTime at) const {
  const Then found = then(of, at);
  Json out = head_json(of);
  out["at_ns"] = ns(at);
  out["known"] = of.met && *of.met <= at;
  out["owners"] = Json::array();
  for (const ToldStretch* each : found.surely) out["owners"].push_back(json(*each));
  out["perhaps"] = Json::array();
  for (const ToldStretch* each : found.perhaps) out["perhaps"].push_back(json(*each));
  out["unobserved"] = found.unobserved == nullptr ? Json(nullptr) : json_of(*found.unobserved);
  if (!of.alerts) return out;
  out["alerts"] = Json::array();
  for (const FiredAlert* each : found.alerts) out["alerts"].push_back(json_of(*each));
  return out;
}

}  // namespace leasescope::ctl
