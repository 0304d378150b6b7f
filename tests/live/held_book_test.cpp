#include "simulator/live/held_book.h"
#include "tests/support/suite.h"

using namespace leasescope;
using std::chrono::milliseconds;

namespace {

TrueTime at(int ms) { return TrueTime(milliseconds(ms)); }

}  // namespace

// A lease of 1500 ms; contenders a and b are ours and speak the default's wire, f is foreign.
class HeldBookTest : public QObject {
  Q_OBJECT

  const Name mutex_{1}, a_{2}, b_{3}, f_{4}, store_{5};
  std::vector<Event> events_;
  std::unique_ptr<HeldBook> book_;
  std::uint64_t requests_ = 0;
  Sequence cause_ = 0;  // of the next call
  Wire wire_ = Wire::kTerm;

  std::uint64_t send(Name who, RequestKind kind, int ms, Token term = kNoToken) {
    Request out;
    out.id = ++requests_;
    out.kind = kind;
    out.contender = who;
    out.lease.wire = wire_;
    out.lease.term = term;
    out.lease.length = milliseconds(1500);
    book_->sending(who, out, at(ms), cause_);
    return out.id;
  }
  Reply answer(std::uint64_t id, RequestKind kind, Name owner, Token token, int remaining) {
    Reply out;
    out.request = id;
    out.kind = kind;
    out.owner = owner;
    out.token = token;
    out.remaining = milliseconds(remaining);
    return out;
  }
  // The call succeeds when the answer names its caller.
  void call(Name who, RequestKind kind, Name owner, Token token, int remaining, int sent, int received) {
    const std::uint64_t id = send(who, kind, sent, kind == RequestKind::kGuard ? token : kNoToken);
    Reply reply = answer(id, kind, owner, token, remaining);
    reply.done = wire_ == Wire::kTerm && owner == who;
    book_->replied(who, reply, at(sent), at(received));
  }
  void lose(Name who, RequestKind kind, int sent, int given_up, Token term = kNoToken) {
    Reply none;
    none.request = send(who, kind, sent, term);
    none.kind = kind;
    none.ending = Ending::kUnknown;
    book_->replied(who, none, at(sent), at(given_up));
  }
  void release(Name who, Token term, bool done, int sent, int received) {
    Reply reply;
    reply.request = send(who, RequestKind::kRelease, sent, term);
    reply.kind = RequestKind::kRelease;
    reply.done = done;
    book_->replied(who, reply, at(sent), at(received));
  }
  void set_clock(int by, int asked, int done) {
    book_->clock_asked(0, milliseconds(by), at(asked));
    book_->clock_set(0, at(done));
  }
  void acquire(Name who, Token token, int sent, int received) {
    call(who, RequestKind::kAcquire, who, token, 1500, sent, received);
  }
  // "granted 2 10..20 #1"
  QString story() const {
    QStringList words;
    for (const Event& event : events_)
      words << QString("%1 %2 %3..%4 #%5")
                   .arg(QString::fromStdString(std::string(text(event.kind))))
                   .arg(event.node.handle)
                   .arg((event.lo - TrueTime{}) / milliseconds(1))
                   .arg((event.hi - TrueTime{}) / milliseconds(1))
                   .arg(event.token);
    return words.join(", ");
  }

 private slots:
  void init() {
    events_.clear();
    wire_ = Wire::kTerm;
    cause_ = 0;
    book_ = std::make_unique<HeldBook>(
        HeldBook::Facts{mutex_, store_, milliseconds(1500), false},
        [this](const Event& event) {
          events_.push_back(event);
          return static_cast<Sequence>(events_.size());
        },
        [this](Name who) { return who == a_ || who == b_; });
  }

  void aGrantLiesBetweenRequestAndReply() {
    acquire(a_, 1, 10, 20);
    call(a_, RequestKind::kGuard, a_, 1, 1500, 1000, 1010);
    QCOMPARE(story(), QString("granted 2 10..20 #1, renewed 2 1000..1010 #1"));
    QCOMPARE(book_->owner(), a_);
  }
  void aLeaseNotRenewedEndsWithinItsBounds() {
    acquire(a_, 1, 10, 20);
    book_->tick(at(1522));
    QCOMPARE(events_.size(), std::size_t{1});
    book_->tick(at(1523));
    QCOMPARE(story(), QString("granted 2 10..20 #1, expired 2 1509..1522 #1"));
    QVERIFY(book_->owner().empty());
  }
  void aRenewalThatMayArriveKeepsTheEndOpenUntilAnotherProvesIt() {
    acquire(a_, 1, 10, 20);
    lose(a_, RequestKind::kGuard, 1000, 2000, 1);
    QVERIFY(book_->certain_end() > at(3000));  // it may have arrived at the end of the lease
    acquire(b_, 2, 2600, 2610);
    QCOMPARE(story(), QString("granted 2 10..20 #1, expired 2 1509..2610 #1, granted 3 2600..2610 #2"));
  }
  void aReleaseIsKnownFromTheNextGrantWhenItsOwnReplyComesLater() {
    acquire(a_, 1, 10, 20);
    const std::uint64_t id = send(a_, RequestKind::kRelease, 500, 1);
    acquire(b_, 2, 502, 505);
    Reply late = answer(id, RequestKind::kRelease, Name{}, 0, 0);
    late.done = true;
    book_->replied(a_, late, at(500), at(506));
    QCOMPARE(story(), QString("granted 2 10..20 #1, released 2 500..505 #1, granted 3 502..505 #2"));
    QCOMPARE(book_->owner(), b_);
  }
  void aReleaseIsLedByItsOwnersCallAndNotByAMessage() {
    acquire(a_, 1, 10, 20);
    cause_ = 77;
    release(a_, 1, true, 500, 510);
    QCOMPARE(events_.back().cause, Sequence{77});
  }
  void aReleaseAnsweredNotYoursEndsNothing() {
    acquire(a_, 1, 10, 20);
    lose(a_, RequestKind::kAcquire, 30, 330);  // begins term 2, later
    release(a_, 1, false, 400, 410);
    QCOMPARE(story(), QString("granted 2 10..20 #1"));
  }
  void aLeaseThatRanOutIsNotReleasedByALateAnswer() {
    acquire(a_, 1, 10, 20);
    lose(a_, RequestKind::kRelease, 1400, 1700, 1);
    acquire(b_, 2, 4000, 4010);
    QCOMPARE(story(), QString("granted 2 10..20 #1, expired 2 1400..1522 #1, granted 3 4000..4010 #2"));
  }
  void aReplyThatWasOvertakenSaysNothingNew() {
    acquire(a_, 1, 10, 20);
    const std::uint64_t id = send(b_, RequestKind::kAcquire, 495);
    release(a_, 1, true, 500, 510);
    book_->replied(b_, answer(id, RequestKind::kAcquire, a_, 1, 1000), at(495), at(520));
    QCOMPARE(story(), QString("granted 2 10..20 #1, released 2 500..510 #1"));
    QVERIFY(book_->owner().empty());
  }
  // The foreign grant has bounds, and what ended before its time was released for all we know.
  void aForeignLeaseThatEndsEarlyWasReleased() {
    call(a_, RequestKind::kAcquire, f_, 7, 1000, 100, 110);
    QCOMPARE(book_->owner(), f_);
    QCOMPARE(book_->certain_end(), TrueTime::max());  // it may renew unseen
    acquire(a_, 8, 500, 510);
    QCOMPARE(story(), QString("granted 4 0..110 #7, released 4 100..510 #7, granted 2 500..510 #8"));
  }
  // Or released too: nobody saw it.
  void aForeignLeaseThatIsOverInItsTimeHasExpired() {
    call(a_, RequestKind::kAcquire, f_, 7, 1000, 100, 110);
    acquire(a_, 8, 1200, 1210);
    QCOMPARE(story(), QString("granted 4 0..110 #7, expired 4 100..1210 #7, granted 2 1200..1210 #8"));
  }
  void aForeignOwnerThatRenewedIsSeenToHaveDoneSo() {
    call(a_, RequestKind::kAcquire, f_, 7, 1000, 100, 110);
    call(b_, RequestKind::kAcquire, f_, 7, 900, 200, 210);
    call(b_, RequestKind::kAcquire, f_, 7, 1400, 500, 510);
    QCOMPARE(story(), QString("granted 4 0..110 #7, renewed 4 100..510 #7"));
  }
  void aForeignOwnerFoundLateWasGrantedAfterTheLastSightOfTheOther() {
    acquire(a_, 1, 10, 20);
    call(a_, RequestKind::kGuard, a_, 1, 1500, 1000, 1010);
    call(b_, RequestKind::kAcquire, f_, 9, 200, 4000, 4010);
    QCOMPARE(story(),
             QString("granted 2 10..20 #1, renewed 2 1000..1010 #1, expired 2 2499..2512 #1, granted 4 1000..4010 #9"));
  }
  void aGrantWhoseReplyNeverCameIsFoundByOthers() {
    lose(a_, RequestKind::kAcquire, 100, 400);
    call(b_, RequestKind::kAcquire, a_, 1, 300, 1300, 1310);
    QVERIFY(story().endsWith("granted 2 100..1310 #1"));
    QCOMPARE(book_->owner(), a_);
  }
  // On the 4.x wire: a lease has its whole length from its grant on, so what is left of it tells when that was.
  // Others were told of it while its own answer was still awaited.
  void aGrantWhoseReplyIsGivenUpIsWhatOthersSawOfItBefore() {
    Reply none;
    none.request = send(a_, RequestKind::kAcquire, 10);
    none.kind = RequestKind::kAcquire;
    none.ending = Ending::kUnknown;
    call(b_, RequestKind::kAcquire, a_, 1, 620, 900, 905);
    QCOMPARE(story(), QString());
    book_->replied(a_, none, at(10), at(1010));
    QCOMPARE(story(), "granted 2 10..905 #1");
    call(b_, RequestKind::kAcquire, a_, 1, 510, 1015, 1020);
    QCOMPARE(story(), "granted 2 10..905 #1");
  }
  void aRenewalWhoseReplyIsGivenUpIsWhatOthersSawOfItBefore() {
    acquire(a_, 1, 0, 5);
    Reply none;
    none.request = send(a_, RequestKind::kGuard, 1000, 1);
    none.kind = RequestKind::kGuard;
    none.ending = Ending::kUnknown;
    call(b_, RequestKind::kAcquire, a_, 1, 1400, 1100, 1105);
    QCOMPARE(story(), "granted 2 0..5 #1");
    book_->replied(a_, none, at(1000), at(2000));
    QCOMPARE(story(), "granted 2 0..5 #1, renewed 2 1000..1007 #1");
  }
  void aGrantOfTheOlderWireIsDatedByWhatIsLeftOfIt() {
    wire_ = Wire::kFenced;
    lose(a_, RequestKind::kAcquire, 100, 400);
    call(a_, RequestKind::kAcquire, a_, 1, 300, 1300, 1310);
    QVERIFY(story().endsWith("granted 2 100..112 #1"));
  }
  void theNewsOfAGrantIsLeftToItsOwnReply() {
    const std::uint64_t id = send(a_, RequestKind::kAcquire, 100);
    call(b_, RequestKind::kAcquire, a_, 1, 1495, 101, 104);
    QVERIFY(events_.empty());
    Reply own = answer(id, RequestKind::kAcquire, a_, 1, 1500);
    own.done = true;
    book_->replied(a_, own, at(100), at(105));
    QCOMPARE(story(), QString("granted 2 100..105 #1"));
  }
  // An acquire on one's own key begins a new term, and keeps the rest of the lease.
  void aNewTermOfTheSameOwnerNeedsNoEndOfTheOneBefore() {
    acquire(a_, 1, 10, 20);
    call(a_, RequestKind::kAcquire, a_, 2, 1000, 505, 510);
    QCOMPARE(story(), QString("granted 2 10..20 #1, granted 2 505..510 #2"));
    book_->tick(at(1600));
    QVERIFY(story().endsWith("expired 2 1503..1512 #2"));
  }
  void aReleaseThatArrivesAfterItWasGivenUpEndsTheLeaseThen() {
    acquire(a_, 1, 10, 20);
    lose(a_, RequestKind::kRelease, 300, 400, 1);
    book_->late_release(a_, true, at(900), at(905));
    QCOMPARE(story(), QString("granted 2 10..20 #1, released 2 900..905 #1"));
  }
  void aLateReleaseOfAnotherTermIsToldAndEndsNothing() {
    acquire(a_, 1, 10, 20);
    lose(a_, RequestKind::kRelease, 300, 400, 1);
    call(a_, RequestKind::kAcquire, a_, 2, 1000, 500, 510);
    book_->late_release(a_, false, at(900), at(905));
    QCOMPARE(story(), QString("granted 2 10..20 #1, granted 2 500..510 #2, release_refused 2 900..905 #1"));
    QCOMPARE(book_->owner(), a_);
  }
  void ofSeveralLateReleasesNobodyKnowsWhichItWas() {
    acquire(a_, 1, 10, 20);
    lose(a_, RequestKind::kRelease, 300, 400, 1);
    call(a_, RequestKind::kAcquire, a_, 2, 1000, 500, 510);
    lose(a_, RequestKind::kRelease, 600, 700, 2);
    book_->late_release(a_, false, at(900), at(905));
    QCOMPARE(story(), QString("granted 2 10..20 #1, granted 2 500..510 #2"));
  }
  void aStoreThatDoesNotAnswerIsUnobservedFromTheEndOfTheLastLeaseOn() {
    acquire(a_, 1, 10, 20);
    lose(a_, RequestKind::kGuard, 1000, 1300, 1);
    book_->tick(at(1400));
    QCOMPARE(story(), QString("granted 2 10..20 #1"));
    QVERIFY(book_->due() < at(1510));  // until then nobody else can hold
    book_->tick(at(1510));
    QVERIFY(story().endsWith("unobserved_began 5 1509..1509 #0"));
    lose(a_, RequestKind::kAcquire, 2000, 2300);
    acquire(b_, 2, 3000, 3010);
    QVERIFY(story().endsWith("unobserved_ended 5 3000..3010 #0, expired 2 1509..3010 #1, granted 3 3000..3010 #2"));
  }
  void aClockThatPassesTheEndEndsTheLeaseWhileItIsSet() {
    acquire(a_, 1, 10, 20);
    book_->clock_asked(0, milliseconds(1500), at(500));
    QVERIFY(book_->certain_end() > at(1500));  // it may not have been set yet
    book_->clock_set(0, at(505));
    book_->tick(at(505));
    QCOMPARE(story(), QString("granted 2 10..20 #1, expired 2 500..505 #1"));
  }
  void aClockSetForwardBringsTheEndNearer() {
    acquire(a_, 1, 10, 20);
    set_clock(1000, 100, 110);
    book_->tick(at(523));
    QCOMPARE(story(), QString("granted 2 10..20 #1, expired 2 509..522 #1"));
  }
  void aClockSetBackPutsTheEndOff() {
    acquire(a_, 1, 10, 20);
    set_clock(-3000, 100, 110);
    call(b_, RequestKind::kAcquire, a_, 1, 2510, 2000, 2010);  // nobody has renewed it
    book_->tick(at(4522));
    QCOMPARE(story(), QString("granted 2 10..20 #1"));
    book_->tick(at(4523));
    QCOMPARE(story(), QString("granted 2 10..20 #1, expired 2 4509..4522 #1"));
  }
  void aLeaseThatMayHaveRunOutBeforeItsClockWasSetBackHasWideBounds() {
    acquire(a_, 1, 10, 20);
    set_clock(-3000, 1490, 1530);
    QCOMPARE(book_->certain_end(), at(4522) + std::chrono::microseconds(750));
    acquire(b_, 2, 4600, 4610);
    QCOMPARE(story(), QString("granted 2 10..20 #1, expired 2 1509..4522 #1, granted 3 4600..4610 #2"));
  }
  void aGrantWhileTheClockIsSetMayHaveComeBeforeOrAfter() {
    const std::uint64_t forward = send(a_, RequestKind::kAcquire, 10);
    set_clock(1000, 12, 15);
    Reply reply = answer(forward, RequestKind::kAcquire, a_, 1, 1500);
    reply.done = true;
    book_->replied(a_, reply, at(10), at(20));
    book_->tick(at(1523));
    QCOMPARE(story(), QString("granted 2 10..20 #1, expired 2 509..1522 #1"));
    const std::uint64_t back = send(a_, RequestKind::kAcquire, 2010);
    set_clock(-1000, 2012, 2015);
    reply = answer(back, RequestKind::kAcquire, a_, 2, 1500);
    reply.done = true;
    book_->replied(a_, reply, at(2010), at(2020));
    book_->tick(at(4523));
    QVERIFY2(story().endsWith("expired 2 3509..4522 #2"), qPrintable(story()));
  }
  void aRenewalWhoseAnswerWasLostIsDatedAcrossAClockSetBack() {
    acquire(a_, 1, 10, 20);
    lose(a_, RequestKind::kGuard, 1000, 1300, 1);
    set_clock(-3000, 1400, 1410);
    call(b_, RequestKind::kAcquire, a_, 1, 3500, 2000, 2010);  // renewed at 1000
    QVERIFY2(story().startsWith("granted 2 10..20 #1, renewed 2 1000.."), qPrintable(story()));
    QVERIFY(events_.back().hi >= at(1000) && events_.back().hi <= at(2010));
    book_->tick(at(5514));
    QVERIFY2(story().endsWith("expired 2 5497..5513 #1"), qPrintable(story()));
  }
  void aLeaseThatWasOverAndLastsAgainIsRestoredAndNobodysGrant() {
    acquire(a_, 1, 10, 20);
    set_clock(2000, 500, 505);
    book_->tick(at(505));
    set_clock(-2000, 700, 705);
    call(b_, RequestKind::kAcquire, a_, 1, 760, 750, 755);
    QCOMPARE(story(), QString("granted 2 10..20 #1, expired 2 500..505 #1, granted 2 700..755 #1"));
    QCOMPARE(events_.back().detail, static_cast<std::uint8_t>(GrantKind::kRestored));
    QCOMPARE(book_->owner(), a_);
    call(a_, RequestKind::kGuard, a_, 1, 1500, 900, 910);
    QVERIFY(story().endsWith("renewed 2 900..910 #1"));
  }
  void anErrorIsAnAnswer() {
    Reply refused;
    refused.request = send(a_, RequestKind::kAcquire, 10);
    refused.ending = Ending::kFailed;
    refused.refused = true;
    book_->replied(a_, refused, at(10), at(20));
    QCOMPARE(book_->due(), TrueTime::max());
  }
};

LEASESCOPE_SUITE(HeldBookTest)
#include "held_book_test.moc"
