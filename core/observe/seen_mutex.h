// What is known of one mutex from outside, by looks at it: facts with bounds, each told once as an event.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/history/event.h"
#include "core/observe/sighting.h"

namespace leasescope {

// * Who is seen to hold was granted it between the last look that said otherwise and this one.
// * Whose lease is seen to end later than it could has renewed it in between; a renewal that made no difference yet is
//   not seen.
// * Whose lease is over before it could run out has released it, or somebody took it away; else it ran out, though it
//   may have been renewed and released unseen: the bounds allow for that.
// * Of those who hold beside each other each is told of for itself: until when it alone may hold is not known, and who
// is
//   gone while others hold on has given it back, as far as anybody sees. None of them takes it from another.
// * Who waits is told of where a look says who does, or that somebody does: when he came, and when he was gone, since
//   the last look that said so. Of many the first are.
// * Where two looks find it free somebody may have had it in between. Of a store that counts its changes that is known,
//   and then that time was not observed.
// * While the store does not answer nothing is known, and nobody is said to be gone.
class SeenMutex {
 public:
  using Record = std::function<Sequence(const Event&)>;
  using Intern = std::function<Name(std::string_view)>;
  struct Facts {
    Name mutex;
    Name store;
  };

  SeenMutex(const Facts& facts, Record record, Intern intern);

  // Before the first look: it was not there when all that there was was looked at.
  void was_free(TrueTime at);
  // In the order of the answers; what was asked before the last one was answered is not taken.
  void see(const Sighting& told);
  // A message says that it was released by that owner, or granted to it, at `earliest` or later; a look follows.
  void heard_release(std::string_view owner, TrueTime earliest);
  void heard_grant(std::string_view owner, TrueTime earliest);
  void blind(TrueTime since);
  // What blind() would tell; none where nothing is known as it is.
  std::optional<Event> blinded(TrueTime since) const;
  // It was heard of since it was last seen.
  bool waits_for_look() const { return release_ || granted_; }

  // ---- what is known
  enum class Known : std::uint8_t { kNothing, kFree, kHeld };
  Known known() const { return blind_ ? Known::kNothing : holds_ ? Known::kHeld : Known::kFree; }
  // As last seen, which may be over while it is blind.
  const Sighting& last() const { return last_; }
  // Since when its owner holds, or nobody does: between the two; lo is min() where it was so when it was first seen.
  TrueTime since_lo() const { return since_lo_; }
  TrueTime since_hi() const { return since_hi_; }
  // When its lease ends unless it is renewed, between the two; max() where no clock ends it.
  TrueTime end_lo() const { return end_lo_; }
  TrueTime end_hi() const { return end_hi_; }
  TrueTime renewed() const { return renewed_; }  // min(): not seen to be
  // What was left of its lease when that was last granted or renewed, as it was first seen; zero where no clock ends
  // it.
  Duration length() const { return length_; }
  // Whether that was seen between two looks: else the lease was met in the middle, and is longer than that.
  bool whole() const { return whole_; }
  Duration longest() const { return longest_; }  // of those that were; zero: there was none
  // How long its owner may still renew after others may count on its end, as it was seen last; zero: never.
  Duration transition() const { return transition_; }
  std::uint64_t handoffs() const { return handoffs_; }

 private:
  struct Heard {
    std::string owner;
    TrueTime earliest{};
  };

  void begin(const Sighting& sighting);
  void hold_on(const Sighting& sighting);
  TrueTime end(const Sighting& sighting);
  void grant(const Sighting& sighting, TrueTime lo);
  void grant_beside(const std::string& holder, TrueTime lo, TrueTime hi);
  void share_on(const Sighting& sighting);
  void take_end(const Sighting& sighting);
  void take_waiters(const Sighting& sighting);
  void tell(EventKind kind, Name node, TrueTime lo, TrueTime hi, Token token = kNoToken, std::int64_t a = 0,
            std::uint8_t detail = 0);
  Event made(EventKind kind, Name node, TrueTime lo, TrueTime hi) const;
  bool is_same_term(const Sighting& sighting) const;
  bool was_owned_between(const Sighting& sighting) const;
  bool goes_on_shared(const Sighting& sighting) const;

  const Facts facts_;
  const Record record_;
  const Intern intern_;
  Sighting last_;
  bool seen_ = false;  // once
  bool blind_ = true;
  bool holds_ = false;
  std::optional<Heard> release_, granted_;  // since it was last seen
  TrueTime since_lo_ = TrueTime::min(), since_hi_{};
  TrueTime end_lo_ = TrueTime::max(), end_hi_ = TrueTime::max();
  TrueTime renewed_ = TrueTime::min();
  Duration length_{}, longest_{}, transition_{};
  bool whole_ = false;
  TrueTime told_{};  // of the last event, which no later one is before
  std::uint64_t handoffs_ = 0;
  std::string last_owner_;
  std::vector<std::string> waiting_;  // as was told
  TrueTime waiters_asked_{};          // when they were asked for last; before that: when it was first looked at
  bool last_shared_ = false;
};

}  // namespace leasescope
