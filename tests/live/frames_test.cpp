#include <random>

#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using leasescope::tests::this_store;

namespace {

// Fed in pieces of `size` bytes, as a network may deliver it.
std::vector<Frame> read(const StoreType& type, Speaker speaker, const std::string& bytes, std::size_t size) {
  const auto reader = type.frames(speaker);
  std::vector<Frame> out;
  for (std::size_t at = 0; at < bytes.size(); at += size) reader->read(bytes.substr(at, size), out);
  return out;
}

std::string joined(const std::vector<Frame>& frames) {
  std::string out;
  for (const Frame& frame : frames) out += frame.bytes;
  return out;
}

// A letter a frame: a login, a request, a reply, a push; what goes on with the last is left out.
std::string told(const std::vector<Frame>& frames) {
  std::string out;
  for (const Frame& frame : frames)
    if (frame.begins) out += "brap"[static_cast<int>(frame.kind)];
  return out;
}

std::vector<std::string> said(const std::vector<Frame>& frames) {
  std::vector<std::string> out;
  for (const Frame& frame : frames)
    if (frame.kind == FrameKind::kPush) out.push_back(frame.says);
  return out;
}

std::string number(std::size_t value, int bytes, bool big) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * (big ? bytes - 1 - i : i) & 0xff);
  return out;
}

// ---- Redis

const std::string kSubscribed = "*3\r\n$9\r\nsubscribe\r\n$9\r\nsimba:{m}\r\n:1\r\n";
const std::string kMessage = "*3\r\n$7\r\nmessage\r\n$9\r\nsimba:{m}\r\n$13\r\nacquired@@0:1\r\n";
const std::string kPing = "*1\r\n$4\r\nPING\r\n";

// ---- PostgreSQL

std::string frame(char type, const std::string& body) { return type + number(body.size() + 4, 4, true) + body; }

const std::string kReady = frame('Z', "I");
const std::string kNotice = frame('A', std::string("\0\0\0\7chan\0released@@x\0", 21));
const std::string kLoggedIn =
    "N" + frame('R', std::string(4, '\0')) + frame('S', "a=b") + frame('K', "8 bytes.") + kReady;
const std::string kRow =
    frame('1', "") + frame('2', "") + frame('T', "x") + frame('D', "y") + frame('C', "SELECT 1") + kReady;
const std::string kOpening = number(8, 4, true) + number(80877103, 4, true) + number(17, 4, true) +
                             number(196608, 4, true) + std::string("user\0a\0\0\0", 9);
const std::string kQuery = frame('P', "select 1") + frame('B', "") + frame('D', "P") + frame('E', "") + frame('S', "");

// ---- MySQL

std::string packet(int at, const std::string& body) {
  return number(body.size(), 3, false) + static_cast<char>(at) + body;
}

const std::string kRows =
    packet(1, "\1") + packet(2, "column") + packet(3, "\xfe....") + packet(4, "row") + packet(5, "\xfe....");

// ---- ZooKeeper

std::string jute(int xid, const std::string& body) {
  return number(body.size() + 4, 4, true) + number(xid, 4, true) + body;
}

const std::string kSession = number(36, 4, true) + std::string(36, '\0');
const std::string kPath = "/simba/m/latch-0000000001";
const std::string kWatch =
    jute(-1, std::string(12, '\xff') + number(2, 4, true) + number(3, 4, true) + number(kPath.size(), 4, true) + kPath);

struct Said {
  std::string client, server;
};

// What the two sides of each store say, logins first.
const std::map<std::string_view, Said> kTalks{
    {"redis", {kPing + kPing, kSubscribed + kMessage + "+PONG\r\n$-1\r\n*0\r\n:5\r\n-ERR no\r\n"}},
    {"postgres",
     {kOpening + frame('p', "secret") + kQuery + frame('Q', "x") + kQuery, kLoggedIn + kRow + kNotice + kRow}},
    {"mysql",
     {packet(1, std::string("\0....", 5)) + packet(0, "\3select") + packet(0, "\3update"),
      packet(0, "\n10.11") + packet(2, "ok") + kRows + packet(1, "ok") + packet(1, "\xff error")}},
    {"zookeeper",
     {number(44, 4, true) + std::string(44, '\0') + jute(1, "create") + jute(-2, "ping") + jute(2, "look"),
      kSession + jute(1, "made") + jute(-2, "alive") + kWatch + jute(2, "there")}}};

void each_store_with_frames() {
  QTest::addColumn<bool>("of no use");
  for (const StoreType* type : store_types())
    if (type->frames != nullptr) QTest::newRow(type->name().data()) << true;
}

}  // namespace

class FramesTest : public QObject {
  Q_OBJECT
 private slots:
  void noByteIsLostOrAddedInWhateverPiecesItComes_data() { each_store_with_frames(); }
  void noByteIsLostOrAddedInWhateverPiecesItComes() {
    const Said& talk = kTalks.at(QTest::currentDataTag());
    for (std::size_t size = 1; size < 60; ++size) {
      QCOMPARE(joined(read(this_store(), Speaker::kClient, talk.client, size)), talk.client);
      QCOMPARE(joined(read(this_store(), Speaker::kServer, talk.server, size)), talk.server);
    }
  }
  void requestsAndRepliesAndPushesAreTold_data() {
    QTest::addColumn<QString>("client");
    QTest::addColumn<QString>("server");
    QTest::newRow("redis") << "rr"
                           << "apaaaaa";
    QTest::newRow("postgres") << "bbbrrr"
                              << "bbbbbapa";
    QTest::newRow("mysql") << "brr"
                           << "bbaaa";
    QTest::newRow("zookeeper") << "brbr"
                               << "babpa";
  }
  void requestsAndRepliesAndPushesAreTold() {
    QFETCH(QString, client);
    QFETCH(QString, server);
    const Said& talk = kTalks.at(QTest::currentDataTag());
    for (std::size_t size = 1; size < 60; ++size) {
      QCOMPARE(told(read(this_store(), Speaker::kClient, talk.client, size)), client.toStdString());
      QCOMPARE(told(read(this_store(), Speaker::kServer, talk.server, size)), server.toStdString());
    }
  }
  void aRequestOfSeveralMessagesEndsWithItsLast() {
    for (std::size_t size = 1; size < 60; ++size) {
      std::string ends;
      for (const Frame& frame : read(*find_store_type("postgres"), Speaker::kClient,
                                     kOpening + frame('p', "secret") + kQuery + frame('Q', "x") + kQuery, size))
        if (frame.kind == FrameKind::kRequest) ends += frame.ends ? 'e' : '-';
      QCOMPARE(ends, std::string("----ee----e"));
    }
  }
  void aPushSaysWhatItIsAbout_data() {
    QTest::addColumn<QString>("says");
    QTest::newRow("redis") << "acquired@@0:1";
    QTest::newRow("postgres") << "released@@x";
    QTest::newRow("zookeeper") << QString::fromStdString(kPath);
  }
  void aPushSaysWhatItIsAbout() {
    QFETCH(QString, says);
    const auto frames = read(this_store(), Speaker::kServer, kTalks.at(QTest::currentDataTag()).server, 7);
    QCOMPARE(said(frames), std::vector<std::string>{says.toStdString()});
  }
  // Of ZooKeeper alone: its answers bear numbers. A push waits for nobody anywhere.
  void whatCountsOnItsOrderIsMarked_data() { each_store_with_frames(); }
  void whatCountsOnItsOrderIsMarked() {
    const bool numbered = this_store().carries(Family::kNodes);
    for (const Frame& each : read(this_store(), Speaker::kServer, kTalks.at(QTest::currentDataTag()).server, 1000)) {
      if (each.kind == FrameKind::kReply) QCOMPARE(each.in_turn, !numbered);
      if (each.kind == FrameKind::kPush) QVERIFY(!each.in_turn && each.begins && each.whole);
    }
  }
  // Lists in lists ended the program, announced lengths were waited for with everything kept.
  void whatIsNoProtocolPassesAndIsNotKept_data() {
    QTest::addColumn<QString>("store");
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* store, const char* name, const QByteArray& bytes) {
      QTest::addRow("%s: %s", store, name) << store << bytes;
    };
    const QByteArray body(300'000, 'x');
    row("redis", "lists in lists", QByteArray("*1\r\n").repeated(300'000));
    row("redis", "a text of a gigabyte", "$999999999\r\n" + body);
    row("redis", "a list of 2^62", "*4611686018427387904\r\n" + QByteArray(":1\r\n").repeated(70'000));
    row("redis", "an endless line", QByteArray(300'000, '+'));
    row("postgres", "a row of 4 GB", "D\xff\xff\xff\xff" + body);
    row("postgres", "a notification of 4 GB", "A\xff\xff\xff\xff" + body);
    row("postgres", "a length that is none", QByteArray("D\0\0\0\0", 5) + body);
    row("mysql", "numbers out of turn", QByteArray("\1\0\0\0x\1\0\0\1x\1\0\0\7x", 15) + body);
    row("mysql", "the longest packet", QByteArray("\1\0\0\0x\xff\xff\xff\1", 9) + body);
    row("zookeeper", "four letters", "ruok" + body);
    row("zookeeper", "an event of 15 MB", QByteArray("\0\0\0\4xxxx\0\xf0\0\0\xff\xff\xff\xff", 16) + body);
  }
  // Of each, at most the longest frame and a piece are held back while nothing can be told apart yet.
  void whatIsNoProtocolPassesAndIsNotKept() {
    QFETCH(QString, store);
    QFETCH(QByteArray, bytes);
    constexpr std::size_t kMost = FrameReader::kMostHeld + 2'000;
    QVERIFY(static_cast<std::size_t>(bytes.size()) > 2 * kMost);  // or nothing at all would do
    for (const Speaker speaker : {Speaker::kClient, Speaker::kServer}) {
      const std::string in = bytes.toStdString();
      const std::string out = joined(read(*find_store_type(store.toStdString()), speaker, in, 1000));
      QVERIFY2(out.size() + kMost > in.size(), std::to_string(out.size()).c_str());
      QVERIFY(in.compare(0, out.size(), out) == 0);
    }
  }
  void mutatedTalkNeitherBreaksNorBloatsIt_data() { each_store_with_frames(); }
  void mutatedTalkNeitherBreaksNorBloatsIt() {
    std::mt19937 dice(7);  // NOLINT(cert-msc51-cpp): the same in each run
    const auto below = [&](std::size_t bound) {
      return std::uniform_int_distribution<std::size_t>(0, bound - 1)(dice);
    };
    for (int round = 0; round < 3000; ++round) {
      const Speaker speaker = round % 2 == 0 ? Speaker::kClient : Speaker::kServer;
      const Said& talk = kTalks.at(QTest::currentDataTag());
      std::string in;
      while (in.size() < 2'000) in += speaker == Speaker::kClient ? talk.client : talk.server;
      for (std::size_t hits = 1 + below(6); hits > 0; --hits) {
        const std::size_t at = below(in.size());
        if (below(3) == 0) {
          in.erase(at, 1 + below(9));
        } else {
          in[at] = static_cast<char>(below(256));
        }
      }
      const std::string out = joined(read(this_store(), speaker, in, 1 + below(90)));
      QVERIFY(in.compare(0, out.size(), out) == 0 && in.size() - out.size() <= FrameReader::kMostHeld);
    }
  }
  void aNotificationTooShortToHaveAPayloadIsOne() {
    const auto frames =
        read(*find_store_type("postgres"), Speaker::kServer, frame('R', "") + frame('A', "") + kReady, 3);
    QCOMPARE(said(frames), std::vector<std::string>{""});
  }
  void anEncryptedLinePassesUntouched() {
    const std::string secret = "S\x16\x03\x01 A and more";
    const auto frames = read(*find_store_type("postgres"), Speaker::kServer, secret, 3);
    QCOMPARE(joined(frames), secret);
    QVERIFY(told(frames).find_first_not_of('b') == std::string::npos);
  }
  void aLongReplyOfMysqlIsOne() {
    std::string long_reply = packet(0, "hello") + packet(2, "ok");
    for (int i = 1; i <= 700; ++i) long_reply += packet(i & 0xff, "row");
    QCOMPARE(told(read(*find_store_type("mysql"), Speaker::kServer, long_reply + packet(1, "ok"), 1000)), "bbaa");
  }
};

LEASESCOPE_SUITE(FramesTest)
#include "frames_test.moc"
