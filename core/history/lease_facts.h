// What a history says of lengths of time around leases: until when each term was promised, what disturbed whom and for
// how long, by how much the store's clock was set, when whoever ended a gap had meant to wake. Folded from events as
// they come, so that they need not be kept; margins (core/history/margin.h) are reckoned from it.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/history/event.h"
#include "core/history/legend.h"

namespace leasescope {

class LeaseFacts {
 public:
  static constexpr TrueTime kNever = TrueTime::max();

  // What a contender was granted, with its renewals.
  struct Term {
    Name who;
    Token token = kNoToken;
    TrueTime granted{};  // of one that began before what is known: renewed first
    TrueTime until{};    // as promised by the last grant or renewal, at the earliest; never: while its session lasts
    TrueTime ended = kNever;  // released, expired or forgotten; never: nothing has told of it yet
    bool released = false;
  };
  // A fault that disturbs a contender.
  struct Spell {
    std::uint8_t fault = 0;  // in the legend
    std::int64_t row = 0;    // of the plan
    TrueTime begin{};
    TrueTime end = kNever;  // never: it lasts
    Duration planned{};     // zero: not told

    // It has been there at that moment; what it did goes on with its last.
    bool covers(TrueTime at) const { return begin <= at && at <= end; }
  };
  struct ClockStep {
    TrueTime at{};
    Duration by{};  // above 0: forward
  };
  // Nobody held, for longer than a second.
  struct Gap {
    TrueTime since{};
    TrueTime until = kNever;  // never: nobody has come
    TrueTime meant = kNever;  // the earliest that anybody had planned to wake who called meanwhile; never: none had
  };

  // Events in their order.
  void append(const Event& event, const NameTable& names, const Legend& legend);

  // Null where nothing is known, or not any more: of the last `kMostTerms` at least the newer half is. kNoToken: of any
  // token. The latest that began at `at` or before.
  const Term* term(Name mutex, Name who, Token token, TrueTime at) const;
  // The latest that covers that moment and disturbs in that way.
  const Spell* spell(Name who, Disturbs what, TrueTime at, const Legend& legend) const;
  // The last of the store's between the two.
  const ClockStep* store_step(TrueTime after, TrueTime until) const;
  // That in which a moment lies.
  const Gap* gap(Name mutex, TrueTime at) const;

 private:
  static constexpr std::size_t kMostTerms = 200'000;

  struct Course {
    std::vector<Term> terms;        // by their beginning
    std::vector<std::size_t> open;  // places of those that have not ended
    std::vector<Gap> gaps;
    Gap gap;
    bool free = false;  // as the last that was told has left it
  };

  void granted(const Event& event);
  void renewed(const Event& event);
  void ended(const Event& event);
  void called(const Event& event);
  void end_gap(Course& of, TrueTime at);
  void forget();
  bool is_contender(Name who, const NameTable& names, const Legend& legend);

  std::unordered_map<std::uint32_t, Course> courses_;             // by mutex
  std::unordered_map<std::uint32_t, std::vector<Spell>> spells_;  // by contender
  std::unordered_map<std::uint32_t, TrueTime> wakes_;             // likewise: when it means to wake next
  std::unordered_map<std::uint32_t, bool> contenders_;            // which names are; as far as was asked
  std::vector<ClockStep> steps_;                                  // of the store's clock
  std::size_t terms_ = 0;
};

}  // namespace leasescope
