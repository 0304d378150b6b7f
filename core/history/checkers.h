// The checkers that run on append: they find incidents and keep the summary. One pass, constant work an event. A value:
// a copy goes on by itself, and shares the incidents that are over.
#pragma once
#include <string>
#include <vector>

#include "core/history/incident_list.h"
#include "core/history/summary.h"
#include "core/lease/lease_terms.h"

namespace leasescope {

class Checkers {
 public:
  // `names` must outlive the checkers. `fault_kinds`: the names that the detail of fault events counts through; they
  // only make the causes speak.
  Checkers(const LeaseTerms& terms, const NameTable& names, const std::vector<std::string>& fault_kinds);

  // As Recorder::known_within.
  void known_within(Duration late) { known_within_ = late; }
  // Events come in order of appending; `lo` and `hi` may overlap in the live world.
  void append(const Event& event);
  // What it comes to if the run ends at `now`; incidents that last are brought up to it and stay open.
  void advance(TrueTime now);
  // Closes what is open at the end of the run.
  void finish(TrueTime end);

  const IncidentList& incidents() const { return incidents_; }
  // As of the last advance or finish where it counts time, as of the last event where it counts events.
  const Summary& summary() const { return summary_; }

  // The same names lie in another table from now on.
  void move_names(const NameTable& names) { names_ = &names; }
  // Memory that a copy takes, beside the incidents.
  std::size_t bytes() const;

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  // Faults of one kind, that may overlap: from `since` until the last has ended; `until` is max() while one lasts.
  struct Spell {
    TrueTime since = TrueTime::max();
    TrueTime until = TrueTime::min();
    std::uint32_t lasting = 0;

    bool covers(TrueTime at) const { return since <= at && at <= until; }
  };
  struct Contender {
    Name name;
    Name id;  // the contender's as which the store knows it; after a restart perhaps another's
    std::uint32_t mutex = 0;
    bool ours = false;
    bool contends = false;
    bool believes = false;
    bool by_message = false;  // it believes because of a message, not of a reply
    Token token = kNoToken;
    TrueTime lease_end{};   // promised last, in true time
    bool promised = false;  // it was, in this life, and no renewal has been refused since
    Sequence started = 0;
    Spell pause;
    Spell cut;
    Spell starved;
    Spell drift;
    Spell late_writes;
    std::size_t stale = kNone;  // the incident that its stale writes with `stale_token` belong to
    Token stale_token = kNoToken;
    std::uint32_t stale_count = 0;
    std::size_t tokenless = kNone;  // the incident that its writes without a token in this term belong to
    std::uint32_t tokenless_count = 0;
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
    kRestarted
  };
  struct ClockChange {
    TrueTime at = TrueTime::max();
    Duration by{};         // a step
    std::int64_t ppm = 0;  // or a rate: what it runs fast by from then on
    std::int64_t was = 0;  // and until then
  };
  // A lease that the store granted and its owner has not given back.
  struct Promise {
    Name who;
    Token token = kNoToken;
    TrueTime until{};
  };
  struct Mutex {
    Name name;
    Name owner;    // by the store; empty = free
    Name grantee;  // of the last grant
    Token token = kNoToken;
    Token highest = kNoToken;
    Token fallen_to = kNoToken;  // the last that was not above the highest; none: the highest was the last
    std::size_t fallen = kNone;  // the incident of that
    TrueTime promised_at{};
    TrueTime promised_until{};
    TrueTime free_since{};
    Name ended;  // whose lease ended last, and how
    Ending ending = Ending::kUnknown;
    ClockChange clock;      // the store's last before that
    bool released = false;  // the last lease was given back
    bool promised = false;  // it was not, nor was it over as promised
    bool ever_granted = false;
    bool unobserved = false;
    std::uint32_t contending = 0;
    TrueTime contended_since{};
    Name first_contender;                  // since then
    std::size_t gap = kNone;               // the incident of the leaderless time that lasts
    std::vector<Promise> earlier;          // that were not over when another was granted
    std::vector<std::uint32_t> believers;  // in the order they came to believe
    TrueTime overlap_since{};
    std::vector<TrueTime> changes;  // of owner, lately, none asked for
    std::size_t flapping = kNone;
    std::size_t endless = kNone;  // the incident of a lease that never ends
  };
  // Two believe. It becomes an incident when time has passed: believed and disbelieved in one step is none.
  struct Overlap {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    Incident incident;
    std::size_t place = kNone;  // among the incidents
  };
  // One error text of a store, about one mutex.
  struct Refusal {
    Name mutex;
    Name words;
    std::int64_t call = 0;  // RequestKind
    TrueTime since{};       // none of these calls was answered otherwise
    bool lasts = false;
    std::uint32_t count = 0;
    std::size_t incident = kNone;
  };
  enum class Disturbs : std::uint8_t {
    kNothing,
    kPauses,
    kCuts,
    kStarves,
    kDrifts,
    kDelaysWrites,
    kDeletes,
    kFailsOver,
    kRestarts
  };
  static Spell* spell_of(Contender& who, Disturbs kind);
  static Disturbs disturbs(const std::string& fault_kind);

  Contender& contender(Name name, Name mutex);
  Mutex& mutex(Name name) { return mutexes_[mutex_place(name)]; }
  std::uint32_t mutex_place(Name name);
  std::size_t open(IncidentKind kind, Name mutex, TrueTime start, TrueTime end, std::vector<Name> who,
                   std::vector<Token> tokens, std::string cause);
  std::size_t add(Incident incident);

  void on_restarted(const Event& event);
  void on_granted(const Event& event);
  void on_renewed(const Event& event);
  void on_freed(const Event& event);
  void on_believed(const Event& event);
  void on_disbelieved(const Event& event);
  void on_attempt(const Event& event);
  void on_late_renewal(const Event& event);
  void on_refused_call(const Event& event);
  void on_lease_seen(const Event& event);
  void on_answered_call(const Event& event);
  void on_contends(const Event& event);
  void on_contends_no_more(const Event& event);
  void on_unobserved(const Event& event);
  void on_write(const Event& event);
  void on_tokenless_write(const Event& event);
  void on_fault(const Event& event);
  void on_clock_changed(const Event& event);
  Ending ending_of(const Event& event, const Mutex& mutex) const;

  static bool over_as_promised(const Event& event, TrueTime since, TrueTime until);
  void check_double_grant(const Event& event, Mutex& mutex);
  void check_fence(const Event& event, Mutex& mutex);
  void check_flapping(const Event& event, Mutex& mutex);
  Duration longest_gap() const;
  TrueTime gap_since(const Mutex& mutex) const;
  void await_gap(const Mutex& mutex);
  void show_gaps(TrueTime now);
  void end_gap(Mutex& mutex, TrueTime end, const std::string& how);
  void end_leaderless(Mutex& mutex, TrueTime end, Name next);
  void begin_overlap(std::uint32_t earlier, std::uint32_t later, TrueTime at);
  void show_overlaps(TrueTime now);
  void end_overlaps(std::uint32_t contender, TrueTime end);

  // Sentences.
  std::string label(Name name) const { return std::string(names_->text(name)); }
  // Another contender of the same mutex that the store takes for the same owner; null = none.
  const Contender* twin_of(const Contender& who) const;
  std::string overlap_cause(const Contender& earlier, const Contender& later, TrueTime at) const;
  std::string told_late_cause(const Contender& owner, const Contender& late) const;
  std::string double_grant_cause(const Event& event, const Mutex& mutex, const Promise& broken) const;
  std::string gap_cause(const Mutex& mutex, TrueTime since, TrueTime end, const std::string& how) const;
  std::string tokenless_cause(const Event& event, std::uint32_t count) const;
  std::string stale_cause(const Event& event, const Contender& writer) const;
  std::string lost_words(const Mutex& mutex, Name whose) const;
  std::string lost_term_words(const Mutex& mutex, Name whose) const;
  std::string lost_fence_words() const;
  static std::string clock_words(const ClockChange& change);

  LeaseTerms terms_;
  Sequence appended_ = 0;
  Sequence heard_ = 0;  // the last message that anybody received
  const NameTable* names_;
  std::vector<Disturbs> fault_kinds_;            // by the detail of fault events
  std::vector<std::uint32_t> contender_places_;  // by name handle; place + 1, 0 = none
  std::vector<std::uint32_t> mutex_places_;
  bool shares_ids_ = false;  // somebody bears another's id
  std::vector<Contender> contenders_;
  std::vector<Mutex> mutexes_;
  std::vector<Overlap> overlaps_;       // open ones
  std::size_t unseen_ = 0;              // of them, no incidents yet
  TrueTime gap_due_ = TrueTime::max();  // nobody holds for too long from then on, if nothing comes in between
  std::size_t endless_ = 0;             // mutexes held by a lease that never ends
  Duration known_within_{};
  std::vector<Refusal> refusals_;
  IncidentList incidents_;
  Summary summary_;
  Duration leaderless_closed_{};
  Duration overlap_closed_{};
  ClockChange store_clock_;                    // the last
  Disturbs store_fault_ = Disturbs::kNothing;  // the last that may take something from the store's memory
  TrueTime store_fault_at_{};
  bool finished_ = false;
};

}  // namespace leasescope
