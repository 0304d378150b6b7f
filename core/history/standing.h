// Who is up, believes and holds, and what disturbs whom, as far as the events so far tell: the one fold that checkers,
// tables, the chart and everything else ask. One pass, constant work an event. A value: a copy goes on by itself.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/large_vector.h"
#include "core/history/event.h"
#include "core/history/legend.h"

namespace leasescope {

// What one event changed, beside what `Standing` then says.
struct Change {
  enum class Belief : std::uint8_t { kSame, kBegan, kAgain, kEnded };
  enum class Hold : std::uint8_t {
    kSame,
    kGranted,
    kRenewed,
    kTakenUp,  // renewed, though nobody held it: its lease had run out, and nobody else had asked
    kEnded
  };

  std::uint32_t contender = UINT32_MAX;  // place of whom the event is about
  std::uint32_t mutex = UINT32_MAX;      // place
  Belief belief = Belief::kSame;
  Hold hold = Hold::kSame;
};

class Standing {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // Faults that disturb a contender in one way and may overlap: from `since` until the last has ended.
  struct Spell {
    TrueTime since = TrueTime::max();
    TrueTime until = TrueTime::min();  // max() while one lasts
    std::uint32_t lasting = 0;

    bool covers(TrueTime at) const { return since <= at && at <= until; }
  };

  struct Contender {
    Name name;
    Name id;  // as which the store knows it; after a restart perhaps another's
    std::uint32_t mutex = kNone;
    bool ours = false;          // it was started in this run
    bool up = false;            // started or restarted, and neither stopped nor crashed since
    bool contends = false;      // started, and neither stopped nor crashed since, nor resting after it gave it back
    bool believes = false;      // of one mutex at least
    bool by_message = false;    // it believes because of a message, not of a reply
    bool promised = false;      // a lease, in this life, and no renewal has been refused since
    Token token = kNoToken;     // that it believed in last
    Token held = kNoToken;      // that it was granted last
    std::uint32_t holds = 0;    // so many leases in force
    std::uint32_t beliefs = 0;  // of so many mutexes
    bool shared = false;        // the last that was granted is beside others who read
    bool queued = false;        // it waits in the mutex's queue
    bool writes = false;        // late: what is told of its writes goes by its place
    std::uint64_t session = 0;  // that the store keeps of it; 0 = none
    TrueTime session_until{};   // without a sign of life
    TrueTime session_forced = TrueTime::max();  // one of them was ended by force, the last
    TrueTime lease_end{};                       // promised last by the store, in true time
    Sequence started = 0;

    const Spell& spell(Disturbs what) const { return spells[static_cast<std::size_t>(what)]; }
    bool is(Disturbs what) const { return spell(what).lasting > 0; }

    std::array<Spell, kSpells> spells{};
  };

  // What a contender was told by the last call that it won: apart from the rest, as most calls change nothing else.
  struct Told {
    TrueTime at{};
    TrueTime deadline{};  // its own, of that lease; max(): none
  };

  // A lease in force.
  struct Hold {
    std::uint32_t contender = kNone;
    Token token = kNoToken;
    TrueTime since{};  // granted or renewed last
    TrueTime until{};  // as promised then
    bool shared = false;
    std::uint32_t times = 1;  // its holder has entered, or the permits it has
  };
  // A lease that was granted and neither given back nor over as it was promised, whatever the store did since.
  struct Promise {
    std::uint32_t contender = kNone;
    Token token = kNoToken;
    TrueTime until{};
    bool shared = false;
  };
  // How a lease came to its end; from kEarly on, before it was over as promised.
  enum class Ending : std::uint8_t {
    kUnknown,
    kReleased,
    kRanOut,
    kEarly,
    kLateRelease,
    kClock,
    kDeleted,
    kFailedOver,
    kRestarted,
    kSessionForced,
    kTaken,  // another was granted it meanwhile
    kFreed   // another had it freed
  };
  struct ClockChange {
    TrueTime at = TrueTime::max();
    Duration by{};         // a step
    std::int64_t ppm = 0;  // or a rate: what it runs fast by from then on
    std::int64_t was = 0;  // and until then
  };
  // The last that may have taken something from the store's memory.
  struct StoreFault {
    Disturbs what = Disturbs::kNothing;
    TrueTime at{};
  };

  struct Mutex {
    Name name;
    std::uint32_t capacity = 1;            // so many may hold at once
    std::vector<Hold> holds;               // in the order they were granted
    std::vector<Promise> promises;         // likewise
    std::uint32_t grantee = kNone;         // of the last grant
    Token token = kNoToken;                // likewise
    TrueTime free_since{};                 // nobody holds
    std::uint32_t ended = kNone;           // whose lease ended last, unless he was let go of; and how
    Ending ending = Ending::kUnknown;      // of it
    ClockChange clock;                     // the store's last before that
    bool released = false;                 // the last lease was given back
    bool unobserved = false;               // the store does not tell
    TrueTime unobserved_since{};           // ... for sure
    std::uint32_t contending = 0;          // so many of ours do
    TrueTime contended_since{};            // one of them at least
    std::uint32_t first = kNone;           // who began that
    std::vector<std::uint32_t> believers;  // in the order they came to believe
    std::vector<std::uint32_t> queue;      // who waits at the store, in its order

    bool free() const { return holds.empty(); }
    bool ever_granted() const { return grantee != kNone; }
  };

  Standing() = default;
  // `names` are those of the events to come; what they allow is in the legend.
  explicit Standing(const Legend& legend);

  // Events come in order of appending; `lo` and `hi` may overlap in the live world.
  Change append(const Event& event, const NameTable& names);
  // The same, of one that passes: it changes nothing of what is asked for.
  void pass(const Event& event) {
    ++appended_;
    if (event.kind == EventKind::kNotification) heard_ = appended_;
    if (event.kind == EventKind::kAttempt && event.detail == static_cast<std::uint8_t>(AttemptResult::kWon)) {
      const std::uint32_t place = place_of(event.node);
      if (place == kNone) return;  // nobody calls before he is started
      told_[place] = {event.hi, deadline_after(event.hi, event.a)};
    }
  }
  // The same, of the renewal of the only lease there is, by its holder: the place of the mutex, or kNone.
  std::uint32_t renew(const Event& event) {
    const std::uint32_t place = place_of(event.node), at = mutex_place(event.mutex);
    if (place == kNone || at == kNone) return kNone;
    Mutex& of = mutexes_[at];
    if (of.holds.size() != 1 || of.promises.size() != 1) return kNone;
    if (of.holds.front().contender != place || of.promises.front().contender != place) return kNone;
    ++appended_;
    of.holds.front().since = event.lo;
    contenders_[place].promised = true;
    of.holds.front().until = of.promises.front().until = contenders_[place].lease_end = event.lo + Duration(event.a);
    return at;
  }
  static bool passes(const Event& event);

  const LargeVector<Contender>& contenders() const { return contenders_; }
  const LargeVector<Mutex>& mutexes() const { return mutexes_; }
  const Contender& contender(std::uint32_t place) const { return contenders_[place]; }
  const Told& told(std::uint32_t place) const { return told_[place]; }
  const Mutex& mutex(std::uint32_t place) const { return mutexes_[place]; }
  // Null, and kNone, when nothing was heard of it.
  const Contender* contender(Name name) const;
  const Mutex* mutex(Name name) const;
  std::uint32_t place_of(Name name) const { return lookup(contender_places_, name); }
  std::uint32_t mutex_place(Name name) const { return lookup(mutex_places_, name); }
  // Whom the last event took the mutex from: the store granted it to another.
  const std::vector<std::uint32_t>& displaced() const { return displaced_; }

  // More believe than may: than there are permits, or another beside one who is to be alone.
  bool too_many(const Mutex& of) const {
    return of.believers.size() > of.capacity && (of.capacity > 1 || !all_share(of));
  }

  const ClockChange& store_clock() const { return store_clock_; }  // the last
  const StoreFault& store_fault() const { return store_fault_; }
  bool shares_ids() const { return shares_ids_; }  // somebody bears another's id
  // Whether the store is known to hold for it now.
  bool seen_to_hold(const Contender& who) const { return who.holds > 0 && !mutexes_[who.mutex].unobserved; }
  std::uint32_t ours() const { return ours_; }  // so many contenders of this run were started
  Sequence last() const { return appended_; }   // the number of the last event

  // Lets go of those who are in nothing that lasts or is asked for later: they are nobody of this run, neither hold,
  // wait nor believe, were promised nothing that is not over, and are of no mutex the last who was granted it. Others
  // who come get their places; whoever comes again is new. A watch of weeks meets owners without end. Call it as often
  // as you like: it looks for them only where an eighth more have come since the last time.
  void forget_gone();
  std::size_t seated() const { return contenders_.size() - vacant_.size(); }  // so many contenders are remembered

  // Memory that a copy takes.
  std::size_t bytes() const;

 private:
  static std::uint32_t lookup(const LargeVector<std::uint32_t>& places, Name name) {
    return name.handle < places.size() ? places[name.handle] - 1 : kNone;  // 0 is nobody, and one less is kNone
  }
  std::uint32_t seat(const Event& event, const NameTable& names, Change& change);
  std::uint32_t vacant_place();
  std::vector<bool> needed() const;
  bool is_contender(Name name, const NameTable& names) const;
  std::uint32_t place_mutex(Name name, const NameTable& names);

  bool all_share(const Mutex& of) const;
  void on_life(const Event& event, Contender& who);
  void on_call(const Event& event, Contender& who);
  void contend(const Event& event, Contender& who, bool contends);
  Change::Hold on_granted(const Event& event, std::uint32_t place, Mutex& of);
  Change::Hold on_renewed(const Event& event, std::uint32_t place, Mutex& of);
  Change::Hold on_freed(const Event& event, std::uint32_t place, Mutex& of);
  Change::Belief on_believed(const Event& event, std::uint32_t place, Mutex& of);
  Change::Belief on_disbelieved(std::uint32_t place, Mutex& of);
  void on_queue(const Event& event, std::uint32_t place, Mutex& of);
  void on_session(const Event& event, Contender& who);
  void on_reentered(const Event& event, std::uint32_t place, Mutex& of);
  void on_unobserved(const Event& event, const NameTable& names);
  void on_fault(const Event& event, const NameTable& names, Change& change);
  Ending ending_of(const Event& event, const Hold& hold, const Contender& who) const;

  static constexpr std::size_t kForgetsAt = 1'024;  // so few are no burden

  // What the legend says, which all copies share.
  struct Known {
    std::vector<Disturbs> disturbs;                             // by the detail of fault events
    std::unordered_map<std::string, std::uint32_t> capacities;  // of mutexes that more than one may hold
    std::unordered_set<std::string> contenders;
  };

  std::shared_ptr<const Known> known_ = std::make_shared<const Known>();
  LargeVector<std::uint32_t> contender_places_;  // by name handle; place + 1, 0 = none
  LargeVector<std::uint32_t> mutex_places_;
  LargeVector<Contender> contenders_;
  LargeVector<Told> told_;             // of each contender
  std::vector<std::uint32_t> vacant_;  // places of those who were let go of
  std::size_t forgets_at_ = kForgetsAt;
  LargeVector<Mutex> mutexes_;
  std::vector<std::uint32_t> displaced_;
  ClockChange store_clock_;
  StoreFault store_fault_;
  Sequence appended_ = 0;
  Sequence heard_ = 0;  // the last message that anybody received
  std::uint32_t ours_ = 0;
  bool shares_ids_ = false;
};

}  // namespace leasescope
