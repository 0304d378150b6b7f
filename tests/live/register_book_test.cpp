#include "simulator/live/register_book.h"
#include "core/base/name.h"
#include "tests/support/suite.h"

using namespace leasescope;
using std::chrono::milliseconds;

namespace {

TrueTime at(int ms) { return TrueTime(milliseconds(ms)); }

constexpr milliseconds kLease{1000};

}  // namespace

// What is proven of who held by compare-and-set, by the answers that were given.
class RegisterBookTest : public QObject {
  Q_OBJECT

  // What stands in the register.
  struct Cell {
    std::uint64_t version = 0;
    CellMode mode = CellMode::kFree;
    Name owner;
    Token token = kNoToken;
    Duration stamp = kLease;
  };

  NameTable names_;
  Name m_ = names_.intern("m"), a_ = names_.intern("a"), b_ = names_.intern("b"), f_ = names_.intern("foreign");
  std::vector<Event> told_;
  std::unique_ptr<RegisterBook> book_;
  std::uint64_t ids_ = 0;
  Stamp by_ = Stamp::kVersion;
  Cell cell_;

  Request asks(Name who, RequestKind kind) {
    Request request;
    request.id = ++ids_;
    request.kind = kind;
    request.mutex = m_;
    request.contender = who;
    request.timeout = milliseconds(300);
    request.cell = CellCall{};
    request.cell.by = by_;
    return request;
  }
  // Its write of what the register is to be after that.
  Request writes(Name who, const Cell& next, int sent) {
    Request request = asks(who, RequestKind::kCompareAndSet);
    request.cell.version = next.version - 1;
    request.cell.mode = next.mode;
    request.cell.token = next.token;
    request.cell.stamp = next.stamp;
    book_->sending(who, request, at(sent), 0);
    return request;
  }
  Sequence answer(Name who, const Request& request, const Cell& shows, bool done, int sent, int received) {
    Reply reply;
    reply.begin(request);
    reply.done = done;
    reply.number = shows.version;
    reply.answer = static_cast<std::uint8_t>(shows.mode);
    reply.owner = shows.owner;
    reply.token = shows.token;
    reply.remaining = shows.stamp;
    return book_->replied(who, reply, at(sent), at(received));
  }
  void unanswered(Name who, const Request& request, int sent, int ended) {
    Reply reply;
    reply.begin(request);
    reply.ending = Ending::kUnknown;
    book_->replied(who, reply, at(sent), at(ended));
  }
  void reads(Name who, int sent, int received) {
    const Request request = asks(who, RequestKind::kRead);
    book_->sending(who, request, at(sent), 0);
    answer(who, request, cell_, false, sent, received);
  }
  Cell held_by(Name who, Token token) const { return {cell_.version + 1, CellMode::kHeld, who, token, cell_.stamp}; }
  Cell free_cell() const { return {cell_.version + 1, CellMode::kFree, Name{}, cell_.token, cell_.stamp}; }
  Sequence sets(Name who, const Cell& next, int sent, int received) {
    const Request request = writes(who, next, sent);
    cell_ = next;
    return answer(who, request, cell_, true, sent, received);
  }
  std::vector<Event> of(EventKind kind) const {
    std::vector<Event> out;
    for (const Event& event : told_)
      if (event.kind == kind) out.push_back(event);
    return out;
  }

 private slots:
  void init() {
    told_.clear();
    by_ = Stamp::kVersion;
    cell_ = {};
    book_ = std::make_unique<RegisterBook>(
        LiveBook::Facts{m_, names_.intern("store"), kLease},
        [this](const Event& event) {
          told_.push_back(event);
          return static_cast<Sequence>(told_.size());
        },
        [this](Name who) { return who == a_ || who == b_; });
  }

  void aTakeLiesBetweenItsQuestionAndItsAnswer() {
    reads(a_, 0, 5);
    QVERIFY(told_.empty());
    QCOMPARE(sets(a_, held_by(a_, 1), 10, 15), Sequence{1});
    const auto granted = of(EventKind::kGranted);
    QCOMPARE(granted.size(), std::size_t{1});
    QCOMPARE(granted[0].node, a_);
    QCOMPARE(granted[0].token, Token{1});
    QCOMPARE(granted[0].lo, at(10));
    QCOMPARE(granted[0].hi, at(15));
    QCOMPARE(granted[0].a, Duration(kLease).count());
    QCOMPARE(book_->owner(), a_);
  }
  void aWriteOfTheSameTermRenews() {
    sets(a_, held_by(a_, 1), 10, 15);
    sets(a_, held_by(a_, 1), 400, 405);
    QCOMPARE(of(EventKind::kRenewed).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kRenewed)[0].lo, at(400));
    QCOMPARE(book_->due(), at(1405));
  }
  void whatIsGivenBackIsReleased() {
    sets(a_, held_by(a_, 1), 10, 15);
    sets(a_, free_cell(), 100, 105);
    QCOMPARE(of(EventKind::kReleased).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kReleased)[0].node, a_);
    QCOMPARE(of(EventKind::kReleased)[0].lo, at(100));
    QVERIFY(book_->owner().empty());
    QCOMPARE(book_->due(), TrueTime::max());
  }
  void aPromiseEndsALeaseAfterItsWrite() {
    sets(a_, held_by(a_, 1), 10, 15);
    QCOMPARE(book_->due(), at(1015));
    book_->tick(at(1014));
    QVERIFY(of(EventKind::kExpired).empty());
    book_->tick(at(1015));
    QCOMPARE(of(EventKind::kExpired).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kExpired)[0].lo, at(1010));
    QCOMPARE(of(EventKind::kExpired)[0].hi, at(1015));
    QCOMPARE(of(EventKind::kExpired)[0].detail, static_cast<std::uint8_t>(LeaseEnd::kRanOut));
    QVERIFY(book_->owner().empty());
  }
  // What its holder goes on to write is the same term all the same.
  void aPromiseThatEndedIsRenewedLate() {
    sets(a_, held_by(a_, 1), 10, 15);
    book_->tick(at(1015));
    sets(a_, held_by(a_, 1), 1500, 1505);
    QCOMPARE(of(EventKind::kGranted).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kRenewed).size(), std::size_t{1});
    QCOMPARE(book_->owner(), a_);
  }
  // Nobody knows whether it was executed; whoever sees the old version, or takes by it, proves that it was not.
  void aRenewalThatIsNotAnsweredPutsTheEndOff() {
    sets(a_, held_by(a_, 1), 10, 15);
    const Request renewal = writes(a_, held_by(a_, 1), 900);
    QCOMPARE(book_->due(), TrueTime::max());
    unanswered(a_, renewal, 900, 1200);
    QCOMPARE(book_->due(), at(900) + Duration(kLease) * 2 / 3);  // then the store is unobserved
    sets(b_, held_by(b_, 2), 1300, 1305);
    const auto expired = of(EventKind::kExpired);
    QCOMPARE(expired.size(), std::size_t{1});
    QCOMPARE(expired[0].node, a_);
    QCOMPARE(expired[0].lo, at(1010));
    QCOMPARE(expired[0].hi, at(1015));
    QCOMPARE(of(EventKind::kGranted).back().node, b_);
  }
  void aTakeWhoseAnswerNeverCameIsSeenByAnother() {
    reads(a_, 0, 5);
    const Request take = writes(a_, held_by(a_, 1), 10);
    unanswered(a_, take, 10, 310);
    QVERIFY(of(EventKind::kGranted).empty());
    cell_ = held_by(a_, 1);
    reads(b_, 320, 325);
    const auto granted = of(EventKind::kGranted);
    QCOMPARE(granted.size(), std::size_t{1});
    QCOMPARE(granted[0].node, a_);
    QCOMPARE(granted[0].lo, at(10));
    QCOMPARE(granted[0].hi, at(325));
  }
  // It may have been asked for before another's answer showed what it did.
  void whatAnotherHasShownIsToldOnce() {
    const Request take = writes(a_, held_by(a_, 1), 10);
    cell_ = held_by(a_, 1);
    reads(b_, 12, 14);
    QCOMPARE(answer(a_, take, cell_, true, 10, 20), Sequence{1});
    QCOMPARE(told_.size(), std::size_t{1});
    QCOMPARE(told_[0].lo, at(10));
    QCOMPARE(told_[0].hi, at(14));
  }
  // A question that still met the earlier version came before.
  void nothingIsWrittenBeforeALaterLookAtTheEarlierVersion() {
    const Request take = writes(a_, held_by(a_, 1), 10);
    reads(b_, 30, 35);
    cell_ = held_by(a_, 1);
    answer(a_, take, cell_, true, 10, 50);
    QCOMPARE(told_[0].lo, at(30));
    QCOMPARE(told_[0].hi, at(50));
  }
  // Two generals: who takes by a clock that is ahead takes what is another's.
  void whoIsTakenFromBeforeItsTimeIsToldNoEnd() {
    by_ = Stamp::kClient;
    cell_.stamp = milliseconds(1010);  // the deadline
    sets(a_, held_by(a_, 1), 10, 15);
    cell_.stamp = milliseconds(121'000);
    sets(b_, held_by(b_, 2), 500, 505);
    QVERIFY(of(EventKind::kExpired).empty());
    QCOMPARE(of(EventKind::kGranted).size(), std::size_t{2});
    QCOMPARE(book_->due(), at(1505));  // of a clock that is ahead nobody is promised more than a lease
  }
  void aStampThatIsSoonerThanALeaseEndsThePromise() {
    by_ = Stamp::kClient;
    cell_.stamp = milliseconds(600);
    sets(a_, held_by(a_, 1), 10, 15);
    QCOMPARE(book_->due(), at(600));
  }
  void whoFreesWhatIsAnothersMakesTheStoreForgetIt() {
    sets(a_, held_by(a_, 1), 10, 15);
    sets(b_, free_cell(), 500, 505);
    const auto ended = of(EventKind::kExpired);
    QCOMPARE(ended.size(), std::size_t{1});
    QCOMPARE(ended[0].node, a_);
    QCOMPARE(ended[0].detail, static_cast<std::uint8_t>(LeaseEnd::kForgotten));
    QVERIFY(of(EventKind::kReleased).empty());
  }
  void whoTakesAnewGivesUpWhatItHad() {
    sets(a_, held_by(a_, 1), 10, 15);
    sets(a_, held_by(a_, 2), 500, 505);
    QCOMPARE(of(EventKind::kReleased).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kGranted).size(), std::size_t{2});
    QCOMPARE(book_->owner(), a_);
  }
  void aClaimIsNoGrantAndReadersShare() {
    Cell claim = held_by(a_, 0);
    claim.mode = CellMode::kClaimed;
    sets(a_, claim, 10, 15);
    QVERIFY(told_.empty());
    Cell shared = held_by(a_, 1);
    shared.mode = CellMode::kShared;
    sets(a_, shared, 20, 25);
    QCOMPARE(told_.size(), std::size_t{1});
    QCOMPARE(told_[0].kind, EventKind::kGranted);
    QCOMPARE(told_[0].detail, static_cast<std::uint8_t>(GrantKind::kShared));
  }
  void aForeignHolderIsSeenBetweenTwoLooks() {
    reads(a_, 0, 5);
    cell_ = held_by(f_, 7);
    reads(a_, 100, 105);
    const auto granted = of(EventKind::kGranted);
    QCOMPARE(granted.size(), std::size_t{1});
    QCOMPARE(granted[0].node, f_);
    QCOMPARE(granted[0].lo, at(0));
    QCOMPARE(granted[0].hi, at(105));
  }
  // Its renewals and releases nobody tells of.
  void aForeignHolderIsOverWhenSomebodyMeetsItsVersionAfterItsTime() {
    cell_ = held_by(f_, 7);
    reads(a_, 100, 105);
    QCOMPARE(book_->due(), TrueTime::max());
    reads(a_, 1200, 1205);
    QCOMPARE(of(EventKind::kExpired).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kExpired)[0].hi, at(1105));
  }
  void whatAForeignHolderFreedItReleased() {
    cell_ = held_by(f_, 7);
    reads(a_, 100, 105);
    cell_ = free_cell();
    reads(a_, 300, 305);
    QVERIFY(of(EventKind::kExpired).empty());
    QCOMPARE(of(EventKind::kReleased).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kReleased)[0].lo, at(100));
    QCOMPARE(of(EventKind::kReleased)[0].hi, at(305));
  }
  void aVersionThatGoesBackWasForgotten() {
    sets(a_, held_by(a_, 1), 10, 15);
    cell_ = {};
    reads(b_, 100, 105);
    const auto ended = of(EventKind::kExpired);
    QCOMPARE(ended.size(), std::size_t{1});
    QCOMPARE(ended[0].detail, static_cast<std::uint8_t>(LeaseEnd::kForgotten));
    sets(b_, held_by(b_, 1), 110, 115);
    QCOMPARE(book_->owner(), b_);
  }
  // It was asked for before, and its answer was only read later.
  void anOldAnswerThatIsReadLateProvesNothing() {
    const Cell before = cell_;
    const Request late = asks(b_, RequestKind::kRead);
    book_->sending(b_, late, at(5), 0);
    sets(a_, held_by(a_, 1), 10, 15);
    answer(b_, late, before, false, 5, 30);
    QCOMPARE(told_.size(), std::size_t{1});
    QCOMPARE(book_->owner(), a_);
  }
  void aStoreThatAnswersNobodyIsUnobservedUntilItDoes() {
    sets(a_, held_by(a_, 1), 10, 15);
    unanswered(a_, writes(a_, held_by(a_, 1), 300), 300, 600);
    QCOMPARE(book_->due(), at(300) + Duration(kLease) * 2 / 3);
    book_->tick(book_->due());
    QCOMPARE(of(EventKind::kUnobservedBegan).size(), std::size_t{1});
    reads(b_, 3000, 3005);
    QCOMPARE(of(EventKind::kUnobservedEnded).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kUnobservedEnded)[0].lo, at(3000));
  }
  void aWriteOfAProcessThatIsGoneMayStillArriveUntilSomebodyLooks() {
    sets(a_, held_by(a_, 1), 10, 15);
    writes(a_, held_by(a_, 1), 900);
    book_->abandoned(a_);
    QCOMPARE(book_->due(), TrueTime::max());
    reads(b_, 1010, 1014);  // it may have ended after that
    QVERIFY(of(EventKind::kExpired).empty());
    reads(b_, 1100, 1105);
    QCOMPARE(of(EventKind::kExpired).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kExpired)[0].lo, at(1010));
    QCOMPARE(of(EventKind::kExpired)[0].hi, at(1015));
  }
  void aTakeThatIsNotAnsweredMayHaveEndedAnothersHold() {
    sets(a_, held_by(a_, 1), 10, 15);
    unanswered(b_, writes(b_, held_by(b_, 2), 200), 200, 500);
    book_->tick(at(1015));
    QCOMPARE(of(EventKind::kExpired).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kExpired)[0].lo, at(200));
    QCOMPARE(of(EventKind::kExpired)[0].hi, at(1015));
  }
};

LEASESCOPE_SUITE(RegisterBookTest)
#include "register_book_test.moc"
