// One kind of rule: what it asks for, and when it holds.
#pragma once
#include <string>
#include <string_view>

#include "core/alerts/alert_rule.h"
#include "core/alerts/alert_subject.h"

namespace leasescope {

// From one moment to another that is not in it; empty where it does not hold.
struct AlertSpan {
  TrueTime from = TrueTime::max(), to = TrueTime::max();
  bool holds(TrueTime at) const { return from <= at && at < to; }
};

struct AlertKind {
  std::string_view word;    // "no_owner"
  std::string_view length;  // the key of its length of time; empty: it has none
  bool counts = false;      // it has `more_than`
  // When it holds if nothing else happens.
  AlertSpan (*span)(const AlertRule& rule, const AlertSubject& of) = nullptr;
  // What is said of it: "nobody has owned it for more than 12s".
  std::string (*words)(const AlertRule& rule, const AlertSubject& of, const NameTable& names) = nullptr;
  bool of_lease = false;   // its length may be a share of the lease
  bool of_stores = false;  // its rules are about stores; else about mutexes
};

}  // namespace leasescope
