// How a release wakes who waits, on a real Redis: the line of a hand-over, the queue, beside a client of 4.x typed by
// hand, and what a hand-off costs.
#include <hiredis/hiredis.h>

#include <map>
#include <set>

#include "core/contend/driver/driver.h"
#include "core/store/redis/scripts.h"
#include "tests/store/redis_fleet.h"
#include "tests/support/suite.h"

Q_DECLARE_METATYPE(leasescope::WakeUp)

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kGuard = RequestKind::kGuard;
constexpr RequestKind kRelease = RequestKind::kRelease;
constexpr RequestKind kSubscribe = RequestKind::kSubscribe;

constexpr const char* kLine = "simba:{orders}:line";
constexpr const char* kPlaceOfB = "simba:{orders}:place:0:2@b";

// What clients called, as MONITOR tells it: what scripts do in turn is left out.
class Calls {
 public:
  struct Call {
    double at = 0;     // s
    std::string what;  // "acquire", "guard", "release", else the command
    std::string id;
  };

  explicit Calls(int port) : context_(redisConnect("127.0.0.1", port)) {
    freeReplyObject(redisCommand(context_, "MONITOR"));
  }
  ~Calls() { redisFree(context_); }

  // All so far.
  const std::vector<Call>& take() {
    redisSetTimeout(context_, timeval{0, 20'000});
    for (void* reply = nullptr; redisGetReply(context_, &reply) == REDIS_OK && reply != nullptr;) {
      note(static_cast<redisReply*>(reply)->str);
      freeReplyObject(reply);
    }
    context_->err = 0;  // the time-out's
    return calls_;
  }

 private:
  void note(const std::string& line) {
    if (line.find(" lua] ") != std::string::npos) return;
    std::vector<std::string> words;
    for (std::size_t at = line.find('"'); at != std::string::npos; at = line.find('"', at + 1)) {
      const std::size_t begin = at + 1;
      for (at = begin; line[at] != '"'; ++at)
        if (line[at] == '\\') ++at;
      words.push_back(line.substr(begin, at - begin));
    }
    static const std::set<std::string> handshakes{"HELLO", "AUTH", "SELECT", "CLIENT", "MONITOR"};
    if (words.empty() || handshakes.count(words[0]) != 0) return;
    Call call{std::stod(line), words[0], {}};
    const redis::Scripts& all = redis::scripts(Wire::kTerm);
    if (words[0] == "EVALSHA" || words[0] == "EVAL") {
      const auto is = [&](const redis::Script& script) {
        return words[1] == script.sha1 || words[1].substr(0, 20) == script.text.substr(0, 20);
      };
      call.what = is(all.acquire) ? "acquire" : is(all.guard) ? "guard" : is(all.release) ? "release" : words[0];
      call.id = words[3 + std::stoul(words[2])];
    }
    calls_.push_back(call);
  }

  redisContext* context_;
  std::vector<Call> calls_;
};

// Contenders of the default behaviour, each with an adapter of its own.
class Hall final : public DriverHost {
 public:
  Hall(QtLoop& loop, PlainNames& names, const StoreUrl& url, WakeUp mode, std::size_t size)
      : loop_(loop), names_(names), url_(url) {
    for (std::size_t i = 0; i < size; ++i) {
      SimbaConfig config;
      config.id = names_.intern("0:" + std::to_string(i) + "@hall");
      config.mutex = names_.intern("orders");
      config.terms.ttl = milliseconds(20'000);
      config.terms.transition = milliseconds(10'000);
      config.wake_up = mode;
      DriverSetting setting;
      setting.name = config.id;
      setting.mutex = config.mutex;
      setting.contender = SimbaContender(config, RandomStream(i, "hall", "jitter"));
      drivers_.push_back(std::make_unique<Driver>(loop_, *this, setting));
    }
  }

  // One after another, so that each has its place.
  bool begin() {
    for (auto& driver : drivers_) {
      driver->connect_and_start();
      if (!waits_or_owns(*driver)) return false;
    }
    return true;
  }
  bool waits_or_owns(const Driver& driver) {
    return wait_until([&] { return driver.running() && (driver.believes() || told_[driver.name().handle]); },
                      milliseconds(3000));
  }
  Driver* owner() {
    for (auto& driver : drivers_)
      if (driver->believes()) return driver.get();
    return nullptr;
  }
  bool again(Driver& driver) {
    told_[driver.name().handle] = false;
    driver.start();
    return waits_or_owns(driver);
  }

  std::unique_ptr<Store> make_store(Driver&, StoreListener& listener) override {
    return tests::make_store(loop_, url_, StoreRoute{url_.endpoint, url_.endpoint}, names_, listener);
  }
  Sequence replied(Driver& driver, const Reply& reply, TrueTime, TrueTime) override {
    if (reply.kind == kAcquire && !reply.owner.empty()) told_[driver.name().handle] = true;
    return 0;
  }

 private:
  QtLoop& loop_;
  PlainNames& names_;
  StoreUrl url_;
  std::map<std::uint32_t, bool> told_;
  std::vector<std::unique_ptr<Driver>> drivers_;
};

}  // namespace

class RedisHandOverTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  std::unique_ptr<RedisFleet> fleet_;

  StoreUrl url() const { return fleet_->url(0); }
  std::string ask(const RedisFleet::Words& words) { return fleet_->ask(0, words); }
  std::string owner() { return ask({"GET", "simba:{orders}"}); }
  bool joins(Client& client, WakeUp mode = WakeUp::kHandOver) {
    client.wake_up = mode;
    return client.connects() && client.ask(kSubscribe, "orders").error.empty();
  }
  static const StoreEvent* granted(const Client& client) {
    for (const StoreEvent& event : client.events)
      if (event.kind == StoreEventKind::kHandedOver) return &event;
    return nullptr;
  }
  // As a 4.x client calls.
  std::string plain_acquires(const std::string& id) {
    return ask({"EVAL", redis::scripts(Wire::kFenced).acquire.text, "3", "simba:{orders}", "simba:{orders}:fence",
                "simba:{orders}:token", id, "5000"});
  }
  std::string plain_releases(const std::string& id) {
    return ask({"EVAL", redis::scripts(Wire::kFenced).release.text, "2", "simba:{orders}", "simba:{orders}:token", id});
  }

 private slots:
  void init() {
    fleet_ = std::make_unique<RedisFleet>();
    fleet_->add({});
    QVERIFY(fleet_->started());
  }
  void cleanup() { fleet_.reset(); }

  void aReleaseGrantsToTheNextAndTheMessageBearsTheToken() {
    Client a(loop_, names_, url(), "0:1@a"), b(loop_, names_, url(), "0:2@b"), c(loop_, names_, url(), "0:3@c");
    QVERIFY(joins(a) && joins(b) && joins(c));
    QCOMPARE(a.ask(kAcquire, "orders").reply.token, Token{1});
    const Told waits = b.ask(kAcquire, "orders", milliseconds(8000));
    QCOMPARE(waits.error, std::string());
    QCOMPARE(b.owner_in(waits), std::string("0:1@a"));
    QCOMPARE(waits.reply.number, std::uint64_t{1});
    QCOMPARE(waits.reply.answer, kComesFirst);
    QCOMPARE(c.ask(kAcquire, "orders").reply.answer, std::uint8_t{0});
    QCOMPARE(ask({"ZRANGE", kLine, "0", "-1"}), std::string("0:2@b 0:3@c"));
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(b.hears(StoreEventKind::kHandedOver, "0:2@b"));
    QCOMPARE(granted(b)->token, Token{2});
    QVERIFY(granted(c) == nullptr);
    QCOMPARE(owner(), std::string("0:2@b"));
    QCOMPARE(ask({"GET", "simba:{orders}:token"}), std::string("2"));
    // For a whole lease of its own from then on: its belief counts from before.
    QVERIFY(std::stoi(ask({"PTTL", "simba:{orders}"})) > 7000);
    QCOMPARE(ask({"ZRANGE", kLine, "0", "-1"}), std::string("0:3@c"));
    // The others hear of it by its first guard alone.
    b.term = 2;
    QVERIFY(!c.hears(StoreEventKind::kAcquired, "0:2@b", milliseconds(50)));
    QVERIFY(b.ask(kGuard, "orders").reply.done);
    QVERIFY(c.hears(StoreEventKind::kAcquired, "0:2@b"));
    c.events.clear();
    QVERIFY(b.ask(kGuard, "orders").reply.done);
    QVERIFY(!c.hears(StoreEventKind::kAcquired, "0:2@b", milliseconds(50)));
    QVERIFY(!c.hears(StoreEventKind::kReleased, "0:1@a", milliseconds(50)));
  }

  void aPlaceThatIsTooOldIsPassedOver() {
    Client a(loop_, names_, url(), "0:1@a"), b(loop_, names_, url(), "0:2@b"), c(loop_, names_, url(), "0:3@c");
    QVERIFY(joins(a) && joins(b) && joins(c));
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    b.ask(kAcquire, "orders");
    c.ask(kAcquire, "orders");
    ask({"DEL", kPlaceOfB});
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(c.hears(StoreEventKind::kHandedOver, "0:3@c"));
    QCOMPARE(owner(), std::string("0:3@c"));
    QCOMPARE(ask({"EXISTS", kLine, kPlaceOfB}), std::string("0"));
    // And who comes next to it is told so.
    b.ask(kAcquire, "orders");
    a.ask(kAcquire, "orders");
    ask({"DEL", kPlaceOfB});
    QCOMPARE(a.ask(kAcquire, "orders").reply.answer, kComesFirst);
  }

  void aGuardThatNamesNoTermLeavesTheLine() {
    Client a(loop_, names_, url(), "0:1@a"), b(loop_, names_, url(), "0:2@b");
    QVERIFY(joins(a) && joins(b));
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    b.ask(kAcquire, "orders");
    QCOMPARE(b.owner_in(b.ask(kGuard, "orders")), std::string("0:1@a"));
    QCOMPARE(ask({"EXISTS", kLine, kPlaceOfB}), std::string("0"));
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(b.hears(StoreEventKind::kReleased, "0:1@a"));
    QCOMPARE(owner(), std::string());
  }

  void nothingOfTheLineRemains() {
    Client a(loop_, names_, url(), "0:1@a"), b(loop_, names_, url(), "0:2@b");
    QVERIFY(joins(a) && joins(b));
    QVERIFY(a.ask(kAcquire, "orders", milliseconds(300)).reply.done);
    b.ask(kAcquire, "orders");
    for (const char* key : {kLine, kPlaceOfB}) {
      const int life = std::stoi(ask({"PTTL", key}));
      QVERIFY(life > 0 && life <= 3000);
    }
    QVERIFY(wait_until([&] { return b.ask(kAcquire, "orders").reply.done; }, milliseconds(3000)));
    QCOMPARE(ask({"EXISTS", kLine, kPlaceOfB}), std::string("0"));
  }

  // A fence counter that is broken grants nothing: all are told, as ever.
  void withABrokenCounterTheReleaseStillFrees() {
    Client a(loop_, names_, url(), "0:1@a"), b(loop_, names_, url(), "0:2@b");
    QVERIFY(joins(a) && joins(b));
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    b.ask(kAcquire, "orders");
    ask({"SET", "simba:{orders}:fence", "9007199254740991"});
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(b.hears(StoreEventKind::kReleased, "0:1@a"));
    QCOMPARE(owner(), std::string());
  }

  void aPlainClientIsShutOutAndWokenWhereNobodyIsInTheLine() {
    Client a(loop_, names_, url(), "0:1@a"), b(loop_, names_, url(), "0:2@b");
    Client plain(loop_, names_, url(), "9:9@plain");  // hears what a 4.x client hears
    QVERIFY(joins(a) && joins(b) && joins(plain, WakeUp::kBroadcast));
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    QVERIFY(plain_acquires("9:9@plain").rfind("0:1@a ", 0) == 0);
    b.ask(kAcquire, "orders");
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(b.hears(StoreEventKind::kHandedOver, "0:2@b"));
    b.term = 2;
    QVERIFY(b.ask(kGuard, "orders").reply.done);
    QVERIFY(plain.hears(StoreEventKind::kAcquired, "0:2@b"));
    QVERIFY(plain_acquires("9:9@plain").rfind("0:2@b ", 0) == 0);
    QCOMPARE(plain_releases("9:9@plain"), std::string("0"));
    QVERIFY(b.ask(kRelease, "orders").reply.done);
    QVERIFY(plain.hears(StoreEventKind::kReleased, "0:2@b"));
    QCOMPARE(plain_acquires("9:9@plain"), std::string("9:9@plain 5000 3"));
    // And the other way round: its release tells all of ours, and grants nothing.
    QCOMPARE(b.owner_in(b.ask(kAcquire, "orders")), std::string("9:9@plain"));
    QCOMPARE(plain_releases("9:9@plain"), std::string("1"));
    QVERIFY(b.hears(StoreEventKind::kReleased, "9:9@plain"));
    QCOMPARE(b.ask(kAcquire, "orders").reply.token, Token{4});
  }

  void aSubscriptionToBothChannelsSurvivesABreak() {
    Client a(loop_, names_, url(), "0:1@a"), b(loop_, names_, url(), "0:2@b");
    QVERIFY(joins(a) && joins(b));
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    ask({"CLIENT", "KILL", "TYPE", "pubsub"});
    QVERIFY(wait_until([&] { return !b.reasons.empty(); }, milliseconds(2000)));
    QVERIFY(fleet_->comes_to_say(0, {"PUBSUB", "NUMSUB", "simba:{orders}:0:2@b"}, "0:2@b 1", milliseconds(3000)));
    QVERIFY(wait_until([&] { return b.connected() && a.connected(); }, milliseconds(3000)));
    b.ask(kAcquire, "orders");
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(b.hears(StoreEventKind::kHandedOver, "0:2@b"));
  }

  void whatIsNoGrantIsNotTakenForOne() {
    Client a(loop_, names_, url(), "0:1@a");
    QVERIFY(joins(a));
    for (const char* message :
         {"granted@@", "granted@@0", "granted@@x", "granted@@-1", "granted@@1@@2", "granted@@99999999999999999999"})
      ask({"PUBLISH", "simba:{orders}:0:1@a", message});
    ask({"PUBLISH", "simba:{orders}", "granted@@7"});  // not on its own channel
    ask({"PUBLISH", "simba:{orders}:0:1@a", "released@@x"});
    QVERIFY(a.hears(StoreEventKind::kReleased, "x"));
    QCOMPARE(a.events.size(), std::size_t{1});
  }

  void inAQueueOnlyTheFirstIsTold() {
    Client a(loop_, names_, url(), "0:1@a"), b(loop_, names_, url(), "0:2@b"), c(loop_, names_, url(), "0:3@c");
    for (Client* each : {&a, &b, &c}) QVERIFY(joins(*each, WakeUp::kQueue));
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    QCOMPARE(b.ask(kAcquire, "orders").reply.answer, kComesFirst);
    QCOMPARE(c.ask(kAcquire, "orders").reply.answer, std::uint8_t{0});
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(b.hears(StoreEventKind::kReleased, "0:1@a"));
    QVERIFY(!c.hears(StoreEventKind::kReleased, "0:1@a", milliseconds(50)));
    QVERIFY(b.ask(kAcquire, "orders").reply.done);
    QVERIFY(b.ask(kRelease, "orders").reply.done);
    QVERIFY(c.hears(StoreEventKind::kReleased, "0:2@b"));
  }

  void theRightsItNeedsAreNamed() {
    ask({"ACL", "SETUSER", "me", "reset", "on", ">pw"});
    StoreUrl me = url();
    me.user = "me";
    me.password = "pw";
    me.wake_up = WakeUp::kHandOver;
    const auto looked = probe(me, {"orders"});
    QVERIFY(!looked);
    std::vector<std::string> rule;
    for (const QString& word :
         QString::fromStdString(looked.error().substr(looked.error().find("ACL SETUSER"))).split(' '))
      rule.push_back(word.toStdString());
    QCOMPARE(ask(rule), std::string("OK"));
    const auto again = probe(me, {"orders"});
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    QCOMPARE(ask({"KEYS", "*"}), std::string());
    Client a(loop_, names_, me, "0:1@a"), b(loop_, names_, me, "0:2@b");
    QVERIFY(joins(a) && joins(b));
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    QCOMPARE(b.ask(kAcquire, "orders").error, std::string());
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(b.hears(StoreEventKind::kHandedOver, "0:2@b"));
    ask({"ACL", "SETUSER", "me", "-exists"});
    QVERIFY(!probe(me, {"orders"}));
  }

  void commandsAHandOff_data() {
    QTest::addColumn<WakeUp>("mode");
    QTest::addColumn<int>("waiters");
    QTest::addColumn<int>("most");
    for (const int waiters : {2, 10, 50}) {
      const auto row = [&](WakeUp mode, int most) {
        QTest::addRow("%s, %d waiters", text(mode).data(), waiters) << mode << waiters << most;
      };
      row(WakeUp::kHandOver, 4);
      row(WakeUp::kQueue, 5);
      row(WakeUp::kBroadcast, waiters + 4);
    }
  }
  // From the release to the next owner's being settled, what each calls that has to do with it.
  void commandsAHandOff() {
    QFETCH(WakeUp, mode);
    QFETCH(int, waiters);
    QFETCH(int, most);
    constexpr int kTimes = 5;
    Hall hall(loop_, names_, url(), mode, static_cast<std::size_t>(waiters) + 1);
    Calls calls(fleet_->port(0));
    QVERIFY(hall.begin());
    int total = 0;
    for (int i = 0; i < kTimes; ++i) {
      Driver* const before = hall.owner();
      QVERIFY(before != nullptr);
      const std::size_t from = calls.take().size();
      before->stop();
      QVERIFY(wait_until([&] { return hall.owner() != nullptr && hall.owner() != before; }, milliseconds(3000)));
      QVERIFY(wait_until([&] { return before->status() == Status::kInitial; }, milliseconds(3000)));
      total += counted(calls, from, mode, waiters);
      QVERIFY(hall.again(*before));
    }
    qInfo("%s, %d waiters: %.1f commands a hand-off", text(mode).data(), waiters, total / double(kTimes));
    QVERIFY2(total <= most * kTimes, qPrintable(QString::number(total)));
    if (mode == WakeUp::kBroadcast) QVERIFY(total >= waiters * kTimes);
  }

 private:
  // Waits until all that are woken have asked; refreshes of places are apart: a second after one's last.
  int counted(Calls& calls, std::size_t from, WakeUp mode, int waiters) {
    const auto of = [&](const char* what) {
      const auto& all = calls.take();
      return std::count_if(all.begin() + static_cast<std::ptrdiff_t>(from), all.end(),
                           [&](const Calls::Call& call) { return call.what == what; });
    };
    const char* const last = mode == WakeUp::kHandOver ? "guard" : "acquire";
    const int expected = mode == WakeUp::kBroadcast ? waiters : 1;
    if (!wait_until([&] { return of(last) >= expected; }, milliseconds(3000))) return 1'000'000;
    std::map<std::string, double> asked;
    int out = 0;
    std::size_t place = 0;
    for (const Calls::Call& call : calls.take()) {
      const bool acquires = call.what == "acquire";
      const bool refresh =
          mode == WakeUp::kHandOver && acquires && asked.count(call.id) != 0 && call.at - asked[call.id] > 0.9;
      if (acquires) asked[call.id] = call.at;
      if (place++ >= from && !refresh) ++out;
    }
    return out;
  }
};

LEASESCOPE_SUITE(RedisHandOverTest)
#include "redis_hand_over_test.moc"
