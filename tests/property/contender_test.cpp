// Contenders under any sequence of inputs: callers, stores, messages and clocks that do what they like.
#include <rapidcheck.h>

#include "tests/support/hand.h"
#include "tests/support/suite.h"

using namespace leasescope;
using leasescope::tests::Hand;
using std::chrono::milliseconds;

class ContenderProperties : public QObject {
  Q_OBJECT
 private slots:
  void nothingBreaksTheDefault() { check(Behaviour::kLeasescope); }
  void nothingBreaksOneInALine() { check(Behaviour::kLeasescope, WakeUp::kHandOver); }
  void nothingBreaks4x() { check(Behaviour::k4x); }
  void nothingBreaks31() { check(Behaviour::k31); }
  void nothingBreaks30() { check(Behaviour::k30); }
  void aCopyGoesOnLikeTheOriginal();

 private:
  static void check(Behaviour behaviour, WakeUp wake_up = WakeUp::kBroadcast);
};

namespace {

// One move of the world around a contender; `x` is what the move makes of it: a time, a choice, an owner.
struct Move {
  enum Kind {
    kStart,
    kStop,
    kClose,
    kPass,
    kPause,
    kWallStep,
    kSubscribed,
    kReleased,
    kAnswer,
    kFail,
    kMessage,
    kStray,
    kCallbackDone,
    kWorkDone,
    kExecutorLate,
    kEarlyTimer,
    kKinds
  };
  int kind = 0;
  int x = 0;
};

void showValue(const Move& move, std::ostream& out) {
  static constexpr const char* kWords[] = {
      "start",  "stop", "close",   "pass",        "pause",         "wall step", "subscribed",    "released",
      "answer", "fail", "message", "stray reply", "callback done", "work done", "executor late", "early timer"};
  out << kWords[move.kind] << " " << move.x;
}

std::vector<Move> moves() {
  const auto kinds = rc::gen::weightedElement<int>({{3, Move::kStart},
                                                    {1, Move::kStop},
                                                    {1, Move::kClose},
                                                    {8, Move::kPass},
                                                    {1, Move::kPause},
                                                    {1, Move::kWallStep},
                                                    {4, Move::kSubscribed},
                                                    {2, Move::kReleased},
                                                    {12, Move::kAnswer},
                                                    {3, Move::kFail},
                                                    {3, Move::kMessage},
                                                    {1, Move::kStray},
                                                    {2, Move::kCallbackDone},
                                                    {2, Move::kWorkDone},
                                                    {2, Move::kExecutorLate},
                                                    {1, Move::kEarlyTimer}});
  const auto move =
      rc::gen::build<Move>(rc::gen::set(&Move::kind, kinds), rc::gen::set(&Move::x, rc::gen::inRange(0, 9000)));
  return *rc::gen::resize(150, rc::gen::container<std::vector<Move>>(move));
}

// Plays moves on a contender and knows what must hold after each.
class Game {
 public:
  Game(Behaviour behaviour, bool reports, bool transition, WakeUp wake_up = WakeUp::kBroadcast)
      : hand_(behaviour, [&](SimbaConfig& config) {
          config.wake_up = wake_up;
          config.reports_callbacks = config.reports_work = reports;
          if (!transition) config.terms.transition = Duration::zero();
        }) {}

  void play(const Move& move) {
    const std::size_t sent_before = hand_.sent.size();
    const std::size_t notes_before = hand_.notes.size();
    const std::size_t calls_before = hand_.callbacks.size();
    const bool believed = contender().believes();
    perform(move);
    for (std::size_t i = sent_before; i < hand_.sent.size(); ++i) note_sent(hand_.sent[i]);
    check_flights();
    check_belief(believed, notes_before, calls_before);
    check_liveness();
  }

  const Hand& hand() const { return hand_; }

 private:
  const SimbaContender& contender() const { return hand_.contender(); }
  bool firm() const { return contender().config().behaviour == Behaviour::kLeasescope; }
  // Goes on believing when the release fails, and heeds notifications that come after the stop.
  bool zombies() const { return contender().config().behaviour == Behaviour::k30; }

  Name owner(int x) const { return x % 3 == 0 ? hand_.self : x % 3 == 1 ? hand_.other : Name{}; }

  void perform(const Move& move) {
    const Duration time = milliseconds(move.x);
    switch (move.kind) {
      case Move::kStart:
        if (contender().status() == Status::kInitial) {
          calls_.clear();  // what is still under way belongs to an earlier life
          schedule_died_ = told_ = false;
        }
        return hand_.input(Start{});
      case Move::kStop:
        return hand_.input(Stop{});
      case Move::kClose:
        return hand_.input(Close{});
      case Move::kPass:
        return hand_.pass(time);
      case Move::kPause:
        return hand_.pause(time);
      case Move::kWallStep:
        return hand_.step_wall(milliseconds(move.x - 4500));
      case Move::kSubscribed:
        hand_.answer_kind(RequestKind::kSubscribe, move.x % 5 == 0 ? Ending::kFailed : Ending::kOk);
        return;
      case Move::kReleased:
        hand_.answer_kind(RequestKind::kRelease, static_cast<Ending>(move.x % 3));
        return;
      case Move::kAnswer:
        return answer(Ending::kOk, move.x);
      case Move::kFail:
        return answer(move.x % 2 == 0 ? Ending::kFailed : Ending::kUnknown, move.x);
      case Move::kMessage:
        if (hand_.contender().config().wake_up == WakeUp::kHandOver && move.x % 4 < 2)
          return hand_.hand_over(static_cast<Token>(move.x));
        return hand_.message(move.x % 2 == 0 ? StoreEventKind::kReleased : StoreEventKind::kAcquired,
                             move.x / 2 % 2 == 0 ? hand_.self : hand_.other);
      case Move::kStray:
        return hand_.input(Reply{1'000'000u + static_cast<unsigned>(move.x), RequestKind::kGuard, Ending::kOk, false,
                                 false, hand_.mutex, owner(move.x), Name{}, time, kNoToken});
      case Move::kCallbackDone:
        return hand_.input(CallbackDone{});
      case Move::kWorkDone:
        return hand_.input(WorkDone{});
      case Move::kExecutorLate:
        late_ever_ = true;
        return hand_.input(ExecutorLate{move.x % 3 == 0 ? Duration::zero() : time});
      case Move::kEarlyTimer:
        return hand_.input(TimerFired{static_cast<Timer>(move.x % kContenderTimers)});
    }
  }

  void answer(Ending ending, int x) {
    if (calls_.empty()) return;
    const Request call = calls_.back();
    calls_.pop_back();
    const Name named = owner(x);
    const bool endless = named == hand_.other && x % 7 == 0;
    const Duration remaining = named.empty() ? Duration::zero()
                               : endless     ? Duration(milliseconds(-1))
                                             : milliseconds(x);
    if (ending != Ending::kOk && contender().config().behaviour == Behaviour::k30) schedule_died_ = true;
    const bool done = named == hand_.self && x % 4 != 3;  // else it holds in another term
    Reply told{call.id, call.kind, ending, done, false, hand_.mutex, named, Name{}, remaining, Token(x)};
    told.number = static_cast<std::uint64_t>(x);
    told.answer = x % 5 == 0 ? kComesFirst : 0;
    hand_.input(told);
  }

  void note_sent(const Request& call) {
    if (call.kind == RequestKind::kAcquire || call.kind == RequestKind::kGuard) calls_.push_back(call);
    RC_ASSERT(call.id > last_id_);
    last_id_ = call.id;
  }

  void check_flights() const { RC_ASSERT(calls_.size() <= 1u); }

  void check_belief(bool believed, std::size_t notes_before, std::size_t calls_before) {
    const Status status = contender().status();
    if (contender().believes()) {
      RC_ASSERT(zombies() || status == Status::kRunning || status == Status::kStopping);
      RC_ASSERT(!firm() || hand_.armed(SimbaTimer::kWatchdog));
    }
    RC_ASSERT(contender().believes() || contender().token() == kNoToken);
    // Notes and callbacks both tell the same story: believed, disbelieved, believed, …
    bool now = believed;
    for (std::size_t i = notes_before; i < hand_.notes.size(); ++i) {
      const Note& note = hand_.notes[i];
      if (note.kind == EventKind::kBelieved) {
        RC_ASSERT(!now);
        now = true;
      } else if (note.kind == EventKind::kDisbelieved) {
        RC_ASSERT(now);
        now = false;
        RC_ASSERT(!firm() || note.detail != static_cast<std::uint8_t>(DisbeliefReason::kEvent));
      }
    }
    RC_ASSERT(now == contender().believes());
    for (std::size_t i = calls_before; i < hand_.callbacks.size(); ++i) {
      const bool acquired = hand_.callbacks[i].rfind("onAcquired", 0) == 0;
      RC_ASSERT(acquired != told_);
      told_ = acquired;
    }
    // The default's belief may be ahead of a late executor; nobody's application is left behind by a stop.
    if (!firm() || !late_ever_ || status == Status::kInitial) RC_ASSERT(told_ == contender().believes());
  }

  // A running contender always has a next step: a call under way or a timer. Only 3.0 loses its schedule.
  void check_liveness() const {
    if (contender().status() == Status::kRunning && !schedule_died_)
      RC_ASSERT(!calls_.empty() || hand_.armed(SimbaTimer::kContend) || hand_.armed(SimbaTimer::kWatchdog));
    if (contender().status() == Status::kInitial) RC_ASSERT(zombies() || !contender().believes());
  }

  Hand hand_;
  std::vector<Request> calls_;  // lease calls of this life without answer
  std::uint64_t last_id_ = 0;
  bool schedule_died_ = false;
  bool told_ = false;  // the latest callback was onAcquired
  bool late_ever_ = false;
};

}  // namespace

void ContenderProperties::check(Behaviour behaviour, WakeUp wake_up) {
  QVERIFY(rc::check("invariants hold after every move", [behaviour, wake_up] {
    Game game(behaviour, *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(), wake_up);
    game.play({Move::kStart, 0});
    game.play({Move::kSubscribed, 1});
    for (const Move& move : moves()) game.play(move);
  }));
}

void ContenderProperties::aCopyGoesOnLikeTheOriginal() {
  QVERIFY(rc::check("a copied contender answers alike", [] {
    Game game(static_cast<Behaviour>(*rc::gen::inRange(0, 4)), false, true);
    game.play({Move::kStart, 0});
    game.play({Move::kSubscribed, 1});
    for (const Move& move : moves()) game.play(move);
    const Hand& original = game.hand();
    SimbaContender copy = original.contender();
    SimbaContender twin = original.contender();
    Clocks now = original.now();
    for (int i = 0; i < 30; ++i) {
      now.steady += milliseconds(*rc::gen::inRange(0, 3000));
      const Reply reply{static_cast<std::uint64_t>(*rc::gen::inRange(1, 40)),
                        RequestKind::kGuard,
                        Ending::kOk,
                        false,
                        false,
                        original.mutex,
                        *rc::gen::arbitrary<bool>() ? original.self : original.other,
                        Name{},
                        milliseconds(4000),
                        3};
      const Input input = *rc::gen::arbitrary<bool>() ? Input(reply) : Input(TimerFired{SimbaTimer::kContend});
      const Effects one = copy.step(input, now), two = twin.step(input, now);
      RC_ASSERT(one.size() == two.size());
      for (const Effect *a = one.begin(), *b = two.begin(); a != one.end(); ++a, ++b) {
        RC_ASSERT(a->index() == b->index());
        if (const Arm* arm = std::get_if<Arm>(a)) RC_ASSERT(arm->delay == std::get<Arm>(*b).delay);
      }
    }
  }));
}

LEASESCOPE_SUITE(ContenderProperties)
#include "contender_test.moc"
