// The classes of the client library, in one process, on every store.
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <atomic>
#include <optional>
#include <thread>

#include "core/contend/client/leasescope.h"
#include "core/contend/client/next_beginning.h"
#include "core/observe/belief.h"
#include "core/store/redis/asker.h"
#include "simulator/live/private_server.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace leasescope::client;
using std::chrono::milliseconds;

namespace {

Terms short_terms() {
  Terms terms;
  terms.ttl = milliseconds(1000);
  terms.transition = milliseconds(600);
  terms.timeout = milliseconds(300);
  return terms;
}

bool soon(const std::function<bool()>& what, int ms = 8000) { return QTest::qWaitFor(what, ms); }

// A socket of datagrams, as whoever watches makes one.
class Listener {
 public:
  explicit Listener(std::string path) : path_(std::move(path)) {
    const int made = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
      descriptor_ = made;
    else
      ::close(made);
  }
  ~Listener() { ::close(descriptor_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  // The next message of that kind, whatever comes before it; none: none has come in five seconds.
  std::optional<Belief> hear(Belief::What what) const {
    for (QElapsedTimer since = started(); since.elapsed() < 5000;) {
      pollfd waits{descriptor_, POLLIN, 0};
      if (::poll(&waits, 1, 100) <= 0) continue;
      std::string text(kMostBelief, '\0');
      const auto came = ::recv(descriptor_, text.data(), text.size(), 0);
      if (came <= 0) continue;
      text.resize(static_cast<std::size_t>(came));
      if (const auto belief = parse_belief(text); belief && belief->what == what) return *belief;
    }
    return {};
  }

 private:
  static QElapsedTimer started() {
    QElapsedTimer timer;
    timer.start();
    return timer;
  }

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace

class ClientTest : public QObject {
  Q_OBJECT

  std::unique_ptr<PrivateServer> server_;
  std::unique_ptr<Client> client_;

  void serve(const StoreType& type, const std::string& options = "") {
    client_.reset();
    server_ = std::make_unique<PrivateServer>(type);
    const auto started = server_->start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    auto client = Client::open(printable(server_->url()) + options);
    QVERIFY2(client.has_value(), client ? "" : client.error().c_str());
    client_ = std::make_unique<Client>(*client);
  }

 private slots:
  void init() { serve(*find_store_type("redis")); }
  void cleanup() {
    client_.reset();
    server_.reset();
  }

  void aLockKeepsOthersOutUntilItIsGivenBack_data() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : store_types()) QTest::newRow(type->name().data()) << true;
  }
  void aLockKeepsOthersOutUntilItIsGivenBack() {
    if (this_store().name() != "redis") serve(this_store());
    Terms terms = short_terms();
    if (!this_store().carries(Family::kLease)) terms.ttl = milliseconds(4000);
    auto mine = client_->locker("orders", terms), theirs = client_->locker("orders", terms);
    auto first = mine->acquire();
    QVERIFY(first.has_value());
    QVERIFY(first->owns());
    QVERIFY(first->term().fence > 0);
    const auto now = theirs->acquire(milliseconds(0));
    QVERIFY(!now.has_value());
    QVERIFY(now.error().why == NotLocked::Why::kTimeout);
    QVERIFY2(now.error().message.rfind("orders is held by ", 0) == 0, now.error().message.c_str());
    const auto later = theirs->acquire(milliseconds(2500));  // longer than a lease: it is renewed
    QVERIFY(!later.has_value());
    QVERIFY(first->owns());
    QVERIFY(first->release());
    QVERIFY(!first->owns());
    QVERIFY(!first->release());
    auto second = theirs->acquire(std::chrono::seconds(8));
    QVERIFY2(second.has_value(), second ? "" : second.error().message.c_str());
    QVERIFY(second->term().fence > first->term().fence);
  }
  void aLockerIsNotReEntrant() {
    auto locker = client_->locker("orders", short_terms());
    const auto held = locker->acquire();
    QVERIFY(held.has_value());
    const auto again = locker->acquire(milliseconds(50));
    QVERIFY(!again.has_value());
    QVERIFY(again.error().why == NotLocked::Why::kHeld);
  }
  void aLockThatGoesOutOfScopeIsGivenBack() {
    auto locker = client_->locker("orders", short_terms());
    for (std::uint64_t fence = 1; fence <= 3; ++fence) {
      const auto lock = locker->acquire(milliseconds(500));
      QVERIFY(lock.has_value());
      QCOMPARE(lock->term().fence, fence);
    }
  }
  void manyThreadsNeverWorkAtOnce_data() {
    QTest::addColumn<QString>("options");
    QTest::newRow("own lines") << "";
    QTest::newRow("shared lines") << "?lines=shared";
  }
  void manyThreadsNeverWorkAtOnce() {
    QFETCH(QString, options);
    if (!options.isEmpty()) serve(*find_store_type("redis"), options.toStdString());
    std::atomic<int> inside = 0, most = 0, turns = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        auto locker = client_->locker("orders", short_terms());
        for (int turn = 0; turn < 5; ++turn) {
          const auto lock = locker->acquire(std::chrono::seconds(20));
          if (!lock) return;
          most = std::max<int>(most, ++inside);
          std::this_thread::sleep_for(milliseconds(2));
          --inside;
          ++turns;
        }
      });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(most.load(), 1);
    QCOMPARE(turns.load(), 40);
  }
  // Two for all of them, and the one that asks.
  void whereLinesAreSharedManyContendersHaveTwoConnections() {
    serve(*find_store_type("redis"), "?lines=shared");
    std::atomic<int> owned = 0;
    Callbacks callbacks;
    callbacks.on_acquired = [&](const Term&) { ++owned; };
    std::vector<Contender> all;
    for (int i = 0; i < 60; ++i) {
      all.push_back(std::move(*client_->contender("m" + std::to_string(i % 20), callbacks, short_terms())));
      all.back().start();
    }
    QVERIFY(soon([&] { return owned == 20; }));
    redis::Asker server(milliseconds(2000));
    QVERIFY(server.connect(server_->url()).has_value());
    // The server comes to the end of the looks' connections when it comes to it.
    const auto two_and_this = [&] {
      const auto said = server.ask({"INFO", "clients"});
      return said && said->text.find("connected_clients:3\r") != std::string::npos;
    };
    QVERIFY2(soon(two_and_this), server.ask({"CLIENT", "LIST"})->text.c_str());
    QTest::qWait(3000);  // two leases: all are renewed
    QCOMPARE(owned.load(), 20);
    for (Contender& each : all) each.stop();
  }
  void whoLosesALockIsTold() {
    auto locker = client_->locker("orders", short_terms());
    std::atomic<int> lost = 0;
    locker->on_lost([&](const Term& term) { lost += static_cast<int>(term.fence); });
    auto lock = locker->acquire();
    QVERIFY(lock.has_value());
    QElapsedTimer since;
    since.start();
    server_->kill();
    QVERIFY(soon([&] { return !lock->owns(); }, 3000));
    QVERIFY2(since.elapsed() < 1700, "no later than the lease ends");
    QVERIFY(soon([&] { return lost == 1; }, 1000));
    QVERIFY(!lock->release());
    const auto none = locker->acquire(milliseconds(200));
    QVERIFY(!none.has_value());
    QVERIFY2(none.error().message.find("orders could not be locked: ") == 0, none.error().message.c_str());
  }
  void aContenderOwnsLosesAndOwnsAgain() {
    std::atomic<int> acquired = 0, released = 0;
    std::atomic<bool> lost = false;
    Callbacks callbacks;
    callbacks.on_acquired = [&](const Term&) { ++acquired; };
    callbacks.on_released = [&](const Term&, End end) {
      ++released;
      lost = end != End::kStopped;
    };
    auto contender = client_->contender("orders", callbacks, short_terms());
    contender->start();
    QVERIFY(soon([&] { return acquired == 1; }));
    QVERIFY(contender->owns());
    QCOMPARE(contender->other(), contender->id());
    server_->kill();
    QVERIFY(soon([&] { return released == 1; }, 3000));
    QVERIFY(lost);
    QVERIFY(!contender->owns());
    QVERIFY(!contender->trouble().empty());
    QVERIFY(server_->start_again().has_value());
    QVERIFY(soon([&] { return acquired == 2; }, 5000));
    contender->stop();
    QCOMPARE(released.load(), 2);
    QVERIFY(!lost);
    contender->start();
    QVERIFY(soon([&] { return acquired == 3; }));
  }
  // As a datagram each, to a socket of this machine; nobody has to answer.
  void whatItBelievesIsToldToASocket() {
    QTemporaryDir folder;
    const Listener listener(folder.filePath("beliefs").toStdString());
    QVERIFY(listener.descriptor() >= 0);
    const auto told = client_->tell_beliefs("unix:" + listener.path());
    QVERIFY2(told.has_value(), told ? "" : told.error().c_str());
    auto contender = client_->contender("orders", {}, short_terms());
    contender->start();
    QVERIFY(soon([&] { return contender->owns(); }));
    const auto owns = listener.hear(Belief::What::kOwns);
    QVERIFY(owns.has_value());
    QCOMPARE(owns->mutex, std::string("orders"));
    QCOMPARE(owns->owner, contender->id());
    QVERIFY(owns->fence > 0 && owns->left && *owns->left > Duration::zero() && *owns->left <= milliseconds(1600));
    QCOMPARE(owns->pid, std::int64_t{::getpid()});
    QCOMPARE(owns->store, printable(server_->url()));
    // It is told again as it renews.
    const auto renewed = listener.hear(Belief::What::kOwns);
    QVERIFY(renewed && renewed->number > owns->number && renewed->fence == owns->fence);
    const std::string id = contender->id();
    contender->stop();
    const auto over = listener.hear(Belief::What::kNotOwner);
    QVERIFY(over && over->owner == id && over->number > renewed->number);
    QVERIFY(listener.hear(Belief::What::kStopped).has_value());
  }
  void whereBeliefsCannotBeToldIsSaid() {
    const auto word = client_->tell_beliefs("elsewhere");
    QVERIFY(!word.has_value());
    QVERIFY2(word.error().rfind("elsewhere: expected channel, or unix:PATH", 0) == 0, word.error().c_str());
    const auto silent = Client::open("zookeeper://127.0.0.1:1");  // which is not connected to yet
    QVERIFY2(silent.has_value(), silent ? "" : silent.error().c_str());
    const auto channel = silent->tell_beliefs("channel");
    QVERIFY(!channel.has_value());
    QVERIFY2(channel.error().rfind("channel: ", 0) == 0, channel.error().c_str());
    QVERIFY(channel.error().find("unix:PATH") != std::string::npos);
    // What tells nothing contends all the same.
    auto contender = client_->contender("orders", {}, short_terms());
    contender->start();
    QVERIFY(soon([&] { return contender->owns(); }));
  }
  // The lease is renewed while a callback takes its time, and given back only once the last has returned.
  void slowCallbacksLoseNothing() {
    std::atomic<int> inside = 0;
    std::atomic<bool> overlap = false;
    Callbacks slow;
    slow.on_acquired = [&](const Term&) {
      overlap = overlap || ++inside != 1;
      std::this_thread::sleep_for(milliseconds(2500));
    };
    slow.on_released = [&](const Term&, End) {
      std::this_thread::sleep_for(milliseconds(400));
      --inside;
    };
    auto first = client_->contender("orders", slow, short_terms());
    auto second = client_->contender("orders", slow, short_terms());
    first->start();
    QVERIFY(soon([&] { return inside == 1; }));
    second->start();
    QTest::qWait(2700);
    QVERIFY(first->owns());
    first->stop();
    QVERIFY(soon([&] { return second->owns() && inside == 1; }));
    QVERIFY(!overlap);
  }
  void aStopFromWithinACallbackDoesNotWaitForItself() {
    std::atomic<int> acquired = 0;
    Contender* self = nullptr;
    Callbacks callbacks;
    callbacks.on_acquired = [&](const Term&) {
      ++acquired;
      self->stop();
    };
    auto contender = client_->contender("orders", callbacks, short_terms());
    self = &*contender;
    contender->start();
    QVERIFY(soon([&] { return acquired == 1 && !contender->owns(); }, 3000));
    contender->stop();
    QCOMPARE(acquired.load(), 1);
  }
  void whoStopsItselfMayStartAgain() {
    std::atomic<int> acquired = 0;
    Contender* self = nullptr;
    Callbacks callbacks;
    callbacks.on_acquired = [&](const Term&) {
      ++acquired;
      self->stop();
    };
    auto contender = client_->contender("orders", callbacks, short_terms());
    self = &*contender;
    for (int time = 1; time <= 3; ++time) {
      contender->start();
      QVERIFY(soon([&] { return acquired == time; }, 3000));
    }
  }
  void aLostLockMayBeGivenBackByWhoIsTold() {
    auto locker = client_->locker("orders", short_terms());
    std::optional<Lock> lock;
    std::atomic<bool> given_back = false;
    locker->on_lost([&](const Term&) {
      lock.reset();
      given_back = true;
    });
    lock.emplace(std::move(*locker->acquire()));
    server_->kill();
    QVERIFY(soon([&] { return given_back.load(); }, 4000));
    QVERIFY(server_->start_again().has_value());
    const auto again = locker->acquire(std::chrono::seconds(5));
    QVERIFY2(again.has_value(), again ? "" : again.error().message.c_str());
  }
  void aCallbackMayLetItsContenderGo() {
    std::atomic<bool> gone = false;
    std::optional<Contender> contender;
    Callbacks callbacks;
    callbacks.on_acquired = [&](const Term&) {
      contender.reset();
      gone = true;
    };
    contender.emplace(std::move(*client_->contender("orders", callbacks, short_terms())));
    contender->start();
    QVERIFY(soon([&] { return gone.load(); }, 3000));
    auto next = client_->locker("orders", short_terms());
    QVERIFY(next->acquire(std::chrono::seconds(1)).has_value());  // it was given back
  }
  void whatACallbackThrowsIsToldAndNothingIsLost() {
    std::atomic<int> told = 0, released = 0;
    Callbacks callbacks;
    callbacks.on_acquired = [](const Term&) { throw std::runtime_error("no paper"); };
    callbacks.on_released = [&](const Term&, End) { ++released; };
    callbacks.on_trouble = [&](const std::string& words) { told += words == "a callback failed: no paper"; };
    auto contender = client_->contender("orders", callbacks, short_terms());
    contender->start();
    QVERIFY(soon([&] { return told == 1; }, 3000));
    QVERIFY(contender->owns());
    contender->stop();
    QCOMPARE(released.load(), 1);
  }
  void workMayStopItsLeader() {
    std::atomic<int> runs = 0;
    LeaderScheduler* self = nullptr;
    auto leader = client_->leader_scheduler(
        "orders", Schedule::fixed_rate(milliseconds(10)),
        [&](const Term&, const std::stop_token&) {
          ++runs;
          self->stop();
        },
        short_terms());
    self = &*leader;
    leader->start();
    QVERIFY(soon([&] { return runs == 1 && !leader->leads(); }, 3000));
    leader->stop();
    QCOMPARE(runs.load(), 1);
    auto next = client_->locker("orders", short_terms());
    QVERIFY(next->acquire(std::chrono::seconds(1)).has_value());
  }
  void aLeaderWorksWhileItLeadsAndItsWorkEndsBeforeTheNextOneLeads() {
    std::atomic<int> inside = 0, first = 0, second = 0;
    std::atomic<bool> overlap = false;
    const auto work = [&](std::atomic<int>& runs) {
      return [&](const Term&, const std::stop_token&) {
        overlap = overlap || ++inside != 1;
        std::this_thread::sleep_for(milliseconds(30));
        --inside;
        ++runs;
      };
    };
    const Schedule schedule = Schedule::fixed_delay(milliseconds(5));
    auto one = client_->leader_scheduler("orders", schedule, work(first), short_terms());
    auto other = client_->leader_scheduler("orders", schedule, work(second), short_terms());
    one->start();
    QVERIFY(soon([&] { return first >= 3; }));
    other->start();
    QTest::qWait(200);
    QCOMPARE(second.load(), 0);
    QVERIFY(one->leads());
    one->stop();
    QVERIFY(!one->leads());
    const int done = first;
    QVERIFY(soon([&] { return second >= 3; }));
    QCOMPARE(first.load(), done);
    QVERIFY(!overlap);
  }
  void workThatThrowsIsToldAndGoesOn() {
    std::atomic<int> runs = 0, told = 0;
    auto leader = client_->leader_scheduler(
        "orders", Schedule::fixed_rate(milliseconds(20)),
        [&](const Term&, const std::stop_token&) {
          ++runs;
          throw std::runtime_error("no paper");
        },
        short_terms());
    leader->on_trouble([&](const std::string& words) { told += words == "the work failed: no paper"; });
    leader->start();
    QVERIFY(soon([&] { return runs >= 3 && told >= 3; }));
  }
  void aFixedRateKeepsItsBeat() {
    const Schedule rate = Schedule::fixed_rate(milliseconds(100)), delay = Schedule::fixed_delay(milliseconds(100));
    const auto at = [](int ms) { return Nanoseconds(milliseconds(ms)); };
    QVERIFY(next_beginning(delay, at(1000), at(1030)) == at(1130));
    QVERIFY(next_beginning(rate, at(1000), at(1030)) == at(1100));
    QVERIFY(next_beginning(rate, at(1000), at(1100)) == at(1100));
    QVERIFY(next_beginning(rate, at(1000), at(1101)) == at(1200));
    QVERIFY(next_beginning(rate, at(1000), at(1550)) == at(1600));
  }
  void whatMakesNoSenseIsRefused() {
    QVERIFY(!client_->locker(" ").has_value());
    Terms none = short_terms();
    none.ttl = milliseconds(0);
    QVERIFY(!client_->locker("orders", none).has_value());
    none.ttl = std::chrono::seconds(10);
    none.transition = milliseconds(100);  // no renewal would come in time
    QVERIFY(!client_->locker("orders", none).has_value());
    none = short_terms();
    none.timeout = milliseconds(0);
    QVERIFY(!client_->contender("orders", {}, none).has_value());
    QVERIFY(!client_->leader_scheduler("orders", Schedule::fixed_rate({}), [](const Term&, const std::stop_token&) {})
                 .has_value());
    QVERIFY(!client_->leader_scheduler("orders", Schedule::fixed_rate(milliseconds(1)), nullptr).has_value());
  }
};

LEASESCOPE_SUITE(ClientTest)
#include "client_test.moc"
