// What an etcd says, read from its text as 3.4 and 3.5 write it; what is no such text; and what is asked of it.
#include "core/store/etcd/answers.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/store/etcd/advice.h"
#include "core/store/etcd/base64.h"
#include "core/store/etcd/line_cutter.h"
#include "core/store/etcd/locks.h"
#include "core/store/etcd/requests.h"
#include "core/store/types/types.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::etcd;

namespace {

const std::string kHeader =
    R"("header":{"cluster_id":"14841639068965178418","member_id":"10276657743932975437","revision":"7","raft_term":"2"})";

KeyValue key(const std::string& name, std::int64_t lease, std::int64_t created, const std::string& value = "") {
  return {name, value, created, created, lease};
}

std::string owner(const Locks& locks, const std::string& lock = "orders") { return locks.line(lock).owner(); }

}  // namespace

class EtcdAnswersTest : public QObject {
  Q_OBJECT
 private slots:
  void aPageOfKeysIsRead() {
    // "orders/694d7a1b2c3d4e5f" and "orders/2a".
    const auto page = read_range(
        "{" + kHeader +
        R"(,"kvs":[{"key":"b3JkZXJzLzY5NGQ3YTFiMmMzZDRlNWY=","create_revision":"5","mod_revision":"6","version":"2","lease":"7587855204314074719"},)"
        R"({"key":"b3JkZXJzLzJh","create_revision":"7","mod_revision":"7","version":"1","value":"YW5u","lease":"42"}],"more":true,"count":"3"})");
    QVERIFY2(page.has_value(), page ? "" : page.error().words.c_str());
    QCOMPARE(page->revision, std::int64_t{7});
    QVERIFY(page->more);
    QCOMPARE(page->keys.size(), std::size_t{2});
    QCOMPARE(page->keys[0].key, std::string("orders/694d7a1b2c3d4e5f"));
    QCOMPARE(page->keys[0].lease, std::int64_t{0x694d7a1b2c3d4e5f});
    QCOMPARE(page->keys[0].created, std::int64_t{5});
    QCOMPARE(page->keys[0].modified, std::int64_t{6});
    QCOMPARE(page->keys[1].value, std::string("ann"));
  }
  void whatIsLeftOutIsZero() {
    const auto page = read_range("{" + kHeader + "}");
    QVERIFY(page && page->keys.empty() && !page->more);
    const auto lease = read_lease("{" + kHeader + R"(,"ID":"42","grantedTTL":"10"})");
    QVERIFY(lease && lease->left == 0 && lease->granted == 10);
    const auto gone = read_lease("{" + kHeader + R"(,"ID":"42","TTL":"-1"})");
    QVERIFY(gone && gone->left == -1);
  }
  void theLinesOfAWatchAreRead() {
    const auto created = read_watch("{\"result\":{" + kHeader + R"(,"created":true}})");
    QVERIFY(created && created->created && !created->canceled && created->changes.empty());
    const auto changes = read_watch(
        "{\"result\":{" + kHeader +
        R"(,"events":[{"type":"DELETE","kv":{"key":"b3JkZXJzLzJh","mod_revision":"9"}},)"
        R"({"kv":{"key":"b3JkZXJzLzJi","create_revision":"9","mod_revision":"9","version":"1","lease":"43"}}]}})");
    QVERIFY(changes.has_value());
    QCOMPARE(changes->changes.size(), std::size_t{2});
    QVERIFY(changes->changes[0].deleted && changes->changes[0].now.key == "orders/2a");
    QCOMPARE(changes->changes[0].now.modified, std::int64_t{9});
    QVERIFY(!changes->changes[1].deleted && changes->changes[1].now.lease == 43);
    const auto torn = read_watch("{\"result\":{" + kHeader + R"(,"canceled":true,"compact_revision":"12"}})");
    QVERIFY(torn && torn->canceled && torn->compacted == 12);
    const auto ended =
        read_watch("{\"result\":{" + kHeader + R"(,"created":true,"canceled":true,"cancel_reason":"no rights"}})");
    QVERIFY(ended && ended->canceled && ended->compacted == 0 && ended->reason == "no rights");
  }
  void errorsAreReadAsEachGenerationWritesThem() {
    for (const char* text :
         {R"({"error":"etcdserver: permission denied","code":7,"message":"etcdserver: permission denied"})",
          R"({"code":7,"message":"etcdserver: permission denied","details":[]})"}) {
      const Refusal refusal = read_refusal(403, text);
      QCOMPARE(refusal.code, 7);
      QCOMPARE(refusal.words, std::string("etcdserver: permission denied"));
      QVERIFY(!read_range(text));
      QCOMPARE(read_range(text).error().code, 7);
    }
    const auto streamed = read_watch(
        R"({"error":{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader","http_status":"Service Unavailable"}})");
    QVERIFY(!streamed && streamed.error().code == 14 && streamed.error().words == "etcdserver: no leader");
  }
  void whoeverElseAnswersIsNoEtcd() {
    for (const int status : {404, 400, 502}) {
      const Refusal refusal = read_refusal(status, "<html>Not here</html>");
      QCOMPARE(refusal.code, Refusal::kNotEtcd);
      QVERIFY(refusal.words.find("not as etcd does: HTTP " + std::to_string(status)) != std::string::npos);
    }
    QVERIFY(read_range("<html>").error().words.find("<html>") != std::string::npos);
    // Nothing of it moves a terminal's cursor, and not all of it is repeated.
    const std::string words = read_range("\x1b[2J" + std::string(10'000, 'x')).error().words;
    QVERIFY(words.size() < 200 && words.find('\x1b') == std::string::npos);
  }
  void garbageIsNoAnswer_data() {
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const std::string& text) {
      QTest::newRow(name) << QByteArray::fromStdString(text);
    };
    row("nothing", "");
    row("no object", "[]");
    row("cut off", "{" + kHeader);
    row("no header", R"({"kvs":[]})");
    row("a header that is none", R"({"header":7})");
    row("keys that are none", "{" + kHeader + R"(,"kvs":7})");
    row("a key that is none", "{" + kHeader + R"(,"kvs":[7]})");
    row("no base64", "{" + kHeader + R"(,"kvs":[{"key":"!"}]})");
    row("a number that is none", "{" + kHeader + R"(,"kvs":[{"key":"YQ==","lease":"4x"}]})");
    row("too large a number", "{" + kHeader + R"(,"kvs":[{"key":"YQ==","lease":"99999999999999999999"}]})");
    row("a flag that is none", "{" + kHeader + R"(,"more":"yes"})");
    row("deep", std::string(200'000, '['));
    row("deep within", "{" + kHeader + ",\"kvs\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}");
  }
  void garbageIsNoAnswer() {
    QFETCH(QByteArray, text);
    const auto page = read_range(text.toStdString());
    QVERIFY(!page);
    QCOMPARE(page.error().code, Refusal::kNotEtcd);
  }
  void whatIsNoWatchIsNone() {
    QVERIFY(!read_watch("{" + kHeader + "}"));
    QVERIFY(!read_watch("{\"result\":{" + kHeader + R"(,"events":[{"type":"MOVE","kv":{"key":"YQ=="}}]}})"));
    QVERIFY(!read_watch("{\"result\":{" + kHeader + R"(,"events":[{"type":"PUT"}]}})"));
    QVERIFY(!read_watch("{\"result\":{" + kHeader + R"(,"events":[7]}})"));
  }
  // It goes into a header of ours.
  void aTokenIsNoMoreThanOne() {
    QCOMPARE(read_login("{" + kHeader + R"(,"token":"sssvIpwfnLAcWAQH.9"})").value(),
             std::string("sssvIpwfnLAcWAQH.9"));
    QVERIFY(!read_login("{" + kHeader + "}"));
    QVERIFY(!read_login("{" + kHeader + R"(,"token":"a\r\nX-Other: b"})"));
    QVERIFY(!read_login("{" + kHeader + ",\"token\":\"" + std::string(10'000, 'x') + "\"}"));
  }
  void bytesAreThemselvesAgain() {
    for (std::size_t length = 0; length < 300; ++length) {
      std::string bytes;
      for (std::size_t i = 0; i < length; ++i) bytes += static_cast<char>(i * 7 + length);
      QCOMPARE(base64_decoded(base64(bytes)).value(), bytes);
    }
    QCOMPARE(base64("foo"), std::string("Zm9v"));
    QCOMPARE(base64("fo"), std::string("Zm8="));
    for (const char* wrong : {"Z", "Zm9", "Zm9v=", "====", "Zm8 ", "Z\n9v", "A==="})
      QVERIFY2(!base64_decoded(wrong), wrong);
  }
  void aStreamIsCutIntoLinesHoweverItComes() {
    for (std::size_t piece = 1; piece < 9; ++piece) {
      const std::string stream = "one\n\ntwo\nthr";
      LineCutter lines(3);
      QStringList told;
      for (std::size_t at = 0; at < stream.size(); at += piece)
        QVERIFY(lines.take(std::string_view(stream).substr(at, piece), [&](std::string_view line) {
          told << QString::fromStdString(std::string(line));
          return true;
        }));
      QCOMPARE(told, (QStringList{"one", "two"}));
      QCOMPARE(lines.rest(), std::string("thr"));
    }
  }
  void anEndlessLineEndsIt() {
    LineCutter lines(1000);
    const auto none = [](std::string_view) { return true; };
    bool sound = true;
    int pieces = 0;
    for (; sound && pieces < 100; ++pieces) sound = lines.take(std::string(64, 'x'), none);
    QCOMPARE(pieces, 16);
  }

  // ---- which keys are locks

  void aKeyIsAPlaceWhereItNamesItsLease() {
    QCOMPARE(place_of("orders/694d7a1b2c3d4e5f")->lease, std::int64_t{0x694d7a1b2c3d4e5f});
    QCOMPARE(place_of("/app/locks/orders/2a")->lock, std::string("/app/locks/orders"));
    for (const char* none : {"orders", "orders/", "/2a", "orders/2A", "orders/02a", "orders/0", "orders/-1",
                             "orders/2g", "orders/8000000000000000", "orders/123456789abcdef01"})
      QVERIFY2(!place_of(none), none);
  }
  void whoCameFirstHoldsAndTheOthersWaitInOrder() {
    Locks locks;
    QCOMPARE(locks.put(key("orders/2b", 0x2b, 9)).value(), std::string("orders"));
    QVERIFY(locks.put(key("orders/2a", 0x2a, 5)));
    QVERIFY(locks.put(key("orders/2c", 0x2c, 7)));
    QCOMPARE(owner(locks), std::string("lease 2a"));
    QVERIFY(!locks.line("orders").is_election());
    QCOMPARE(locks.line("orders").places[1].key, std::string("orders/2c"));
    QVERIFY(locks.erase("orders/2a"));
    QCOMPARE(owner(locks), std::string("lease 2c"));
    QVERIFY(!locks.erase("orders/2a"));
    QVERIFY(!locks.put(key("orders/name", 0x2a, 5)));
    // Whoever comes again stands at the end.
    QVERIFY(locks.put(key("orders/2c", 0x2c, 12)));
    QCOMPARE(owner(locks), std::string("lease 2b"));
  }
  void aKeyWithoutItsLeaseIsNoPlace() {
    Locks locks;
    QVERIFY(!locks.put(key("orders/2a", 0, 5)));
    QVERIFY(!locks.put(key("orders/2a", 0x2b, 5)));
    QVERIFY(locks.put(key("orders/2a", 0x2a, 6)));
    QVERIFY(locks.put(key("orders/2a", 0, 6)));  // its lease was taken from it
    QCOMPARE(owner(locks), std::string());
  }
  void whoStandsForElectionIsWhatHeSaid() {
    Locks locks;
    locks.put(key("boss/2a", 0x2a, 5, "ann"));
    QVERIFY(locks.line("boss").is_election());
    KeyValue proclaimed = key("boss/2a", 0x2a, 5, "ann, 17 jobs");
    proclaimed.modified = 8;
    locks.put(proclaimed);
    QCOMPARE(owner(locks, "boss"), std::string("ann"));  // he goes on holding
    QCOMPARE(locks.line("boss").holder()->value.value(), std::string("ann, 17 jobs"));
  }
  void oneThatSaysMuchIsNotKeptWhole() {
    const std::string much(1'000'000, 'x');
    Locks locks;
    locks.put(key("boss/2a", 0x2a, 5, much));
    QCOMPARE(locks.line("boss").holder()->value->size(), Locks::kLongestValue);
    locks.replace(keys_with(""), {key("boss/2b", 0x2b, 6)});
    locks.read_value(key("boss/2b", 0x2b, 6, much));
    QCOMPARE(locks.line("boss").holder()->value->size(), Locks::kLongestValue);
    QCOMPARE(locks.line("boss").holder()->first_value->size(), Locks::kLongestValue);
  }
  // The line of a lock that was left out would be told from its middle on: it stays out.
  void whereThereAreTooManyNoOtherIsTakenUpAndTheKnownStayWhole() {
    Locks locks;
    std::int64_t revision = 0;
    for (std::size_t i = 0; i < Locks::kMostKeys / 2; ++i) {
      const bool taken = locks.put(key(fmt::format("{}/2a", i), 0x2a, ++revision)).has_value();
      if (!taken) QFAIL(std::to_string(i).c_str());
    }
    QVERIFY(!locks.is_full());
    QVERIFY(!locks.put(key("late/2a", 0x2a, ++revision)));
    QVERIFY(locks.is_full());
    QVERIFY(locks.put(key("0/2b", 0x2b, ++revision)));
    QVERIFY(locks.erase("0/2a") && locks.erase("1/2a") && locks.erase("2/2a"));
    QCOMPARE(owner(locks, "0"), std::string("lease 2b"));
    QVERIFY(!locks.put(key("late/2b", 0x2b, ++revision)));
    QVERIFY(locks.is_full());
  }
  void whatIsFoundReplacesWhatWasThere() {
    Locks locks;
    locks.put(key("bills/2a", 0x2a, 3, "ann"));
    locks.put(key("orders/2a", 0x2a, 5));
    locks.put(key("orders/2b", 0x2b, 6));
    const auto changed = locks.replace(keys_with("orders/"), {key("orders/2b", 0x2b, 6), key("orders/2c", 0x2c, 9)});
    QVERIFY(changed == std::vector<std::string>{"orders"});
    QCOMPARE(owner(locks), std::string("lease 2b"));
    QCOMPARE(owner(locks, "bills"), std::string("ann"));
    QVERIFY(locks.line("orders").places[0].value);   // it was told before
    QVERIFY(!locks.line("orders").places[1].value);  // it was not asked for
    locks.read_value(key("orders/2c", 0x2c, 9, "cat"));
    QCOMPARE(locks.line("orders").places[1].value.value(), std::string("cat"));
    // Who has gone is told of, too.
    QCOMPARE(locks.replace(keys_with(""), {}).size(), std::size_t{2});
    QCOMPARE(owner(locks) + owner(locks, "bills"), std::string());
  }

  // ---- what is asked, and what to do where it is refused

  void aRefusalComesWithWhatToDo() {
    const auto says = [](int code, const char* words, const char* advice) {
      return advised({code, words}).find(advice) != std::string::npos;
    };
    QVERIFY(says(Refusal::kNotEtcd, "Empty reply from server", "begins with etcds://"));
    QVERIFY(says(Refusal::kNotEtcd, "SSL: certificate subject name 'h1' does not match target host name 'h2'",
                 "is for other hosts"));
    QVERIFY(says(Refusal::kNotEtcd, "SSL certificate problem: self-signed certificate", "?cacert=FILE"));
    QVERIFY(says(7, "etcdserver: permission denied", "role grant-permission"));
    QCOMPARE(advised({14, "etcdserver: too busy"}), std::string("etcdserver: too busy"));
  }
  void aPrefixIsASpanOfKeys() {
    QCOMPARE(keys_with("orders/").to, std::string("orders0"));
    QCOMPARE(keys_with("a\xff").to, std::string("b"));
    QCOMPARE(keys_with("").from, std::string(1, '\0'));
    QCOMPARE(keys_with("").to, std::string(1, '\0'));
    QCOMPARE(keys_with("\xff\xff").to, std::string(1, '\0'));
  }
  void nothingThatIsAskedWrites() {
    const KeySpan span = keys_with("orders/");
    const std::set<std::string> reads{"/v3/kv/range", "/v3/watch", "/v3/lease/timetolive", "/v3/auth/authenticate"};
    for (const Question& each : {range_question(span, 500, 7), value_question("a"), sign_of_life_question("a"),
                                 watch_question(span, 8), lease_question(42), login_question("ann", "hush")})
      QVERIFY2(reads.count(each.path) == 1, each.path.c_str());
    QCOMPARE(range_question(span, 500, 7).body,
             std::string(
                 R"({"key":"b3JkZXJzLw==","range_end":"b3JkZXJzMA==","limit":"500","keys_only":true,"revision":"7"})"));
    QCOMPARE(
        watch_question(span, 8).body,
        std::string(
            R"({"create_request":{"key":"b3JkZXJzLw==","range_end":"b3JkZXJzMA==","start_revision":"8","fragment":true}})"));
    QCOMPARE(lease_question(42).body, std::string(R"({"ID":"42"})"));
  }
  void aUrlNamesServersAndAPrefix() {
    const auto url = parse_store_url("etcds://ann:hu%3Ash@h1,[::1]:99/app/locks/?cacert=ca.pem");
    QVERIFY2(url.has_value(), url ? "" : url.error().c_str());
    QVERIFY(url->type->is_only_watched() && url->sealed);
    QCOMPARE(url->endpoint.port, 2379);
    QCOMPARE(url->others.size(), std::size_t{1});
    QCOMPARE(url->others[0].port, 99);
    QCOMPARE(url->password, std::string("hu:sh"));
    QCOMPARE(url->database, std::string("app/locks/"));
    QCOMPARE(printable(*url), std::string("etcds://ann@h1:2379,[::1]:99/app/locks/"));
    QCOMPARE(parse_store_url("etcd://h//app")->database, std::string("/app"));
    for (const char* wrong : {"etcd://h?cacert=ca.pem", "etcd://:hush@h", "etcds://h?cert=a.pem", "etcd://h?prefix=a",
                              "etcd://h:port", "etcd?servers=3"})
      QVERIFY2(!parse_store_url(wrong), wrong);
  }
  void whereOnlyLocksAreWatchedNobodyContends() {
    const StoreType* const etcd = find_store_type("etcd");
    QVERIFY(etcd != nullptr && etcd->observe != nullptr);
    const auto& contended = store_types();
    const auto& watched = watched_types();
    QVERIFY(std::find(contended.begin(), contended.end(), etcd) == contended.end());
    QVERIFY(std::find(watched.begin(), watched.end(), etcd) != watched.end());
    QVERIFY(why_not_contended(*etcd).find("etcd is only watched") == 0);
    QVERIFY(store_schemes().find("etcd") == std::string::npos &&
            watched_schemes().find("etcd://") != std::string::npos);
  }
};

LEASESCOPE_SUITE(EtcdAnswersTest)
#include "etcd_answers_test.moc"
