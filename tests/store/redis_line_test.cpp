// What our line to Redis does when the server is not one, or goes at a bad moment.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <csignal>

#include "core/store/redis/store_type.h"
#include "tests/store/rig.h"
#include "tests/support/impostor.h"
#include "tests/support/impostor_words.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

StoreUrl url_of(const Impostor& impostor) {
  StoreUrl url;
  url.type = &redis::store_type();
  url.given = true;
  url.endpoint.port = impostor.port();
  return url;
}

Impostor::Manner answering(std::function<std::string(const Words&)> otherwise) {
  return [otherwise](Peer& peer, int) {
    for (Words words = peer.hear_command(); !words.empty(); words = peer.hear_command())
      if (!peer.say(otherwise(words))) return;
    peer.be_silent();
  };
}

}  // namespace

class RedisLineTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;

 private slots:
  // With hiredis' asynchronous context each of these ended the program.
  void nothingAServerSaysEndsTheProgram_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("an answer nobody asked for") << QByteArray("+PONG\r\n+OK\r\n");
    QTest::newRow("an empty list") << QByteArray("+PONG\r\n*0\r\n");
    QTest::newRow("numbers for names") << QByteArray("+PONG\r\n*3\r\n:1\r\n:2\r\n:3\r\n");
    QTest::newRow("a message without a subscription")
        << QByteArray("+PONG\r\n*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nb\r\n");
    QTest::newRow("a list of nothing") << QByteArray("+PONG\r\n*3\r\n$-1\r\n$-1\r\n$-1\r\n");
    QTest::newRow("a gigabyte") << QByteArray("+PONG\r\n$999999999\r\n");
    QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n");
    QTest::newRow("OK to everything") << QByteArray("+OK\r\n");
  }
  void nothingAServerSaysEndsTheProgram() {
    QFETCH(QByteArray, answer);
    const Impostor impostor(answering([answer](const Words&) { return answer.toStdString(); }));
    Client client(loop_, names_, url_of(impostor), "0:1@a");
    QVERIFY(wait_until([&] { return impostor.met() >= 4; }, milliseconds(4000)));  // both lines, and both again
    if (client.connected()) client.ask(RequestKind::kAcquire, "m");
    QVERIFY(wait_until([&] { return !client.reasons.empty() || !client.told.empty(); }, milliseconds(4000)));
  }

  void aServerThatGoesWhileItIsWrittenToIsNoSignal() {
    std::signal(SIGPIPE, SIG_DFL);
    const Impostor impostor([](Peer& peer, int) {
      peer.hear_command();
      peer.say("+PONG\r\n");
      peer.rest(150);
    });
    Client client(loop_, names_, url_of(impostor), "0:1@a");
    QVERIFY(client.connects());
    QTest::qSleep(300);  // it goes, and the loop has not seen it yet
    for (int i = 0; i < 3; ++i) {
      client.send(RequestKind::kAcquire, "m");
      QTest::qSleep(20);
    }
    QVERIFY(wait_until([&] { return !client.reasons.empty(); }, milliseconds(2000)));
    QVERIFY(!client.reasons.empty());
  }

  // A server that reads nothing is not written to without end.
  void whatAServerDoesNotReadIsBounded() {
    const Impostor impostor([](Peer& peer, int) {
      peer.hear_command();
      peer.say("+PONG\r\n");
      peer.rest(20'000);
    });
    Client client(loop_, names_, url_of(impostor), "0:1@a");
    QVERIFY(client.connects());
    for (int i = 0; i < 100'000 && client.reasons.empty(); ++i) {
      client.send(RequestKind::kAcquire, "m", milliseconds(5000), milliseconds(60'000));
      if (i % 1000 == 0) QCoreApplication::processEvents();
    }
    QVERIFY(wait_until([&] { return !client.reasons.empty(); }, milliseconds(2000)));
    QCOMPARE(client.reasons.front(), std::string("the server does not read what it is sent"));
  }

  // Without channel rights the messages' line came back 18 times a second for ever.
  void aRefusedSubscriptionIsToldAndTriedEverMoreRarely() {
    const Impostor impostor(answering([](const Words& words) {
      return words.front() == "SUBSCRIBE" ? "-NOPERM this user has no permissions to access one of the channels\r\n"
                                          : redis_answer(words);
    }));
    Client client(loop_, names_, url_of(impostor), "0:1@a");
    QVERIFY(client.connects());
    const Told refused = client.ask(RequestKind::kSubscribe, "m");
    QCOMPARE(refused.reply.ending, Ending::kFailed);
    QVERIFY2(refused.error.find("NOPERM") != std::string::npos, refused.error.c_str());
    QTest::qWait(2500);
    QVERIFY2(impostor.met() <= 9, std::to_string(impostor.met()).c_str());
    QVERIFY(client.reasons.back().find("NOPERM") != std::string::npos);
  }

  // A slow answer to UNSUBSCRIBE was forgotten after 100 ms, and the line given up at the call's time-out.
  void aSlowEndOfTheSubscriptionIsStillAnswered() {
    const Impostor impostor([](Peer& peer, int) {
      for (Words words = peer.hear_command(); !words.empty(); words = peer.hear_command()) {
        if (words.front() == "UNSUBSCRIBE") peer.rest(300);
        peer.say(words.front() == "EVALSHA" ? ":1\r\n" : redis_answer(words));
      }
    });
    Client client(loop_, names_, url_of(impostor), "0:1@a");
    QVERIFY(client.connects());
    client.ask(RequestKind::kSubscribe, "m");
    const std::uint64_t left = client.send(RequestKind::kUnsubscribe, "m", milliseconds(5000), milliseconds(1000));
    const std::uint64_t release = client.send(RequestKind::kRelease, "m", milliseconds(5000), milliseconds(1000));
    const Told released = client.ending_of(release);
    QCOMPARE(released.reply.ending, Ending::kOk);
    QVERIFY(released.received - released.sent < milliseconds(90));  // it waited 100 ms for the answer, not longer
    QCOMPARE(client.ending_of(left).reply.ending, Ending::kOk);
    QVERIFY(client.reasons.empty());
  }

  // A vanished peer is noticed on either line.
  void aTimeOutMakesBothLinesAnew() {
    const Impostor impostor(
        answering([](const Words& words) { return words.front() == "EVALSHA" ? std::string() : redis_answer(words); }));
    Client client(loop_, names_, url_of(impostor), "0:1@a");
    QVERIFY(client.connects());
    QCOMPARE(impostor.met(), 2);
    client.ending_of(client.send(RequestKind::kAcquire, "m", milliseconds(5000), milliseconds(200)));
    QVERIFY(wait_until([&] { return impostor.met() == 4 && client.connected(); }, milliseconds(2000)));
  }
  void everyLineNoticesAPeerThatVanished() {
    const Impostor impostor(answering(redis_answer));
    Client client(loop_, names_, url_of(impostor), "0:1@a");
    QVERIFY(client.connects());
    int lines = 0;
    for (int fd = 3; fd < 1024; ++fd) {
      sockaddr_in to{};
      socklen_t length = sizeof(to);
      if (::getpeername(fd, reinterpret_cast<sockaddr*>(&to), &length) != 0 || to.sin_family != AF_INET) continue;
      if (ntohs(to.sin_port) != impostor.port()) continue;
      int alive = 0, idle = 0;
      length = sizeof(int);
      ::getsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &alive, &length);
      ::getsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, &length);
      QCOMPARE(alive, 1);
      QVERIFY(idle <= 10);
      ++lines;
    }
    QCOMPARE(lines, 2);
  }

  // What the listener sends while it hears of a time-out went out on the dying line, to be lost with it.
  void whatIsSentOnATimeOutDoesNotGoOutOnTheDyingLine() {
    std::atomic<int> calls{0};
    const Impostor impostor(answering([&calls](const Words& words) {
      if (words.front() == "EVALSHA") ++calls;
      return words.front() == "EVALSHA" ? std::string() : redis_answer(words);
    }));
    struct Eager final : StoreListener {
      std::unique_ptr<Store> store;
      Request request;
      std::vector<Told> told;
      void on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) override {
        told.push_back({reply, sent, received, error});
        if (told.size() > 1) return;
        ++request.id;
        store->send(request);
      }
      void on_store_event(const StoreEvent&, TrueTime) override {}
      void on_connected() override {}
      void on_disconnected(const std::string&) override {}
    } eager;
    const StoreUrl url = url_of(impostor);
    eager.store = make_store(loop_, url, {url.endpoint, url.endpoint}, names_, eager);
    eager.store->connect();
    QVERIFY(wait_until([&] { return eager.store->connected(); }, milliseconds(2000)));
    eager.request.id = 1;
    eager.request.mutex = names_.intern("m");
    eager.request.contender = names_.intern("0:1@a");
    eager.request.lease.length = eager.request.timeout = milliseconds(200);
    eager.store->send(eager.request);
    QVERIFY(wait_until([&] { return eager.told.size() == 2; }, milliseconds(2000)));
    QCOMPARE(eager.told[0].reply.ending, Ending::kUnknown);
    QCOMPARE(eager.told[1].reply.ending, Ending::kFailed);  // nothing was sent: nothing is unknown
    QCOMPARE(calls.load(), 1);
  }

  // A command that was given up is not sent on by the kernel.
  void aCommandThatWasGivenUpEndsWithAReset() {
    std::atomic<int> error{0};
    Impostor impostor([&error](Peer& peer, int) {
      for (Words words = peer.hear_command(); !words.empty() && words.front() != "EVALSHA"; words = peer.hear_command())
        peer.say(redis_answer(words));
      while (!peer.gone()) peer.hear();
      if (peer.error() != 0) error = peer.error();
    });
    Client client(loop_, names_, url_of(impostor), "0:1@a");
    QVERIFY(client.connects());
    client.ending_of(client.send(RequestKind::kRelease, "m", milliseconds(5000), milliseconds(200)));
    QVERIFY(wait_until([&] { return error != 0; }, milliseconds(2000)));
    QCOMPARE(error.load(), ECONNRESET);
  }

  // The look before a run is over in time, whatever the server does or does not do.
  void theLookBeforeARunHasOneTimeLimit_data() {
    QTest::addColumn<int>("answers");
    QTest::newRow("silent at once") << 0;
    QTest::newRow("silent after the greeting") << 1;
  }
  void theLookBeforeARunHasOneTimeLimit() {
    QFETCH(int, answers);
    const Impostor impostor([answers](Peer& peer, int) {
      for (int i = 0; i < answers; ++i) peer.say(redis_answer(peer.hear_command()));
      while (!peer.gone()) {  // a byte now and then keeps each single wait short
        peer.say("+");
        peer.rest(500);
      }
    });
    QElapsedTimer timer;
    timer.start();
    const auto looked = probe(url_of(impostor), {"m"});
    QVERIFY(!looked);
    QVERIFY2(looked.error().find("no answer within 5s") != std::string::npos, looked.error().c_str());
    QVERIFY(timer.elapsed() < 7000);
  }
};

LEASESCOPE_SUITE(RedisLineTest)
#include "redis_line_test.moc"
