#include "simulator/live/session_book.h"
#include "core/base/name.h"
#include "tests/support/suite.h"

using namespace leasescope;
using std::chrono::milliseconds;

namespace {

TrueTime at(int ms) { return TrueTime(milliseconds(ms)); }

constexpr milliseconds kTtl{1000};

}  // namespace

// What is proven of who held a fenced lock, by the answers that its clients were given.
class SessionBookTest : public QObject {
  Q_OBJECT

  NameTable names_;
  Name m_ = names_.intern("m"), a_ = names_.intern("a"), b_ = names_.intern("b");
  std::vector<Event> told_;
  std::unique_ptr<SessionBook> book_;
  std::uint64_t ids_ = 0;

  Request sends(Name who, RequestKind kind, int sent) {
    Request request;
    request.id = ++ids_;
    request.kind = kind;
    request.mutex = m_;
    request.contender = who;
    request.session = {who.handle, ids_, Duration::max(), 1};
    book_->sending(who, request, at(sent), 0);
    return request;
  }
  Sequence answers(Name who, const Request& request, int sent, int received, SessionAnswer answer,
                   std::uint64_t number = 0, Token token = kNoToken) {
    Reply reply;
    reply.begin(request);
    reply.answer = static_cast<std::uint8_t>(answer);
    reply.number = number;
    reply.token = token;
    if (request.kind == RequestKind::kQuery) reply.owner = token == 7 ? a_ : b_;
    return book_->replied(who, reply, at(sent), at(received));
  }
  void unanswered(Name who, const Request& request, int sent, int ended) {
    Reply reply;
    reply.begin(request);
    reply.ending = Ending::kUnknown;
    book_->replied(who, reply, at(sent), at(ended));
  }
  void asks(Name who, RequestKind kind, int sent, int received, std::uint64_t number = 0, Token token = kNoToken,
            SessionAnswer answer = SessionAnswer::kDone) {
    answers(who, sends(who, kind, sent), sent, received, answer, number, token);
  }
  void opens(Name who, int sent) { asks(who, RequestKind::kOpenSession, sent, sent + 1, who.handle); }
  std::vector<Event> of(EventKind kind) const {
    std::vector<Event> out;
    for (const Event& event : told_)
      if (event.kind == kind) out.push_back(event);
    return out;
  }
  // The only one of its kind, with these bounds.
  void check(EventKind kind, Name who, int lo, int hi, Token token) const {
    const auto all = of(kind);
    QCOMPARE(all.size(), std::size_t{1});
    QCOMPARE(all[0].node, who);
    QCOMPARE(all[0].lo, at(lo));
    QCOMPARE(all[0].hi, at(hi));
    QCOMPARE(all[0].token, token);
  }

 private slots:
  void init() {
    told_.clear();
    book_ = std::make_unique<SessionBook>(LiveBook::Facts{m_, names_.intern("store"), kTtl, true},
                                          [this](const Event& event) {
                                            told_.push_back(event);
                                            return static_cast<Sequence>(told_.size());
                                          });
    opens(a_, 0);
    opens(b_, 0);
  }

  void aLockIsGrantedBetweenQuestionAndAnswer() {
    asks(a_, RequestKind::kLock, 10, 12, 1, 7);
    check(EventKind::kGranted, a_, 10, 12, 7);
    QCOMPARE(book_->owner(), a_);
    QCOMPARE(of(EventKind::kSessionOpened).size(), std::size_t{2});
  }
  // Fences rise: what was granted with a lower one is over, however late its owner hears of it.
  void anAnswerOlderThanTheTermGrantsNothingBesideIt() {
    const Request of_a = sends(a_, RequestKind::kLock, 10);
    asks(b_, RequestKind::kLock, 20, 1300, 1, 9);
    answers(a_, of_a, 10, 1310, SessionAnswer::kDone, 1, 7);
    QCOMPARE(of(EventKind::kGranted).size(), std::size_t{1});
    QCOMPARE(book_->owner(), b_);
    // Asked for after it, a lower one is a store that goes back.
    asks(a_, RequestKind::kLock, 1320, 1330, 1, 8);
    QCOMPARE(of(EventKind::kGranted).size(), std::size_t{2});
  }
  void anUnlockGivesBackBetweenQuestionAndAnswer() {
    asks(a_, RequestKind::kLock, 10, 12, 1, 7);
    asks(a_, RequestKind::kUnlock, 20, 22, 0);
    check(EventKind::kReleased, a_, 20, 22, 7);
    QVERIFY(book_->owner().empty());
  }
  void whoEnteredTwiceHoldsUntilItHasLeftTwice() {
    asks(a_, RequestKind::kLock, 10, 12, 1, 7);
    asks(a_, RequestKind::kLock, 14, 16, 2, 7);
    asks(a_, RequestKind::kUnlock, 20, 22, 1);
    QCOMPARE(of(EventKind::kGranted).size(), std::size_t{1});
    const auto entries = of(EventKind::kReentered);
    QCOMPARE(entries.size(), std::size_t{2});
    QCOMPARE(entries[0].b, std::int64_t{2});
    QCOMPARE(entries[1].b, std::int64_t{1});
    QVERIFY(of(EventKind::kReleased).empty());
    asks(a_, RequestKind::kUnlock, 30, 32, 0);
    check(EventKind::kReleased, a_, 30, 32, 7);
  }
  // The two answers may come in either order.
  void whoWaitedIsGrantedNotBeforeTheUnlockWentOut() {
    asks(a_, RequestKind::kLock, 10, 12, 1, 7);
    const Request waits = sends(b_, RequestKind::kLock, 15);
    const Request unlock = sends(a_, RequestKind::kUnlock, 40);
    answers(b_, waits, 15, 43, SessionAnswer::kDone, 1, 8);
    answers(a_, unlock, 40, 44, SessionAnswer::kDone, 0);
    check(EventKind::kReleased, a_, 40, 43, 7);
    QCOMPARE(of(EventKind::kGranted)[1].lo, at(40));
    QCOMPARE(of(EventKind::kGranted)[1].hi, at(43));
    QCOMPARE(book_->owner(), b_);
  }
  void whoAskedAgainMayHaveBeenGrantedByTheFirstCall() {
    const Request first = sends(a_, RequestKind::kLock, 10);
    unanswered(a_, first, 10, 60);
    asks(a_, RequestKind::kLock, 70, 72, 1, 7);
    check(EventKind::kGranted, a_, 10, 72, 7);
  }
  void aSilentHolderIsFollowedWhenItsSessionIsOver() {
    asks(a_, RequestKind::kLock, 10, 12, 1, 7);
    asks(a_, RequestKind::kHeartbeat, 100, 102);
    check(EventKind::kRenewed, a_, 100, 102, 7);
    const Request waits = sends(b_, RequestKind::kLock, 110);
    answers(b_, waits, 110, 1103, SessionAnswer::kDone, 1, 8);
    check(EventKind::kExpired, a_, 1100, 1103, 7);
    QCOMPARE(of(EventKind::kExpired)[0].detail, static_cast<std::uint8_t>(LeaseEnd::kRanOut));
    QCOMPARE(of(EventKind::kGranted)[1].lo, at(1100));
    asks(a_, RequestKind::kHeartbeat, 1200, 1202, 0, kNoToken, SessionAnswer::kSessionEnded);
    QCOMPARE(of(EventKind::kExpired).size(), std::size_t{1});
    check(EventKind::kSessionEnded, a_, 1100, 1103, kNoToken);
  }
  // It asks, sees another's lock, and opens a session anew: the old one is never named again.
  void whoOnlyAsksHasLostItsSessionWithTheLock() {
    asks(a_, RequestKind::kLock, 10, 12, 1, 7);
    asks(a_, RequestKind::kQuery, 1500, 1502, 1, 9);
    check(EventKind::kExpired, a_, 1010, 1502, 7);
    check(EventKind::kSessionEnded, a_, 1010, 1502, kNoToken);
    QCOMPARE(of(EventKind::kSessionEnded)[0].b, static_cast<std::int64_t>(a_.handle));
    opens(a_, 1510);
    asks(a_, RequestKind::kLock, 1520, 1522, 1, 11);
    QCOMPARE(of(EventKind::kSessionEnded).size(), std::size_t{1});
  }
  void whoIsGrantedBesideASessionThatLastsIsADoubleGrant() {
    asks(a_, RequestKind::kLock, 10, 12, 1, 7);
    asks(b_, RequestKind::kLock, 20, 500, 1, 8);
    QCOMPARE(of(EventKind::kGranted).size(), std::size_t{2});
    QVERIFY(of(EventKind::kExpired).empty() && of(EventKind::kReleased).empty());
  }
  void whoIsToldBeforeItsTimeWasForgotten() {
    asks(a_, RequestKind::kLock, 10, 12, 1, 7);
    asks(a_, RequestKind::kHeartbeat, 100, 102, 0, kNoToken, SessionAnswer::kSessionEnded);
    check(EventKind::kExpired, a_, 10, 102, 7);
    QCOMPARE(of(EventKind::kExpired)[0].detail, static_cast<std::uint8_t>(LeaseEnd::kForgotten));
  }
  void anUnlockThatNobodyAnsweredMayHaveGivenBack() {
    asks(a_, RequestKind::kLock, 10, 12, 1, 7);
    const Request unlock = sends(a_, RequestKind::kUnlock, 20);
    unanswered(a_, unlock, 20, 120);
    asks(b_, RequestKind::kLock, 130, 132, 1, 8);
    check(EventKind::kReleased, a_, 20, 132, 7);
  }
  void aSessionThatIsClosedGivesBack() {
    asks(a_, RequestKind::kLock, 10, 12, 1, 7);
    asks(a_, RequestKind::kCloseSession, 30, 33);
    check(EventKind::kReleased, a_, 30, 33, 7);
    check(EventKind::kSessionEnded, a_, 30, 33, kNoToken);
    QCOMPARE(of(EventKind::kSessionEnded)[0].detail, static_cast<std::uint8_t>(SessionEnd::kClosed));
  }
  void whoAsksAndIsNotTheHolderAnyMoreHasRunOut() {
    asks(a_, RequestKind::kLock, 10, 12, 1, 7);
    asks(a_, RequestKind::kQuery, 500, 502, 1, 7);
    QVERIFY(of(EventKind::kExpired).empty());
    asks(a_, RequestKind::kQuery, 1500, 1502, 1, 9);
    check(EventKind::kExpired, a_, 1010, 1502, 7);
  }
  void aStoreThatAnswersNobodyIsUnobserved() {
    asks(a_, RequestKind::kLock, 10, 12, 1, 7);
    const Request beat = sends(a_, RequestKind::kHeartbeat, 100);
    unanswered(a_, beat, 100, 400);
    QVERIFY(book_->due() <= at(100 + 667));
    book_->tick(at(800));
    QCOMPARE(of(EventKind::kUnobservedBegan).size(), std::size_t{1});
    asks(a_, RequestKind::kHeartbeat, 900, 902);
    QCOMPARE(of(EventKind::kUnobservedEnded).size(), std::size_t{1});
  }
};

LEASESCOPE_SUITE(SessionBookTest)
#include "session_book_test.moc"
