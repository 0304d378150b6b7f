// The checkers that run on append: they find incidents and keep the summary. One pass, constant work an event.
#pragma once
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/history/incident.h"
#include "core/history/summary.h"
#include "core/lease/lease_terms.h"

namespace leasescope {

class Checkers {
 public:
  // `names` must outlive the checkers. Contenders of ours are those that were `started`.
  Checkers(const LeaseTerms& terms, const NameTable& names);

  // Events come in order of appending; `lo`/`hi` may overlap in the live world.
  void append(const Event& event, Sequence sequence);
  // Closes what is open at the end of the run and completes the summary. Call once.
  void finish(TrueTime end);
  // The summary and the incidents as they would be if the run ended at `now`; for views of a running run.
  Summary summary_at(TrueTime now) const;

  const std::vector<Incident>& incidents() const { return incidents_; }
  const Summary& summary() const { return summary_; }

 private:
  struct Contender {
    Name name;
    bool ours = false;
    bool believes = false;
    Token token = kNoToken;
    TrueTime believed_since{};
    TrueTime paused_since{};   // of the last pause
    TrueTime paused_until{};   // kNever while it lasts
    bool ever_paused = false;
    TrueTime cut_since{};
    TrueTime cut_until{};
    bool ever_cut = false;
    bool contends = false;     // started and neither stopped nor crashed
    TrueTime renewal_due{};    // ttlAt of the last lease, observer's time
    TrueTime lease_end{};      // of the last lease the store promised it
    Name mutex;
    DisbeliefReason left_by = DisbeliefReason::kLost;
  };
  struct Mutex {
    Name name;
    Name owner;                // held by; empty = free
    Name previous;             // the owner before
    Token token = kNoToken;
    Token highest = kNoToken;
    TrueTime granted_at{};
    TrueTime promised_until{}; // of the lease last granted or renewed, in true time
    bool released = false;     // ... and given back
    bool ever_granted = false;
    TrueTime free_since{};
    bool store_clock_moved = false;
    TrueTime store_clock_at{};
    std::int64_t store_clock_by = 0;
    std::vector<Name> believers;  // in the order they came to believe
    std::vector<std::size_t> open_overlaps;  // indices into incidents_
    TrueTime overlap_since{};
    std::vector<TrueTime> owner_changes;     // not asked for by a stop
    bool flapping_open = false;
    std::size_t flapping = 0;
  };
  struct Resource {
    Token highest = kNoToken;
  };

  Contender& contender(Name name);
  Mutex& mutex(Name name);
  std::size_t open(IncidentKind kind, Name mutex, TrueTime start, TrueTime end);

  void on_granted(const Event& event);
  void on_renewed(const Event& event);
  void on_freed(const Event& event);
  void on_believed(const Event& event);
  void on_disbelieved(const Event& event);
  void on_write(const Event& event);
  void on_attempt(const Event& event);
  void on_fault(const Event& event);
  void end_leaderless(Mutex& mutex, TrueTime end);
  void end_overlaps(Mutex& mutex, Name who, TrueTime end, DisbeliefReason reason);
  void note_change(Mutex& mutex, TrueTime at);

  Duration leaderless_limit() const;
  std::string overlap_cause(const Contender& earlier, const Contender& later) const;
  std::string seconds(TrueTime at) const;
  std::string_view text(Name name) const { return names_->text(name); }

  LeaseTerms terms_;
  const NameTable* names_;
  std::vector<std::uint32_t> contender_index_;  // by name handle, 0 = none
  std::vector<std::uint32_t> mutex_index_;
  std::vector<Contender> contenders_;
  std::vector<Mutex> mutexes_;
  std::vector<Incident> incidents_;
  Summary summary_;
};

}  // namespace leasescope
