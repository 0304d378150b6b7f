// Rules over a history: which hold of which mutexes and stores, and since when.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/alerts/alert_kind.h"
#include "core/alerts/alert_list.h"
#include "core/history/standing.h"

namespace leasescope {

class AlertEngine {
 public:
  // Of a history with that legend.
  explicit AlertEngine(std::vector<AlertRule> rules, const Legend& legend = {})
      : rules_(std::move(rules)), standing_(legend) {}

  // Goes on where `before` is, by other rules: those that it had too go on as they were, of the others what holds by
  // what is known of each mutex is found by the next call.
  AlertEngine(std::vector<AlertRule> rules, const AlertEngine& before, const NameTable& names);

  // All events, in order; rules that came to hold before it are found first.
  void append(const Event& event, const NameTable& names);
  // Nothing else happened until then, as far as is known: a store's silence is known a few seconds after it began.
  void advance(TrueTime now, const NameTable& names);

  const std::vector<AlertRule>& rules() const { return rules_; }
  const AlertList& alerts() const { return alerts_; }
  std::size_t remembered() const { return standing_.seated(); }  // so many contenders are
  // Of alerts that are over so many stay, the last ones: whoever is to know of them does.
  void forget_over(std::size_t most);
  // The places of those that last.
  const std::set<std::size_t>& lasting() const { return lasting_; }
  // The place of the one that lasts and is the same as one that `other` found in the same history: by an equal rule, of
  // the same mutex or store, since the same moment. None: there is none.
  std::optional<std::size_t> twin_of(const Alert& alert, const AlertEngine& other) const;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Watched {
    Name name;
    bool is_store = false;
    AlertSubject subject;
    std::vector<std::size_t> rules;    // that are about it
    std::vector<std::size_t> lasting;  // likewise: its alert, or kNone
    std::vector<AlertSpan> over;       // likewise: the last that ended by itself
    TrueTime due = TrueTime::max();    // something begins or ends then, if nothing else happens
  };

  Watched& watched(Name name, bool is_store, const NameTable& names);
  bool is_about_store(const Event& event) const;
  void append_to_store(const Event& event, const NameTable& names);
  void go_on(Watched& of, std::size_t rule, const Watched& was, const AlertEngine& before);
  void settle(Watched& of, TrueTime now, const NameTable& names);
  void wait(Watched& of, TrueTime due);
  void end_what_is_over(Watched& of, TrueTime at);
  void end(std::size_t& lasting, TrueTime at);

  std::vector<AlertRule> rules_;
  Standing standing_;
  AlertList alerts_;
  std::size_t over_ = 0;  // of them, that are held
  std::set<std::size_t> lasting_;
  std::vector<Watched> watched_;
  std::set<std::pair<TrueTime, std::size_t>> due_;                   // when, and of which of them
  std::unordered_map<std::uint32_t, std::size_t> mutexes_, stores_;  // their places, by their names' handles
};

}  // namespace leasescope
