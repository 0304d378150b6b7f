// A scenario of the catalogue as a lesson: how it is set up, what happens to it, what is expected to come of that
// without a fence and with one, and what a fence changes. All of it is what the scenario, the description of its form,
// the kinds of fault and the kinds of incident say of themselves.
#pragma once
#include <QString>
#include <QStringList>
#include <vector>

#include "simulator/scenario/scenario.h"
#include "ui/models/glyph.h"

namespace leasescope {

// One table of the scenario, with the keys that say something: those that must be given, those that are true or false,
// and what is set otherwise than usual.
struct LessonTable {
  struct Key {
    QString name, value, about;
  };
  QString title;
  std::vector<Key> keys;
};

struct LessonFault {
  QString when;   // "1.7 lease = 11.900 s"
  QString what;   // "pause of owner"
  QString how;    // "during compute, duration 1 lease + 2s = 9.000 s"; empty: there is no more to say
  QString about;  // what that kind of fault does
};

// One field of the summary, and what it is to be.
struct LessonOutcome {
  Glyph mark = Glyph::kNone;  // of the kind of incident, where some of it are expected
  QString name;
  QString without, with;  // "≥ 1", without fence and with it
};

struct Lesson {
  QString name;   // of its scenario, "gc-pause"
  QString title;  // "A pause outlives the lease"
  QString about;
  QString system;  // by which is contended, "simba"
  std::vector<LessonTable> setUp;
  std::vector<LessonFault> faults;
  std::vector<LessonOutcome> outcomes;  // what goes wrong first
  QStringList fence;                    // what a fence at the resource changes, in sentences
  QString notLive;                      // why no real store does the same; empty: some do
};
Lesson lessonOf(const Scenario& scenario);

}  // namespace leasescope
