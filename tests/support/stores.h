// A row a live store, named by its word.
#pragma once
#include <QTest>

#include "core/store/types/types.h"

namespace leasescope::tests {

// Those of leases.
inline std::vector<const StoreType*> lease_stores() {
  std::vector<const StoreType*> out;
  for (const StoreType* type : store_types())
    if (type->carries(Family::kLease)) out.push_back(type);
  return out;
}
inline void each_lease_store() {
  QTest::addColumn<bool>("of no use");
  for (const StoreType* type : lease_stores()) QTest::newRow(type->name().data()) << true;
}
inline void each_lease_store_that_tells() {
  QTest::addColumn<bool>("of no use");
  for (const StoreType* type : lease_stores())
    if (type->tells) QTest::newRow(type->name().data()) << true;
}
// Of the row that runs.
inline const StoreType& this_store() { return *find_store_type(QTest::currentDataTag()); }

}  // namespace leasescope::tests
