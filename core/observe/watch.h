// Several stores, watched together: one history of all that is seen, and what is known of each mutex now.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/history/recorder.h"
#include "core/history/recording/known_until.h"
#include "core/loop/loop.h"
#include "core/observe/belief_book.h"
#include "core/observe/observer.h"
#include "core/observe/seen_mutex.h"

namespace leasescope {

struct WatchTerms {
  ObserverTerms look;
  // Of those that are found: only names like this; '*' and '?' as in a shell. Empty: all.
  std::string glob;
  bool beliefs = false;  // what processes tell is heard elsewhere too, and handed to hear_belief()
  LeaseTerms lease;      // for what is reckoned by them: no store keeps them all
};

// For how long somebody held, or nobody did: between the bounds of its begin and those of its end.
struct WatchedTerm {
  Name owner;  // empty: nobody; else of the watch's history
  Token token = kNoToken;
  TrueTime begin_lo{}, begin_hi{};  // lo is min() where it was so when it was first seen
  TrueTime end{};                   // by then it was over; max() = it lasts
};

struct WatchedMutex {
  WatchedMutex(std::string title, std::string at_store, std::string_view whose, std::size_t store, SeenMutex seen)
      : shown(std::move(title)), name(std::move(at_store)), maker(whose), source(store), book(std::move(seen)) {}
  std::string shown;       // in the history
  std::string name;        // at its store
  std::string_view maker;  // of its lock, as sightings have it
  std::size_t source;
  std::size_t number = 0;  // its place among all
  SeenMutex book;
  std::deque<TrueTime> handoffs;        // of the last hour
  std::vector<WatchedTerm> terms;       // the last ones, those that last at the end, but for holders who outlast others
  std::unique_ptr<BeliefBook> beliefs;  // null: no process has told of it
};

// Which mutex of its store: two makers' locks may bear one name.
using MutexIdentity = std::pair<std::string, std::string_view>;

// Of a store of several servers one that does not answer, while others do.
struct BlindPart {
  std::string server;
  TrueTime since{};
  std::string why;
};

struct WatchedStore {
  std::string name;                    // printable: never with a password
  std::unique_ptr<Observer> observer;  // null: it is watched no more
  bool blind = true;
  TrueTime blind_since{};
  std::string why;               // it is blind
  std::vector<BlindPart> parts;  // that do not answer, in the order in which that was noticed
  bool told_parts = false;       // the history says that there are some
  bool told_away = false;        // the history says so
  std::uint64_t gaps = 0;        // times it became so, since it first answered
  TrueTime added{};
  std::size_t mutexes = 0;         // that were met there
  std::set<MutexIdentity> hidden;  // that it refuses to tell of
  std::string refused;             // why it does not tell what else there is, once all that may be seen has been
  bool known = false;              // all that there is has been seen once
  TrueTime known_at{};             // ... by then
  std::vector<std::string> remarks;
};

// Of what nothing is known now, and why: of all of it, or of what some of its servers keep; empty: of nothing, or it is
// not reached yet.
std::string unobserved_text(const WatchedStore& store);
TrueTime unobserved_since(const WatchedStore& store);
// What the history calls it where it says that a part of it cannot be seen: "redis://host, in part".
std::string name_of_part(const WatchedStore& store);

// Of the messages in which processes tell what they believe.
struct BeliefCounts {
  std::uint64_t heard = 0;
  std::uint64_t refused = 0;  // they say nothing that is understood, or are too many
  std::string why;            // the last was
};

class Watch {
 public:
  using Make = std::function<std::unique_ptr<Observer>(ObserverListener&)>;

  Watch(Loop& loop, const WatchTerms& terms);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Of a mutex, and of all of them together, so many terms are kept: of many mutexes each has its share at least.
  static constexpr std::size_t kMostTerms = 50, kMostTermsOfAll = 50'000;

  // Returns its place. Mutexes bear their store's name too, but for those of the first while it is the only one.
  std::size_t add(const std::string& store, const Make& make);
  void begin();
  // What was seen of it stays; from then on nothing is known of it. Added again it is watched under its place of
  // before.
  void remove(std::size_t store);
  // Nobody looks any more: of each mutex nothing is known from when the last change of it would have been told.
  void end();
  // The history as that would leave it now, while others go on looking; of its events only those that say so.
  History ended() const;
  // A message that came now, by that store, or by no store where the sender is on this machine: then it is of the
  // store that it names. Where none is called so, or it names none, it is of the only one with a mutex of that name; if
  // it names one, only where that owner was seen there: else it is of a store that is not watched.
  // `channel`: the mutex whose channel it came on; empty: of none.
  void hear_belief(std::string_view text, std::optional<std::size_t> store = {}, std::string_view channel = {});
  const BeliefCounts& belief_counts() const { return belief_counts_; }
  bool listens_for_beliefs() const { return terms_.beliefs || terms_.look.beliefs; }
  // Called when something has been seen, or a store is blind or is no more; from the loop.
  void on_change(std::function<void()> changed) { changed_ = std::move(changed); }

  const std::vector<std::unique_ptr<WatchedMutex>>& mutexes() const { return mutexes_; }  // as they were met
  // Those that one of them held when they were seen last, as they were met; it may not be known whether he still does.
  std::vector<const WatchedMutex*> held_by(const std::vector<std::string>& holders) const;
  const std::vector<std::unique_ptr<WatchedStore>>& stores() const;
  // Every store has been looked at as a whole once.
  bool complete() const;
  // Until when all is known that its mutexes did, of those that are seen.
  KnownUntil known_until() const;
  // Likewise, or refuses to be: looking on brings nothing more.
  bool is_looked_through() const;
  // Brought up to now.
  const History& history();
  // As Recorder::forget.
  void forget(Sequence last, const IncidentList& taken) { recorder_.forget(last, taken); }
  // As Recorder has them: what grows with those who are met, where something does.
  std::size_t remembered() const { return recorder_.remembered(); }
  std::size_t bytes() const { return recorder_.bytes(); }
  // As it was brought up last; it stays at its place.
  const History& seen_history() const { return recorder_.history(); }

 private:
  class Source;

  // What was heard of a mutex that was not met yet.
  struct EarlyBelief {
    Belief belief;
    std::optional<std::size_t> store;
    TrueTime arrived{};
  };
  struct Sender {
    BeliefClock clock;
    TrueTime heard{};
  };

  struct IdentityHash {
    std::size_t operator()(const MutexIdentity& of) const {
      return std::hash<std::string>()(of.first) ^ std::hash<std::string_view>()(of.second) << 1U;
    }
  };

  WatchedMutex* known(std::size_t source, const MutexIdentity& of) const;
  WatchedMutex* met(std::size_t source, const Sighting& sighting);
  void seen(std::size_t source, const Sighting& sighting);
  void heard(std::size_t source, const HeardChange& heard);
  void blind(std::size_t source, TrueTime since, const std::string& why);
  void tell_store(const std::string& name, EventKind kind, TrueTime at);
  void tell_parts(WatchedStore& store, TrueTime at);
  void miss(std::size_t source);
  std::optional<TrueTime> known_until(const WatchedMutex& of) const;
  void note_terms(WatchedMutex& of, const Sighting& before, TrueTime since);
  void note_holders(WatchedMutex& of, TrueTime lo);
  void note_held(const WatchedMutex& of, const Sighting& before);
  void add_term(WatchedMutex& of, const WatchedTerm& term);
  void drop_term(WatchedMutex& of, bool also_lasting);
  bool knows(const WatchedMutex& of, const std::string& owner) const;
  void refuse_belief(const std::string& why);
  WatchedMutex* meant(const Belief& belief, std::optional<std::size_t> store) const;
  BeliefClock& clock_of(const Belief& belief, TrueTime now);
  void take_belief(WatchedMutex& of, const Belief& belief, TrueTime arrived);
  void take_early_beliefs(const WatchedMutex& of);
  void compare_clocks(const WatchedMutex& of);
  void advance_beliefs();
  bool is_wanted(const std::string& name) const;
  Sequence record(Event event);
  void changed() const {
    if (changed_) changed_();
  }

  Loop* loop_;
  const WatchTerms terms_;
  Recorder recorder_;
  std::vector<std::unique_ptr<WatchedStore>> stores_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<std::unordered_map<MutexIdentity, WatchedMutex*, IdentityHash>> by_name_;  // by store
  std::vector<std::unique_ptr<WatchedMutex>> mutexes_;
  std::unordered_map<std::string, std::vector<std::size_t>> held_;  // by holder: numbers, in order
  std::size_t terms_kept_ = 0;                                      // of all of them
  std::size_t term_hand_ = 0;                        // which mutex is looked at next, where these are too many
  std::unordered_map<std::string, Sender> senders_;  // by process
  std::deque<EarlyBelief> early_;
  std::vector<WatchedMutex*> believed_;  // of which something was told
  BeliefCounts belief_counts_;
  std::function<void()> changed_;
  TrueTime told_{};  // of the last event
  bool begun_ = false;
};

}  // namespace leasescope
