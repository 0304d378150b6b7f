#include "core/contend/mutex_owner.h"

#include "tests/support/suite.h"
#include "tests/support/vectors.h"

using namespace leasescope;
using leasescope::tests::Vector;
using leasescope::tests::vectors;

class MutexOwnerTest : public QObject {
  Q_OBJECT
 private slots:
  void everyVectorOf31AnswersAlike() { check("3.1.3", 96); }
  void everyVectorOf4xAnswersAlike() { check("4.x", 72); }
  void nobodyOwnsNothingAtAnyTime();
  void anOwnerWithoutDeadlinesOwnsForEver();

 private:
  static void check(const char* version, std::size_t expected);
};

namespace {

WallTime epoch_ms(const nlohmann::json& given, const char* field) {
  return WallTime(std::chrono::milliseconds(given.at(field).get<std::int64_t>()));
}

}  // namespace

void MutexOwnerTest::check(const char* version, std::size_t expected) {
  const std::vector<Vector> all = vectors("mutex-owner", version);
  QCOMPARE(all.size(), expected);
  for (const Vector& vector : all) {
    NameTable names;
    MutexOwner owner;
    owner.owner = names.intern(vector.given.at("owner_id").get<std::string>());
    const Name asked = names.intern(vector.given.at("asked_id").get<std::string>());
    const WallTime now = epoch_ms(vector.given, "now");
    owner.transition_at = epoch_ms(vector.given, "transition_at");
    if (vector.given.contains("ttl_at")) owner.ttl_at = epoch_ms(vector.given, "ttl_at");
    for (auto entry = vector.then.begin(); entry != vector.then.end(); ++entry) {
      const std::string& predicate = entry.key();
      const bool answer = entry.value().get<bool>();
      const bool got = predicate == "is_owner"              ? owner.is_owner(asked)
                       : predicate == "is_in_ttl"           ? owner.is_in_ttl(now)
                       : predicate == "is_in_ttl_of"        ? owner.is_in_ttl(asked, now)
                       : predicate == "has_owner"           ? owner.has_owner(now)
                       : predicate == "is_in_transition"    ? owner.is_in_transition(now)
                       : predicate == "is_in_transition_of" ? owner.is_in_transition_of(asked, now)
                                                            : !answer;
      QVERIFY2(got == answer, (predicate + " " + vector.describe).c_str());
    }
  }
}

void MutexOwnerTest::nobodyOwnsNothingAtAnyTime() {
  const MutexOwner none = MutexOwner::none();
  const WallTime now(std::chrono::milliseconds(1));
  QVERIFY(!none.is_in_ttl(now));
  QVERIFY(!none.has_owner(now));
  QVERIFY(none.owner.empty());
  QCOMPARE(none.token, kNoToken);
}

void MutexOwnerTest::anOwnerWithoutDeadlinesOwnsForEver() {
  NameTable names;
  MutexOwner owner;
  owner.owner = names.intern("a");
  const WallTime late = WallTime::max() - std::chrono::seconds(1);
  QVERIFY(owner.is_in_ttl(owner.owner, late));
  QVERIFY(owner.has_owner(late));
}

LEASESCOPE_SUITE(MutexOwnerTest)
#include "mutex_owner_test.moc"
