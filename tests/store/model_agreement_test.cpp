#include <QElapsedTimer>

#include "core/base/random_stream.h"
#include "simulator/model/server_model.h"
#include "tests/store/rig.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// The model, asked at the moments at which the server is.
class Modelled {
 public:
  Modelled(const StoreType& type, Name mutex)
      : model_(type.rows ? ServerModel(SqlModel({mutex}, {})) : ServerModel(RedisModel({mutex}, {}, kRanks))) {
    clock_.start();
  }

  Reply ask(const Request& request) {
    ServerCall call;
    call.request = request;
    const Duration now = std::chrono::nanoseconds(clock_.nsecsElapsed());
    const ServerNow moment{ServerTime{} + std::chrono::hours(1) + now, TrueTime{} + now};
    std::visit([&](auto& model) { model.take(call, moment, steps_); }, model_);
    Reply reply;
    for (const ServerStep& step : steps_)
      if (step.replies) reply = step.reply;
    steps_.clear();
    return reply;
  }

 private:
  // Whom a release wakes is no part of an answer.
  static inline const std::vector<std::uint32_t> kRanks = std::vector<std::uint32_t>(64, 0);

  ServerModel model_;
  ServerSteps steps_;
  QElapsedTimer clock_;
};

}  // namespace

// Whatever is asked, in whatever order: a model answers as its server does.
class ModelAgreementTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;

 private slots:
  void theModelAnswersAsTheServerDoes_data() { each_lease_store(); }
  void theModelAnswersAsTheServerDoes() {
    PrivateServer server(this_store());
    QVERIFY(server.start().has_value());
    QVERIFY(probe(server.url()).has_value());
    std::vector<std::unique_ptr<Client>> clients;
    std::vector<std::string> ids{"0:1@a", "0:2@b", "0:3@c"};
    if (this_store().wakes(WakeUp::kQueue)) ids.emplace_back("0:4@d");
    for (const std::string& id : ids) clients.push_back(std::make_unique<Client>(loop_, names_, server.url(), id));
    for (const auto& client : clients) QVERIFY(client->connects());
    Modelled model(this_store(), names_.intern("m"));
    RandomStream draws(7, "calls", QTest::currentDataTag());
    constexpr RequestKind kKinds[] = {RequestKind::kAcquire, RequestKind::kAcquire, RequestKind::kGuard,
                                      RequestKind::kRelease};
    int granted = 0, ended = 0, others = 0;
    for (int i = 0; i < 500; ++i) {
      const std::size_t who = draws.below(clients.size());
      const bool brief = draws.below(16) == 0;  // a lease that is over at the next call
      Request request;
      request.kind = kKinds[draws.below(4)];
      request.mutex = names_.intern("m");
      request.contender = names_.intern(ids[who]);
      request.lease.length = brief ? milliseconds(40) : milliseconds(60'000);
      request.lease.ttl = request.lease.length / 2;
      request.timeout = milliseconds(2000);
      // Ours beside one of 4.x, and one up to 3.1, on one key; now and then a call means an earlier term.
      request.lease.wire = clients[who]->wire = who == 3 ? Wire::kTokenless : who == 2 ? Wire::kFenced : Wire::kTerm;
      if (draws.below(3) == 0 && clients[who]->term > 0) --clients[who]->term;
      request.lease.term = clients[who]->term;
      const Reply expected = model.ask(request);
      const Told got = clients[who]->ask(request.kind, "m", milliseconds(request.lease.length / milliseconds(1)));
      QVERIFY2(got.reply.ending == Ending::kOk, got.error.c_str());
      const auto place = QString("call %1, kind %2").arg(i).arg(static_cast<int>(request.kind)).toStdString();
      QVERIFY2(got.reply.owner == expected.owner, place.c_str());
      // A text has no place for it.
      QVERIFY2(got.reply.token == (who == 3 ? kNoToken : expected.token), place.c_str());
      QVERIFY2(got.reply.done == expected.done, place.c_str());
      QVERIFY2(std::chrono::abs(got.reply.remaining - expected.remaining) < milliseconds(1500), place.c_str());
      granted += expected.owner == request.contender;
      others += expected.owner == request.contender && !expected.done && request.lease.wire == Wire::kTerm;
      if (brief) {
        QTest::qWait(100);
        ++ended;
      }
    }
    const auto counts = QString("%1 granted, %2 ended, %3 refused for their term").arg(granted).arg(ended).arg(others);
    QVERIFY2(granted > 30 && ended > 10 && others > 5, counts.toUtf8());
  }
};

LEASESCOPE_SUITE(ModelAgreementTest)
#include "model_agreement_test.moc"
