// Who owned a mutex when: stretches with bounds, what was not observed, and a moment among them.
#include "core/history/ownership.h"
#include "tests/support/suite.h"

#include <QTest>

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

TrueTime at_ms(int ms) { return TrueTime{} + std::chrono::milliseconds(ms); }

class Owned {
 public:
  Owned() : of_(Legend{}, names_.intern("orders")) {}

  void tell(int lo_ms, int hi_ms, EventKind kind, const char* who, Token token = kNoToken,
            const char* mutex = "orders") {
    Event event;
    event.lo = at_ms(lo_ms);
    event.hi = at_ms(hi_ms);
    event.kind = kind;
    event.node = names_.intern(who);
    event.mutex = names_.intern(mutex);
    event.token = token;
    if (kind == EventKind::kGranted || kind == EventKind::kRenewed) event.a = Duration(10s).count();
    of_.append(event, names_);
  }
  const Ownership& of() const { return of_; }
  // "a" surely, "?a" perhaps, "-" nobody, "*" not observed.
  QString at(int ms) const {
    const Ownership::Moment then = of_.at(at_ms(ms));
    QStringList out;
    const auto name = [&](const OwnedStretch* of) { return QString::fromUtf8(names_.text(of->owner).data()); };
    if (then.unobserved != nullptr) out << "*";
    for (const OwnedStretch* each : then.surely) out << name(each);
    for (const OwnedStretch* each : then.perhaps) out << "?" + name(each);
    return out.isEmpty() ? QString("-") : out.join(' ');
  }

 private:
  NameTable names_;
  Ownership of_;
};

}  // namespace

class OwnershipTest : public QObject {
  Q_OBJECT
 private slots:
  void whoeverIsGrantedOwnsUntilItEnds() {
    Owned o;
    o.tell(100, 100, EventKind::kGranted, "a", 1);
    o.tell(500, 500, EventKind::kRenewed, "a", 1);
    o.tell(900, 900, EventKind::kReleased, "a", 1);
    o.tell(1200, 1200, EventKind::kGranted, "b", 2);
    o.tell(2000, 2000, EventKind::kExpired, "b", 2);
    QCOMPARE(o.of().owned().size(), std::size_t{2});
    QCOMPARE(o.of().owned()[0].end, OwnedStretch::End::kReleased);
    QCOMPARE(o.of().owned()[1].end, OwnedStretch::End::kExpired);
    QCOMPARE(o.at(99), QString("-"));
    QCOMPARE(o.at(100), QString("a"));
    QCOMPARE(o.at(899), QString("a"));
    QCOMPARE(o.at(900), QString("-"));
    QCOMPARE(o.at(1500), QString("b"));
    QCOMPARE(o.at(2500), QString("-"));
  }
  void aChangeWithinBoundsIsPerhaps() {
    Owned o;
    o.tell(0, 0, EventKind::kGranted, "a", 1);
    o.tell(1000, 2000, EventKind::kReleased, "a", 1);
    o.tell(1000, 2000, EventKind::kGranted, "b", 2);
    QCOMPARE(o.at(999), QString("a"));
    QCOMPARE(o.at(1500), QString("?a ?b"));
    QCOMPARE(o.at(2000), QString("b"));
    QVERIFY(o.of().owned().back().lasts());
  }
  void whatIsNotObservedIsSaidAndIsNotFree() {
    Owned o;
    o.tell(0, 0, EventKind::kGranted, "a", 1);
    o.tell(1000, 1000, EventKind::kUnobservedBegan, "store");
    QCOMPARE(o.at(5000), QString("* a"));
    o.tell(6000, 6100, EventKind::kUnobservedEnded, "store");
    QCOMPARE(o.at(6050), QString("* a"));
    QCOMPARE(o.at(6100), QString("a"));
    QCOMPARE(o.of().unobserved().size(), std::size_t{1});
  }
  void beforeItWasMetNothingIsKnown() {
    Owned o;
    QVERIFY(!o.of().met());
    o.tell(500, 700, EventKind::kGranted, "a", 1);
    QVERIFY(o.of().met() == at_ms(700));
  }
  void anotherMutexIsAnotherMatter() {
    Owned o;
    o.tell(0, 0, EventKind::kGranted, "a", 1, "bills");
    o.tell(10, 10, EventKind::kUnobservedBegan, "store", kNoToken, "bills");
    QCOMPARE(o.at(5), QString("-"));
    QCOMPARE(o.at(50), QString("-"));
  }
  // What one learns late: another holds, and nobody said that the first had ended.
  void whoeverIsTakenFromOwnsNoLonger() {
    Owned o;
    o.tell(0, 0, EventKind::kGranted, "a", 1);
    o.tell(1000, 1000, EventKind::kGranted, "b", 2);
    QCOMPARE(o.of().owned()[0].end, OwnedStretch::End::kTaken);
    QCOMPARE(o.at(1500), QString("b"));
  }
};

LEASESCOPE_SUITE(OwnershipTest)
#include "ownership_test.moc"
