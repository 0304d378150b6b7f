#include "core/alerts/alert_engine.h"

#include <algorithm>
#include <utility>

#include "core/base/glob.h"
#include "core/history/mutex_title.h"

namespace leasescope {

AlertEngine::AlertEngine(std::vector<AlertRule> rules, const AlertEngine& before, const NameTable& names)
    : rules_(std::move(rules)), standing_(before.standing_) {
  for (const Watched& was : before.watched_) {
    Watched& of = watched(was.name, was.is_store, names);
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
    Alert same = before.alerts_[was.lasting[i]];
    same.rule = of.rules[rule];
    alerts_.push_back(std::move(same));
    return;
  }
}

AlertEngine::Watched& AlertEngine::watched(Name name, bool is_store, const NameTable& names) {
  const auto [found, is_new] = (is_store ? stores_ : mutexes_).emplace(name.handle, watched_.size());
  if (!is_new) return watched_[found->second];
  Watched& of = watched_.emplace_back();
  of.name = name;
  of.is_store = is_store;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (rules_[i].kind->of_stores != is_store) continue;
    const std::string_view called = names.text(name);
    if (is_store ? is_like(rules_[i].store, called) : is_called(rules_[i].mutex, called)) of.rules.push_back(i);
  }
  of.over.resize(of.rules.size());
  of.lasting.assign(of.rules.size(), kNone);
  if (!of.rules.empty()) wait(of, TrueTime::min());  // at the next look
  return of;
}

std::optional<std::size_t> AlertEngine::twin_of(const Alert& alert, const AlertEngine& other) const {
  for (const std::size_t place : lasting_) {
    const Alert& each = alerts_[place];
    if (each.subject == alert.subject && each.from == alert.from && rules_[each.rule] == other.rules_[alert.rule])
      return place;
  }
  return {};
}

void AlertEngine::append(const Event& event, const NameTable& names) {
  standing_.append(event, names);
  if (is_about_store(event)) append_to_store(event, names);
  if (event.mutex.empty() || standing_.mutex(event.mutex) == nullptr) return;
  Watched& of = watched(event.mutex, false, names);
  // What was not observed since then is no time in which anything came to hold.
  settle(of, event.kind == EventKind::kUnobservedBegan ? event.lo : event.hi, names);
  of.subject.append(event, standing_);
  end_what_is_over(of, event.hi);
  settle(of, event.hi, names);
}

// That a contender's connection breaks says nothing of it.
bool AlertEngine::is_about_store(const Event& event) const {
  const bool told = event.mutex.empty() ? event.kind == EventKind::kDisconnected || event.kind == EventKind::kConnected
                                        : event.kind == EventKind::kUnobservedEnded;
  return told && !event.node.empty() && standing_.place_of(event.node) == Standing::kNone;
}

// Where one recording goes on after another, that it is back is told of its mutexes alone: of all of them, and the
// first is news.
void AlertEngine::append_to_store(const Event& event, const NameTable& names) {
  if (event.kind != EventKind::kDisconnected) {
    const auto known = stores_.find(event.node.handle);
    if (known == stores_.end() || watched_[known->second].subject.away_since == TrueTime::max()) return;
  }
  Watched& of = watched(event.node, true, names);
  settle(of, event.kind == EventKind::kDisconnected ? event.lo : event.hi, names);
  of.subject.append_store(event);
  end_what_is_over(of, event.hi);
  settle(of, event.hi, names);
}

void AlertEngine::advance(TrueTime now, const NameTable& names) {
  std::vector<std::size_t> due;
  for (auto each = due_.begin(); each != due_.end() && each->first <= now; ++each) due.push_back(each->second);
  std::sort(due.begin(), due.end());  // as they were met
  for (const std::size_t each : due) settle(watched_[each], now, names);
  standing_.forget_gone();
}

// Half as many more may gather, so that it costs little to call it often.
void AlertEngine::forget_over(std::size_t most) {
  if (over_ <= most + most / 2) return;
  alerts_.forget_over(most);
  over_ = most;
}

// What began by then, and what ended by itself.
void AlertEngine::settle(Watched& of, TrueTime now, const NameTable& names) {
  TrueTime due = TrueTime::max();
  for (std::size_t i = 0; i < of.rules.size(); ++i) {
    const AlertRule& rule = rules_[of.rules[i]];
    const AlertSpan span = rule.kind->span(rule, of.subject);
    const bool told = span.from == of.over[i].from && span.to == of.over[i].to;
    if (of.lasting[i] == kNone && !told && span.from <= now && span.from < span.to) {
      of.lasting[i] = alerts_.size();
      lasting_.insert(of.lasting[i]);
      alerts_.push_back({of.rules[i], of.name, span.from, TrueTime::max(), rule.kind->words(rule, of.subject, names)});
    }
    if (of.lasting[i] != kNone && span.to <= now) {
      end(of.lasting[i], span.to);
      of.over[i] = span;
    }
    if (of.lasting[i] != kNone)
      due = std::min(due, span.to);
    else if (now < span.from && span.from < span.to)
      due = std::min(due, span.from);
  }
  wait(of, due);
}

// Of ten thousand mutexes nothing is due at most moments: none of them is looked at then.
void AlertEngine::wait(Watched& of, TrueTime due) {
  if (due == of.due) return;
  const auto place = static_cast<std::size_t>(&of - watched_.data());
  if (of.due != TrueTime::max()) due_.erase({of.due, place});
  if (due != TrueTime::max()) due_.emplace(due, place);
  of.due = due;
}

void AlertEngine::end(std::size_t& lasting, TrueTime at) {
  Alert& alert = alerts_[lasting];
  alert.to = std::max(alert.from, at);
  ++over_;
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
