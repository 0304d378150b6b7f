// What one observer has recorded, one recording after another, as one history: in between nobody looked.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/continued_account.h"
#include "core/history/recording/history_source.h"

namespace leasescope {

// As ContinuedAccount has it. Moment 0 is that of the first; the others' times are shifted to it by the wall clock.
class ContinuedHistory final : public HistorySource {
 public:
  struct Part {
    std::unique_ptr<HistorySource> source;
    bool goes_on = false;              // it is still recorded
    std::vector<std::string> mutexes;  // that it tells of
  };
  // `parts`: of watches, at least one, in the order of their begins. `called`: what a mutex of that title is called in
  // it; none: the same.
  static tl::expected<std::unique_ptr<ContinuedHistory>, std::string> of(
      std::string name, std::vector<Part> parts, const std::function<std::string(const std::string&)>& called = {});

  ~ContinuedHistory() override;

  const std::string& path() const override { return name_; }
  const HistoryHeader& header() const override { return header_; }
  // That of the last; none when that has not ended.
  const std::optional<RecordedOutcome>& outcome() const override { return outcome_; }
  const History& frame() const override { return frame_; }
  // What lasted when one broke off is over by then: the next tells of its own.
  const std::vector<AlertNote>* alerts() const override { return alerts_ ? &*alerts_ : nullptr; }
  std::uint64_t events() const override { return events_; }
  int permille() const override;
  const std::vector<std::string>& remarks() const override { return remarks_; }
  bool read_page(std::vector<Event>& events) override;
  const std::string& error() const override { return error_; }

 private:
  struct Reading;

  ContinuedHistory();
  std::string add(Part part, const std::function<std::string(const std::string&)>& called);
  void join_frame(const Reading& part);
  void join_alerts(const Reading& part);
  Event translated(Reading& part, Event event) const;
  void tell(const Event& event);

  std::string name_;
  std::vector<std::unique_ptr<Reading>> parts_;
  HistoryHeader header_;
  std::optional<RecordedOutcome> outcome_;
  History frame_;
  std::optional<std::vector<AlertNote>> alerts_;
  std::vector<std::string> remarks_;
  std::string error_;
  std::uint64_t events_ = 0, given_ = 0;

  std::size_t at_ = 0;  // of the parts
  ContinuedAccount account_;
};

}  // namespace leasescope
