// What the processes that contend for one mutex say that they believe, as events with bounds beside what its store
// tells (seen_mutex.h).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/observe/belief.h"
#include "core/observe/belief_clock.h"
#include "core/observe/seen_mutex.h"

namespace leasescope {

struct ToldBelief {
  Belief said;                                // the last message
  TrueTime lo{}, hi{};                        // when it was sent
  TrueTime heard{};                           // when it came
  std::optional<BeliefClock::Offset> offset;  // of its clock, then
  // kOwns: when what it believes ends by its own clock, between the two; max(): no clock ends it.
  TrueTime until_lo = TrueTime::max(), until_hi = TrueTime::max();
  bool owns = false;                // it believes that it owns: it said so, and its own deadline has not come
  TrueTime since_lo{}, since_hi{};  // of that, or of the contrary
};

class BeliefBook {
 public:
  static constexpr std::size_t kMost = 100;  // contenders of one mutex; who was heard of least recently goes
  // Who owns nothing, after his last message; and who owns and has named no end: he may be no more.
  static constexpr Duration kRemembered = std::chrono::minutes(10);
  // Messages of those who own, each of which is an event: so many at once, and so many a second after that. Anybody may
  // send them, and histories are kept.
  static constexpr double kAtOnce = 500, kASecond = 50;

  BeliefBook(Name mutex, SeenMutex::Record record, SeenMutex::Intern intern);

  enum class Taken : std::uint8_t {
    kNews,
    kOld,      // a later one of that contender has come before
    kTooMany,  // more of this mutex than are kept
  };
  // In the order of their arrival.
  Taken take(const Belief& belief, const BeliefClock& clock, TrueTime arrived);
  // Whose deadline has come and who has not said that he renewed: he owns no more by his own clock, whatever keeps him
  // from saying so.
  void advance(TrueTime now);
  const std::vector<ToldBelief>& all() const { return all_; }  // as they were heard of first
  std::size_t owners() const;                                  // so many believe that they own

 private:
  ToldBelief* known(const std::string& owner);
  ToldBelief& made(const std::string& owner);
  bool may_take_one(TrueTime now);
  void end_what_may_be_over(const ToldBelief& but);
  void tell(EventKind kind, const ToldBelief& of, TrueTime lo, TrueTime hi, DisbeliefReason reason);
  void end(ToldBelief& of, TrueTime lo, TrueTime hi, DisbeliefReason reason);

  Name mutex_;
  SeenMutex::Record record_;
  SeenMutex::Intern intern_;
  std::vector<ToldBelief> all_;
  double budget_ = kAtOnce;
  TrueTime budgeted_{};
};

// For people: "owns #8812, 5.7 s left", "waits", "has stopped".
std::string belief_words(const ToldBelief& of, TrueTime now);
// What is known of its clock: "its clock is behind ours by 12.4 ms at most", epoch_ns: our wall clock at the zero of
// our moments.
std::string clock_words(const ToldBelief& of, std::int64_t epoch_ns);
// What is said where nobody tells, or nobody listens.
std::string_view no_beliefs_words(bool listened_for);

}  // namespace leasescope
