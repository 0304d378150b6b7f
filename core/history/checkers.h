// The checkers that run on append: the detectors of incidents/ find the incidents, and the summary is kept. One pass,
// constant work an event. A value: a copy goes on by itself, and shares the incidents that are over.
#pragma once
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "core/history/incident_list.h"
#include "core/history/incidents/call_meter.h"
#include "core/history/incidents/hearing.h"
#include "core/history/incidents/write_meter.h"
#include "core/history/legend.h"
#include "core/history/standing.h"
#include "core/history/summary.h"
#include "core/simba/lease_terms.h"

namespace leasescope {

class Detector;
struct Inquiry;

class Checkers {
 public:
  // `names` must outlive the checkers.
  Checkers(const LeaseTerms& terms, const NameTable& names, const Legend& legend);
  Checkers(const Checkers& other);
  Checkers(Checkers&& other) noexcept;
  Checkers& operator=(const Checkers& other);
  Checkers& operator=(Checkers&& other) noexcept;
  ~Checkers();

  // As Recorder::known_within.
  void known_within(Duration late) { known_within_ = late; }
  // Events come in order of appending; `lo` and `hi` may overlap in the live world.
  void append(const Event& event);
  // What it comes to if the run ends at `now`; incidents that last are brought up to it and stay open.
  void advance(TrueTime now);
  // Closes what is open at the end of the run.
  void finish(TrueTime end);

  const IncidentList& incidents() const { return incidents_; }
  // As IncidentList::forget; the summary goes on counting all of them. Likewise of contenders who are gone.
  void forget(std::size_t bound, const IncidentList& taken) {
    incidents_.forget(bound, taken);
    standing_.forget_gone();
  }
  // As of the last advance or finish where it counts time, as of the last event where it counts events.
  const Summary& summary() const { return summary_; }
  // As of the last event, and what that changed.
  Change change() const { return changed_ == standing_.last() ? change_ : Change{}; }
  const Standing& standing() const { return standing_; }

  // The same names lie in another table from now on.
  void move_names(const NameTable& names) { names_ = &names; }
  // The way to the store is another one from now on.
  void change_store(const StoreLegend& store) { store_ = store; }
  // Memory that a copy takes, beside the incidents.
  std::size_t bytes() const;

 private:
  void renewed(const Event& event, std::uint32_t mutex);
  void take(const Event& event, std::size_t slot);
  void one_of_many(const Event& event);
  void answer(const Event& event);
  Inquiry inquiry();
  void wake(const Event& event);
  void count_before(const Event& event);
  void count_unobserved(const Event& ended);
  void count(const Event& event, const Change& change);
  void count_transfer(const Event& event);
  TrueTime& overlap_since(std::uint32_t mutex);

  const Audience* hears_ = nullptr;
  LeaseTerms terms_;
  StoreLegend store_;
  const NameTable* names_;
  Standing standing_;
  Change change_;                                     // of the last event that changed anything
  Sequence changed_ = 0;                              // its number
  std::vector<std::unique_ptr<Detector>> detectors_;  // by IncidentKind
  TrueTime due_ = TrueTime::max();                    // some detector is to be woken after that
  CallMeter calls_;
  WriteMeter writes_;
  bool alert_ = false;  // some detector wants to hear of every answer
  Duration known_within_{};
  IncidentList incidents_;
  Summary summary_;
  Duration leaderless_closed_{}, unobserved_closed_{};
  Duration overlap_closed_{};
  static constexpr TrueTime kNever = TrueTime::max();
  std::vector<TrueTime> overlap_since_;                          // by mutex: more believe it than may; kNever: none do
  std::set<std::pair<std::int64_t, std::int64_t>> passed_over_;  // bank and transfer, which nobody has credited
  bool finished_ = false;
};

}  // namespace leasescope
