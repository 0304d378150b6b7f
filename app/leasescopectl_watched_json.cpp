#include "app/leasescopectl_watched_json.h"

#include "app/leasescopectl_told.h"
#include "core/alerts/alert_kinds.h"
#include "core/history/proved_length.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;

Json ns(TrueTime at) { return at == TrueTime::max() ? Json(nullptr) : Json(at.time_since_epoch().count()); }
Json ns(const std::optional<TrueTime>& at) { return at ? ns(*at) : Json(nullptr); }

// How it looked; null: the recording does not say.
Json settings_json(const std::optional<WatchSettings>& of) {
  if (!of) return nullptr;
  Json out{{"stores", Json::array()}};
  for (const WatchSettings::Store& store : of->stores)
    out["stores"].push_back(
        {{"store", store.name}, {"poll_ns", store.poll_ns}, {"foreign", store.foreign}, {"beliefs", store.beliefs}});
  out["mutexes"] = of->mutexes.empty() ? Json(nullptr) : Json(of->mutexes);
  out["belief_socket"] = of->belief_socket;
  out["rules"] = of->rules.empty() ? Json(nullptr) : Json(of->rules);
  return out;
}

}  // namespace

WatchedJson::WatchedJson(WatchedWish wish, const Legend& legend, Sequence before)
    : wish_(std::move(wish)), owners_(legend), engine_(wish_.rules, legend), told_(before) {}

void WatchedJson::append(const History& page) {
  for (; told_ < page.last(); ++told_) {
    owners_.append(page.event(told_ + 1), page.names);
    engine_.append(page.event(told_ + 1), page.names);
  }
}

bool WatchedJson::is_told(TrueTime from, TrueTime to) const {
  return !wish_.part || (from < wish_.part->second && to > wish_.part->first);
}

Json WatchedJson::mutex_json(const MutexOwnership& mutex, const NameTable& names, TrueTime now) const {
  const RecordedClock clock(std::nullopt);
  ToldMutex told;
  told.title = names.text(mutex.mutex());
  std::vector<ProvedLength> lengths;
  for (const OwnedStretch& each : mutex.owned()) {
    if (!is_told(each.begin_hi, each.lasts() ? now : each.end_hi)) continue;
    const ProvedLength& proved = lengths.emplace_back(proved_length(mutex, each, now));
    told.owned.push_back({each, proved.dark});
  }
  for (const UnobservedStretch& each : mutex.unobserved())
    if (is_told(each.begin, each.lasts() ? now : each.end)) told.unobserved.push_back(each);
  if (told.owned.empty() && told.unobserved.empty()) return nullptr;
  Json out = Teller(names, clock).all_json(told);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    out["owned"][i]["proved_ns"] = lengths[i].length.count();
    out["owned"][i]["at_least"] = lengths[i].at_least;
  }
  return out;
}

Json WatchedJson::fired_json(const NameTable& names, TrueTime now) const {
  if (!wish_.fired) return nullptr;
  Json out = Json::array();
  for (const FiredAlert& each : fired_alerts(*wish_.fired)) {
    if (!is_told(each.from, each.lasts() ? now : each.to)) continue;
    out.push_back({{"rule", each.rule},
                   {"kind", each.kind},
                   {is_about_stores(each.kind) ? "store" : "mutex", names.text(each.subject)},
                   {"from_ns", ns(each.from)},
                   {"to_ns", ns(each.to)},
                   {"words", each.words},
                   {"acknowledged_ns", ns(each.acknowledged)},
                   {"muted_ns", each.muted ? ns(each.muted->first) : Json(nullptr)},
                   {"muted_until_ns", each.muted ? ns(each.muted->second) : Json(nullptr)}});
  }
  return out;
}

Json WatchedJson::would_fire_json(const NameTable& names, TrueTime now) {
  if (wish_.rules.empty()) return nullptr;
  engine_.advance(now, names);
  Json out = Json::array();
  for (const Alert& each : engine_.alerts()) {
    if (!is_told(each.from, each.lasts() ? now : each.to)) continue;
    const AlertRule& rule = engine_.rules()[each.rule];
    out.push_back({{"rule", rule.name},
                   {"kind", rule.kind->word},
                   {rule.kind->of_stores ? "store" : "mutex", names.text(each.subject)},
                   {"from_ns", ns(each.from)},
                   {"to_ns", ns(each.to)},
                   {"words", each.words}});
  }
  return out;
}

Json WatchedJson::json(const HistoryHeader& header, const NameTable& names, TrueTime now) {
  Json out;
  out["epoch_unix_ns"] = header.epoch_ns ? Json(*header.epoch_ns) : Json(nullptr);
  out["from_ns"] = ns(wish_.part ? wish_.part->first : TrueTime{});
  out["to_ns"] = ns(now);
  out["only"] = wish_.mutexes.empty() ? Json(nullptr) : Json(wish_.mutexes);
  out["settings"] = settings_json(header.watch);
  out["mutexes"] = Json::array();
  for (const MutexOwnership& mutex : owners_.all())
    if (Json each = mutex_json(mutex, names, now); !each.is_null()) out["mutexes"].push_back(std::move(each));
  out["fired"] = fired_json(names, now);
  out["would_fire"] = would_fire_json(names, now);
  return out;
}

}  // namespace leasescope::ctl
