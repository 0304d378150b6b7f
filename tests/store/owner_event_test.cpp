#include "core/store/owner_event.h"
#include "tests/support/suite.h"
#include "tests/support/vectors.h"

using namespace leasescope;

class OwnerEventTest : public QObject {
  Q_OBJECT
 private slots:
  void messagesAreReadAsSimbaReadsThem() {
    const auto all = tests::vectors("owner-event");
    QVERIFY(all.size() >= 20);
    for (const auto& vector : all) {
      const auto parsed = parse_owner_event(vector.given.at("message").get<std::string>());
      if (vector.then.contains("throws")) {
        QVERIFY2(!parsed, vector.describe.c_str());
        const std::string thrown = vector.then.at("throws").get<std::string>();
        QCOMPARE(QString::fromStdString(parsed.error()), QString::fromStdString(thrown.substr(thrown.find(": ") + 2)));
        continue;
      }
      QVERIFY2(parsed.has_value(), vector.describe.c_str());
      QVERIFY2(parsed->event == vector.then.at("event").get<std::string>(), vector.describe.c_str());
      QVERIFY2(parsed->owner == vector.then.at("owner_id").get<std::string>(), vector.describe.c_str());
      QVERIFY2(parsed->kind().has_value() == vector.then.at("known").get<bool>(), vector.describe.c_str());
    }
  }
  void onlyTheTwoEventsOfSimbaAreHandled() {
    QCOMPARE(parse_owner_event("acquired@@a")->kind(), StoreEventKind::kAcquired);
    QCOMPARE(parse_owner_event("released@@a")->kind(), StoreEventKind::kReleased);
    QVERIFY(!parse_owner_event("stolen@@a")->kind());
  }
  void onlyAWholeTokenIsAGrant() {
    QCOMPARE(granted_by("granted@@7"), std::optional<Token>(7));
    QCOMPARE(granted_by("granted@@9007199254740991"), std::optional<Token>(9007199254740991));
    for (const char* none : {"", "granted", "granted@@", "granted@@0", "granted@@-1", "granted@@7x", "granted@@ 7",
                             "granted@@7@@8", "granted@@99999999999999999999", "acquired@@7", "xgranted@@7"})
      QVERIFY2(!granted_by(none), none);
  }
};

LEASESCOPE_SUITE(OwnerEventTest)
#include "owner_event_test.moc"
