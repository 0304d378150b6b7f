// What a report says in words, in the order in which it says it: the same as the window does, by the same models.
#pragma once
#include <utility>
#include <vector>

#include <QString>
#include <QStringList>

#include "ui/report/report_subject.h"
#include "ui/report/told_stories.h"

namespace leasescope {

using NamedTexts = std::vector<std::pair<QString, QString>>;

struct SummaryItem {
  QString name, value;
  bool alarm = false;  // what must never be
};

struct ToldIncident {
  std::size_t place = 0;  // in the history's list
  QString title, start, lasts, tokens, cause;
  std::vector<int> who;  // places in the cast
  QString when;          // "17.189 – 21.000 s"
  // How it came about; only where it is told.
  QString account;  // <b> marks the mutex and the length, all else is escaped
  std::vector<StoryLine> story;
  QString margin;  // by how much, or what is not known of it
};

// Time of which nobody knows who held, or what a contender did.
struct UnobservedTime {
  QString who;  // empty: the store, for everybody
  TrueTime from{}, to{};
  QString reason;
};

struct ReportTable {
  QStringList head;
  std::vector<bool> figures;  // by column: set right
  std::vector<QStringList> rows;
};

// A table with a heading and, where there is one, a sentence before its rows.
struct ReportSection {
  QString word;  // "owners": what a page calls it, in whatever language its title is
  QString title, note;
  ReportTable table;
};

struct ReportText {
  QString title, about;  // "gc-pause", "A pause outlives the lease"
  QString verdict;
  QStringList reasons;  // why not as expected, or why there is no verdict
  bool failed = false;  // not as expected
  NamedTexts facts;     // what it was and when
  std::vector<SummaryItem> summary;
  std::vector<ToldIncident> incidents;  // all, in order of their start
  std::size_t untold = 0;               // of so many it is not told how they came about
  std::vector<UnobservedTime> unobserved;
  QStringList limits;  // what else could not be seen, a sentence each; of that and the above something is always there
  ReportTable contenders;
  // Of a watch who owned which mutex, and what it told of alerts; and of rules that were given when they held.
  std::vector<ReportSection> evidence;
  // What the history's names stand for: mutexes, resources, faults. Of a watch how it looked.
  NamedTexts legend;
  // What `settings` are: "a scenario file that runs it again".
  QString settings_note;
  // The scenario, every value, as a file that runs it again. Of a watch, which ran none, its rules of alerts; empty: it
  // had none.
  QString settings;
  QString maker;  // "Leasescope 0.1.0"
};

// What stands over the columns of incidents, and of what was not observed, in every form of the report.
QStringList incident_heads();
QStringList unobserved_heads();

// Of a subject that is wanted no more it is whatever was made by then.
ReportText report_text(const ReportSubject& subject);

}  // namespace leasescope
