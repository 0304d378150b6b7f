#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <regex>

#include "core/store/zookeeper/asker.h"
#include "core/store/zookeeper/store_type.h"
#include "tests/store/rig.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kConnect = RequestKind::kConnect;
constexpr RequestKind kCreate = RequestKind::kCreate;
constexpr RequestKind kChildren = RequestKind::kChildren;
constexpr RequestKind kLook = RequestKind::kLook;
constexpr RequestKind kDelete = RequestKind::kDelete;

// One contender's adapter, by hand: its calls of nodes in the session that it has.
class NodeClient final : public StoreListener {
 public:
  NodeClient(QtLoop& loop, PlainNames& names, const StoreUrl& url, const std::string& id, const std::string& mutex,
             std::optional<StoreRoute> route = {})
      : names_(&names), id_(names.intern(id)), mutex_(names.intern(mutex)) {
    store_ = make_store(loop, url, route.value_or(StoreRoute{url.endpoint, url.endpoint}), names, *this);
    store_->connect();
    wait_until([this] { return store_->connected(); }, milliseconds(1000));
  }

  std::uint64_t send(RequestKind kind, std::uint32_t node = 0, std::uint64_t word = 0, bool watch = false,
                     milliseconds timeout = milliseconds(3000)) {
    Request request;
    request.id = ++requests_;
    request.kind = kind;
    request.mutex = mutex_;
    request.contender = id_;
    request.timeout = timeout;
    request.nodes = NodeCall{session, word, span, node, watch};
    store_->send(request);
    return request.id;
  }
  Told ending_of(std::uint64_t id, milliseconds within = milliseconds(8000)) {
    const auto find = [&] {
      return std::find_if(told.begin(), told.end(), [&](const Told& each) { return each.reply.request == id; });
    };
    wait_until([&] { return find() != told.end(); }, within);
    return find() != told.end() ? *find() : Told{{}, {}, {}, "never told"};
  }
  Told ask(RequestKind kind, std::uint32_t node = 0, std::uint64_t word = 0, bool watch = false) {
    return ending_of(send(kind, node, word, watch));
  }
  // A session, new or the one it had; what was answered.
  NodeAnswer connects() {
    const Told opened = ask(kConnect);
    if (opened.reply.ending == Ending::kOk && answer(opened) == NodeAnswer::kDone) session = opened.reply.number;
    length = opened.reply.remaining;
    return opened.reply.ending == Ending::kOk ? answer(opened) : NodeAnswer::kNoNode;
  }
  static NodeAnswer answer(const Told& each) { return static_cast<NodeAnswer>(each.reply.answer); }
  static Children children(const Told& each) { return Children::from(each.reply.number); }
  std::size_t heard(StoreEventKind kind) const {
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [&](const StoreEvent& event) { return event.kind == kind; }));
  }
  bool hears(StoreEventKind kind, milliseconds within = milliseconds(3000)) {
    return wait_until([&] { return heard(kind) > 0; }, within);
  }
  void stand_still(bool still) { store_->stand_still(still); }

  void on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) override {
    told.push_back({reply, sent, received, error});
  }
  void on_store_event(const StoreEvent& event, TrueTime) override { events.push_back(event); }
  void on_connected() override {}
  void on_disconnected(const std::string&) override {}

  std::vector<Told> told;
  std::vector<StoreEvent> events;
  std::uint64_t session = 0;
  Duration span = milliseconds(2000);
  Duration length{};

 private:
  PlainNames* names_;
  Name id_;
  Name mutex_;
  std::unique_ptr<Store> store_;
  std::uint64_t requests_ = 0;
};

// What a ZooKeeper answers to one of its words of four letters, until it closes the connection.
std::string word(const std::string& asked, int port) {
  std::string told;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::write(fd, asked.data(), asked.size()) == static_cast<ssize_t>(asked.size())) {
    char bytes[1024];
    for (ssize_t got = 1; (got = ::read(fd, bytes, sizeof bytes)) > 0;)
      told.append(bytes, static_cast<std::size_t>(got));
  }
  ::close(fd);
  return told;
}

}  // namespace

// A store of nodes, against a private ZooKeeper.
class NodeStoreTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  PrivateServer server_{zookeeper::store_type()};

  std::string mutex() const { return QTest::currentTestFunction(); }
  std::unique_ptr<NodeClient> client(const std::string& id) {
    auto made = std::make_unique<NodeClient>(loop_, names_, server_.url(), id, mutex());
    return made->connects() == NodeAnswer::kDone ? std::move(made) : nullptr;
  }

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
  }

  void aSessionHasANumberAndTheLengthThatWasAgreedUpon() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    QVERIFY(a->session != 0 && a->session != b->session);
    QCOMPARE(a->length, Duration(milliseconds(2000)));
    QCOMPARE(NodeClient::answer(a->ask(RequestKind::kHeartbeat)), NodeAnswer::kDone);
    QCOMPARE(NodeClient::answer(a->ask(RequestKind::kCloseSession)), NodeAnswer::kDone);
    QCOMPARE(a->ask(RequestKind::kHeartbeat).reply.ending, Ending::kFailed);  // it is connected no more
  }

  // Virtual time is told so by these terms (leasescopectl fidelity).
  void thePrivateServerIsAsItsTermsSay() {
    const std::string told = word("conf", server_.url().endpoint.port);
    std::map<std::string, std::string> terms;
    for (const ModelTerm& term : zookeeper::store_type().private_terms) terms[std::string(term.key)] = term.value;
    for (const auto& [key, of] : std::map<std::string, std::string>{
             {"tick", "tickTime"}, {"min_session", "minSessionTimeout"}, {"max_session", "maxSessionTimeout"}}) {
      std::smatch found;
      QVERIFY2(std::regex_search(told, found, std::regex(of + "=([0-9]+)")), told.c_str());
      QCOMPARE(terms[key], found[1].str() + "ms");
    }
  }

  void nodesAreNumberedInOrderAndTheirTokensRise() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    const Told first = a->ask(kCreate, 0, 7), second = b->ask(kCreate, 0, 8);
    QVERIFY2(first.reply.ending == Ending::kOk, first.error.c_str());
    QCOMPARE(first.reply.number, std::uint64_t{1});
    QCOMPARE(second.reply.number, std::uint64_t{2});
    QVERIFY(second.reply.token > first.reply.token);
    const Children of_a = NodeClient::children(a->ask(kChildren, 1)), of_b = NodeClient::children(b->ask(kChildren, 2));
    QCOMPARE(of_a.own, 1u);
    QCOMPARE(of_a.before, 0u);
    QCOMPARE(of_b.own, 2u);
    QCOMPARE(of_b.before, 1u);
    const Told seen = b->ask(kLook, 1);
    QCOMPARE(seen.reply.number, a->session);
    QCOMPARE(seen.reply.token, first.reply.token);
    QCOMPARE(names_.text(seen.reply.owner), std::string("a"));
  }

  void whoWatchesTwiceIsToldOnceAllTheSame() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    a->ask(kCreate);
    b->ask(kCreate);
    b->ask(kChildren, 2);
    for (int time = 0; time < 2; ++time) QCOMPARE(NodeClient::answer(b->ask(kLook, 1, 0, true)), NodeAnswer::kDone);
    QCOMPARE(NodeClient::answer(a->ask(kDelete, 1)), NodeAnswer::kDone);
    QVERIFY(b->hears(StoreEventKind::kNodeDeleted));
    QCOMPARE(b->ask(RequestKind::kHeartbeat).reply.number, std::uint64_t{1});
    QCOMPARE(b->heard(StoreEventKind::kNodeDeleted), std::size_t{1});
  }

  void whoWatchesIsToldOnceWhenTheNodeGoes() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    a->ask(kCreate);
    b->ask(kCreate);
    b->ask(kChildren, 2);
    QCOMPARE(NodeClient::answer(b->ask(kLook, 1, 0, true)), NodeAnswer::kDone);
    QCOMPARE(NodeClient::answer(a->ask(kDelete, 1)), NodeAnswer::kDone);
    QVERIFY(b->hears(StoreEventKind::kNodeDeleted));
    QTest::qWait(100);
    QCOMPARE(b->events.size(), std::size_t{1});
    QCOMPARE(b->events.front().session, b->session);
    QCOMPARE(b->events.front().number, std::uint64_t{1});
    QCOMPARE(NodeClient::children(b->ask(kChildren, 2)).before, 0u);
    QCOMPARE(NodeClient::answer(b->ask(kLook, 1)), NodeAnswer::kNoNode);
    QCOMPARE(b->ask(RequestKind::kHeartbeat).reply.number, std::uint64_t{1});  // as many as it was told
  }

  void aNodeIsNamedAsCuratorNamesItAndBearsItsMakersId() {
    const auto a = client("0:1@a");
    QVERIFY(a);
    a->ask(kCreate, 0, 0x0123'4567'89ab'cdef);
    zookeeper::Asker asker(milliseconds(5000));
    QVERIFY(asker.connect(server_.url()).has_value());
    const auto names = asker.list("/simba/" + mutex());
    QVERIFY(names.has_value() && names->size() == 1);
    const std::regex curators("_c_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}-latch-[0-9]{10}");
    QVERIFY2(std::regex_match(names->front(), curators), names->front().c_str());
    const auto facts = asker.look("/simba/" + mutex() + "/" + names->front());
    QVERIFY(facts.has_value());
    QCOMPARE(facts->data, std::string("0:1@a"));
    QCOMPARE(static_cast<std::uint64_t>(facts->owner), a->session);
  }

  void aNodeWhoseAnswerWasLostIsFoundByItsWord() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    b->ask(kCreate, 0, 5);
    a->ask(kCreate, 0, 42);
    const Children found = NodeClient::children(a->ask(kChildren, 0, 42));
    QCOMPARE(found.own, 2u);
    QCOMPARE(found.before, 1u);
    QCOMPARE(NodeClient::children(a->ask(kChildren, 0, 43)).own, 0u);
  }

  void aConnectionThatBreaksIsToldAndTheSessionIsFoundAgainWithItsNode() {
    FaultProxy requests(loop_, server_.url().endpoint, zookeeper::store_type(), false);
    const auto endpoint = requests.listen();
    QVERIFY(endpoint.has_value());
    NodeClient a(loop_, names_, server_.url(), "a", mutex(), StoreRoute{*endpoint, *endpoint});
    QCOMPARE(a.connects(), NodeAnswer::kDone);
    a.ask(kCreate);
    const std::uint64_t session = a.session;
    requests.reset();
    QVERIFY(a.hears(StoreEventKind::kDisconnected));
    QCOMPARE(a.ask(kChildren, 1).reply.ending, Ending::kFailed);
    QCOMPARE(a.connects(), NodeAnswer::kDone);
    QCOMPARE(a.session, session);
    QCOMPARE(NodeClient::children(a.ask(kChildren, 1)).own, 1u);
  }

  void aSessionThatRanOutIsToldToWhoComesBackAndItsNodeIsGone() {
    FaultProxy requests(loop_, server_.url().endpoint, zookeeper::store_type(), false);
    const auto endpoint = requests.listen();
    QVERIFY(endpoint.has_value());
    NodeClient a(loop_, names_, server_.url(), "a", mutex(), StoreRoute{*endpoint, *endpoint});
    const auto b = client("b");
    QVERIFY(b && a.connects() == NodeAnswer::kDone);
    a.ask(kCreate);
    b->ask(kCreate);
    b->ask(kChildren, 2);
    b->ask(kLook, 1, 0, true);
    requests.stall(LinkDirection::kBoth);
    QVERIFY(b->hears(StoreEventKind::kNodeDeleted, milliseconds(6000)));
    QVERIFY(a.hears(StoreEventKind::kDisconnected));
    requests.resume(LinkDirection::kBoth);
    QCOMPARE(a.connects(), NodeAnswer::kSessionEnded);
    a.session = 0;
    QCOMPARE(a.connects(), NodeAnswer::kDone);
    QCOMPARE(NodeClient::children(a.ask(kChildren, 1)).own, 0u);
  }

  // The library keeps a session alive by itself: a process that stands still does not.
  void whoStandsStillLosesItsSession() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    a->ask(kCreate);
    b->ask(kCreate);
    b->ask(kChildren, 2);
    b->ask(kLook, 1, 0, true);
    QTest::qWait(3500);  // nobody of them says anything
    QVERIFY(b->events.empty());
    a->stand_still(true);
    QVERIFY(b->hears(StoreEventKind::kNodeDeleted, milliseconds(6000)));
    QVERIFY(a->events.empty());
    a->stand_still(false);
    QVERIFY(a->hears(StoreEventKind::kDisconnected));
    QCOMPARE(a->connects(), NodeAnswer::kSessionEnded);
  }

  void aCallIntoAStalledNetworkEndsUnknown() {
    FaultProxy requests(loop_, server_.url().endpoint, zookeeper::store_type(), false);
    const auto endpoint = requests.listen();
    QVERIFY(endpoint.has_value());
    NodeClient a(loop_, names_, server_.url(), "a", mutex(), StoreRoute{*endpoint, *endpoint});
    QCOMPARE(a.connects(), NodeAnswer::kDone);
    a.ask(kCreate, 0, 8);  // so that the folder is there
    requests.stall(LinkDirection::kFromStore);
    const Told ended = a.ending_of(a.send(kCreate, 0, 9, false, milliseconds(300)));
    QCOMPARE(ended.reply.ending, Ending::kUnknown);
    QVERIFY(a.hears(StoreEventKind::kDisconnected));
    requests.resume(LinkDirection::kFromStore);
    QCOMPARE(a.connects(), NodeAnswer::kDone);
    QCOMPARE(NodeClient::children(a.ask(kChildren, 0, 9)).own, 2u);  // it was made
  }

  void aServerThatIsKilledAndBackKeepsSessionsAndNodes() {
    PrivateServer server(zookeeper::store_type());
    QVERIFY(server.start().has_value());
    NodeClient a(loop_, names_, server.url(), "a", mutex());
    a.span = milliseconds(5000);
    QCOMPARE(a.connects(), NodeAnswer::kDone);
    const Told made = a.ask(kCreate);
    const std::uint64_t session = a.session;
    server.kill();
    QVERIFY(a.hears(StoreEventKind::kDisconnected));
    QVERIFY(a.connects() != NodeAnswer::kDone);
    const auto back = server.start_again();
    QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
    QVERIFY(wait_until([&] { return a.connects() == NodeAnswer::kDone; }, milliseconds(10'000)));
    QCOMPARE(a.session, session);
    QCOMPARE(NodeClient::children(a.ask(kChildren, 1)).own, 1u);
    QCOMPARE(a.ask(kLook, 1).reply.token, made.reply.token);
  }

  void theLookBeforeARunSeesWhoLeadsAndLeavesNothingBehind() {
    const auto a = client("0:1@a");
    QVERIFY(a);
    a->ask(kCreate);
    const auto look = probe(server_.url(), {mutex(), "nobody's"});
    QVERIFY2(look.has_value(), look ? "" : look.error().c_str());
    QCOMPARE(look->holders.at(0), "0:1@a");
    QVERIFY(look->holders.at(1).empty());
    zookeeper::Asker asker(milliseconds(5000));
    QVERIFY(asker.connect(server_.url()).has_value());
    const auto names = asker.list("/simba");
    QVERIFY(names.has_value());
    for (const std::string& name : *names) QVERIFY2(name.find("probe") == std::string::npos, name.c_str());
  }

  void aPathThatIsNotThereOrMayNotBeWrittenIsSaidSo() {
    StoreUrl url = server_.url();
    url.database = "nowhere";
    const auto looked = probe(url, {"m"});
    QVERIFY(!looked);
    QVERIFY2(looked.error().find("make it, or leave it out") != std::string::npos, looked.error().c_str());
    PrivateServer server(zookeeper::store_type());
    QVERIFY(server.start().has_value());
    StoreUrl owners = server.url();
    owners.user = "owner";
    owners.password = "pw";
    QVERIFY(probe(owners, {"m"}).has_value());  // which makes /simba its own
    const auto refused = probe(server.url(), {"m"});
    QVERIFY(!refused);
    QVERIFY2(refused.error().find("let it make and remove nodes under /simba") != std::string::npos,
             refused.error().c_str());
    QVERIFY(probe(owners, {"m"}).has_value());
  }
};

LEASESCOPE_SUITE(NodeStoreTest)
#include "node_store_test.moc"
