#include "simulator/live/quorum_book.h"
#include "core/base/name.h"
#include "tests/support/suite.h"

using namespace leasescope;
using std::chrono::milliseconds;

namespace {

TrueTime at(int ms) { return TrueTime(milliseconds(ms)); }

constexpr milliseconds kTtl{1000};
constexpr QuorumRules kKeeps{true, false, false};

}  // namespace

// What is proven of who held by a majority of three servers, by the answers that were given.
class QuorumBookTest : public QObject {
  Q_OBJECT

  NameTable names_;
  Name m_ = names_.intern("m"), a_ = names_.intern("a"), b_ = names_.intern("b");
  std::vector<Name> stores_{names_.intern("s1"), names_.intern("s2"), names_.intern("s3")};
  std::vector<Event> told_;
  std::unique_ptr<QuorumBook> book_;
  std::uint64_t ids_ = 0;

  Request sends(Name who, RequestKind kind, int server, std::uint64_t acquisition, int sent, Token fence = 0) {
    Request request;
    request.id = ++ids_;
    request.kind = kind;
    request.store = static_cast<std::uint8_t>(server);
    request.mutex = m_;
    request.contender = who;
    request.quorum = {acquisition, fence, kTtl, {0}, kKeeps};
    book_->sending(who, request, at(sent), 0);
    return request;
  }
  Reply reply_to(const Request& request, bool done, QuorumAnswer answer = QuorumAnswer::kSuccess) const {
    Reply reply;
    reply.begin(request);
    reply.done = done;
    reply.answer = static_cast<std::uint8_t>(answer);
    return reply;
  }
  void answers(const Request& request, const Reply& reply, int sent, int received) {
    book_->replied(request.contender, reply, at(sent), at(received));
  }
  void obtains(Name who, int server, std::uint64_t acquisition, Token fence, int sent, int received) {
    const Request request = sends(who, RequestKind::kObtain, server, acquisition, sent, fence);
    answers(request, reply_to(request, true), sent, received);
  }
  void steals(Name who, int server, std::uint64_t acquisition, Token fence, Name from, std::uint64_t theirs, int sent,
              int received) {
    const Request request = sends(who, RequestKind::kObtain, server, acquisition, sent, fence);
    Reply reply = reply_to(request, true, QuorumAnswer::kFromVictim);
    reply.owner = from;
    reply.number = theirs;
    answers(request, reply, sent, received);
  }
  void gives_back(Name who, int server, std::uint64_t acquisition, int sent, int received) {
    const Request request = sends(who, RequestKind::kGiveBack, server, acquisition, sent);
    answers(request, reply_to(request, true), sent, received);
  }
  // From 200 to 205 ms, and 800 are left of the lease with the fence 7.
  void goes_back(Name who, RequestKind how, int server, std::uint64_t acquisition, Name to, std::uint64_t theirs) {
    const Request request = sends(who, how, server, acquisition, 200);
    Reply reply = reply_to(request, true);
    reply.owner = to;
    reply.number = theirs;
    reply.token = 7;
    reply.remaining = milliseconds(800);
    answers(request, reply, 200, 205);
  }
  void set_clock(std::size_t server, int by, int asked, int done) {
    book_->clock_asked(server, milliseconds(by), at(asked));
    book_->clock_set(server, at(done));
  }
  void unanswered(const Request& request, int sent, int ended) {
    Reply reply;
    reply.begin(request);
    reply.ending = Ending::kUnknown;
    answers(request, reply, sent, ended);
  }
  void all_obtained(Name who, std::uint64_t acquisition, Token fence, int sent) {
    for (int server = 0; server < 3; ++server)
      obtains(who, server, acquisition, fence, sent + server, sent + server + 5);
  }
  std::vector<Event> of(EventKind kind) const {
    std::vector<Event> out;
    for (const Event& event : told_)
      if (event.kind == kind) out.push_back(event);
    return out;
  }
  void check(const Event& event, Name who, int lo, int hi, Token token) const {
    QCOMPARE(event.node, who);
    QCOMPARE(event.lo, at(lo));
    QCOMPARE(event.hi, at(hi));
    QCOMPARE(event.token, token);
  }

 private slots:
  void init() {
    told_.clear();
    book_ = std::make_unique<QuorumBook>(LiveBook::Facts{m_, names_.intern("store"), kTtl, false, stores_},
                                         [this](const Event& event) {
                                           told_.push_back(event);
                                           return static_cast<Sequence>(told_.size());
                                         });
  }

  void aMajorityIsGrantedWhenItsSecondVoteIsKnown() {
    all_obtained(a_, 1, 7, 10);
    const auto grants = of(EventKind::kGranted);
    QCOMPARE(grants.size(), std::size_t{1});
    check(grants[0], a_, 11, 16, 7);
    const auto votes = of(EventKind::kVoteGranted);
    QCOMPARE(votes.size(), std::size_t{3});
    QCOMPARE(votes[2].b, static_cast<std::int64_t>(stores_[2].handle));
    QCOMPARE(book_->owner(), a_);
  }
  void oneVoteIsNoGrant() {
    obtains(a_, 0, 1, 7, 10, 15);
    QVERIFY(of(EventKind::kGranted).empty());
    QVERIFY(book_->owner().empty());
  }
  void whoGivesBackReleasesWhenNoMajorityIsLeft() {
    all_obtained(a_, 1, 7, 10);
    for (int server = 0; server < 3; ++server) gives_back(a_, server, 1, 100, 103 + server);
    const auto released = of(EventKind::kReleased);
    QCOMPARE(released.size(), std::size_t{1});
    check(released[0], a_, 100, 104, 7);
    QCOMPARE(of(EventKind::kVoteEnded).size(), std::size_t{3});
    QVERIFY(book_->owner().empty());
  }
  // Answers of different contenders come in any order.
  void whoFindsItFreeFollowsWhoIsGivingBack() {
    all_obtained(a_, 1, 7, 10);
    std::vector<Request> back;
    for (int server = 0; server < 3; ++server) back.push_back(sends(a_, RequestKind::kGiveBack, server, 1, 100));
    all_obtained(b_, 2, 8, 101);
    for (const Request& each : back) answers(each, reply_to(each, true), 100, 120);
    QCOMPARE(of(EventKind::kReleased).size(), std::size_t{1});
    QVERIFY(of(EventKind::kExpired).empty());
    QCOMPARE(of(EventKind::kGranted).size(), std::size_t{2});
    QCOMPARE(book_->owner(), b_);
  }
  void votesRunOutByThemselves() {
    all_obtained(a_, 1, 7, 10);
    QCOMPARE(book_->due(), at(1015));
    book_->tick(at(1015));
    QVERIFY(of(EventKind::kExpired).empty());
    book_->tick(at(1020));
    const auto expired = of(EventKind::kExpired);
    QCOMPARE(expired.size(), std::size_t{1});
    check(expired[0], a_, 1010, 1016, 7);
    QCOMPARE(expired[0].detail, static_cast<std::uint8_t>(LeaseEnd::kRanOut));
  }
  void aClockThatIsSetForwardEndsWhatItPassesOver() {
    all_obtained(a_, 1, 7, 10);
    set_clock(2, 2000, 300, 305);
    QCOMPARE(book_->due(), at(305));
    book_->tick(at(305));
    const auto ended = of(EventKind::kVoteEnded);
    QCOMPARE(ended.size(), std::size_t{1});
    QCOMPARE(ended[0].lo, at(300));
    QCOMPARE(ended[0].hi, at(305));
    QCOMPARE(ended[0].detail, static_cast<std::uint8_t>(VoteEnd::kRanOut));
    QVERIFY(of(EventKind::kExpired).empty());  // two of three are for it still
    obtains(b_, 2, 2, 8, 310, 312);
    set_clock(1, 500, 320, 325);
    QVERIFY(book_->due() == at(516));
    obtains(b_, 1, 2, 8, 512, 520);
    const auto granted = of(EventKind::kGranted);
    QCOMPARE(granted.size(), std::size_t{2});
    check(granted[1], b_, 512, 520, 8);
    const auto expired = of(EventKind::kExpired);
    QCOMPARE(expired.size(), std::size_t{1});
    QVERIFY(expired[0].hi <= at(520));
  }
  void aClockThatIsSetBackMakesAVoteLast() {
    all_obtained(a_, 1, 7, 10);
    set_clock(0, -400, 300, 305);
    set_clock(1, -400, 300, 305);
    book_->tick(at(1300));  // the third server's alone is over
    QVERIFY(of(EventKind::kExpired).empty());
    QCOMPARE(book_->owner(), a_);
    book_->tick(at(1420));
    const auto expired = of(EventKind::kExpired);
    QCOMPARE(expired.size(), std::size_t{1});
    QCOMPARE(expired[0].hi, at(1415));
  }
  void whatIsAskedWhileAClockIsSetMayEndByEither() {
    book_->clock_asked(0, milliseconds(600), at(5));
    obtains(a_, 0, 1, 7, 10, 15);
    obtains(a_, 1, 1, 7, 10, 15);
    book_->clock_set(0, at(20));
    book_->tick(at(500));
    QVERIFY(of(EventKind::kVoteEnded).empty());
    book_->tick(at(1015));
    const auto expired = of(EventKind::kExpired);
    QCOMPARE(expired.size(), std::size_t{1});
    check(expired[0], a_, 410, 1015, 7);
  }
  void anExtensionMakesItLast() {
    all_obtained(a_, 1, 7, 10);
    for (int server = 0; server < 3; ++server) {
      const Request request = sends(a_, RequestKind::kExtend, server, 1, 500, 7);
      answers(request, reply_to(request, true), 500, 505);
    }
    QVERIFY(!of(EventKind::kRenewed).empty());
    book_->tick(at(1100));
    QVERIFY(of(EventKind::kExpired).empty());
    QCOMPARE(book_->due(), at(1505));
  }
  void aThiefFollowsItsVictim() {
    all_obtained(a_, 1, 7, 10);
    for (int server = 0; server < 3; ++server) steals(b_, server, 2, 8, a_, 1, 100, 105 + server);
    const auto grants = of(EventKind::kGranted);
    QCOMPARE(grants.size(), std::size_t{2});
    check(grants[1], b_, 100, 106, 8);
    QVERIFY(is_theft(static_cast<GrantKind>(grants[1].detail)));
    QCOMPARE(book_->owner(), b_);
  }
  void whatAThiefAbortsGoesBackToItsVictim() {
    all_obtained(a_, 1, 7, 10);
    for (int server = 0; server < 3; ++server) steals(b_, server, 2, 8, a_, 1, 100, 105);
    for (int server = 0; server < 3; ++server) goes_back(b_, RequestKind::kAbort, server, 2, a_, 1);
    QCOMPARE(book_->owner(), a_);
    QCOMPARE(of(EventKind::kGranted).back().node, a_);
    QVERIFY(!is_new(static_cast<GrantKind>(of(EventKind::kGranted).back().detail)));
  }
  // Its thief has held it and freed it.
  void whoGetsTheRestBackAndMayNotExtendItHoldsItStill() {
    all_obtained(a_, 1, 7, 10);
    for (int server = 0; server < 3; ++server) steals(b_, server, 2, 8, a_, 1, 100, 105);
    for (int server = 0; server < 3; ++server) goes_back(b_, RequestKind::kGiveBack, server, 2, a_, 1);
    for (int server = 0; server < 3; ++server) {
      const Request request = sends(a_, RequestKind::kExtend, server, 1, 300, 7);
      Reply reply = reply_to(request, false, QuorumAnswer::kDenied);
      reply.owner = a_;
      answers(request, reply, 300, 305);
    }
    QCOMPARE(book_->owner(), a_);
    QVERIFY(of(EventKind::kExpired).empty());
  }
  // Victim and thief give back at once, and the victim's answer is read first.
  void whoHasGivenBackIsNotRestoredByAnAnswerThatComesLater() {
    all_obtained(a_, 1, 7, 10);
    for (int server = 0; server < 3; ++server) steals(b_, server, 2, 8, a_, 1, 100, 105);
    for (int server = 0; server < 3; ++server) gives_back(a_, server, 1, 200, 205);
    for (int server = 0; server < 3; ++server) goes_back(b_, RequestKind::kGiveBack, server, 2, a_, 1);
    QVERIFY(book_->owner().empty());
    QCOMPARE(of(EventKind::kReleased).size(), std::size_t{1});
  }
  // The theft of another vote, which ended the majority, is answered only later.
  void aTermMayHaveEndedByATheftThatIsNotAnsweredYet() {
    all_obtained(a_, 1, 7, 10);
    gives_back(a_, 2, 1, 60, 65);
    const Request theft = sends(b_, RequestKind::kObtain, 0, 2, 80, 8);
    gives_back(a_, 1, 1, 100, 105);
    check(of(EventKind::kReleased).at(0), a_, 60, 105, 7);
    QCOMPARE(theft.kind, RequestKind::kObtain);
  }
  // A theft elsewhere may have come between: by which of them the term ended nobody can tell.
  void givenBackToAllAtOnceItEndsBetweenTheFirstQuestionAndTheLastAnswer() {
    all_obtained(a_, 1, 7, 10);
    std::vector<Request> back;
    for (int server = 0; server < 3; ++server) back.push_back(sends(a_, RequestKind::kGiveBack, server, 1, 100));
    for (int server = 0; server < 2; ++server) answers(back[server], reply_to(back[server], true), 100, 105);
    QVERIFY(of(EventKind::kReleased).empty());
    answers(back[2], reply_to(back[2], true), 100, 130);
    QCOMPARE(of(EventKind::kReleased).size(), std::size_t{1});
    check(of(EventKind::kReleased)[0], a_, 100, 130, 7);
  }
  // Whichever server comes first: the term ends with the second of three.
  void votesRunOutInTheirOrder() {
    obtains(a_, 0, 1, 7, 10, 40);
    obtains(a_, 1, 1, 7, 10, 15);
    obtains(a_, 2, 1, 7, 10, 20);
    book_->tick(at(1100));
    QCOMPARE(of(EventKind::kExpired).size(), std::size_t{1});
    check(of(EventKind::kExpired)[0], a_, 1010, 1020, 7);
  }
  void whoMayNotExtendWhatNobodyHasWasForgotten() {
    all_obtained(a_, 1, 7, 10);
    for (int server = 0; server < 3; ++server) {
      const Request request = sends(a_, RequestKind::kExtend, server, 1, 300, 7);
      answers(request, reply_to(request, false, QuorumAnswer::kDenied), 300, 305);
    }
    QVERIFY(book_->owner().empty());
    QCOMPARE(of(EventKind::kExpired)[0].detail, static_cast<std::uint8_t>(LeaseEnd::kForgotten));
  }
  void whoFindsItFreeBeforeItsTimeHasProvenThatServersForgot() {
    all_obtained(a_, 1, 7, 10);
    obtains(b_, 0, 2, 8, 100, 105);
    QCOMPARE(book_->owner(), a_);  // two are for it still
    obtains(b_, 1, 2, 8, 100, 106);
    const auto expired = of(EventKind::kExpired);
    QCOMPARE(expired.size(), std::size_t{1});
    QCOMPARE(expired[0].detail, static_cast<std::uint8_t>(LeaseEnd::kForgotten));
    QCOMPARE(book_->owner(), b_);
  }
  // The answers of a victim's calls come after those of its thief.
  void anAnswerFromBeforeATheftThatIsKnownChangesNothing() {
    all_obtained(a_, 1, 7, 10);
    std::vector<Request> extensions;
    for (int server = 0; server < 3; ++server) extensions.push_back(sends(a_, RequestKind::kExtend, server, 1, 100, 7));
    for (int server = 0; server < 3; ++server) steals(b_, server, 2, 8, a_, 1, 101, 106);
    for (const Request& each : extensions) answers(each, reply_to(each, true), 100, 120);
    QCOMPARE(book_->owner(), b_);
    QVERIFY(of(EventKind::kExpired).empty());
    QCOMPARE(of(EventKind::kGranted).size(), std::size_t{2});
  }
  void aVoteThatIsToldWhenItHasBeenStolenIsOver() {
    const Request late = sends(a_, RequestKind::kObtain, 0, 1, 10, 7);
    steals(b_, 0, 2, 8, a_, 1, 20, 25);
    answers(late, reply_to(late, true), 10, 30);
    obtains(b_, 1, 2, 8, 20, 31);
    QCOMPARE(book_->owner(), b_);
    QVERIFY(of(EventKind::kExpired).empty());
    QCOMPARE(of(EventKind::kGranted).size(), std::size_t{1});
  }
  void whoIsToldThatItWasHisNoMoreHasLostItBefore() {
    all_obtained(a_, 1, 7, 10);
    for (int server = 0; server < 3; ++server) {
      const Request request = sends(a_, RequestKind::kGiveBack, server, 1, 100);
      answers(request, reply_to(request, false), 100, 105);
    }
    QCOMPARE(of(EventKind::kReleased).size(), std::size_t{1});
    QVERIFY(of(EventKind::kReleased)[0].lo <= at(12));
  }
  void whatMayHaveBeenGivenBackThoughNobodyHeardWasNotForgotten() {
    all_obtained(a_, 1, 7, 10);
    for (int server = 0; server < 3; ++server) unanswered(sends(a_, RequestKind::kGiveBack, server, 1, 100), 100, 200);
    all_obtained(b_, 2, 8, 300);
    QVERIFY(of(EventKind::kExpired).empty());
    QCOMPARE(of(EventKind::kReleased).size(), std::size_t{1});
    QCOMPARE(book_->owner(), b_);
  }
  void whatNobodyAnsweredIsNotTold() {
    const Request first = sends(a_, RequestKind::kObtain, 0, 1, 10, 7);
    unanswered(first, 10, 110);
    obtains(a_, 1, 1, 7, 10, 15);
    QVERIFY(of(EventKind::kGranted).empty());
    obtains(a_, 2, 1, 7, 10, 16);
    check(of(EventKind::kGranted)[0], a_, 10, 16, 7);
  }
  void serversThatAnswerNobodyAreUnobserved() {
    all_obtained(a_, 1, 7, 10);
    for (int server = 0; server < 3; ++server) unanswered(sends(a_, RequestKind::kExtend, server, 1, 300), 300, 400);
    book_->tick(at(1000));
    QCOMPARE(of(EventKind::kUnobservedBegan).size(), std::size_t{1});
    obtains(b_, 2, 2, 8, 1100, 1105);
    QCOMPARE(of(EventKind::kUnobservedEnded).size(), std::size_t{1});
  }
};

LEASESCOPE_SUITE(QuorumBookTest)
#include "quorum_book_test.moc"
