// A report of rows that are told of events one by one: it is written while they come, and nobody has to hold all.
#pragma once
#include "core/base/byte_sink.h"
#include "core/history/history.h"

namespace leasescope {

class RowReport {
 public:
  virtual ~RowReport() = default;
  // The rows of the events that have come since; before the first ones what stands over them. Those it has had may be
  // forgotten but for some that are looked back at. False: `out` takes no more.
  virtual bool append(const History& history, ByteSink& out) = 0;
};

}  // namespace leasescope
