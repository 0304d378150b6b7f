// One suite of behaviour for every store and every lock system: what a contender does when it is started, stopped,
// crashed, cut off or out-waited, in virtual time on its system's model and on every live store that carries it. After
// Simba's own compatibility kit (start, restart, guard, multiContend), and beyond. A few seconds each here;
// tests/behaviour_campaign for long ones, again and again.
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "core/store/types/types.h"
#include "simulator/live/private_server.h"
#include "simulator/run/virtual_run.h"
#include "simulator/scenario/reader.h"
#include "tests/live/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

// By what, on what.
struct Setup {
  std::string system;
  std::string model;
  const StoreType* store = nullptr;  // null: the model alone
  std::string more;                  // of the scenario, for its system

  bool leases() const { return system == "simba"; }
  // Who holds by a session or a connection that it does not look after learns of its loss by its next call alone.
  bool is_told_of_loss() const { return system != "advisory" && system != "fenced"; }
  // Disconnected is told a tenth of a second late: for so long two may lead when the server ends a session
  // (core/latch).
  Duration most_overlap() const { return system == "latch" ? Duration(milliseconds(150)) : Duration::zero(); }
  // What a server that is killed held is gone: keys in memory, or locks of its connections.
  bool forgets() const { return (store != nullptr && leases() && store->model == "redis") || system == "advisory"; }
  bool tells() const { return store == nullptr || store->tells; }
  Duration ttl() const { return leases() ? seconds(1) : seconds(2); }
  Duration lease() const { return leases() ? ttl() + milliseconds(500) : ttl(); }
  std::string name() const {
    return system + (store == nullptr ? " on the model of " + model : fmt::format(" on {}", store->name()));
  }
};

std::string system_of(Family family) {
  std::string out;
  each_system([&]<class Terms>(std::type_identity<Terms>) {
    if (Terms::kFamily == family) out = Terms::kSystem;
  });
  return out;
}

// Which model stands for that store where it answers calls of that family.
std::string model_of(const StoreType& type, Family family) {
  return family == type.first_family() ? std::string(type.model) : std::string(models_for(family).front());
}

// The quorum lock is not among them: those who wait steal from who holds, by their priorities (core/quorum).
std::vector<Setup> all_setups() {
  std::vector<Setup> out{{"simba", "redis"}, {"simba", "sql"},    {"latch", "zookeeper"},
                         {"fenced", "cp"},   {"cas", "register"}, {"advisory", "backends"}};
  for (const StoreType* type : store_types())
    for (const Family family : type->families)
      if (family != Family::kQuorum) out.push_back({system_of(family), model_of(*type, family), type});
  out[1].more = "[store.sql]\npool = 10\n";
  return out;
}

std::string in_ms(Duration d) { return fmt::format("\"{}ms\"", d / milliseconds(1)); }

// A row of the plan.
std::string fault(Duration at, const char* kind, const char* target, Duration lasts = Duration::zero()) {
  std::string out = fmt::format("[[fault]]\nat = {}\nkind = \"{}\"\ntarget = \"{}\"\n", in_ms(at), kind, target);
  if (lasts > Duration::zero()) out += fmt::format("duration = {}\n", in_ms(lasts));
  return out;
}

struct Belief {
  Name who;
  Token token = kNoToken;
  TrueTime from{};
  TrueTime to = TrueTime::max();
};

std::vector<Belief> beliefs_in(const History& history) {
  std::vector<Belief> out;
  for (const Event& event : history.events) {
    if (event.kind == EventKind::kBelieved) out.push_back({event.node, event.token, event.at()});
    if (event.kind != EventKind::kDisbelieved) continue;
    for (Belief& belief : out)
      if (belief.who == event.node && belief.to == TrueTime::max()) belief.to = event.at();
  }
  return out;
}

int believers_at_the_end(const History& history) {
  int out = 0;
  for (const Belief& belief : beliefs_in(history)) out += belief.to == TrueTime::max();
  return out;
}

TrueTime at(Duration since_start) { return TrueTime{} + since_start; }

constexpr milliseconds kCut{2000};      // when something happens to the owner
constexpr milliseconds kLongest{1300};  // that a waiter may come after the end of a lease: its jitter, and its way

}  // namespace

class BehaviourTest : public QObject {
  Q_OBJECT

  struct Case {
    int contenders = 1;
    Duration length{};
    std::string plan;
    bool own_server = false;  // something is done to it
  };
  using Make = Case (*)(const Setup&);

  std::vector<Setup> setups_ = all_setups();
  std::map<std::string, Make> cases_;
  std::map<const StoreType*, std::unique_ptr<PrivateServer>> servers_;
  Runs live_;
  std::map<std::string, std::unique_ptr<VirtualRun>> virtual_;
  const History* history_ = nullptr;
  Setup setup_;

  static Duration time_of_many() {
    const int asked = qEnvironmentVariableIntValue("LEASESCOPE_MULTI_CONTEND_SECONDS");
    return seconds(asked > 0 ? asked : 6);
  }
  static int kills() {
    const int asked = qEnvironmentVariableIntValue("LEASESCOPE_KILLS");
    return asked > 0 ? asked : 2;
  }
  static Duration kill_at(int which) { return seconds(2 + 6 * which); }
  void make_cases() {
    cases_["warm up"] = [](const Setup&) { return Case{10, seconds(1), "", false}; };
    cases_["start"] = [](const Setup&) { return Case{1, seconds(4), fault(kCut, "stop", "c"), false}; };
    cases_["restart"] = [](const Setup&) {
      return Case{1, seconds(6), fault(kCut, "stop", "c") + fault(kCut + milliseconds(500), "start", "c"), false};
    };
    cases_["guard"] = [](const Setup&) { return Case{1, seconds(5), "", false}; };
    cases_["many"] = [](const Setup&) { return Case{10, time_of_many(), "", false}; };
    cases_["stop"] = [](const Setup& on) {
      return Case{3, kCut + on.lease() + seconds(3), fault(kCut, "stop", "owner"), false};
    };
    cases_["crash"] = [](const Setup& on) {
      return Case{3, kCut + on.lease() + seconds(3), fault(kCut, "crash", "owner"), false};
    };
    cases_["cut off"] = [](const Setup& on) {
      return Case{3, kCut + 3 * on.lease() + seconds(2), fault(kCut, "partition", "owner", 2 * on.lease() + seconds(1)),
                  false};
    };
    cases_["unheard"] = [](const Setup& on) {
      return Case{3, kCut + on.lease() + seconds(3),
                  fault(milliseconds(1), "lost_notification", "all", kCut + on.lease() + seconds(2)) +
                      fault(kCut, "stop", "owner"),
                  false};
    };
    cases_["killed"] = [](const Setup&) {
      Case out{20, kill_at(kills()) + seconds(1), "", true};
      for (int i = 0; i < kills(); ++i) out.plan += fault(kill_at(i), "store_crash", "store", seconds(1));
      return out;
    };
  }
  Scenario scenario_of(const std::string& name, const Setup& on) const {
    const Case what = cases_.at(name)(on);
    std::string text =
        fmt::format("schema = 1\ntitle = \"{}\"\nduration = {}\n[mutex]\nname = \"{} {}\"\nsystem = \"{}\"\n", name,
                    in_ms(what.length), name, on.system, on.system);
    text += fmt::format("ttl = {}\n", in_ms(on.ttl()));
    if (on.leases()) text += "transition = \"500ms\"\n";
    text += fmt::format("[store]\nmodel = \"{}\"\n{}", on.model, on.more);
    text += fmt::format("[[contender]]\nname = \"c\"\ncount = {}\n[[resource]]\nname = \"ledger\"\n", what.contenders);
    const auto read = read_scenario(text + what.plan, name);
    if (!read) throw std::runtime_error(read.error().text() + "\n" + text + what.plan);
    Scenario out = *read;
    out.mutex.named = true;  // beside the others on one server
    return out;
  }
  // A JVM compiles what it does in its first seconds, and answers late meanwhile; what is judged comes after them.
  void warm_up() {
    Runs runs;
    for (const Setup& on : setups_)
      if (on.store != nullptr)
        QVERIFY2(runs.add(key("warm up", on), scenario_of("warm up", on), printable(servers_[on.store]->url())),
                 runs.error.c_str());
    QVERIFY(runs.play(milliseconds(seconds(30))));
  }
  static std::string key(const std::string& name, const Setup& on) { return name + ", " + on.name(); }

  // The rows of a test are its setups.
  void rows(const std::string& name) {
    QTest::addColumn<std::size_t>("setup");
    for (std::size_t i = 0; i < setups_.size(); ++i)
      if (name != "unheard" || (setups_[i].tells() && setups_[i].leases()))
        QTest::newRow(setups_[i].name().c_str()) << i;
  }
  // Takes this row's run; all have been played.
  void take(const std::string& name) {
    QFETCH(std::size_t, setup);
    setup_ = setups_[setup];
    const std::string of = key(name, setup_);
    if (setup_.store != nullptr) {
      history_ = &live_.at(of).history();
      return;
    }
    auto& run = virtual_[of];
    run = std::make_unique<VirtualRun>(scenario_of(name, setup_));
    run->advance(TrueTime::max());
    run->finish();
    history_ = &run->history();
  }
  std::vector<Belief> beliefs() const { return beliefs_in(*history_); }
  void nothing_unsafe() const {
    QCOMPARE(history_->summary.double_grants, std::uint64_t{0});
    QCOMPARE(history_->summary.belief_overlap.count(), std::int64_t{0});
    QCOMPARE(history_->summary.stale_writes_accepted, std::uint64_t{0});
    QCOMPARE(history_->summary.fence_regressions, std::uint64_t{0});
  }
  // The one who owned first, and whoever owned next: somebody else, by a higher token, when that was over.
  void check_next(TrueTime not_later_than) const {
    const auto all = beliefs();
    QVERIFY(all.size() >= 2);
    const auto next = std::find_if(all.begin(), all.end(), [&](const Belief& each) { return each.who != all[0].who; });
    QVERIFY(next != all.end());
    QVERIFY2(next->from <= not_later_than,
             fmt::format("it owned at {} ns", next->from.time_since_epoch().count()).c_str());
    if (all[0].token != kNoToken) QVERIFY(next->token > all[0].token);
  }

 private slots:
  void initTestCase() {
    make_cases();
    for (const Setup& on : setups_) {
      if (on.store == nullptr) continue;
      if (servers_[on.store] == nullptr) {
        servers_[on.store] = std::make_unique<PrivateServer>(*on.store);
        const auto started = servers_[on.store]->start();
        QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
      }
    }
    warm_up();
    for (const Setup& on : setups_) {
      if (on.store == nullptr) continue;
      const std::string shared = printable(servers_[on.store]->url());
      for (const auto& [name, make] : cases_) {
        if (name == "warm up" || (name == "unheard" && (!on.tells() || !on.leases()))) continue;
        const std::string store = make(on).own_server ? std::string(on.store->name()) : shared;
        QVERIFY2(live_.add(key(name, on), scenario_of(name, on), store) != nullptr, live_.error.c_str());
      }
    }
    const Duration longest = std::max(time_of_many(), kill_at(kills()) + seconds(1));
    QVERIFY(live_.play(std::chrono::duration_cast<milliseconds>(longest + seconds(30))));
  }

  void whatIsStartedOwnsAndWhatIsStoppedOwnsNoMore_data() { rows("start"); }
  void whatIsStartedOwnsAndWhatIsStoppedOwnsNoMore() {
    take("start");
    const auto all = beliefs();
    QCOMPARE(all.size(), std::size_t{1});
    // How fast a live server answers is no matter of behaviour: a JVM is slow in its first seconds.
    QVERIFY(all[0].from < at(setup_.store == nullptr ? Duration(seconds(1)) : kCut));
    QVERIFY(all[0].to >= at(kCut) && all[0].to < at(kCut + milliseconds(500)));
    QCOMPARE(of_kind(*history_, EventKind::kStopped).size(), std::size_t{1});
    QVERIFY(of_kind(*history_, EventKind::kExpired).empty());
    nothing_unsafe();
  }
  void whatIsStartedAnewOwnsAnew_data() { rows("restart"); }
  void whatIsStartedAnewOwnsAnew() {
    take("restart");
    const auto all = beliefs();
    QCOMPARE(all.size(), std::size_t{2});
    QVERIFY(all[1].from > at(kCut + milliseconds(499)) && all[1].from < at(kCut + seconds(2)));
    if (all[0].token != kNoToken) QVERIFY(all[1].token > all[0].token);
    QCOMPARE(believers_at_the_end(*history_), 1);
    nothing_unsafe();
  }
  void anOwnerKeepsWhatItOwns_data() { rows("guard"); }
  void anOwnerKeepsWhatItOwns() {
    take("guard");
    QCOMPARE(beliefs().size(), std::size_t{1});
    QCOMPARE(believers_at_the_end(*history_), 1);
    nothing_unsafe();
  }
  void ofManyOneOwns_data() { rows("many"); }
  void ofManyOneOwns() {
    take("many");
    QCOMPARE(history_->summary.contenders, std::uint64_t{10});
    QCOMPARE(history_->summary.acquisitions, std::uint64_t{1});
    QCOMPARE(beliefs().size(), std::size_t{1});
    QCOMPARE(believers_at_the_end(*history_), 1);
    nothing_unsafe();
  }
  void anOwnerThatStopsHandsOver_data() { rows("stop"); }
  void anOwnerThatStopsHandsOver() {
    take("stop");
    const Duration most = setup_.tells() ? Duration(milliseconds(600)) : setup_.lease() + kLongest;
    check_next(at(kCut + most));
    nothing_unsafe();
  }
  void anOwnerThatDiesIsFollowedOnceItsLeaseIsOver_data() { rows("crash"); }
  void anOwnerThatDiesIsFollowedOnceItsLeaseIsOver() {
    take("crash");
    check_next(at(kCut + setup_.lease() + kLongest));
    nothing_unsafe();
  }
  void anOwnerThatIsCutOffStepsDownBeforeTheNextOwns_data() { rows("cut off"); }
  void anOwnerThatIsCutOffStepsDownBeforeTheNextOwns() {
    take("cut off");
    const auto all = beliefs();
    QVERIFY(!all.empty());
    if (!setup_.is_told_of_loss()) return;
    QVERIFY(all[0].to < at(kCut + setup_.lease() + milliseconds(400)));
    check_next(at(kCut + 2 * setup_.lease() + kLongest));
    nothing_unsafe();
  }
  void whoHearsNothingComesByItsTimer_data() { rows("unheard"); }
  void whoHearsNothingComesByItsTimer() {
    take("unheard");
    check_next(at(kCut + setup_.lease() + kLongest));
    // It may come the moment the owner stops: timers do. But not for a message: nobody got one.
    int lost = 0;
    for (const Event& event : of_kind(*history_, EventKind::kNotification)) {
      if (event.at() < at(kCut)) continue;
      QVERIFY(static_cast<NotificationStep>(event.detail) != NotificationStep::kReceived);
      lost += static_cast<NotificationStep>(event.detail) == NotificationStep::kLost;
    }
    QVERIFY(lost > 0);
    nothing_unsafe();
  }
  void aServerThatIsKilledAndComesBackIsContendedForAgain_data() { rows("killed"); }
  void aServerThatIsKilledAndComesBackIsContendedForAgain() {
    take("killed");
    if (setup_.is_told_of_loss()) QCOMPARE(believers_at_the_end(*history_), 1);
    for (int i = 0; i < kills(); ++i) {
      const TrueTime back = at(kill_at(i) + seconds(1));
      const bool held = std::any_of(history_->events.begin(), history_->events.end(), [&](const Event& event) {
        return (event.kind == EventKind::kGranted || event.kind == EventKind::kRenewed) && event.at() > back &&
               event.at() < back + seconds(5);
      });
      if (setup_.is_told_of_loss()) QVERIFY2(held, fmt::format("after kill {} nobody owned within 5 s", i + 1).c_str());
    }
    // What a server forgets it may grant twice; and nothing else may be.
    if (!setup_.forgets() && setup_.is_told_of_loss())
      QVERIFY(history_->summary.belief_overlap <= setup_.most_overlap());
    QVERIFY(history_->summary.double_grants <= static_cast<std::uint64_t>(setup_.forgets() ? kills() : 0));
    qInfo("%d kills: %d grants, %d of them double", kills(), static_cast<int>(history_->summary.acquisitions),
          static_cast<int>(history_->summary.double_grants));
  }
};

LEASESCOPE_SUITE(BehaviourTest)
#include "behaviour_test.moc"
