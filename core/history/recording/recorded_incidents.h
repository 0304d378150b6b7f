// The incidents of a recorded history, and its summary.
#pragma once
#include <map>

#include "core/history/history.h"
#include "core/history/recording/database.h"

namespace leasescope {

// Writes incidents by their number, from 0; what was written of one before is replaced.
class IncidentWriter {
 public:
  explicit IncidentWriter(Database& database);
  void put(std::size_t number, const Incident& incident);

 private:
  Statement incident_, forget_contenders_, forget_tokens_, contender_, token_;
};

struct RecordedIncidents {
  IncidentList list;
  std::map<std::string, std::uint64_t> unknown;  // kinds that this program does not know, and how many of each
};
RecordedIncidents read_incidents(Database& database, std::size_t names);

void put_summary(const Summary& summary, Database& database);
// The numbers of incidents are those of the list.
Summary read_summary(Database& database, const IncidentList& incidents);

}  // namespace leasescope
