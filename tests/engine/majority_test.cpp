// What the votes of several servers come to, told to the history (core/quorum/README.md).
#include "simulator/engine/majority.h"

#include <fmt/format.h>

#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kVictim = 1, kThief = 2;

// Each with the attempts that wait for its vote to be given back to them, the last of them its holder.
class Servers : public Majority::Servers {
 public:
  explicit Servers(std::size_t count) : chains_(count), majority_(count, 1) {}

  Majority::Vote vote(std::size_t server, std::uint32_t) const override {
    const auto& chain = chains_[server];
    if (chain.empty()) return {};
    const auto handle = static_cast<std::uint32_t>(chain.back());
    return {Name{handle}, chain.back(), chain.back(), TrueTime{} + 10s};
  }
  bool lies_beneath(std::size_t server, std::uint32_t, std::uint64_t acquisition) const override {
    const auto& chain = chains_[server];
    return std::find(chain.begin(), chain.end(), acquisition) != chain.end() && chain.back() != acquisition;
  }

  void obtain(std::size_t server, std::uint64_t attempt) {
    auto& chain = chains_[server];
    const std::uint64_t from = chain.empty() ? 0 : chain.back();
    chain.push_back(attempt);
    if (from != 0) ended(from, VoteEnd::kStolen);
    granted(attempt, from == 0 ? GrantKind::kAsked : GrantKind::kStolen);
  }
  // And whom it was stolen from has it back.
  void abort(std::size_t server) {
    auto& chain = chains_[server];
    const std::uint64_t attempt = chain.back();
    chain.pop_back();
    ended(attempt, VoteEnd::kAborted);
    if (!chain.empty()) granted(chain.back(), GrantKind::kRestored);
  }
  // And whom it was stolen from keeps the rest of its lease.
  void leave_to_victim(std::size_t server) {
    auto& chain = chains_[server];
    const std::uint64_t attempt = chain.back();
    chain.pop_back();
    ended(attempt, VoteEnd::kGivenBack);
    if (!chain.empty()) granted(chain.back(), GrantKind::kRestored);
  }
  void give_back(std::size_t server) { free(server, VoteEnd::kGivenBack); }
  void run_out(std::size_t server) { free(server, VoteEnd::kRanOut); }
  const std::vector<std::string>& told() const { return told_; }

 private:
  void free(std::size_t server, VoteEnd how) {
    const std::uint64_t attempt = chains_[server].back();
    chains_[server].clear();
    ended(attempt, how);
  }
  void granted(std::uint64_t attempt, GrantKind how) {
    take({EventKind::kVoteGranted, static_cast<std::uint8_t>(how), attempt});
  }
  void ended(std::uint64_t attempt, VoteEnd how) {
    take({EventKind::kVoteEnded, static_cast<std::uint8_t>(how), attempt});
  }
  void take(const Majority::Fact& fact) {
    for (const Majority::Change& change : majority_.take(fact, 0, TrueTime{} + 1s, *this))
      told_.push_back(
          change.kind == EventKind::kGranted
              ? fmt::format("{} {}", change.detail == 0 ? "granted" : text(GrantKind{change.detail}), change.token)
              : fmt::format("{} {}", text(change.kind), change.token));
  }

  std::vector<std::vector<std::uint64_t>> chains_;
  Majority majority_;
  std::vector<std::string> told_;
};

using Told = std::vector<std::string>;

}  // namespace

class MajorityTest : public QObject {
  Q_OBJECT
 private slots:
  void whomTwoOfThreeAreForHoldsItUntilItGivesOneBack() {
    Servers servers(3);
    servers.obtain(0, kVictim);
    QCOMPARE(servers.told(), Told());
    servers.obtain(1, kVictim);
    servers.obtain(2, kVictim);
    QCOMPARE(servers.told(), Told{"granted 1"});
    servers.give_back(0);
    servers.give_back(1);
    QCOMPARE(servers.told(), (Told{"granted 1", "released 1"}));
  }
  // Its votes are not of one length: one may run out before the rest is given back.
  void whoHasBegunToGiveItBackHasReleasedIt_data() {
    QTest::addColumn<bool>("aborts");
    QTest::newRow("given back") << false;
    QTest::newRow("aborted") << true;
  }
  void whoHasBegunToGiveItBackHasReleasedIt() {
    QFETCH(bool, aborts);
    Servers servers(3);
    for (const std::size_t server : {0, 1, 2}) servers.obtain(server, kVictim);
    aborts ? servers.abort(0) : servers.give_back(0);
    servers.run_out(1);
    QCOMPARE(servers.told(), (Told{"granted 1", "released 1"}));
  }
  void whatAThiefGivesUpIsTheVictimsAgain() {
    Servers servers(3);
    for (const std::size_t server : {0, 1, 2}) servers.obtain(server, kVictim);
    for (const std::size_t server : {0, 1}) servers.obtain(server, kThief);
    QCOMPARE(servers.told(), (Told{"granted 1", "stolen 2"}));
    servers.abort(0);
    QCOMPARE(servers.told(), (Told{"granted 1", "stolen 2", "released 2", "restored 1"}));
  }
  // It was not granted it anew: its fence is lower than the thief's.
  void whatAThiefLeavesToItsVictimIsTheVictimsAgain() {
    Servers servers(3);
    for (const std::size_t server : {0, 1, 2}) servers.obtain(server, kVictim);
    for (const std::size_t server : {0, 1}) servers.obtain(server, kThief);
    servers.leave_to_victim(0);
    QCOMPARE(servers.told(), (Told{"granted 1", "stolen 2", "released 2", "restored 1"}));
  }
  // Who steals it may give up yet: of five two are stolen, and one has run out before its time.
  void aVoteThatRunsOutInTheMidstOfATheftDoesNotEndIt() {
    Servers servers(5);
    for (const std::size_t server : {0, 1, 2, 3}) servers.obtain(server, kVictim);
    for (const std::size_t server : {0, 1}) servers.obtain(server, kThief);
    servers.run_out(2);
    servers.obtain(4, kThief);
    QCOMPARE(servers.told(), (Told{"granted 1", "stolen 2"}));
  }
  // Its aborts have overtaken one of its requests: what that one takes away is a theft, though not its first.
  void aThiefWhoseRequestComesAfterItsAbortsHasStolenItAgain() {
    Servers servers(3);
    for (const std::size_t server : {0, 1, 2}) servers.obtain(server, kVictim);
    for (const std::size_t server : {0, 1}) servers.obtain(server, kThief);
    servers.abort(0);
    servers.obtain(2, kThief);
    QCOMPARE(servers.told(), (Told{"granted 1", "stolen 2", "released 2", "restored 1", "stolen again 2"}));
  }
  // Likewise where the vote that makes its majority was free: the others of it are stolen.
  void aThiefThatComesToAFreeServerLastHasStolenItAgain() {
    Servers servers(5);
    for (const std::size_t server : {0, 2, 3, 4}) servers.obtain(server, kVictim);
    for (const std::size_t server : {0, 2, 3}) servers.obtain(server, kThief);
    for (const std::size_t server : {0, 3}) servers.abort(server);
    servers.obtain(4, kThief);
    servers.obtain(1, kThief);
    QCOMPARE(servers.told(), (Told{"granted 1", "stolen 2", "released 2", "restored 1", "stolen again 2"}));
  }
};

LEASESCOPE_SUITE(MajorityTest)
#include "majority_test.moc"
