// MySQL's protocol over TLS as bytes: what either side is shown.
#include "core/store/mysql/sealed_talk.h"
#include "core/store/mysql/advice.h"
#include "core/store/mysql/asker.h"
#include "core/store/mysql/store_type.h"
#include "tests/store/certificate_files.h"
#include "tests/store/mysql_greeting.h"
#include "tests/store/rig.h"
#include "tests/support/impostor.h"
#include "tests/support/suite.h"
#include "tests/support/tls_server.h"

#include <QTemporaryDir>
#include <fstream>

using namespace leasescope;
using namespace leasescope::tests;
using mysql::Renumbering;
using mysql::SealedTalk;

namespace {

constexpr unsigned kTlsBit = 0x08;  // of the second byte of the abilities

const std::string kRefusal = "\xff\x10\x04#08004Too many connections";

std::string answer_of_client() {
  return mysql_packet(
      1, std::string("\x85\xa6\x3f\x20\0\0\0\1\x2d", 9) + std::string(23, '\0') + "me" + std::string("\0\0", 2));
}

}  // namespace

class SealedTalkTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  Signed shown_ = authority().sign("server", "DNS:localhost");

  std::string authority_file() const {
    const std::string path = folder_.path().toStdString() + "/ca.crt";
    std::ofstream(path) << authority().text();
    return path;
  }
  SealedTalk talk(const std::string& host = "localhost") const {
    return {*tls::Context::of({authority_file(), "", ""}), host};
  }
  StoreUrl url_of(const Impostor& impostor) const {
    StoreUrl out;
    out.type = &mysql::store_type();
    out.endpoint.host = "localhost";
    out.endpoint.port = impostor.port();
    out.user = "me";
    out.password = "hush hush";
    out.database = "db";
    out.options = {{"option-file", ""}, {"ssl-ca", authority_file()}};
    return out;
  }
  // Until the client has said something under TLS.
  static std::string hear(Peer& peer, TlsServer& server) {
    std::string out;
    while (out.empty() && !peer.gone()) {
      out = server.take(peer.hear_some());
      peer.say(server.give());
    }
    return out;
  }
  static void say(Peer& peer, TlsServer& server, const std::string& text) {
    server.say(text);
    peer.say(server.give());
  }
  // Until neither has more to say; gives what the server hears.
  static std::string go_on(SealedTalk& talk, TlsServer& server) {
    std::string heard;
    for (int i = 0; i < 10; ++i) {
      heard += server.take(talk.to_server());
      talk.from_server(server.give());
    }
    return heard;
  }

 private slots:
  void theClientIsShownAServerWithoutTls() {
    SealedTalk talk = this->talk();
    const std::string greeting = mysql_greeting(true);
    for (const char each : greeting.substr(0, greeting.size() - 1)) talk.from_server({&each, 1});
    QCOMPARE(talk.to_client(), std::string());
    talk.from_server(greeting.substr(greeting.size() - 1));
    QCOMPARE(talk.to_client(), mysql_greeting(false));
    QCOMPARE(talk.to_server(), std::string());
  }

  void tlsIsAskedForWithWhatTheClientSaysOfItself() {
    SealedTalk talk = this->talk();
    talk.from_server(mysql_greeting(true));
    const std::string answer = answer_of_client();
    talk.from_client(answer.substr(0, 20));
    QCOMPARE(talk.to_server(), std::string());
    talk.from_client(answer.substr(20));
    const std::string asked = talk.to_server();
    std::string expected = mysql_packet(1, answer.substr(4, 32));
    expected[5] = static_cast<char>(expected[5] | kTlsBit);
    QCOMPARE(asked.substr(0, 36), expected);
    QCOMPARE(asked[36], '\x16');  // a handshake begins
    QVERIFY(!talk.stands());
  }

  void thePacketsOfTheLoginAreNumberedAnewAndThoseOfTheServiceAreNot() {
    SealedTalk talk = this->talk();
    TlsServer server(shown_);
    talk.from_server(mysql_greeting(true));
    talk.from_client(answer_of_client());
    const std::string asked = talk.to_server();
    server.take(asked.substr(36));
    talk.from_server(server.give());
    std::string heard = go_on(talk, server);
    QVERIFY(talk.stands());
    std::string expected = answer_of_client();
    expected[3] = 2;
    expected[5] = static_cast<char>(expected[5] | kTlsBit);
    QCOMPARE(heard, expected);
    QCOMPARE(talk.to_client(), mysql_greeting(false));

    server.say(mysql_packet(3, "another plugin"));
    go_on(talk, server);
    QCOMPARE(talk.to_client(), mysql_packet(2, "another plugin"));
    talk.from_client(mysql_packet(3, std::string(300, 's')));
    QCOMPARE(go_on(talk, server), mysql_packet(4, std::string(300, 's')));
    server.say(mysql_ok(5));
    go_on(talk, server);
    QCOMPARE(talk.to_client(), mysql_ok(4));

    talk.from_client(mysql_packet(0, "\3do 1"));
    QCOMPARE(go_on(talk, server), mysql_packet(0, "\3do 1"));
    server.say(mysql_ok(1));
    go_on(talk, server);
    QCOMPARE(talk.to_client(), mysql_ok(1));
    QCOMPARE(talk.error(), std::string());
  }

  void aServerWithoutTlsHearsNothing() {
    SealedTalk talk = this->talk();
    talk.from_server(mysql_greeting(false));
    QVERIFY2(talk.error().find("it does not speak TLS") == 0, talk.error().c_str());
    talk.from_client(answer_of_client());
    QCOMPARE(talk.to_server(), std::string());
    QCOMPARE(talk.to_client(), std::string());
  }
  void whoRefusesAtOnceIsHeardAndHearsNothing() {
    SealedTalk talk = this->talk();
    const std::string refusal = mysql_packet(0, "\xff\x10\x04#08004Too many connections");
    talk.from_server(refusal);
    QCOMPARE(talk.to_client(), refusal);
    talk.from_client(answer_of_client());
    QCOMPARE(talk.to_server(), std::string());
  }
  // Between greeting and handshake nobody may slip a word in.
  void whatComesInTheClearBehindTheGreetingEndsIt() {
    SealedTalk talk = this->talk();
    talk.from_server(mysql_greeting(true) + mysql_ok(2));
    QVERIFY2(talk.error().find("makes no sense") != std::string::npos, talk.error().c_str());
    SealedTalk other = this->talk();
    other.from_server(mysql_greeting(true));
    other.from_server(mysql_ok(2));
    QVERIFY2(other.error().find("out of turn") != std::string::npos, other.error().c_str());
  }
  void anothersCertificateEndsItBeforeTheClientIsHeard() {
    SealedTalk talk = this->talk("db.example");
    TlsServer server(shown_);
    talk.from_server(mysql_greeting(true));
    talk.from_client(answer_of_client());
    server.take(talk.to_server().substr(36));
    talk.from_server(server.give());
    QVERIFY2(talk.error().find("its certificate is not for \"db.example\"") == 0, talk.error().c_str());
    QCOMPARE(go_on(talk, server), std::string());
  }

  void whatIsSaidBeforeTheConnectionIsClosedIsHeard() {
    for (const bool in_one_piece : {true, false}) {
      SealedTalk talk = this->talk();
      TlsServer server(shown_);
      talk.from_server(mysql_greeting(true));
      talk.from_client(answer_of_client());
      server.take(talk.to_server().substr(36));
      talk.from_server(server.give());
      go_on(talk, server);
      QVERIFY(talk.stands());
      talk.to_client();
      server.say(mysql_packet(3, kRefusal));
      if (!in_one_piece) talk.from_server(server.give());
      server.end();
      talk.from_server(server.give());
      QCOMPARE(talk.to_client(), mysql_packet(2, kRefusal));
      QCOMPARE(talk.error(), std::string());
      QVERIFY2(talk.ended().find("closed the connection") != std::string::npos, talk.ended().c_str());
    }
  }

  void packetsOfAnyLengthAreNumberedInPiecesOfAnySize() {
    const std::string whole = mysql_packet(4, "") + mysql_packet(5, std::string(70'000, 'x')) + mysql_packet(255, "y");
    const std::string expected = mysql_packet(5, "") + mysql_packet(6, std::string(70'000, 'x')) + mysql_packet(0, "y");
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}, whole.size()}) {
      Renumbering numbers(1);
      std::string out;
      for (std::size_t at = 0; at < whole.size(); at += piece) {
        std::string part = whole.substr(at, piece);
        QVERIFY(!numbers.pass(part));
        out += part;
      }
      QVERIFY(out == expected);
    }
  }

  // The library itself, with a login that sends the password as it is where nobody else can hear it. No server of
  // Debian 12 asks for it; this one says what a MySQL 8 says to a user for the first time.
  void aLoginThatSendsThePasswordAsItIsDoesSoUnderTls() {
    std::string first, second;
    const Impostor impostor([&](Peer& peer, int) {
      TlsServer server(shown_);
      peer.say(mysql_greeting(true, "caching_sha2_password"));
      peer.hear(36);
      first = hear(peer, server);
      say(peer, server, mysql_packet(3, "\1\4"));  // the whole password is wanted
      second = hear(peer, server);
      say(peer, server, mysql_ok(5));
      peer.be_silent();
    });
    mysql::Asker asker(milliseconds(3000));
    const auto connected = asker.connect(url_of(impostor));
    QVERIFY2(connected.has_value(), connected ? "" : connected.error().message.c_str());
    QVERIFY(first.find("hush") == std::string::npos);
    QCOMPARE(second, mysql_packet(4, std::string("hush hush", 10)));
  }
  // It asks for a key as if there were no TLS, which a server under TLS takes for the password.
  void aLoginBySha256PasswordFailsAndThatIsSaid() {
    std::string first;
    const Impostor impostor([&](Peer& peer, int) {
      TlsServer server(shown_);
      peer.say(mysql_greeting(true, "sha256_password"));
      peer.hear(36);
      first = hear(peer, server);
      say(peer, server, mysql_packet(3, "\xff\x15\x04#28000Access denied for user 'me'@'here' (using password: YES)"));
      peer.be_silent();
    });
    StoreUrl url = url_of(impostor);
    url.sealed = true;
    mysql::Asker asker(milliseconds(3000));
    const auto connected = asker.connect(url);
    QVERIFY(!connected);
    QCOMPARE(connected.error().error, 1045U);
    QVERIFY2(first.find("hush") == std::string::npos, first.c_str());
    const std::string advised = mysql::advice(connected.error(), url);
    QVERIFY2(advised.find("sha256_password") != std::string::npos, advised.c_str());
  }
  void whyALoginWasRefusedIsSaidThoughTheServerClosesAtOnce() {
    const Impostor impostor([&](Peer& peer, int) {
      TlsServer server(shown_);
      peer.say(mysql_greeting(true));
      peer.hear(36);
      hear(peer, server);
      server.say(mysql_packet(3, kRefusal));
      server.end();
      peer.say(server.give());
      peer.be_silent();
    });
    mysql::Asker asker(milliseconds(3000));
    const auto connected = asker.connect(url_of(impostor));
    QVERIFY(!connected);
    QCOMPARE(connected.error().message, std::string("Too many connections"));
  }
};

LEASESCOPE_SUITE(SealedTalkTest)
#include "sealed_talk_test.moc"
