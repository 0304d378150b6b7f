#include "core/simba/contender_id.h"

#include <unistd.h>

#include <map>

#include <QRegularExpression>

#include "tests/support/suite.h"
#include "tests/support/vectors.h"

using namespace leasescope;
using leasescope::tests::Vector;
using leasescope::tests::vectors;

class ContenderIdTest : public QObject {
  Q_OBJECT
 private slots:
  void everyVectorIsTakenOrRefusedAlikeButForThoseRefusedOnPurpose();
  void whatBreaksTheWireFormIsRefusedAndNamed();
  void charactersAreCountedNotBytes();
  void textThatIsNotUtf8DoesNotBreakTheCheck();
  void hostIdsCountUpwardsInOneProcess();
  void uuidIdsDiffer();
};

namespace {

// Simba's constructor takes these ids; we refuse them, because other nodes or stores then read something else.
const std::map<std::string, std::string> kIdsRefusedOnPurpose{
    {"a@@b", "\"@@\""},
    {"a@", "ends with \"@\""},
    {std::string(129, 'x'), "at most 128"},
};
// Likewise of mutex names: the SQL tables keep 66 characters.
const std::map<std::string, std::string> kMutexesRefusedOnPurpose{{std::string(129, 'x'), "at most 66"}};

}  // namespace

void ContenderIdTest::everyVectorIsTakenOrRefusedAlikeButForThoseRefusedOnPurpose() {
  const std::vector<Vector> all = vectors("contender-id");
  QCOMPARE(all.size(), std::size_t{34});
  std::size_t on_purpose = 0;
  for (const Vector& vector : all) {
    if (vector.given.contains("generator")) {
      const bool host = vector.given.at("generator") == "HOST";
      const QRegularExpression shape(
          QRegularExpression::anchoredPattern(QString::fromStdString(vector.then.at("shape").get<std::string>())));
      QVERIFY(shape.match(QString::fromStdString(host ? make_host_id() : make_uuid_id())).hasMatch());
      continue;
    }
    const bool id = vector.given.contains("contender_id");
    const std::string text = vector.given.at(id ? "contender_id" : "mutex").get<std::string>();
    const auto checked = id ? validate_contender_id(text) : validate_mutex_name(text);
    const auto& refused = id ? kIdsRefusedOnPurpose : kMutexesRefusedOnPurpose;
    if (const auto reason = refused.find(text); reason != refused.end()) {
      ++on_purpose;
      QVERIFY2(vector.then.contains("accepted"), "no longer a difference to Simba");
      QVERIFY2(!checked, vector.describe.c_str());
      QVERIFY2(checked.error().find(reason->second) != std::string::npos, checked.error().c_str());
    } else if (vector.then.contains("accepted")) {
      QVERIFY2(checked, vector.describe.c_str());
    } else {
      QVERIFY2(!checked, vector.describe.c_str());
      QCOMPARE("java.lang.IllegalArgumentException: " + checked.error(), vector.then.at("throws").get<std::string>());
    }
  }
  QCOMPARE(on_purpose, kIdsRefusedOnPurpose.size() + kMutexesRefusedOnPurpose.size());
}

void ContenderIdTest::whatBreaksTheWireFormIsRefusedAndNamed() {
  for (const char* bad : {"", "   ", "@@", "a@@", "@@a", "a@@b", "@", "node-1@"})
    QVERIFY2(!validate_contender_id(bad), bad);
  for (const char* good : {"@a", "a@b", "0:4242@10.0.0.7", "contender", "fence", "a b", ":"})
    QVERIFY2(validate_contender_id(good), good);
  QVERIFY2(!validate_mutex_name("}x"), "its keys would lie in different slots of a cluster");
  QVERIFY(validate_mutex_name("x}{y}"));
}

void ContenderIdTest::charactersAreCountedNotBytes() {
  std::string wide;
  for (int i = 0; i < 128; ++i) wide += "\u00e9";
  QVERIFY(validate_contender_id(wide));
  QVERIFY(!validate_contender_id(wide + "x"));
  QVERIFY(validate_mutex_name(wide.substr(0, 66 * 2)));
  QVERIFY(!validate_mutex_name(wide.substr(0, 67 * 2)));
}

void ContenderIdTest::textThatIsNotUtf8DoesNotBreakTheCheck() {
  for (const char* broken : {"\xff", "\xc3", "\xe2\x82", "\xf0\x9f", "\x80\x80", "a\xf8"}) {
    QVERIFY(!is_blank(broken));
    validate_contender_id(broken);
    validate_mutex_name(broken);
  }
}

void ContenderIdTest::hostIdsCountUpwardsInOneProcess() {
  const auto parts = [](const std::string& id) {
    const std::size_t colon = id.find(':'), at = id.find('@');
    return std::pair(std::stol(id.substr(0, colon)), std::stol(id.substr(colon + 1, at - colon - 1)));
  };
  const auto [first, pid] = parts(make_host_id());
  const auto [second, again] = parts(make_host_id());
  QCOMPARE(second, first + 1);
  QCOMPARE(pid, long{getpid()});
  QCOMPARE(again, pid);
  QVERIFY(validate_contender_id(make_host_id()));
}

void ContenderIdTest::uuidIdsDiffer() {
  QVERIFY(make_uuid_id() != make_uuid_id());
  QVERIFY(validate_contender_id(make_uuid_id()));
}

LEASESCOPE_SUITE(ContenderIdTest)
#include "contender_id_test.moc"
