// Something that did not work, said beside what it concerns: what, where, what was expected, what is still shown.
#pragma once
#include <QString>
#include <QStringList>

namespace leasescope {

struct Problem {
  QString title;    // "my-pause.toml was not loaded"
  QString message;  // what was found, what was expected, what to do
  QString remains;  // "The run on the screen is still the previous one."
  int line = 0;     // 0: no place in a file
  int column = 0;
  QStringList excerpt;  // lines of the file around it
  int excerptFrom = 1;  // number of the first of them

  bool empty() const { return title.isEmpty(); }
};

}  // namespace leasescope
