#include "simulator/live/node_book.h"
#include "core/base/name.h"
#include "tests/support/suite.h"

using namespace leasescope;
using std::chrono::milliseconds;

namespace {

TrueTime at(int ms) { return TrueTime(milliseconds(ms)); }

}  // namespace

// What is proven of who held, by the answers that its clients were given.
class NodeBookTest : public QObject {
  Q_OBJECT

  NameTable names_;
  Name m_ = names_.intern("m"), a_ = names_.intern("a"), b_ = names_.intern("b");
  std::vector<Event> told_;
  std::unique_ptr<NodeBook> book_;
  std::uint64_t ids_ = 0;
  std::uint64_t a_session_ = 10, b_session_ = 20;

  // A call and its answer, of its client's session (10 for a, 20 for b).
  void call(Name who, RequestKind kind, std::uint32_t node, int sent, int received, std::uint64_t number,
            Token token = kNoToken, NodeAnswer answer = NodeAnswer::kDone) {
    Request request;
    request.id = ++ids_;
    request.kind = kind;
    request.mutex = m_;
    request.contender = who;
    request.nodes =
        NodeCall{kind == RequestKind::kConnect ? std::uint64_t{0} : session(who), 0, milliseconds(1000), node, false};
    book_->sending(who, request, at(sent), 0);
    Reply reply;
    reply.begin(request);
    reply.answer = static_cast<std::uint8_t>(answer);
    reply.number = number;
    reply.token = token;
    reply.remaining = milliseconds(1000);
    book_->replied(who, reply, at(sent), at(received));
  }
  std::uint64_t session(Name who) const { return who == a_ ? a_session_ : b_session_; }
  void opens(Name who, int ms) { call(who, RequestKind::kConnect, 0, ms, ms + 5, session(who)); }
  void lists(Name who, std::uint32_t own, std::uint32_t before, int ms) {
    call(who, RequestKind::kChildren, own, ms, ms + 5, Children{own, before}.packed());
  }
  // Its own node, which is its first; b's is behind a's.
  void a_leads() {
    opens(a_, 0);
    call(a_, RequestKind::kCreate, 0, 10, 15, 1, 100);
    lists(a_, 1, 0, 20);
    call(a_, RequestKind::kLook, 1, 30, 35, 10, 100);
    opens(b_, 40);
    call(b_, RequestKind::kCreate, 0, 50, 55, 2, 200);
    lists(b_, 2, 1, 60);
  }
  void b_leads(int ms) {
    lists(b_, 2, 0, ms);
    call(b_, RequestKind::kLook, 2, ms + 10, ms + 15, 20, 200);
  }
  std::vector<Event> of(EventKind kind) const {
    std::vector<Event> out;
    for (const Event& event : told_)
      if (event.kind == kind) out.push_back(event);
    return out;
  }

 private slots:
  void init() {
    a_session_ = 10;
    b_session_ = 20;
    told_.clear();
    book_ = std::make_unique<NodeBook>(LiveBook::Facts{m_, names_.intern("store"), milliseconds(1000)},
                                       [this](const Event& event) {
                                         told_.push_back(event);
                                         return told_.size();
                                       });
  }

  void aLeadBeginsBetweenTheWishForItsNodeAndTheListThatShowsItFirst() {
    a_leads();
    const auto granted = of(EventKind::kGranted);
    QCOMPARE(granted.size(), std::size_t{1});
    QCOMPARE(granted[0].node, a_);
    QCOMPARE(granted[0].token, Token{100});
    QCOMPARE(granted[0].lo, at(10));
    QCOMPARE(granted[0].hi, at(25));
    QCOMPARE(book_->owner(), a_);
  }
  void whatIsGivenBackGoesToTheNextNoEarlierThanThat() {
    a_leads();
    call(a_, RequestKind::kDelete, 1, 500, 510, 0);
    b_leads(520);
    const auto released = of(EventKind::kReleased), granted = of(EventKind::kGranted);
    QCOMPARE(released.size(), std::size_t{1});
    QCOMPARE(released[0].lo, at(500));
    QCOMPARE(released[0].hi, at(510));
    QCOMPARE(granted.size(), std::size_t{2});
    QCOMPARE(granted[1].lo, at(500));
    QCOMPARE(granted[1].hi, at(525));
    QVERIFY(of(EventKind::kExpired).empty());
  }
  void whoFoundItsNodeLeadsOnceItHasLookedAtIt() {
    opens(a_, 0);
    lists(a_, 1, 0, 20);
    QVERIFY(of(EventKind::kGranted).empty());
    call(a_, RequestKind::kLook, 1, 30, 35, 10, 100);
    QCOMPARE(of(EventKind::kGranted).size(), std::size_t{1});
  }
  // Its last word that was answered went out at 30: until 1030 the session lasts for certain.
  void aSessionThatRunsOutEndsTheLeadWhenAnotherIsSeenFirst() {
    a_leads();
    b_leads(1400);
    const auto expired = of(EventKind::kExpired), granted = of(EventKind::kGranted);
    QCOMPARE(expired.size(), std::size_t{1});
    QCOMPARE(expired[0].node, a_);
    QCOMPARE(expired[0].lo, at(1030));
    QCOMPARE(expired[0].hi, at(1405));
    QCOMPARE(granted[1].lo, at(1030));
    QVERIFY(granted[1].lo <= granted[1].hi);
  }
  void aSignOfLifeRenewsIt() {
    a_leads();
    call(a_, RequestKind::kHeartbeat, 0, 600, 605, 0);
    QCOMPARE(of(EventKind::kRenewed).size(), std::size_t{1});
    b_leads(1900);
    QCOMPARE(of(EventKind::kExpired)[0].lo, at(1600));
  }
  // Its client has given the session of its node up, and pings by another: the node lasts no longer for that.
  void aSignOfLifeOfAnotherSessionRenewsNothing() {
    a_leads();
    a_session_ = 11;
    opens(a_, 400);
    call(a_, RequestKind::kHeartbeat, 0, 800, 805, 0);
    QVERIFY(of(EventKind::kRenewed).empty());
    b_leads(1400);
    QCOMPARE(of(EventKind::kExpired).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kExpired)[0].lo, at(1030));
  }
  void whatMayHaveBeenGivenBackUnheardIsSaidToBe() {
    a_leads();
    Request lost;
    lost.id = ++ids_;
    lost.kind = RequestKind::kDelete;
    lost.mutex = m_;
    lost.nodes = NodeCall{10, 0, milliseconds(1000), 1, false};
    book_->sending(a_, lost, at(400), 0);
    b_leads(450);
    QVERIFY(of(EventKind::kExpired).empty());
    QCOMPARE(of(EventKind::kReleased).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kReleased)[0].lo, at(400));
    QCOMPARE(of(EventKind::kReleased)[0].hi, at(455));
  }
  void whoIsToldThatItsSessionIsOverHasLedNoLonger() {
    a_leads();
    call(a_, RequestKind::kHeartbeat, 0, 1500, 1510, 0, kNoToken, NodeAnswer::kSessionEnded);
    QCOMPARE(of(EventKind::kExpired).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kExpired)[0].hi, at(1510));
    QCOMPARE(of(EventKind::kSessionEnded).size(), std::size_t{1});
    QVERIFY(book_->owner().empty());
  }
  // It was said that it held on for as long as its server was dead.
  void aStoreThatAnswersNobodyIsUnobservedUntilItDoes() {
    a_leads();
    const auto lose = [&](Name who, int sent, int ended) {
      Request request;
      request.id = ++ids_;
      request.kind = RequestKind::kHeartbeat;
      request.mutex = m_;
      request.nodes = NodeCall{session(who), 0, milliseconds(1000), 0, false};
      book_->sending(who, request, at(sent), 0);
      Reply reply;
      reply.begin(request);
      reply.ending = Ending::kUnknown;
      book_->replied(who, reply, at(sent), at(ended));
    };
    lose(a_, 300, 400);
    QCOMPARE(book_->due(), at(300) + Duration(milliseconds(1000)) * 2 / 3);
    call(b_, RequestKind::kHeartbeat, 0, 500, 505, 0);  // it was a's connection alone
    QCOMPARE(book_->due(), TrueTime::max());
    lose(b_, 800, 820);
    lose(a_, 900, 920);
    book_->tick(at(1400));
    QVERIFY(of(EventKind::kUnobservedBegan).empty());
    book_->tick(at(1467));
    QCOMPARE(of(EventKind::kUnobservedBegan).size(), std::size_t{1});
    QCOMPARE(book_->due(), TrueTime::max());
    call(b_, RequestKind::kHeartbeat, 0, 3000, 3005, 0);
    QCOMPARE(of(EventKind::kUnobservedEnded).size(), std::size_t{1});
    QCOMPARE(of(EventKind::kUnobservedEnded)[0].lo, at(3000));
    QCOMPARE(of(EventKind::kUnobservedEnded)[0].hi, at(3005));
  }
  // Of a session that its client has given up: it does not lead by it.
  void aNodeOfAnotherSessionIsNoLead() {
    a_leads();
    call(a_, RequestKind::kDelete, 1, 500, 510, 0);
    b_session_ = 21;
    opens(b_, 515);
    lists(b_, 2, 0, 520);
    call(b_, RequestKind::kLook, 2, 530, 535, 20, 200);
    QCOMPARE(of(EventKind::kGranted).size(), std::size_t{1});
    QVERIFY(book_->owner().empty());
  }
};

LEASESCOPE_SUITE(NodeBookTest)
#include "node_book_test.moc"
