// Registers on every live store that keeps them: read, set by their version, stamped by whichever clock.
#include <map>
#include <random>
#include <sstream>

#include "core/store/postgres/store_type.h"
#include "core/store/redis/store_type.h"
#include "simulator/model/cas/register_model.h"
#include "tests/store/rig.h"
#include "tests/store/ruled.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr milliseconds kTtl{5000};

std::vector<const StoreType*> register_stores() {
  std::vector<const StoreType*> out;
  for (const StoreType* type : store_types())
    if (type->carries(Family::kRegister)) out.push_back(type);
  return out;
}

// One contender's adapter, by hand.
class CellClient final : public StoreListener {
 public:
  CellClient(QtLoop& loop, PlainNames& names, const StoreUrl& url, const std::string& id, const std::string& mutex)
      : names_(&names), id_(names.intern(id)), mutex_(names.intern(mutex)) {
    store_ = make_store(loop, url, StoreRoute{url.endpoint, url.endpoint}, names, *this, Family::kRegister);
    store_->connect();
  }

  bool connects() {
    return wait_until([this] { return store_->connected(); }, milliseconds(5000));
  }
  Request request(RequestKind kind) {
    Request out;
    out.id = ++requests_;
    out.kind = kind;
    out.mutex = mutex_;
    out.contender = id_;
    out.timeout = milliseconds(3000);
    out.cell = CellCall{};
    out.cell.cell = cell;
    out.cell.by = by;
    out.cell.dated = dated;
    return out;
  }
  Told ask(const Request& request) {
    store_->send(request);
    const auto here = [&] { return !told.empty() && told.back().reply.request == request.id; };
    return wait_until(here, milliseconds(5000)) ? told.back() : Told{{}, {}, {}, "never told"};
  }
  Told read() { return ask(request(RequestKind::kRead)); }
  Told set(std::uint64_t version, CellMode mode, Token token, Duration stamp = kTtl) {
    Request out = request(RequestKind::kCompareAndSet);
    out.cell.version = version;
    out.cell.mode = mode;
    out.cell.token = token;
    out.cell.stamp = stamp;
    return ask(out);
  }
  Name id() const { return id_; }
  Name mutex() const { return mutex_; }

  void on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) override {
    told.push_back({reply, sent, received, error});
  }
  void on_store_event(const StoreEvent&, TrueTime) override {}
  void on_connected() override {}
  void on_disconnected(const std::string&) override {}

  std::vector<Told> told;
  std::uint8_t cell = 0;
  Stamp by = Stamp::kVersion;
  bool dated = false;

 private:
  PlainNames* names_;
  Name id_;
  Name mutex_;
  std::unique_ptr<Store> store_;
  std::uint64_t requests_ = 0;
};

CellMode mode_in(const Told& each) { return static_cast<CellMode>(each.reply.answer & ~kLeaseOver); }
// Of what asks a store itself, and so waits.
template <class Asks>
bool soon(Asks asks) {
  for (int i = 0; i < 1000; ++i) {
    if (asks()) return true;
    wait_until([] { return false; }, milliseconds(5));
  }
  return false;
}
bool over(const Told& each) { return (each.reply.answer & kLeaseOver) != 0; }

}  // namespace

class RegisterStoreTest : public QObject {
  Q_OBJECT

  std::map<std::string, std::unique_ptr<PrivateServer>> servers_;
  QtLoop loop_;
  PlainNames names_;

  static void rows() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : register_stores()) QTest::newRow(type->name().data()) << true;
  }
  const StoreUrl& url() const { return servers_.at(QTest::currentDataTag())->url(); }
  std::unique_ptr<CellClient> client(const std::string& id) {
    auto out = std::make_unique<CellClient>(loop_, names_, url(), id, QTest::currentTestFunction());
    return out->connects() ? std::move(out) : nullptr;
  }

 private slots:
  void initTestCase() {
    for (const StoreType* type : register_stores()) {
      auto& server = servers_[std::string(type->name())];
      server = std::make_unique<PrivateServer>(*type);
      const auto started = server->start();
      QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
      const auto looked = probe(server->url(), {"orders"}, Family::kRegister);
      QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    }
    QVERIFY(servers_.size() >= 2);
  }

  void whatWasNeverSetIsFree_data() { rows(); }
  void whatWasNeverSetIsFree() {
    const auto a = client("a");
    const Told seen = a->read();
    QCOMPARE(seen.error, std::string());
    QCOMPARE(seen.reply.number, std::uint64_t{0});
    QCOMPARE(mode_in(seen), CellMode::kFree);
    QVERIFY(seen.reply.owner.empty());
    QVERIFY(!seen.reply.done);
  }
  void whoNamesTheVersionSetsIt_data() { rows(); }
  void whoNamesTheVersionSetsIt() {
    const auto a = client("a"), b = client("b");
    const Told taken = a->set(0, CellMode::kHeld, 1);
    QCOMPARE(taken.error, std::string());
    QVERIFY(taken.reply.done);
    QCOMPARE(taken.reply.number, std::uint64_t{1});
    const Told refused = b->set(0, CellMode::kHeld, 1);
    QVERIFY(!refused.reply.done);
    QCOMPARE(refused.reply.number, std::uint64_t{1});
    QCOMPARE(refused.reply.owner, a->id());
    QCOMPARE(refused.reply.token, Token{1});
    QCOMPARE(mode_in(refused), CellMode::kHeld);
    QCOMPARE(refused.reply.remaining, Duration(kTtl));
    const Told freed = a->set(1, CellMode::kFree, 1);
    QVERIFY(freed.reply.done);
    QVERIFY(freed.reply.owner.empty());
    QCOMPARE(freed.reply.token, Token{1});
    QVERIFY(!a->set(5, CellMode::kHeld, 2).reply.done);
    QCOMPARE(a->read().reply.number, std::uint64_t{2});
  }
  void eachRegisterIsItsOwn_data() { rows(); }
  void eachRegisterIsItsOwn() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a->set(0, CellMode::kHeld, 1).reply.done);
    b->cell = 64;
    QVERIFY(b->set(0, CellMode::kHeld, 1).reply.done);
    a->cell = 64;
    QCOMPARE(a->read().reply.owner, b->id());
  }
  void theStoreStampsByItsOwnClock_data() { rows(); }
  void theStoreStampsByItsOwnClock() {
    const auto a = client("a"), b = client("b");
    a->by = b->by = Stamp::kServer;
    const Told taken = a->set(0, CellMode::kHeld, 1, milliseconds(300));
    QVERIFY(taken.reply.done && !over(taken));
    QVERIFY(taken.reply.remaining > milliseconds(200) && taken.reply.remaining <= milliseconds(300));
    QVERIFY(soon([&] { return over(b->read()); }));
    QVERIFY(b->told.back().reply.remaining <= Duration::zero());
    QVERIFY(b->told.back().received - taken.sent >= milliseconds(299));
    b->dated = true;  // the deadline itself, on this process's wall clock
    const Duration deadline = b->read().reply.remaining;
    const Duration lasted = deadline - (taken.received - TrueTime{});
    QVERIFY(lasted > milliseconds(200) && lasted < milliseconds(400));
  }
  void aDeadlineOfItsHoldersClockComesBackAsItWas_data() { rows(); }
  void aDeadlineOfItsHoldersClockComesBackAsItWas() {
    const auto a = client("a"), b = client("b");
    a->by = b->by = Stamp::kClient;
    const Duration deadline = (loop_.now() - TrueTime{}) + milliseconds(1234);
    QVERIFY(a->set(0, CellMode::kHeld, 1, deadline).reply.done);
    const Duration apart = b->read().reply.remaining - deadline;
    QVERIFY(apart > -milliseconds(1) && apart < milliseconds(1));
  }
  void theLookBeforeARunSeesWhoHolds_data() { rows(); }
  void theLookBeforeARunSeesWhoHolds() {
    const auto a = client("a");
    const std::vector<std::string> mutexes{QTest::currentTestFunction(), "nobody's"};
    a->cell = 3;
    const auto holders = [&] {
      const auto looked = probe(url(), mutexes, Family::kRegister);
      return looked ? looked->holders : std::vector<std::string>{looked.error()};
    };
    const std::vector<std::string> nobody{"", ""}, by_a{"a", ""};
    QVERIFY(holders() == nobody);
    a->by = Stamp::kServer;
    QVERIFY(a->set(0, CellMode::kHeld, 1).reply.done);
    QVERIFY(holders() == by_a);
    a->by = Stamp::kClient;
    QVERIFY(a->set(1, CellMode::kHeld, 1, (loop_.now() - TrueTime{}) + kTtl).reply.done);
    QVERIFY(holders() == by_a);
    QVERIFY(a->set(2, CellMode::kHeld, 1, loop_.now() - TrueTime{}).reply.done);
    QVERIFY(holders() == nobody);
    a->by = Stamp::kVersion;  // who looks once cannot say
    QVERIFY(a->set(3, CellMode::kHeld, 1).reply.done);
    QVERIFY(holders() == nobody);
  }
  void whatWasSetOutlivesTheConnection_data() { rows(); }
  void whatWasSetOutlivesTheConnection() {
    const auto a = client("a");
    QVERIFY(a->set(0, CellMode::kHeld, 7).reply.done);
    const auto cut = url().type->cut_sessions(url());
    QVERIFY2(cut.has_value(), cut ? "" : cut.error().c_str());
    QVERIFY(soon([&] { return a->read().error.empty(); }));
    QCOMPARE(a->told.back().reply.token, Token{7});
  }
  void aRedisUserWithoutARightIsToldTheRuleAndItSuffices() {
    Ruled server(redis::store_type());
    QVERIFY(server.started());
    QCOMPARE(server.redis({"ACL", "SETUSER", "me", "on", ">pw", "~simba:{orders}*", "+get", "+ping"}),
             std::string("OK"));
    const StoreUrl url = server.url("me", "pw");
    const auto looked = probe(url, {"orders"}, Family::kRegister);
    QVERIFY(!looked);
    const std::size_t rule = looked.error().find("ACL SETUSER");
    QVERIFY2(rule != std::string::npos, looked.error().c_str());
    std::vector<std::string> words;
    std::istringstream line(looked.error().substr(rule));
    for (std::string word; line >> word;) words.push_back(word);
    QCOMPARE(server.redis(words), std::string("OK"));
    const auto again = probe(url, {"orders"}, Family::kRegister);
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    CellClient a(loop_, names_, url, "a", "orders");
    QVERIFY(a.connects());
    QVERIFY(a.set(0, CellMode::kHeld, 1).reply.done);
    QVERIFY(a.set(1, CellMode::kFree, 1).reply.done);
  }
  void aPostgresUserWhoMayNotMakeTheTableIsToldItsText() {
    Ruled server(postgres::store_type());
    QVERIFY(server.started());
    server.postgres("create role me login password 'pw'");
    const StoreUrl url = server.url("me", "pw");
    const auto looked = probe(url, {"orders"}, Family::kRegister);
    QVERIFY(!looked);
    const std::string& error = looked.error();
    for (const char* words :
         {"the table leasescope_register is missing", "create table if not exists leasescope_register",
          "grant select, insert, update on leasescope_register to me"})
      QVERIFY2(error.find(words) != std::string::npos, error.c_str());
    QCOMPARE(server.postgres(error.substr(error.find("create table if"))), std::string());
    const auto again = probe(url, {"orders"}, Family::kRegister);
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    QCOMPARE(server.postgres("select count(*) from leasescope_register"), std::string("0"));
    CellClient a(loop_, names_, url, "a", "orders");
    QVERIFY(a.connects());
    QVERIFY(a.set(0, CellMode::kHeld, 1).reply.done);
  }
  void aPostgresTableOfAnotherShapeIsRefusedSayingWhatIsAmiss() {
    Ruled server(postgres::store_type());
    QVERIFY(server.started());
    QVERIFY(probe(server.url(), {"orders"}, Family::kRegister).has_value());
    server.postgres("alter table leasescope_register drop column stamp");
    server.postgres("alter table leasescope_register drop constraint leasescope_register_pkey");
    const auto looked = probe(server.url(), {"orders"}, Family::kRegister);
    QVERIFY(!looked);
    for (const char* words : {"its column stamp is missing", "its columns mutex and cell are no key"})
      QVERIFY2(looked.error().find(words) != std::string::npos, looked.error().c_str());
  }
  // Random writes and looks of two clients: a store answers as the model does.
  void itAnswersAsTheModelDoes_data() { rows(); }
  void itAnswersAsTheModelDoes() {
    const auto a = client("a"), b = client("b");
    ModelSetting setting;
    setting.mutexes = {a->mutex()};
    RegisterModel model(setting);
    std::mt19937 draws(7);
    for (int i = 0; i < 400; ++i) {
      CellClient& who = draws() % 2 == 0 ? *a : *b;
      who.cell = static_cast<std::uint8_t>(draws() % 3);
      Request request = who.request(draws() % 3 == 0 ? RequestKind::kRead : RequestKind::kCompareAndSet);
      request.cell.version = draws() % 4 == 0 ? draws() % 3 : who.told.empty() ? 0 : who.told.back().reply.number;
      request.cell.mode = static_cast<CellMode>(draws() % 4);
      request.cell.token = draws() % 9;
      request.cell.stamp = milliseconds(1 + draws() % 1000);
      ServerCall call;
      call.request = request;
      call.mutex = 0;
      ServerSteps steps;
      model.take(call, ServerNow{}, steps);
      const Told told = who.ask(request);
      QCOMPARE(told.error, std::string());
      const Reply* expected = nullptr;
      for (const ServerStep& step : steps)
        if (step.reply.request == request.id) expected = &step.reply;
      QVERIFY(expected != nullptr);
      QCOMPARE(told.reply.done, expected->done);
      QCOMPARE(told.reply.number, expected->number);
      QCOMPARE(told.reply.owner, expected->owner);
      QCOMPARE(told.reply.token, expected->token);
      QCOMPARE(told.reply.answer, expected->answer);
      if (expected->number > 0) QCOMPARE(told.reply.remaining, expected->remaining);
    }
  }
};

LEASESCOPE_SUITE(RegisterStoreTest)
#include "register_store_test.moc"
