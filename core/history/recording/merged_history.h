// Several recordings as one history: README.md says what is laid over what, and what is refused.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/history_source.h"

namespace leasescope {

// How several watches looked: their stores, each once. What they do not have in common has no one value.
void join_watches(std::optional<WatchSettings>& into, const std::optional<WatchSettings>& from);

class MergedHistory final : public HistorySource {
 public:
  // In the order of the paths, of which there is one at least; of one it is that recording. The error says which two
  // are not laid into one, why, and what to do.
  static tl::expected<std::unique_ptr<MergedHistory>, std::string> open(const std::vector<std::string>& paths);
  struct Source {
    std::unique_ptr<HistorySource> source;  // its names, and how many events it has, are known from the first
    std::vector<std::string> mutexes;       // that it tells of, and its legend does not: of a watch
  };
  // One of several, by its path.
  static tl::expected<Source, std::string> one_of_several(const std::string& path);
  // The same of what is read elsewhere.
  static tl::expected<std::unique_ptr<MergedHistory>, std::string> of(std::vector<Source> sources);
  ~MergedHistory() override;

  const std::string& path() const override { return path_; }
  const HistoryHeader& header() const override { return header_; }
  // None when the run of one had not ended.
  const std::optional<RecordedOutcome>& outcome() const override { return outcome_; }
  const History& frame() const override { return frame_; }
  // Those of all that keep them; null: none does.
  const std::vector<AlertNote>* alerts() const override { return alerts_ ? &*alerts_ : nullptr; }
  std::uint64_t events() const override { return events_; }
  int permille() const override;
  // What bears another name than in its own recording, and what else is not as in it.
  const std::vector<std::string>& remarks() const override { return remarks_; }
  bool read_page(std::vector<Event>& events) override;
  const std::string& error() const override { return error_; }

 private:
  struct Part;

  MergedHistory();
  std::string add(Source source);
  std::string join();
  std::string why_not(const Part& part) const;
  void join_header(const Part& part);
  std::string join_legend(Part& part);
  void join_outcome(const Part& part);
  void join_incidents();
  void join_alerts();
  void shift_to_first_epoch();
  Part* earliest();
  Event taken_from(Part& part);

  std::string path_;
  std::vector<std::unique_ptr<Part>> parts_;
  HistoryHeader header_;
  std::optional<RecordedOutcome> outcome_;
  History frame_;
  std::optional<std::vector<AlertNote>> alerts_;
  std::vector<std::string> remarks_;
  std::uint64_t given_ = 0, events_ = 0;
  std::string error_;
};

}  // namespace leasescope
