// A latch on a ZooKeeper of three servers: it goes on when the server that its leader is connected to is killed, and
// when the one that the others follow is.
#include <atomic>
#include <thread>

#include "core/contend/client/leasescope.h"
#include "core/store/zookeeper/asker.h"
#include "core/store/zookeeper/node_name.h"
#include "tests/support/suite.h"
#include "tests/support/zookeeper_ensemble.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;

namespace {

// Contenders, and at any moment how many of them own.
class Fleet {
 public:
  Fleet(const std::string& url, int size) {
    client::Terms terms;
    terms.ttl = std::chrono::seconds(15);  // of a session: longer than an election that has to be repeated
    terms.timeout = std::chrono::seconds(1);
    for (int i = 0; i < size; ++i) {
      clients_.push_back(client::Client::open(url).value());
      contenders_.push_back(*clients_.back().contender("orders", {}, terms));
      contenders_.back().start();
    }
    looks_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        std::size_t now = 0;
        for (const client::Contender& each : contenders_) now += each.owns() ? 1 : 0;
        if (now > 1) ++doubles;
        std::this_thread::sleep_for(milliseconds(1));
      }
    });
  }
  ~Fleet() {
    looks_ = {};
    for (client::Contender& each : contenders_) each.stop();
  }
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  const client::Contender* owner() const {
    for (const client::Contender& each : contenders_)
      if (each.owns()) return &each;
    return nullptr;
  }
  client::Contender& operator[](std::size_t i) { return contenders_[i]; }
  std::size_t size() const { return contenders_.size(); }

  std::atomic<int> doubles = 0;  // looks at which more than one owned

 private:
  std::vector<client::Client> clients_;
  std::vector<client::Contender> contenders_;
  std::jthread looks_;
};

bool soon(const std::function<bool()>& what, int ms = 40'000) { return QTest::qWaitFor(what, ms); }

}  // namespace

class ZookeeperEnsembleTest : public QObject {
  Q_OBJECT

  ZookeeperEnsemble ensemble_;

  // The session whose node is the lowest.
  std::int64_t leading_session() const {
    zookeeper::Asker asker(milliseconds(8000));
    if (!asker.connect(ensemble_.url())) return 0;
    const auto names = asker.list("/simba/orders");
    if (!names || names->empty()) return 0;
    const auto first = asker.look("/simba/orders/" + zookeeper::in_order(*names).front());
    return first ? first->owner : 0;
  }
  void kill_and_go_on(Fleet& fleet, std::size_t member) {
    QVERIFY(member < ZookeeperEnsemble::kSize);
    const client::Contender* const owner = fleet.owner();
    const std::uint64_t fence = owner->term().fence;
    ensemble_.kill(member);
    // Its session lasts, and so does its node: it leads on, and nobody else in between.
    QTest::qWait(300);
    QVERIFY(soon([&] { return fleet.owner() != nullptr && ensemble_.leader() < ZookeeperEnsemble::kSize; }));
    QCOMPARE(fleet.owner(), owner);
    QCOMPARE(owner->term().fence, fence);
    const auto back = ensemble_.start_again(member);
    QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
    QVERIFY(soon([&] { return fleet.owner() == owner && ensemble_.whole(); }));
  }

 private slots:
  void initTestCase() {
    const auto started = ensemble_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    const StoreUrl url = ensemble_.url();
    const auto looked = url.type->probe(url, Family::kNodes, {"orders"}, {});
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
  }

  void theLatchGoesOnWhenItsServerIsKilled() {
    Fleet fleet(printable(ensemble_.url()), 3);
    QVERIFY(soon([&] { return fleet.owner() != nullptr; }));
    for (int i = 0; i < 3; ++i) kill_and_go_on(fleet, ensemble_.server_of(leading_session()));
    QCOMPARE(fleet.doubles.load(), 0);
  }
  void theLatchGoesOnWhenTheServersLeaderIsKilled() {
    Fleet fleet(printable(ensemble_.url()), 3);
    QVERIFY(soon([&] { return fleet.owner() != nullptr; }));
    for (int i = 0; i < 3; ++i) kill_and_go_on(fleet, ensemble_.leader());
    QCOMPARE(fleet.doubles.load(), 0);
  }
  void whoGivesBackHandsOverAfterwardsAndTokensRise() {
    Fleet fleet(printable(ensemble_.url()), 3);
    std::uint64_t last = 0;
    for (int i = 0; i < 2; ++i) {
      QVERIFY(soon([&] { return fleet.owner() != nullptr; }));
      const client::Contender* const owner = fleet.owner();
      QVERIFY(owner->term().fence > last);
      last = owner->term().fence;
      QVERIFY(soon([&] { return ensemble_.whole(); }));
      ensemble_.kill(ensemble_.leader());
      for (std::size_t k = 0; k < fleet.size(); ++k)
        if (&fleet[k] == owner) fleet[k].stop();
      QVERIFY(soon([&] { return fleet.owner() != nullptr && fleet.owner() != owner; }));
      QVERIFY(fleet.owner()->term().fence > last);
      for (std::size_t k = 0; k < ZookeeperEnsemble::kSize; ++k)
        if (!ensemble_.running(k)) QVERIFY(ensemble_.start_again(k).has_value());
    }
    QCOMPARE(fleet.doubles.load(), 0);
  }
  void twoServersOfThreeAreEnoughAndOneIsNone() {
    const StoreUrl url = ensemble_.url();
    QVERIFY(soon([&] { return ensemble_.whole(); }));
    ensemble_.kill(0);
    QVERIFY(soon([&] { return url.type->probe(url, Family::kNodes, {"orders"}, {}).has_value(); }));
    ensemble_.kill(1);
    const auto looked = url.type->probe(url, Family::kNodes, {"orders"}, {});
    QVERIFY(!looked);
    QVERIFY(ensemble_.start_again(0).has_value());
    QVERIFY(ensemble_.start_again(1).has_value());
    QVERIFY(soon([&] { return url.type->probe(url, Family::kNodes, {"orders"}, {}).has_value(); }));
  }
};

LEASESCOPE_SUITE(ZookeeperEnsembleTest)
#include "zookeeper_ensemble_test.moc"
