// Where a recording goes, a batch at a time: into a file, or to a team's database. It may wait, RecordingWriter does
// not.
#pragma once
#include <cstdint>
#include <string>

#include "core/history/recording/recording_batch.h"

namespace leasescope {

// One thread calls it, but for what says otherwise.
class RecordingSink {
 public:
  RecordingSink() = default;
  RecordingSink(const RecordingSink&) = delete;
  RecordingSink& operator=(const RecordingSink&) = delete;
  virtual ~RecordingSink() = default;

  // All of it or, when it fails, nothing; what was written before stays. Nothing is written after a failure.
  virtual void write(const RecordingBatch& batch) = 0;
  // Nothing more comes.
  virtual void close() = 0;

  virtual std::uint64_t written() const = 0;  // events
  // Why nothing is written any more: what it is, and what to do; empty: it is.
  virtual const std::string& error() const = 0;
  virtual const std::string& reason() const = 0;  // of it, without what was written before

  // ---- from any thread
  // Whoever records leaves: what cannot be written within a few seconds will not be.
  virtual void hurry() {}
  // Why nothing is written just now, though it will be; empty: it is.
  virtual std::string away() const { return {}; }
};

}  // namespace leasescope
