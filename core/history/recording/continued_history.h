// What one observer has recorded, one recording after another, as one history: in between nobody looked.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/history_source.h"

namespace leasescope {

// * From the end of a recording on nothing is known, unless it goes on just now.
// * Who owned before and owns after it has gone on owning; who does no more ended somewhere in between, and so did
// another
//   begin.
// * Moment 0 is that of the first; the others' times are shifted to it by the wall clock.
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
  std::uint64_t events() const override { return events_; }
  int permille() const override;
  const std::vector<std::string>& remarks() const override { return remarks_; }
  bool read_page(std::vector<Event>& events) override;
  const std::string& error() const override { return error_; }

 private:
  struct Reading;
  // What was granted, and how far its lease was to last at the least.
  struct Hold {
    Name owner;
    Token token = kNoToken;
    TrueTime until{};
    bool shared = false;  // beside others
  };
  // What a process said of itself last.
  struct Belief {
    Name owner;
    Token token = kNoToken;
    TrueTime said{};
  };
  struct Mutex {
    std::vector<Hold> holds;
    std::vector<Belief> beliefs;  // of those who own, by what they say
    std::vector<Name> waiting;
    Name store;  // who was said not to tell of it
    bool dark = false;
    TrueTime dark_since{};
    bool fresh = false;  // it has not been seen in this part, and in one before
  };

  ContinuedHistory();
  std::string add(Part part, const std::function<std::string(const std::string&)>& called);
  void join_frame(const Reading& part);
  Event translated(Reading& part, Event event) const;
  void tell(Event event);
  void end_beliefs(Name mutex, Mutex& of, TrueTime hi);
  void end_waits(Name mutex, Mutex& of, TrueTime hi);
  bool settle(Event& event);
  void settle_open_question(Event* next);
  bool joins_those_seen(Event& next);
  void end_carried(Name mutex, Mutex& of, TrueTime hi, const std::vector<Name>& but = {});
  void end_part(const Reading& part);
  void put(Event event);

  std::string name_;
  std::vector<std::unique_ptr<Reading>> parts_;
  HistoryHeader header_;
  std::optional<RecordedOutcome> outcome_;
  History frame_;
  std::vector<std::string> remarks_;
  std::string error_;
  std::uint64_t events_ = 0, given_ = 0;

  std::size_t at_ = 0;                                // of the parts
  std::unordered_map<std::uint32_t, Mutex> mutexes_;  // by handle
  // One that was seen again, of which nothing was said yet; and when that was.
  struct Question {
    Name mutex;
    TrueTime seen{};
    std::vector<Name> beside;  // are told to hold beside each other, as they were seen then
  };
  std::optional<Question> question_;
  std::deque<Event> ready_;
  TrueTime reached_ = TrueTime::min();
  Name anybody_;  // who does not tell, where no store was named
};

}  // namespace leasescope
