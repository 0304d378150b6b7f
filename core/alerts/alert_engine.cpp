#include "core/alerts/alert_engine.h"

#include <algorithm>

#include "core/history/mutex_title.h"

namespace leasescope {

AlertEngine::AlertEngine(std::vector<AlertRule> rules, const AlertEngine& before, const NameTable& names)
    : rules_(std::move(rules)), standing_(before.standing_) {
  for (const Watched& was : before.watched_) {
    Watched& of = watched(was.mutex, names);
    of.subject = was.subject;
    for (std::size_t i = 0; i < of.rules.size(); ++i) go_on(of, i, was, before);
  }
}

void AlertEngine::go_on(Watched& of, std::size_t rule, const Watched& was, const AlertEngine& before) {
  for (std::size_t i = 0; i < was.rules.size(); ++i) {
    if (!(before.rules_[was.rules[i]] == rules_[of.rules[rule]])) continue;
    of.over[rule] = was.over[i];
    if (was.lasting[i] == kNone) return;
    of.lasting[rule] = alerts_.size();
    lasting_.insert(of.lasting[rule]);
    alerts_.push_back(before.alerts_[was.lasting[i]]);
    alerts_.back().rule = of.rules[rule];
    return;
  }
}

AlertEngine::Watched& AlertEngine::watched(Name mutex, const NameTable& names) {
  const auto [found, is_new] = places_.emplace(mutex.handle, watched_.size());
  if (!is_new) return watched_[found->second];
  Watched& of = watched_.emplace_back();
  of.mutex = mutex;
  for (std::size_t i = 0; i < rules_.size(); ++i)
    if (is_called(rules_[i].mutex, names.text(mutex))) of.rules.push_back(i);
  of.over.resize(of.rules.size());
  of.lasting.assign(of.rules.size(), kNone);
  return of;
}

std::optional<std::size_t> AlertEngine::twin_of(const Alert& alert, const AlertEngine& other) const {
  for (const std::size_t place : lasting_) {
    const Alert& each = alerts_[place];
    if (each.mutex == alert.mutex && each.from == alert.from && rules_[each.rule] == other.rules_[alert.rule])
      return place;
  }
  return {};
}

void AlertEngine::append(const Event& event, const NameTable& names) {
  standing_.append(event, names);
  if (event.mutex.empty() || standing_.mutex(event.mutex) == nullptr) return;
  Watched& of = watched(event.mutex, names);
  // What was not observed since then is no time in which anything came to hold.
  settle(of, event.kind == EventKind::kUnobservedBegan ? event.lo : event.hi, names);
  of.subject.append(event, standing_);
  end_what_is_over(of, event.hi);
  settle(of, event.hi, names);
}

void AlertEngine::advance(TrueTime now, const NameTable& names) {
  for (Watched& of : watched_) settle(of, now, names);
}

// What began by then, and what ended by itself.
void AlertEngine::settle(Watched& of, TrueTime now, const NameTable& names) {
  for (std::size_t i = 0; i < of.rules.size(); ++i) {
    const AlertRule& rule = rules_[of.rules[i]];
    const AlertSpan span = rule.kind->span(rule, of.subject);
    const bool told = span.from == of.over[i].from && span.to == of.over[i].to;
    if (of.lasting[i] == kNone && !told && span.from <= now && span.from < span.to) {
      of.lasting[i] = alerts_.size();
      lasting_.insert(of.lasting[i]);
      alerts_.push_back({of.rules[i], of.mutex, span.from, TrueTime::max(), rule.kind->words(rule, of.subject, names)});
    }
    if (of.lasting[i] == kNone || span.to > now) continue;
    end(of.lasting[i], span.to);
    of.over[i] = span;
  }
}

void AlertEngine::end(std::size_t& lasting, TrueTime at) {
  Alert& alert = alerts_[lasting];
  alert.to = std::max(alert.from, at);
  lasting_.erase(lasting);
  lasting = kNone;
}

// By an event, which made it no longer hold.
void AlertEngine::end_what_is_over(Watched& of, TrueTime at) {
  for (std::size_t i = 0; i < of.rules.size(); ++i) {
    if (of.lasting[i] == kNone) continue;
    const AlertRule& rule = rules_[of.rules[i]];
    if (rule.kind->span(rule, of.subject).holds(at)) continue;
    end(of.lasting[i], at);
  }
}

}  // namespace leasescope
