// The rows of a test that asks something of every built-in scenario, with fencing and without.
#pragma once
#include <string>

#include <QTest>

#include "simulator/scenario/catalogue.h"

namespace leasescope::tests {

// To be read with QFETCH(QString, name) and QFETCH(bool, fencing).
inline void every_scenario_fenced_and_unfenced() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<bool>("fencing");
  for (const BuiltIn& built_in : built_in_scenarios())
    for (const bool fencing : {true, false})
      QTest::addRow("%s%s", built_in.name.c_str(), fencing ? "" : " unfenced")
          << QString::fromStdString(built_in.name) << fencing;
}

// As an override of a scenario's value.
inline std::string fencing_is(bool on) { return std::string("resource.fencing=") + (on ? "true" : "false"); }

}  // namespace leasescope::tests
