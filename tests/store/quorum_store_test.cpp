// The servers of a quorum lock, live: what one of them does with an attempt, and several of them as one contender's
// store.
#include <random>

#include <fmt/format.h>

#include "core/store/several_stores.h"
#include "simulator/model/quorum/redlock_model.h"
#include "tests/store/ruled.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr milliseconds kTtl{5000};

const StoreType& type_of_quorums() {
  for (const StoreType* type : store_types())
    if (type->carries(Family::kQuorum)) return *type;
  throw std::runtime_error("no store carries the servers of a quorum lock");
}

// One contender's adapter to all servers, by hand.
class QuorumClient final : public StoreListener {
 public:
  QuorumClient(QtLoop& loop, PlainNames& names, const std::vector<StoreUrl>& servers, const std::string& id,
               const std::string& mutex)
      : id_(names.intern(id)), mutex_(names.intern(mutex)) {
    const auto make = [&](std::size_t place, StoreListener& listener) {
      const StoreUrl& url = servers[place];
      return make_store(loop, url, StoreRoute{url.endpoint, url.endpoint}, names, listener, Family::kQuorum);
    };
    store_ = std::make_unique<SeveralStores>(loop, servers.size(), make, *this);
    store_->connect();
  }

  bool connects() {
    return wait_until([this] { return store_->connected(); }, milliseconds(5000));
  }
  Request request(RequestKind kind, std::uint8_t server = 0) {
    Request out;
    out.id = ++requests_;
    out.kind = kind;
    out.store = server;
    out.mutex = mutex_;
    out.contender = id_;
    out.timeout = milliseconds(8000);
    if (!is_of_channel(kind)) out.quorum = {0, 0, kTtl, {0}, {}};
    return out;
  }
  Told ask(const Request& request) {
    store_->send(request);
    const auto here = [&] { return !told.empty() && told.back().reply.request == request.id; };
    return wait_until(here, milliseconds(10'000)) ? told.back() : Told{{}, {}, {}, "never told"};
  }
  Told obtain(std::uint64_t acquisition, std::int32_t priority = 0, std::uint64_t fence = 0, std::uint8_t server = 0,
              Duration ttl = kTtl) {
    Request out = request(RequestKind::kObtain, server);
    out.quorum = {acquisition, fence, ttl, {priority}, {}};
    return ask(out);
  }
  Told give_back(std::uint64_t acquisition, std::uint8_t server = 0) {
    Request out = request(RequestKind::kGiveBack, server);
    out.quorum.acquisition = acquisition;
    return ask(out);
  }
  Name id() const { return id_; }
  Name mutex() const { return mutex_; }
  bool connected() const { return store_->connected(); }

  void on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) override {
    told.push_back({reply, sent, received, error});
  }
  void on_store_event(const StoreEvent& event, TrueTime) override { events.push_back(event); }
  void on_connected() override {}
  void on_disconnected(const std::string&) override {}

  std::vector<Told> told;
  std::vector<StoreEvent> events;

 private:
  Name id_;
  Name mutex_;
  std::unique_ptr<SeveralStores> store_;
  std::uint64_t requests_ = 0;
};

QuorumAnswer answer_in(const Told& each) { return static_cast<QuorumAnswer>(each.reply.answer); }

}  // namespace

class QuorumStoreTest : public QObject {
  Q_OBJECT

  std::vector<std::unique_ptr<PrivateServer>> servers_;
  QtLoop loop_;
  PlainNames names_;

  std::vector<StoreUrl> urls() const {
    std::vector<StoreUrl> out;
    for (const auto& server : servers_) out.push_back(server->url());
    return out;
  }
  std::unique_ptr<QuorumClient> client(const std::string& id) {
    auto out = std::make_unique<QuorumClient>(loop_, names_, urls(), id, QTest::currentTestFunction());
    return out->connects() ? std::move(out) : nullptr;
  }

 private slots:
  void init() {
    for (int i = 0; i < 3; ++i) {
      servers_.push_back(std::make_unique<PrivateServer>(type_of_quorums()));
      const auto started = servers_.back()->start();
      QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
      const auto looked = probe(servers_.back()->url(), {"orders"}, Family::kQuorum);
      QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
      QCOMPARE(looked->holders, std::vector<std::string>{""});
    }
  }
  void cleanup() { servers_.clear(); }

  void whatIsFreeIsObtainedAndWhatIsHeldDenied() {
    const auto a = client("a"), b = client("b");
    const Told taken = a->obtain(11, 0, 1);
    QCOMPARE(taken.error, std::string());
    QVERIFY(taken.reply.done);
    QCOMPARE(answer_in(taken), QuorumAnswer::kSuccess);
    QCOMPARE(taken.reply.token, Token{1});
    const Told refused = b->obtain(12, 0, 2);
    QVERIFY(!refused.reply.done);
    QCOMPARE(answer_in(refused), QuorumAnswer::kDenied);
    QCOMPARE(refused.reply.owner, a->id());
    QVERIFY(refused.reply.remaining > kTtl - milliseconds(1000) && refused.reply.remaining <= kTtl);
    QVERIFY(b->obtain(12, 0, 2, 1).reply.done);  // another server is for him
    QVERIFY(a->give_back(11).reply.done);
    QCOMPARE(answer_in(b->obtain(12, 0, 1)), QuorumAnswer::kBehind);
    QVERIFY(b->obtain(12, 0, 2).reply.done);
    const auto looked = probe(servers_[0]->url(), {QTest::currentTestFunction()}, Family::kQuorum);
    QVERIFY(looked.has_value());
    QCOMPARE(looked->holders, std::vector<std::string>{"b"});
  }
  void aHigherPriorityStealsAndKnowsFromWhom() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a->obtain(0x7fff'ffff'ffff'fff1, -5).reply.done);
    const Told stolen = b->obtain(0x7fff'ffff'ffff'fff2, 3);
    QVERIFY(stolen.reply.done);
    QCOMPARE(answer_in(stolen), QuorumAnswer::kFromVictim);
    QCOMPARE(stolen.reply.owner, a->id());
    QCOMPARE(stolen.reply.number, std::uint64_t{0x7fff'ffff'ffff'fff1});
  }
  void aLockRunsOutByTheServersClock() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a->obtain(1, 0, 1, 0, milliseconds(200)).reply.done);
    const TrueTime begun = loop_.now();
    QVERIFY(!b->obtain(2, 0, 2).reply.done);
    while (!b->obtain(2, 0, 2).reply.done) QVERIFY(loop_.now() - begun < milliseconds(1000));
    QVERIFY(loop_.now() - begun >= milliseconds(190));
  }
  void aThiefTellsItsVictimThroughAServer() {
    const auto a = client("a"), b = client("b");
    for (std::uint8_t server = 0; server < 3; ++server)
      QCOMPARE(a->ask(a->request(RequestKind::kSubscribe, server)).error, std::string());
    Request tell = b->request(RequestKind::kTell, 1);
    const Duration until = (loop_.now() - TrueTime{}) + milliseconds(777);
    tell.quorum = {0x7fff'ffff'ffff'fff1, 42, until, {}, {}};
    tell.quorum.to = a->id().handle;
    QCOMPARE(b->ask(tell).error, std::string());
    QVERIFY(wait_until([&] { return !a->events.empty(); }, milliseconds(2000)));
    const StoreEvent& heard = a->events.front();
    QCOMPARE(heard.kind, StoreEventKind::kStolen);
    QCOMPARE(heard.server, std::uint8_t{1});
    QCOMPARE(heard.owner, b->id());
    QCOMPARE(heard.mutex, a->mutex());
    QCOMPARE(heard.acquisition, std::uint64_t{0x7fff'ffff'ffff'fff1});
    QCOMPARE(heard.by, std::uint64_t{42});
    const Duration apart = (heard.until - WallTime{}) - until;
    QVERIFY(apart > -milliseconds(1) && apart < milliseconds(1));
    QVERIFY(b->events.empty());
  }
  void aMajorityOfServersIsEnoughToBeConnected() {
    const auto a = client("a");
    servers_[0]->kill();
    const Told lost = a->obtain(1);
    QVERIFY(lost.reply.ending != Ending::kOk);
    QVERIFY(a->connected());
    QVERIFY(a->obtain(1, 0, 0, 1).reply.done);
    servers_[1]->kill();
    QVERIFY(wait_until([&] { return !a->connected(); }, milliseconds(3000)));
    const auto back = servers_[0]->start_again();
    QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
    QVERIFY(wait_until([&] { return a->connected(); }, milliseconds(5000)));
    QVERIFY(a->obtain(2).reply.done);
  }
  void aServerForgetsOrRemembersAsItWasMade() {
    PrivateServerOptions options;
    options.remembers = true;
    PrivateServer remembers(type_of_quorums(), options);
    QVERIFY(remembers.start().has_value());
    for (PrivateServer* const server : {servers_[0].get(), &remembers}) {
      QuorumClient a(loop_, names_, {server->url()}, "a", QTest::currentTestFunction());
      QVERIFY(a.connects());
      QVERIFY(a.obtain(1, 0, 9).reply.done);
      server->kill();
      QVERIFY(server->start_again().has_value());
      QVERIFY(wait_until([&] { return !a.connected(); }, milliseconds(3000)));
      QVERIFY(a.connects());
      const Told again = a.obtain(2, 0, 3);
      QCOMPARE(answer_in(again), server == &remembers ? QuorumAnswer::kDenied : QuorumAnswer::kSuccess);
      QCOMPARE(again.reply.token, server == &remembers ? Token{9} : Token{3});
    }
  }

  // Random attempts of three contenders: a server answers as the model does.
  void itAnswersAsTheModelDoes() {
    std::vector<std::unique_ptr<QuorumClient>> clients;
    for (const char* id : {"a", "b", "c"}) clients.push_back(client(id));
    RedlockModel model(1, {}, 0);
    std::mt19937 draws(5);
    std::vector<std::uint64_t> attempts{0};
    const RequestKind kinds[] = {RequestKind::kObtain,   RequestKind::kObtain, RequestKind::kObtain,
                                 RequestKind::kExtend,   RequestKind::kAbort,  RequestKind::kGiveBack,
                                 RequestKind::kGiveBack, RequestKind::kObtain};
    int stolen = 0, re_entered = 0, behind = 0, given_back = 0;
    for (int i = 0; i < 2000; ++i) {
      QuorumClient& who = *clients[draws() % clients.size()];
      Request request = who.request(kinds[draws() % 8]);
      if (request.kind == RequestKind::kObtain && draws() % 3 != 0) attempts.push_back(attempts.back() + 1);
      // Of who holds, or of one of the last.
      const RedlockModel::Entry* const held = model.vote(0);
      const std::size_t back = std::min<std::size_t>(attempts.size() - 1, draws() % 4);
      const std::uint64_t some =
          held != nullptr && draws() % 2 == 0 ? held->acquisition : attempts[attempts.size() - 1 - back];
      QuorumCall& call = request.quorum;
      call.acquisition = request.kind == RequestKind::kObtain && draws() % 8 != 0 ? attempts.back() : some;
      call.priority = static_cast<std::int32_t>(draws() % 7) - 3;
      call.rules.keeps_victim = draws() % 2 == 0;
      call.rules.sets_missing = draws() % 4 == 0;
      call.rules.re_enters = request.kind == RequestKind::kObtain && draws() % 5 == 0;
      call.other = call.rules.re_enters ? some : draws() % 3 == 0 ? 0 : i + draws() % 40;
      call.span = std::chrono::hours(1);  // none ends within the test
      ServerCall asked;
      asked.request = request;
      ServerSteps steps;
      model.take(asked, ServerNow{}, steps);
      const Told told = who.ask(request);
      QCOMPARE(told.error, std::string());
      const Reply* expected = nullptr;
      for (const ServerStep& step : steps)
        if (step.replies) expected = &step.reply;
      QVERIFY(expected != nullptr);
      QVERIFY2(told.reply.done == expected->done && told.reply.answer == expected->answer,
               fmt::format("step {}, kind {}: done {}, answer {}; expected done {}, answer {}", i,
                           static_cast<int>(request.kind), told.reply.done, told.reply.answer, expected->done,
                           expected->answer)
                   .c_str());
      const bool gives_back = request.kind == RequestKind::kGiveBack || request.kind == RequestKind::kAbort;
      stolen += answer_in(told) == QuorumAnswer::kFromVictim;
      re_entered += answer_in(told) == QuorumAnswer::kReentrant;
      behind += answer_in(told) == QuorumAnswer::kBehind;
      given_back += gives_back && told.reply.done;
      if (gives_back) {
        // To whom it went back the model tells the history.
        const ServerStep* const to = steps.end() - 1;
        if (to->replies || to->kind != EventKind::kVoteGranted) {
          QVERIFY(told.reply.owner.empty());
          continue;
        }
        QCOMPARE(told.reply.owner, to->owner);
        QCOMPARE(told.reply.number, to->acquisition);
        continue;
      }
      QCOMPARE(told.reply.owner, expected->owner);
      QCOMPARE(told.reply.number, expected->number);
      QCOMPARE(told.reply.token, expected->token);
      const Duration apart = told.reply.remaining - expected->remaining;
      QVERIFY(apart <= Duration::zero() && apart > -std::chrono::minutes(2));
    }
    QVERIFY2(stolen > 50 && re_entered > 50 && behind > 50 && given_back > 100,
             fmt::format("{} {} {} {}", stolen, re_entered, behind, given_back).c_str());
  }
};

LEASESCOPE_SUITE(QuorumStoreTest)
#include "quorum_store_test.moc"
