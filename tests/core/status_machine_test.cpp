// The life cycle against every recorded sequence. A step of a sequence is one call of a caller; what the real store or
// callback did within it is played here by hand.
#include "tests/support/hand.h"
#include "tests/support/suite.h"
#include "tests/support/vectors.h"

using namespace leasescope;
using namespace std::chrono_literals;
using leasescope::tests::Hand;
using leasescope::tests::Vector;
using leasescope::tests::vectors;

class StatusMachineTest : public QObject {
  Q_OBJECT
 private slots:
  void everySequenceOf31EndsAlike() {
    check(Behaviour::k31, "3.1.3", [](const std::string&) { return true; });
  }
  void everySequenceOf30EndsAlike() {
    check(Behaviour::k30, "3.1.3", [](const std::string&) { return true; });
  }
  void everySequenceOf4xEndsAlike() {
    check(Behaviour::k4x, "4.x", [](const std::string&) { return true; });
  }
  // Nor does it ask the store to free what it does not hold, so that such a stop cannot fail.
  void theDefaultDiffersOnlyInStartingWithoutItsChannelAndInFreeingOnlyWhatItHolds() {
    check(Behaviour::kLeasescope, "4.x", [](const std::string& sequence) {
      return sequence.find("fail-start") == std::string::npos && sequence.rfind("start fail-stop", 0) != 0;
    });
  }
  void theDefaultStartsWithoutItsChannel();

 private:
  template <class Filter>
  static void check(Behaviour behaviour, const char* version, const Filter& wanted);
};

namespace {

// One service of the vectors: a word of the sequence in, what the caller saw out.
class Service {
 public:
  explicit Service(Behaviour behaviour) : hand_(behaviour) {}

  nlohmann::json perform(const std::string& word) {
    hand_.callbacks.clear();
    hand_.refusals.clear();
    std::string inside;
    if (word == "start") {
      hand_.start();
    } else if (word == "fail-start") {
      hand_.start(Ending::kFailed);
    } else if (word == "stop") {
      stop(Stop{}, Ending::kOk);
    } else if (word == "fail-stop") {
      stop(Stop{}, Ending::kFailed);
    } else if (word == "close") {
      stop(Close{}, Ending::kOk);
    } else if (word == "stop-in-start") {
      hand_.input(Start{});
      hand_.input(Stop{});
      inside = "; inside: " + outcome();
      hand_.refusals.clear();
      hand_.answer_kind(RequestKind::kSubscribe, Ending::kOk);
    } else if (word == "stop-inside") {
      hand_.on_told = [&](const MutexState& state) {
        if (state.is_acquired(hand_.self)) hand_.input(Stop{});
      };
      tell(hand_.self);
      hand_.on_told = {};
      inside = "; inside: " + outcome();
      hand_.answer_kind(RequestKind::kRelease, Ending::kOk);
    } else {
      // throw-own: what the callback throws is logged and swallowed by whoever calls it; the state stays.
      tell(word == "own" || word == "throw-own" ? hand_.self : word == "other" ? hand_.other : Name{});
    }
    const SimbaContender& contender = hand_.contender();
    return {{"do", word},
            {"outcome", outcome() + inside},
            {"status", std::string(text(contender.status()))},
            {"running", contender.running()},
            {"after_id", std::string(hand_.names.text(contender.state().after.owner))},
            {"is_owner", contender.believes()},
            {"callbacks", hand_.callbacks}};
  }

 private:
  void stop(const Input& how, Ending ending) {
    hand_.sent.clear();
    hand_.input(how);
    hand_.answer_kind(RequestKind::kRelease, ending);
  }

  void tell(Name owner) {
    const Duration lease = owner.empty() ? Duration::zero() : Hand::usual_terms().lease();
    if (hand_.contender().status() == Status::kRunning) {
      hand_.fire(SimbaTimer::kContend);
      hand_.answer(owner, lease);
      return;
    }
    // Nothing runs: a reply that comes too late and a stray message change nothing.
    for (const RequestKind kind : {RequestKind::kAcquire, RequestKind::kGuard})
      hand_.input(Reply{1, kind, Ending::kOk, owner == hand_.self, false, hand_.mutex, owner, Name{}, lease, kNoToken});
    hand_.message(owner.empty() ? StoreEventKind::kReleased : StoreEventKind::kAcquired, owner);
  }

  // Exceptions of the vectors are refusals here.
  std::string outcome() const {
    if (hand_.refusals.empty()) return "ok";
    if (hand_.refusals.front().rfind("The store failed", 0) == 0) return "java.lang.RuntimeException: store";
    return "java.lang.IllegalStateException: " + hand_.refusals.front();
  }

  Hand hand_;
};

}  // namespace

template <class Filter>
void StatusMachineTest::check(Behaviour behaviour, const char* version, const Filter& wanted) {
  const std::vector<Vector> all = vectors("status-machine", version);
  QCOMPARE(all.size(), std::size_t{31});
  for (const Vector& vector : all) {
    if (!wanted(vector.given.at("sequence").get<std::string>())) continue;
    Service service(behaviour);
    for (const nlohmann::json& step : vector.then.at("steps")) {
      const nlohmann::json got = service.perform(step.at("do").get<std::string>());
      QVERIFY2(got == step, (vector.describe + "\n  expected " + step.dump() + "\n  got      " + got.dump()).c_str());
    }
  }
}

void StatusMachineTest::theDefaultStartsWithoutItsChannel() {
  Hand hand(Behaviour::kLeasescope);
  hand.start(Ending::kUnknown);
  QCOMPARE(text(hand.contender().status()), std::string_view("RUNNING"));
  QVERIFY(hand.refusals.empty());
  hand.pass(0s);
  QVERIFY(hand.in_flight());
}

LEASESCOPE_SUITE(StatusMachineTest)
#include "status_machine_test.moc"
