// A history that comes in words: what a recording keeps beside the events is made of them here, while they are read.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/history/checkers.h"
#include "core/history/recording/history_source.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

class ImportedHistory : public HistorySource {
 public:
  ImportedHistory(const ImportedHistory&) = delete;  // the checkers point into the names
  ImportedHistory& operator=(const ImportedHistory&) = delete;

  const std::string& path() const override { return path_; }
  const HistoryHeader& header() const override { return header_; }
  const std::optional<RecordedOutcome>& outcome() const override { return outcome_; }
  const History& frame() const override { return frame_; }
  const std::vector<std::string>& remarks() const override { return remarks_; }
  bool read_page(std::vector<Event>& events) override;
  const std::string& error() const override { return error_; }

 protected:
  explicit ImportedHistory(std::string path) : path_(std::move(path)) {}

  // Of a header that is there; why its scenario is none, or empty.
  std::string begin(std::optional<Legend> legend);
  // The next events, at most so many as a page has; false where there are no more, after an error too.
  virtual bool next_page(std::vector<Event>& events) = 0;
  void fail(const std::string& why) { error_ = path_ + ": " + why; }
  void fail(std::size_t line, std::size_t column, const std::string& why);

  HistoryHeader header_;
  Scenario scenario_;  // at its beginning
  History frame_;
  std::vector<std::string> remarks_;

 private:
  void judge(const Event& event);
  void finish();

  const std::string path_;
  std::optional<Scenario> forked_;  // to that
  bool hears_ = false;              // the store has told of something
  std::optional<Checkers> checkers_;
  std::optional<RecordedOutcome> outcome_;
  std::string error_;
};

}  // namespace leasescope
