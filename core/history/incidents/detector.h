// What one kind of incident is made of: a file in this folder with its detector and its title, its line in
// core/history/incident_kinds.h, and its mark in resources/tokens.json.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"
#include "core/history/incident_list.h"
#include "core/history/incidents/call_meter.h"
#include "core/history/incidents/hearing.h"
#include "core/history/incidents/write_meter.h"
#include "core/history/standing.h"
#include "core/history/summary.h"
#include "core/simba/lease_terms.h"

namespace leasescope {

// What a detector works with.
struct Inquiry {
  const LeaseTerms& terms;
  const StoreLegend& store;
  const NameTable& names;
  const Standing& standing;
  Duration known_within;  // what a live store did may be known only so long after
  IncidentList& incidents;
  Summary& summary;
  TrueTime& due;  // the earliest moment at which a detector is to be woken
  bool& alert;    // a detector wants to hear of every answer
  const CallMeter& calls;
  const WriteMeter& writes;

  std::string label(Name name) const { return std::string(names.text(name)); }
  std::string label(std::uint32_t contender) const { return label(standing.contender(contender).name); }
  // Its place among the incidents.
  std::size_t open(Incident incident);
  // Whether there is one of that place to go on with, and it is not forgotten: a watch of weeks forgets what is over,
  // though more of the same may come. Whoever changes one that is not open asks here, and begins another where it is
  // not so; of kNoIncident it never is.
  bool goes_on(std::size_t place) const { return incidents.holds(place); }
  void wake_after(TrueTime at) { due = std::min(due, at); }
};

class Detector {
 public:
  static constexpr std::size_t kNoIncident = SIZE_MAX;

  virtual ~Detector() = default;
  virtual std::unique_ptr<Detector> copy() const = 0;

  // Whether it can find anything in a history of that legend.
  virtual bool concerned(const Legend& /*legend*/) const { return true; }
  // What it looks at while the standing is still as it was before the event, and what afterwards.
  virtual Hearing hears_before() const { return {}; }
  virtual Hearing hears_after() const { return {}; }
  virtual void before(Inquiry& /*at*/, const Event& /*event*/) {}
  virtual void after(Inquiry& /*at*/, const Event& /*event*/, const Change& /*change*/) {}
  // Of an attempt that is one of many, by the meter.
  virtual void one_of_many(Inquiry& /*at*/, const Event& /*event*/) {}
  // Of every attempt that was answered, while it has set `alert`.
  virtual void answered(Inquiry& /*at*/, const Event& /*event*/) {}
  // Before the first event that lies after what it asked to be woken after; `lo` and `hi` bound that event.
  virtual void wake(Inquiry& /*at*/, TrueTime /*lo*/, TrueTime /*hi*/) {}
  // What lasts is brought up to `now`; the end of the run comes after that.
  virtual void advance(Inquiry& /*at*/, TrueTime /*now*/) {}
  virtual void finish(Inquiry& /*at*/, TrueTime /*end*/) {}
  // Memory that a copy takes.
  virtual std::size_t bytes() const { return 0; }
};

template <class Kind>
class DetectorOf : public Detector {
 public:
  std::unique_ptr<Detector> copy() const override { return std::make_unique<Kind>(static_cast<const Kind&>(*this)); }
};

// What stands by the place of a contender or a mutex; a list that grows as they come.
template <class T>
class ByPlace {
 public:
  T& operator[](std::uint32_t place) {
    if (list_.size() <= place) list_.resize(place + 1);
    return list_[place];
  }
  LargeVector<T>& list() { return list_; }
  const LargeVector<T>& list() const { return list_; }
  std::size_t bytes() const { return list_.size() * sizeof(T); }

 private:
  LargeVector<T> list_;
};

// The same, where few have anything; the list is in the order they came.
template <class T>
class ByFewPlaces {
 public:
  T& operator[](std::uint32_t place) {
    std::uint32_t& number = numbers_[place];
    if (number == 0) {
      list_.emplace_back();
      number = static_cast<std::uint32_t>(list_.size());
    }
    return list_[number - 1];
  }
  const std::vector<T>& list() const { return list_; }
  std::size_t bytes() const { return numbers_.bytes() + list_.size() * sizeof(T); }

 private:
  ByPlace<std::uint32_t> numbers_;  // in the list, from 1; 0: none
  std::vector<T> list_;
};

struct IncidentType {
  std::string_view title;
  int severity = 4;
  std::unique_ptr<Detector> (*make)() = nullptr;
  bool lasts = false;  // what it tells of goes on from its start to its end; else it is a moment, or some of them

  IncidentType lasting() const {
    IncidentType type = *this;
    type.lasts = true;
    return type;
  }
};

template <class Kind>
IncidentType incident_type_of(std::string_view title, int severity) {
  return {title, severity, [] { return std::unique_ptr<Detector>(std::make_unique<Kind>()); }};
}

const IncidentType& incident_type(IncidentKind kind);

namespace incidents {
#define LEASESCOPE_DECLARE(Name, name) IncidentType name();
LEASESCOPE_INCIDENT_KINDS(LEASESCOPE_DECLARE)
#undef LEASESCOPE_DECLARE
}  // namespace incidents

}  // namespace leasescope
