// What a batch is in a team's tables: the statements of one transaction. Made once for each batch, whatever becomes of
// the connection, so that what is tried again is the same.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/recording_batch.h"
#include "core/history/team/sql.h"
#include "core/history/term_fold.h"

namespace leasescope::team {

struct BatchOfRows {
  std::int64_t number = 0;  // of the batch, from 1: the database knows the last one it has
  std::uint64_t events = 0;
  std::set<int> days;  // that it has rows of
  std::vector<SqlCall> calls;
};

class BatchRows {
 public:
  // Of that row of `recording`, which is new.
  explicit BatchRows(std::int64_t recording) : recording_(recording) {}

  // The next one, in order. The error says what a team's history does not keep.
  tl::expected<BatchOfRows, std::string> next(const RecordingBatch& batch);

 private:
  void put_words(BatchOfRows& out);
  void put_names(const RecordingBatch& batch, BatchOfRows& out);
  void put_events(const RecordingBatch& batch, BatchOfRows& out);
  void put_block(int day, BatchOfRows& out);
  void put_terms(BatchOfRows& out);
  void put_new_terms(const std::vector<TermRow>& rows, BatchOfRows& out);
  void put_ended_terms(const std::vector<TermRow>& rows, BatchOfRows& out);
  void put_facts(const RecordingBatch& batch, BatchOfRows& out);
  void put_incidents(const RecordingBatch& batch, BatchOfRows& out);
  void put_summary(const RecordingBatch& batch, BatchOfRows& out);
  void put_alerts(const RecordingBatch& batch, BatchOfRows& out);
  void put_mutexes(const TermFold::Told& told, BatchOfRows& out);
  SqlCall advance(const RecordingBatch& batch, const BatchOfRows& out);
  std::int64_t wall(TrueTime at) const;

  const std::int64_t recording_;
  std::int64_t number_ = 0;
  std::optional<std::int64_t> epoch_ns_;
  NameTable names_;
  std::int64_t names_sum_ = 0;
  std::uint64_t events_ = 0;
  std::int64_t mutexes_ = 0;
  TrueTime now_{};
  TermFold fold_;
  bool worded_ = false;
  bool keeps_alerts_ = false;  // as it is written there
  std::int64_t alerts_ = 0;    // notes of them
  std::uint64_t first_ = 1;    // of the last block
  std::vector<Event> last_;    // which grows while it is small
  int last_day_ = 0;
  std::map<std::string_view, std::int64_t> summary_;  // as it was written
};

}  // namespace leasescope::team
