// Whoever may count on its lease holds at the store: contenders in a line, on a network that delays, loses and mixes up
// what it carries, with clocks that run wrong within the margin, pauses, crashes, stops and other makes beside them.
#include <rapidcheck.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <queue>

#include "core/simba/contender.h"
#include "core/time/skewed_clock.h"
#include "simulator/model/redis_model.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

Q_DECLARE_METATYPE(leasescope::WakeUp)

class HandOverProperties : public QObject {
  Q_OBJECT
 private slots:
  void whoOwnsHoldsAtTheStore_data();
  void whoOwnsHoldsAtTheStore();
  void aCalmLineIsHandedOverWithoutAGap();
};

namespace {

constexpr Name kMutex{1};
constexpr std::uint32_t kFirst = 2;  // the contenders' names

struct Weather {
  std::uint64_t seed = 1;
  int contenders = 3;
  bool other_make = false;  // the last of them
  Duration ttl = 1s, transition = 500ms;
  int lost = 0, late = 0;  // of a hundred packets
  int trouble = 0;         // pauses, crashes and stops, likewise, of the moves between them
  WakeUp wake_up = WakeUp::kHandOver;
};

void show(const Weather& of, std::ostream& out) {
  out << "seed " << of.seed << ", " << of.contenders << " contenders" << (of.other_make ? ", one of 4.x" : "")
      << ", ttl " << of.ttl.count() << ", transition " << of.transition.count() << ", lost " << of.lost << ", late "
      << of.late << ", trouble " << of.trouble;
}

class Town {
 public:
  explicit Town(const Weather& weather)
      : weather_(weather), dice_(weather.seed, "town", "all"), model_({kMutex}, {}, {0, 0, 2, 3, 4, 5, 6, 7, 8, 9}) {
    for (int i = 0; i < weather.contenders; ++i) {
      SimbaConfig config;
      config.id = Name{kFirst + static_cast<std::uint32_t>(i)};
      config.mutex = kMutex;
      config.terms.ttl = weather.ttl;
      config.terms.transition = weather.transition;
      const bool other = weather.other_make && i + 1 == weather.contenders;
      config.behaviour = other ? Behaviour::k4x : Behaviour::kLeasescope;
      if (!other) config.wake_up = weather.wake_up;
      Person person{SimbaContender(config, RandomStream(weather.seed + static_cast<std::uint64_t>(i), "p", "jitter"))};
      // What the margin is for: one clock fast, the other slow, 0.4 % each.
      person.steady = SkewedClock<SteadyTime>(Duration(1h * (i + 1)), static_cast<int>(dice_.below(8000)) - 4000);
      people_.push_back(person);
    }
    for (int i = 0; i < weather.contenders; ++i)
      at(Duration(dice_.below(1'000'000'000)), [this, i] { hand(i, Start{}); });
  }

  void live(Duration length) {
    trouble();
    const TrueTime end = TrueTime{} + length;
    while (!queue_.empty() && queue_.top().at <= end) {
      // Time alone ends leases and beliefs: looked at in between.
      const TrueTime next = queue_.top().at, over = model_.deadline(0, clock_);
      look(std::min(next, std::max(now_, over)));
      look(next);
      const Due due = queue_.top();
      queue_.pop();
      now_ = due.at;
      due.act();
      look(now_);
    }
  }

  int grants = 0, handed = 0, believed = 0;
  Duration idle{};  // nobody owned, since the first did

 private:
  struct Person {
    SimbaContender contender;
    SkewedClock<SteadyTime> steady{};
    std::uint32_t life = 1;
    std::array<std::uint64_t, kContenderTimers> timers{};  // the armed one's number; 0 = none
    bool listens = false, paused = false;
    std::vector<std::function<void()>> kept{};  // until the pause is over
  };
  struct Due {
    TrueTime at;
    std::uint64_t order;
    std::function<void()> act;
    bool operator<(const Due& other) const { return at != other.at ? at > other.at : order > other.order; }
  };

  void at(Duration when, std::function<void()> act) { queue_.push({TrueTime{} + when, ++order_, std::move(act)}); }
  void after(Duration by, std::function<void()> act) { at(now_ - TrueTime{} + by, std::move(act)); }

  // What must hold whenever anybody looks.
  void look(TrueTime when) {
    settle([&](ServerSteps& out) { model_.wake(0, {clock_.at(when), when}, out); });
    bool owned = false;
    for (const Person& person : people_) {
      const SimbaContender& who = person.contender;
      if (who.config().behaviour == Behaviour::k4x || !who.owns(person.steady.at(when))) continue;
      owned = true;
      RC_ASSERT(model_.owner(0) == who.id());
      RC_ASSERT(who.token() <= holding_);
    }
    if (!owned && grants > 0) idle += when - looked_;
    looked_ = when;
  }

  // A packet's way; none where it is lost.
  std::optional<Duration> way() {
    if (dice_.below(100) < static_cast<std::uint64_t>(weather_.lost)) return std::nullopt;
    const bool late = dice_.below(100) < static_cast<std::uint64_t>(weather_.late);
    return Duration(100'000 + dice_.below(late ? 3'000'000'000 : 2'000'000));
  }

  void hand(int who, const Input& input) {
    Person& person = people_[static_cast<std::size_t>(who)];
    if (person.paused) return person.kept.push_back([=, this] { hand(who, input); });
    const Clocks clocks{WallTime(person.steady.at(now_).time_since_epoch()), person.steady.at(now_)};
    const bool owned = person.contender.believes();
    const bool stopping = person.contender.status() == Status::kStopping;
    for (const Effect& effect : person.contender.step(input, clocks)) {
      if (const auto* call = std::get_if<Send>(&effect)) send(who, call->request);
      if (const auto* armed = std::get_if<Arm>(&effect)) arm(who, armed->timer, armed->delay);
      if (const auto* disarmed = std::get_if<Disarm>(&effect))
        person.timers[static_cast<std::size_t>(disarmed->timer)] = 0;
    }
    if (!owned && person.contender.believes()) {
      ++believed;
      // Holds for a while, then gives it back; so that there is something to hand over.
      const std::uint32_t life = person.life;
      after(Duration(dice_.below(2'000'000'000)), [=, this] {
        Person& owner = people_[static_cast<std::size_t>(who)];
        if (owner.life == life && owner.contender.status() == Status::kRunning) hand(who, Stop{});
      });
    }
    if (stopping && person.contender.status() == Status::kInitial) again(who, Duration(dice_.below(1'000'000'000)));
  }

  void again(int who, Duration by) {
    after(by, [=, this] {
      if (people_[static_cast<std::size_t>(who)].contender.status() == Status::kInitial) hand(who, Start{});
    });
  }

  void arm(int who, Timer timer, Duration delay) {
    Person& person = people_[static_cast<std::size_t>(who)];
    const std::uint64_t number = person.timers[static_cast<std::size_t>(timer)] = ++armed_;
    const TrueTime due = std::max(now_, person.steady.when(person.steady.at(now_) + delay));
    queue_.push({due, ++order_, [=, this] { fire(who, timer, number); }});
  }
  void fire(int who, Timer timer, std::uint64_t number) {
    Person& person = people_[static_cast<std::size_t>(who)];
    std::uint64_t& armed = person.timers[static_cast<std::size_t>(timer)];
    if (armed != number) return;
    if (person.paused) return person.kept.push_back([=, this] { fire(who, timer, number); });
    armed = 0;
    hand(who, TimerFired{timer});
  }

  void send(int who, const Request& request) {
    Person& person = people_[static_cast<std::size_t>(who)];
    const std::uint32_t life = person.life;
    const ServerCall call{request, static_cast<NodeIndex>(who), life, 0, 0};
    if (is_of_channel(request.kind)) person.listens = model_.listen(call);
    const auto answered = std::make_shared<bool>(false);
    const auto reply = [=, this](const Reply& told) {
      if (std::exchange(*answered, true) || people_[static_cast<std::size_t>(who)].life != life) return;
      hand(who, told);
    };
    after(request.timeout, [=] {
      Reply unknown;
      unknown.begin(request);
      unknown.ending = Ending::kUnknown;
      reply(unknown);
    });
    const auto there = way();
    if (!there) return;
    after(*there, [=, this] {
      Reply told;
      settle([&](ServerSteps& out) {
        model_.take(call, {clock_.at(now_), now_}, out);
        for (const ServerStep& step : out)
          if (step.replies) told = step.reply;
      });
      if (const auto back = way()) after(*back, [=] { reply(told); });
    });
  }

  template <class Act>
  void settle(Act act) {
    ServerSteps steps;
    act(steps);
    for (const ServerStep& step : steps) {
      if (step.fact == ServerStep::Fact::kGranted) ++grants, holding_ = step.token;
      if (step.publishes) publish(step);
    }
  }
  void publish(const ServerStep& step) {
    for (const Subscriber& subscriber : model_.subscribers().of(0)) {
      const int who = static_cast<int>(subscriber.node);
      const Person& person = people_[subscriber.node];
      if (!person.listens || !subscriber.hears(step.channel)) continue;
      const auto there = way();
      if (!there) continue;
      if (step.message.kind == StoreEventKind::kHandedOver) ++handed;
      after(*there, [=, this, life = person.life, message = step.message] {
        if (people_[static_cast<std::size_t>(who)].life == life) hand(who, message);
      });
    }
  }

  void trouble() {
    after(Duration(dice_.below(400'000'000)), [this] { trouble(); });
    if (dice_.below(100) >= static_cast<std::uint64_t>(weather_.trouble)) return;
    const int who = static_cast<int>(dice_.below(people_.size()));
    Person& person = people_[static_cast<std::size_t>(who)];
    switch (dice_.below(3)) {
      case 0:
        if (person.paused) return;
        person.paused = true;
        return after(Duration(dice_.below(3'000'000'000)), [this, who] { wake_up(who); });
      case 1:
        if (person.contender.status() == Status::kRunning) hand(who, Stop{});
        return;
      default:
        ++person.life;
        person.timers = {};
        person.listens = person.paused = false;
        person.kept.clear();
        person.contender = person.contender.reborn(person.contender.id());
        return again(who, Duration(dice_.below(2'000'000'000)));
    }
  }
  void wake_up(int who) {
    Person& person = people_[static_cast<std::size_t>(who)];
    if (!std::exchange(person.paused, false)) return;
    for (const auto& kept : std::exchange(person.kept, {})) kept();
  }

  Weather weather_;
  RandomStream dice_;
  RedisModel model_;
  SkewedClock<ServerTime> clock_{Duration(100h), 0};
  std::vector<Person> people_;
  std::priority_queue<Due> queue_;
  TrueTime now_{}, looked_{};
  std::uint64_t order_ = 0, armed_ = 0;
  Token holding_ = kNoToken;
};

Weather drawn() {
  Weather out;
  out.seed = *rc::gen::arbitrary<std::uint64_t>();
  out.contenders = *rc::gen::inRange(2, 8);
  out.other_make = *rc::gen::arbitrary<bool>();
  out.ttl = milliseconds(*rc::gen::inRange(100, 4000));
  out.transition = milliseconds(*rc::gen::inRange(20, 2000));
  out.lost = *rc::gen::element(0, 1, 20);
  out.late = *rc::gen::element(0, 5, 40);
  out.trouble = *rc::gen::element(0, 20, 80);
  return out;
}

}  // namespace

void HandOverProperties::whoOwnsHoldsAtTheStore_data() {
  QTest::addColumn<WakeUp>("mode");
  QTest::newRow("hand-over") << WakeUp::kHandOver;
  QTest::newRow("queue") << WakeUp::kQueue;
  QTest::newRow("broadcast") << WakeUp::kBroadcast;
}

void HandOverProperties::whoOwnsHoldsAtTheStore() {
  QFETCH(WakeUp, mode);
  int handed = 0, believed = 0;
  QVERIFY(rc::check("who owns holds at the store", [&, mode] {
    Weather weather = drawn();
    weather.wake_up = mode;
    show(weather, RC_LOG());
    Town town(weather);
    town.live(60s);
    handed += town.handed;
    believed += town.believed;
    RC_ASSERT(town.grants > 0);
  }));
  QVERIFY(believed > 1000);
  QCOMPARE(handed > 100, mode == WakeUp::kHandOver);
}

// Nobody asks in between: the line goes on as fast as a message travels, 2 ms at most here; only where all have stopped
// at once, or one starts, nobody owns for longer.
void HandOverProperties::aCalmLineIsHandedOverWithoutAGap() {
  Weather weather;
  weather.contenders = 6;
  weather.ttl = 10s;
  weather.transition = 5s;
  Town town(weather);
  town.live(600s);
  QVERIFY(town.handed > 300);
  QVERIFY2(town.idle < 5ms * town.believed, qPrintable(QString::number(town.idle / 1us)));
}

LEASESCOPE_SUITE(HandOverProperties)
#include "hand_over_test.moc"
