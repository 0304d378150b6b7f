#include "simulator/live/held_book.h"
#include "tests/support/suite.h"

using namespace leasescope;
using std::chrono::milliseconds;

namespace {

TrueTime at(int ms) { return TrueTime(milliseconds(ms)); }

}  // namespace

// A lease of 1500 ms; contenders a and b are ours, f is foreign.
class HeldBookTest : public QObject {
  Q_OBJECT

  const Name mutex_{1}, a_{2}, b_{3}, f_{4};
  std::vector<Event> events_;
  std::unique_ptr<HeldBook> book_;
  std::uint64_t requests_ = 0;

  Request request(Name who, RequestKind kind) {
    Request out;
    out.id = ++requests_;
    out.kind = kind;
    out.contender = who;
    return out;
  }
  void send(Name who, RequestKind kind, int ms) { book_->sending(who, request(who, kind), at(ms)); }
  void reply(Name who, RequestKind kind, Name owner, Token token, int remaining, int sent, int received,
             Ending ending = Ending::kOk) {
    Reply out;
    out.kind = kind;
    out.ending = ending;
    out.owner = owner;
    out.token = token;
    out.remaining = milliseconds(remaining);
    book_->replied(who, out, at(sent), at(received), 0);
  }
  void call(Name who, RequestKind kind, Name owner, Token token, int remaining, int sent, int received) {
    send(who, kind, sent);
    reply(who, kind, owner, token, remaining, sent, received);
  }
  void release(Name who, bool released, int sent, int received) {
    send(who, RequestKind::kRelease, sent);
    Reply out;
    out.kind = RequestKind::kRelease;
    out.done = released;
    book_->replied(who, out, at(sent), at(received), 0);
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
    book_ = std::make_unique<HeldBook>(
        mutex_, milliseconds(1500),
        [this](const Event& event) {
          events_.push_back(event);
          return static_cast<Sequence>(events_.size());
        },
        [this](Name who) { return who == a_ || who == b_; });
  }

  void aGrantLiesBetweenRequestAndReply() {
    call(a_, RequestKind::kAcquire, a_, 1, 1500, 10, 20);
    call(a_, RequestKind::kGuard, a_, 1, 1500, 1000, 1010);
    QCOMPARE(story(), QString("granted 2 10..20 #1, renewed 2 1000..1010 #1"));
    QVERIFY(book_->owner() == a_);
  }
  void aLeaseNotRenewedEndsWithinItsBounds() {
    call(a_, RequestKind::kAcquire, a_, 1, 1500, 10, 20);
    QVERIFY(book_->certain_end() == at(1522));
    book_->tick(at(1521));
    QCOMPARE(events_.size(), std::size_t{1});
    book_->tick(at(1523));
    QCOMPARE(story(), QString("granted 2 10..20 #1, expired 2 1510..1522 #1"));
    QVERIFY(book_->owner().empty());
  }
  void aRenewalOnItsWayKeepsTheEndOpenUntilAnotherProvesIt() {
    call(a_, RequestKind::kAcquire, a_, 1, 1500, 10, 20);
    send(a_, RequestKind::kGuard, 1000);
    reply(a_, RequestKind::kGuard, Name{}, 0, 0, 1000, 2000, Ending::kUnknown);
    QVERIFY(book_->certain_end() == TrueTime::max());
    call(b_, RequestKind::kAcquire, b_, 2, 1500, 2600, 2610);
    QCOMPARE(story(), QString("granted 2 10..20 #1, expired 2 1510..2610 #1, granted 3 2600..2610 #2"));
  }
  void aReleaseIsKnownFromTheNextGrantWhenItsOwnReplyComesLater() {
    call(a_, RequestKind::kAcquire, a_, 1, 1500, 10, 20);
    send(a_, RequestKind::kRelease, 500);
    call(b_, RequestKind::kAcquire, b_, 2, 1500, 502, 505);
    Reply late;
    late.kind = RequestKind::kRelease;
    late.done = true;
    book_->replied(a_, late, at(500), at(506), 0);
    QCOMPARE(story(), QString("granted 2 10..20 #1, released 2 500..505 #1, granted 3 502..505 #2"));
    QVERIFY(book_->owner() == b_);
  }
  void aReplyThatWasOvertakenSaysNothingNew() {
    call(a_, RequestKind::kAcquire, a_, 1, 1500, 10, 20);
    send(b_, RequestKind::kAcquire, 495);
    release(a_, true, 500, 510);
    reply(b_, RequestKind::kAcquire, a_, 1, 1000, 495, 520);
    QCOMPARE(story(), QString("granted 2 10..20 #1, released 2 500..510 #1"));
    QVERIFY(book_->owner().empty());
  }
  void aForeignOwnerAppearsWithBounds() {
    call(a_, RequestKind::kAcquire, f_, 7, 1000, 100, 110);
    QCOMPARE(story(), QString("granted 4 0..110 #7"));
    QVERIFY(book_->owner() == f_);
    QVERIFY(book_->certain_end() == TrueTime::max());  // it may renew unseen
    call(a_, RequestKind::kAcquire, a_, 8, 1500, 1200, 1210);
    QCOMPARE(story(), QString("granted 4 0..110 #7, expired 4 1100..1210 #7, granted 2 1200..1210 #8"));
  }
  void aForeignOwnerThatRenewedIsSeenToHaveDoneSo() {
    call(a_, RequestKind::kAcquire, f_, 7, 1000, 100, 110);
    call(b_, RequestKind::kAcquire, f_, 7, 900, 200, 210);
    call(b_, RequestKind::kAcquire, f_, 7, 1400, 500, 510);
    QCOMPARE(story(), QString("granted 4 0..110 #7, renewed 4 500..510 #7"));
  }
  void aForeignReleaseIsHeard() {
    call(a_, RequestKind::kAcquire, f_, 7, 1000, 100, 110);
    book_->heard({StoreEventKind::kReleased, mutex_, f_}, at(300));
    QCOMPARE(story(), QString("granted 4 0..110 #7, released 4 100..300 #7"));
  }
  void aGrantWhoseReplyNeverCameIsFoundByOthers() {
    send(a_, RequestKind::kAcquire, 100);
    reply(a_, RequestKind::kAcquire, Name{}, 0, 0, 100, 1100, Ending::kUnknown);
    call(b_, RequestKind::kAcquire, a_, 1, 300, 1300, 1310);
    QCOMPARE(story(), QString("granted 2 100..1310 #1"));
    QVERIFY(book_->owner() == a_);
  }
  void theNewsOfAGrantIsLeftToItsOwnReply() {
    send(a_, RequestKind::kAcquire, 100);
    call(b_, RequestKind::kAcquire, a_, 1, 1495, 101, 104);
    QVERIFY(events_.empty());
    reply(a_, RequestKind::kAcquire, a_, 1, 1500, 100, 105);
    QCOMPARE(story(), QString("granted 2 100..105 #1"));
  }
};

LEASESCOPE_SUITE(HeldBookTest)
#include "held_book_test.moc"
