// An etcd over TLS is watched as one without: and whoever it is not, or whom nobody vouches for, is not believed.
#include "tests/store/etcd_over_tls.h"
#include "tests/store/watching.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class EtcdTlsTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PrivateServer server_{etcd_over_tls()};

  StoreUrl url() const {
    StoreUrl out = server_.url();
    out.options.erase(kPlainPort);
    return out;
  }
  void is_not_believed(const StoreUrl& of, const char* words, const char* remedy) {
    const Watching watch(loop_, of);
    const std::string& why = watch.watch.stores()[0]->why;
    QVERIFY2(wait_until([&] { return why.find(words) != std::string::npos; }, milliseconds(4000)), why.c_str());
    QVERIFY2(why.find(remedy) != std::string::npos, why.c_str());
    QVERIFY(watch.watch.mutexes().empty() && !watch.watch.complete());
  }

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
  }

  void aMutexIsHeldWaitedForAndReleased() {
    const EtcdByHand hand(plain_port(server_.url()));
    const std::int64_t a = hand.grant(60), b = hand.grant(60);
    QVERIFY(a != 0 && hand.stand_in_line("orders", a) && hand.stand_in_line("orders", b));
    Watching watch(loop_, url());
    QVERIFY(watch.sees("orders", fmt::format("lease {:x}", a)));
    QCOMPARE(watch.find("orders")->book.last().waiters, std::optional<std::uint32_t>(1));
    QVERIFY(watch.find("orders")->book.last().left.has_value());
    hand.leave("orders", a);
    QVERIFY(watch.sees("orders", fmt::format("lease {:x}", b), milliseconds(1000)));  // by its stream, not by a poll
    hand.leave("orders", b);
    QVERIFY(watch.sees("orders", "-", milliseconds(1000)));
  }
  void whomNobodyVouchesForIsNotBelieved() {
    StoreUrl of = url();
    of.options.erase("cacert");
    is_not_believed(of, "certificate", "cacert=FILE");
  }
  void whoBearsAnothersNameIsNotBelieved() {
    StoreUrl of = url();
    of.endpoint.host = "127.0.0.1";  // it is for "localhost"
    is_not_believed(of, "certificate", "for other hosts");
  }
  void whoSpeaksWithoutItIsToldHowItsUrlBegins() {
    StoreUrl of = url();
    of.sealed = false;
    of.options.clear();
    is_not_believed(of, "TLS", "etcds://");
  }
};

LEASESCOPE_SUITE(EtcdTlsTest)
#include "etcd_tls_test.moc"
