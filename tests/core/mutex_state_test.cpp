#include "core/contend/mutex_state.h"

#include "tests/support/suite.h"
#include "tests/support/vectors.h"

using namespace leasescope;
using leasescope::tests::Vector;
using leasescope::tests::vectors;

class MutexStateTest : public QObject {
  Q_OBJECT
 private slots:
  void everyVectorAnswersAlike();
  void aRenewalIsNoChange();
};

void MutexStateTest::everyVectorAnswersAlike() {
  const std::vector<Vector> all = vectors("mutex-state");
  QCOMPARE(all.size(), std::size_t{18});
  const WallTime now(std::chrono::hours(1));
  for (const Vector& vector : all) {
    NameTable names;
    const auto name = [&](const char* field) { return names.intern(vector.given.at(field).get<std::string>()); };
    QCOMPARE(vector.given.at("after_ttl_at").get<std::string>(), std::string("far"));
    MutexState state;
    state.before = {name("before_id"), WallTime{}, WallTime::max(), WallTime::max(), kNoToken};
    state.after = {name("after_id"), WallTime{}, WallTime::max(), WallTime::max(), kNoToken};
    const Name self = name("contender_id");
    nlohmann::json callbacks = nlohmann::json::array();
    const std::string change =
        std::string(names.text(state.before.owner)) + ">" + std::string(names.text(state.after.owner));
    if (state.is_acquired(self)) callbacks.push_back("onAcquired " + change);
    if (state.is_released(self)) callbacks.push_back("onReleased " + change);
    const nlohmann::json got = {{"is_changed", state.is_changed()},        {"is_acquired", state.is_acquired(self)},
                                {"is_released", state.is_released(self)},  {"is_owner", state.is_owner(self)},
                                {"is_in_ttl", state.is_in_ttl(self, now)}, {"callbacks", callbacks}};
    QVERIFY2(got == vector.then, (vector.describe + " gave " + got.dump()).c_str());
  }
}

void MutexStateTest::aRenewalIsNoChange() {
  NameTable names;
  MutexState state;
  state.before.owner = state.after.owner = names.intern("a");
  state.before.ttl_at = WallTime(std::chrono::seconds(1));
  state.after.ttl_at = WallTime(std::chrono::seconds(9));
  QVERIFY(!state.is_changed());
  QVERIFY(!state.is_acquired(state.after.owner));
  QVERIFY(!state.is_released(state.after.owner));
}

LEASESCOPE_SUITE(MutexStateTest)
#include "mutex_state_test.moc"
