// By what a lock of another maker is known, and that nothing else is taken for one.
#include <random>

#include "core/observe/watched_row.h"
#include "core/store/foreign_rows.h"
#include "core/store/redis/foreign/key_forms.h"
#include "core/store/zookeeper/foreign/line_forms.h"
#include "tests/store/uuid_by_time.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

using redis::KeyContent;

const std::string kClient = "b9a1c2d3-0f1e-4a5b-8c7d-112233445566";
const std::string kOther = "00000000-0f1e-4a5b-8c7d-112233445566";

redis::RespValue a_text(const std::string& text) {
  redis::RespValue out;
  out.kind = redis::RespValue::Kind::kText;
  out.text = text;
  return out;
}
redis::RespValue a_list(const std::vector<redis::RespValue>& items) {
  redis::RespValue out;
  out.kind = redis::RespValue::Kind::kList;
  out.items = items;
  return out;
}
redis::RespValue a_number(std::int64_t number) {
  redis::RespValue out;
  out.kind = redis::RespValue::Kind::kInteger;
  out.integer = number;
  return out;
}

// "Redisson", or nothing.
std::string maker_of(const std::string& type, const std::string& key, const KeyContent& content) {
  std::vector<std::string> fields;
  for (const auto& [field, value] : content.pairs) fields.push_back(field);
  for (const redis::KeyForm& form : redis::key_forms())
    if (form.type == type && form.may_be(key, fields) && form.is_one(content)) return std::string(form.maker);
  return {};
}

KeyContent text(const std::string& text, bool ends = true) {
  KeyContent out;
  out.text = text;
  if (ends) out.left = std::chrono::seconds(8);
  return out;
}
KeyContent pairs(const std::vector<std::pair<std::string, std::string>>& pairs) {
  KeyContent out;
  out.pairs = pairs;
  out.left = std::chrono::seconds(30);
  return out;
}

Sighting redisson(const KeyContent& content, const std::string& token, const std::vector<std::string>& queue,
                  std::int64_t listeners) {
  std::vector<redis::RespValue> waiting;
  for (const std::string& who : queue) waiting.push_back(a_text(who));
  Sighting out;
  redis::redisson_lock().tell(content,
                              {a_text(token), a_list(waiting),
                               a_list({a_text("redisson_lock__channel:{orders}"), a_number(listeners),
                                       a_text("redisson_rwlock:{orders}"), a_number(0)})},
                              out);
  return out;
}

const zookeeper::LineForm* form_of(const std::string& node) {
  for (const zookeeper::LineForm& form : zookeeper::line_forms())
    if (zookeeper::place_of(form, node)) return &form;
  return nullptr;
}

std::string system_of(const std::string& node) {
  const zookeeper::LineForm* const form = form_of(node);
  return form == nullptr ? std::string() : std::string(form->maker) + " " + std::string(form->system);
}

}  // namespace

class ForeignFormsTest : public QObject {
  Q_OBJECT

 private slots:
  void redissonsLockIsAFieldOfAClientAndItsThread() {
    QCOMPARE(maker_of("hash", "orders", pairs({{kClient + ":1", "2"}})), std::string("Redisson"));
    const Sighting seen = redisson(pairs({{kClient + ":1", "2"}}), "", {}, 3);
    QCOMPARE(seen.owner, kClient + ":1");
    QCOMPARE(seen.system, std::string_view("lock"));
    QCOMPARE(*seen.waiters, 3U);
    // Whoever tries again and again listens to nothing.
    QVERIFY(!redisson(pairs({{kClient + ":1", "2"}}), "", {}, 0).waiters);
  }
  void aFieldOfSomethingElseOrWithoutAnEndIsNoLock() {
    QCOMPARE(maker_of("hash", "orders", pairs({{"name", "Ann"}})), std::string());
    QCOMPARE(maker_of("hash", "orders", pairs({{kClient + ":1", "a text"}})), std::string());
    QCOMPARE(maker_of("hash", "orders", pairs({{kClient + ":1", "1"}, {"x", "1"}})), std::string());
    QCOMPARE(maker_of("hash", "orders", pairs({{kClient + ":1", "1"}, {kOther + ":77", "1"}})), std::string());
    QCOMPARE(maker_of("hash", "orders", pairs({{kClient + ":1", "1"}, {"mode", "fast"}})), std::string());
    QCOMPARE(maker_of("hash", "orders", pairs({{"mode", "read"}})), std::string());
    QCOMPARE(maker_of("hash", "orders", pairs({})), std::string());
    KeyContent endless = pairs({{kClient + ":1", "1"}});
    endless.left.reset();
    QCOMPARE(maker_of("hash", "orders", endless), std::string());
  }
  void redissonsFencedFairAndReadWriteLocksAreTold() {
    const KeyContent one = pairs({{kClient + ":1", "1"}});
    const Sighting fenced = redisson(one, "42", {}, 0);
    QCOMPARE(fenced.system, std::string_view("fenced lock"));
    QCOMPARE(fenced.token, Token{42});
    const Sighting fair = redisson(one, "", {kOther + ":5", kOther + ":6"}, 0);
    QCOMPARE(fair.system, std::string_view("fair lock"));
    QCOMPARE(fair.queue, (std::vector<std::string>{kOther + ":5", kOther + ":6"}));
    QCOMPARE(*fair.waiters, 2U);
    const KeyContent read = pairs({{"mode", "read"}, {kOther + ":5", "1"}, {kClient + ":1", "1"}});
    QCOMPARE(maker_of("hash", "orders", read), std::string("Redisson"));
    const Sighting readers = redisson(read, "", {}, 0);
    QCOMPARE(readers.system, std::string_view("read-write lock"));
    QCOMPARE(readers.owner, kOther + ":5, " + kClient + ":1");
    QCOMPARE(readers.holders, (std::vector<std::string>{kOther + ":5", kClient + ":1"}));
    QCOMPARE(readers.held, 2U);
    // Who writes may read besides.
    const KeyContent written = pairs({{"mode", "write"}, {kClient + ":1:write", "1"}, {kClient + ":1", "1"}});
    QCOMPARE(maker_of("hash", "orders", written), std::string("Redisson"));
    QCOMPARE(redisson(written, "", {}, 0).owner, kClient + ":1");
    QVERIFY2(!redisson(written, "", {}, 0).is_shared(), "who writes is alone");
  }
  void redissonsChannelsTellWhichLockIsMeant() {
    const auto told_of = redis::redisson_lock().told_of;
    using Keys = std::vector<std::string>;
    QCOMPARE(told_of("redisson_lock__channel:{orders}"), (Keys{"{orders}", "orders"}));
    QCOMPARE(told_of("redisson_lock__channel:orders:{17}"), Keys{"orders:{17}"});
    QCOMPARE(told_of("redisson_rwlock:{docs}"), (Keys{"{docs}", "docs"}));
    const Keys fair = told_of("redisson_lock__channel:{orders}:" + kClient + ":42");
    QCOMPARE(fair, (Keys{"{orders}:" + kClient + ":42", "{orders}", "orders"}));
    for (const char* other : {"", ":", "redisson_lock__channel", "redisson_lock__channel:", "redisson_rwlock{a}",
                              "redisson_sc:{pool}", "simba:{orders}"})
      QVERIFY2(told_of(other).empty(), other);
    for (const char* odd : {"redisson_lock__channel::", "redisson_lock__channel:{}", "redisson_lock__channel::::"})
      QCOMPARE(told_of(odd).size(), std::size_t{1});
  }
  void redissonsPermitsHaveIdsOfSixteenBytes() {
    const std::string permit("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\xff", 16);
    const KeyContent out = pairs({{permit, "1764345600000"}});
    QCOMPARE(maker_of("zset", "{pool}:timeout", out), std::string("Redisson"));
    QCOMPARE(maker_of("zset", "pool:timeout", out), std::string());
    QCOMPARE(maker_of("zset", "{pool}:timeout", pairs({{permit, "7"}})), std::string());
    const redis::KeyForm form = redis::redisson_semaphore();
    Sighting seen;
    const auto left_of = [](const char* name) { return redis::Words{"GETRANGE", name, "0", "10"}; };
    // Of a name that has braces of its own it is the same key.
    QCOMPARE(form.besides("{pool}:timeout"), (std::vector<redis::Words>{left_of("pool"), left_of("{pool}")}));
    form.tell(out, {a_text("4"), a_text("")}, seen);
    QCOMPARE(seen.owner, std::string("000102030405060708090a0b0c0d0eff"));
    QVERIFY(seen.is_shared() && seen.held == 1 && seen.permits == std::optional<std::uint32_t>(5));
    Sighting braced;
    form.tell(out, {a_text("a text"), a_text("2")}, braced);
    QCOMPARE(braced.permits, std::optional<std::uint32_t>(3));
    // It is not told how many are left, or which of two numbers that is.
    for (const char* other : {"", "2"}) {
      Sighting unsure;
      form.tell(out, {a_text(other), a_text(other)}, unsure);
      QVERIFY(unsure.is_shared() && !unsure.permits);
    }
    QCOMPARE(maker_of("zset", "seats:{7}:timeout", out), std::string("Redisson"));
    QCOMPARE(form.besides("seats:{7}:timeout"), std::vector<redis::Words>{left_of("seats:{7}")});
    QCOMPARE(maker_of("zset", "{pool}:timeouts", out), std::string());
    QCOMPARE(maker_of("zset", ":timeout", out), std::string());
  }
  void redisPysLockBearsWhenAndWhereItWasMade() {
    const std::string uuid = tests::uuid_by_time("02:42:ac:11:00:02");
    const std::string old = "c3c58000eb4411e18a5b0242ac110002";  // of 2012
    QCOMPARE(maker_of("string", "job", text(old)), std::string("node-redlock"));
    QVERIFY(redis::is_made_by_time(uuid));
    QCOMPARE(maker_of("string", "job", text(uuid)), std::string("redis-py"));
    QCOMPARE(maker_of("string", "job", text(uuid, false)), std::string("redis-py"));  // it may have no end
    Sighting seen;
    redis::redis_py_lock().tell(text(uuid), {}, seen);
    QCOMPARE(seen.owner, uuid);
    QCOMPARE(seen.raw.back().second, std::string("02:42:ac:11:00:02"));
  }
  void redsyncAndNodeRedlockAreLikelyByLengthAndAlphabet() {
    QCOMPARE(maker_of("string", "job", text("3q2+7wAAAAAAAAAAAAAAAA==")), std::string("redsync"));
    QCOMPARE(maker_of("string", "job", text("3q2+7wAAAAAAAAAAAAAAAA==", false)), std::string());
    QCOMPARE(maker_of("string", "job", text("3q2+7wAAAAAAAAAAAAAAAB==")), std::string());  // 16 bytes never end so
    QCOMPARE(maker_of("string", "job", text("0f1e2d3c4b5a49788796a5b4c3d2e1f0")), std::string("node-redlock"));
    QCOMPARE(maker_of("string", "job", text("0f1e2d3c4b5a49788796a5b4c3d2e1f0", false)), std::string());
    QCOMPARE(maker_of("string", "job", text("0F1E2D3C4B5A49788796A5B4C3D2E1F0")), std::string());
    for (const redis::KeyForm& form : redis::key_forms())
      QCOMPARE(form.likely, form.maker != "Redisson" || form.type == "zset");
  }
  // Where only what is certain is told of, no string is taken. Else some are that are none: the whole form of such a
  // lock is 16 bytes that nobody can tell from others, with an end (core/observe/README.md).
  void whatCannotBeToldFromALockIsLikelyOneAndNeverCertain_data() {
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("ending");   // its maker where it has an end
    QTest::addColumn<QString>("endless");  // ... and where it has none
    const QString of_now = QString::fromStdString(tests::uuid_by_time("02:42:ac:11:00:02"));
    const QString drawn = "5f0c8f1e9b6d4c3a8e7f001122334455", none;
    const auto dashed = [](const QString& digits) {
      return QString::fromStdString(tests::with_dashes(digits.toStdString()));
    };
    QTest::newRow("MD5") << "d41d8cd98f00b204e9800998ecf8427e"
                         << "node-redlock" << none;
    QTest::newRow("session id") << "9f86d081884c7d659a2feaa0c55ad015"
                                << "node-redlock" << none;
    QTest::newRow("32 digits") << "20261128031200123400000000000001"
                               << "node-redlock" << none;
    QTest::newRow("UUID 4") << drawn << "node-redlock" << none;
    QTest::newRow("UUID 1 of long ago") << "c3c58000eb4411e18a5b0242ac110002"
                                        << "node-redlock" << none;
    QTest::newRow("UUID 1 of now") << of_now << "redis-py"
                                   << "redis-py";
    QTest::newRow("MD5 in base64") << "1B2M2Y8AsgTpgAmY7PhCfg=="
                                   << "redsync" << none;
    QTest::newRow("UUID 4 with dashes") << dashed(drawn) << none << none;
    QTest::newRow("UUID 1 with dashes") << dashed(of_now) << none << none;
    QTest::newRow("MD5 in capitals") << "D41D8CD98F00B204E9800998ECF8427E" << none << none;
    QTest::newRow("SHA-1 in base64") << "2jmj7l5rSw0yVb/vlWAYkK/YBwk=" << none << none;
    QTest::newRow("number") << "1764345600000" << none << none;
    QTest::newRow("JSON") << R"({"user":7,"role":"admin"})" << none << none;
  }
  void whatCannotBeToldFromALockIsLikelyOneAndNeverCertain() {
    QFETCH(const QString, value);
    QFETCH(const QString, ending);
    QFETCH(const QString, endless);
    QCOMPARE(maker_of("string", "cache:7", text(value.toStdString())), ending.toStdString());
    QCOMPARE(maker_of("string", "cache:7", text(value.toStdString(), false)), endless.toStdString());
    for (const redis::KeyForm& form : redis::key_forms()) QVERIFY(form.type != "string" || form.likely);
  }
  // What lies in caches, sessions, counters and queues.
  void ofAThousandOrdinaryKeysNoneIsALock() {
    std::mt19937_64 random(20261128);
    const auto hex = [&](std::size_t digits) {
      std::string out;
      while (out.size() < digits) out += "0123456789abcdef"[random() % 16];
      return out;
    };
    int taken = 0;
    for (int i = 0; i < 1000; ++i) {
      const std::string key = "cache:" + std::to_string(i);
      const KeyContent strings[] = {text(std::to_string(random())),
                                    text(R"({"user":7,"role":"admin"})"),
                                    text(hex(40)),  // a digest: SHA-1
                                    text(hex(64)),  // SHA-256
                                    text(kClient),  // a UUID as it is written
                                    text("user-" + hex(12)),
                                    text(""),
                                    text(hex(8) + "==" + hex(14))};
      taken += !maker_of("string", key, strings[i % 8]).empty();
      taken += !maker_of("hash", key, pairs({{"name", hex(8)}, {kClient, "1"}, {"count", "3"}})).empty();
      taken += !maker_of("hash", key, pairs({{kClient + ":17", "1"}, {kOther + ":4", "3"}})).empty();  // seen by whom
      taken += !maker_of("zset", key, pairs({{hex(16), std::to_string(random() % 1000)}})).empty();
    }
    QCOMPARE(taken, 0);
  }

  // Who waits is read, and then who holds: what went in between is nobody's.
  void whatIsToldOfWhileSomebodyWaitsHasOneWhoHoldsAndOneWhoWaits() {
    const RowForm form{"MySQL", "metadata lock", false, true, nullptr, ""};
    ForeignRows rows(form);
    const ForeignRow holds{"table", "a", false, {}, ""}, waits{"table", "b", true, {}, ""};
    QVERIFY(rows.see({waits}, {}).told.empty() && rows.see({holds}, {}).told.empty());
    const ForeignRows::Seen both = rows.see({holds, waits}, {});
    QCOMPARE(both.told.size(), std::size_t{1});
    QCOMPARE(both.told[0].owner, std::string("a"));
    const ForeignRows::Seen one = rows.see({waits}, {});
    QVERIFY(one.told.empty());
    QCOMPARE(one.hidden, std::vector<std::string>{"table"});
  }

  // Of our fenced locks: who waits stands in line, a lock that nobody holds is one all the same, and of a session that
  // is over that is said.
  void rowsThatStandInLineTellTheQueueTheTokenAndWhyNobodyHolds() {
    const RowForm form{kOwnMaker, "fenced lock", false, false, nullptr, "", nullptr, true, true};
    ForeignRows rows(form);
    const auto only = [&](std::vector<ForeignRow> all) { return rows.see(std::move(all), {}).told.at(0); };
    const ForeignRow holds{"job", "c", false, 900, "session 7", false, 12};
    const ForeignRow first{"job", "b", true, {}, "session 9", false, 13}, then{"job", "a", true, {}, "", false, 14};
    const Sighting held = only({holds, first, then});
    QVERIFY(held.owner == "c" && held.token == Token{12} && held.left == Duration(std::chrono::milliseconds(900)));
    QCOMPARE(held.queue, (std::vector<std::string>{"b", "a"}));
    QVERIFY(held.waiters == std::optional<std::uint32_t>(2) && held.note.empty());
    const Sighting over = only({{"job", "", false, {}, "the session of c is over", true, 12}, first});
    QVERIFY(over.owner.empty() && !over.is_shared() && over.token == kNoToken && !over.left);
    QCOMPARE(over.note, std::string("the session of c is over"));
    QCOMPARE(over.queue, std::vector<std::string>{"b"});
    const Sighting free = only({{"job", "", false, {}, "", true, 12}});
    QVERIFY(free.owner.empty() && free.note.empty() && free.raw.empty());
    QCOMPARE(system_text(free), std::string("fenced lock (leasescope)"));
  }

  void curatorsNodesAreKnownByTheirMarkAndProtection_data() {
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("system");
    const QString id = "_c_b9a1c2d3-0f1e-4a5b-8c7d-112233445566-";
    QTest::newRow("mutex") << id + "lock-0000000007"
                           << "Curator mutex";
    QTest::newRow("latch") << id + "latch-0000000000"
                           << "Curator leader latch";
    QTest::newRow("semaphore") << id + "lease-0000000012"
                               << "Curator semaphore";
    QTest::newRow("reads") << id + "__READ__0000000001"
                           << "Curator read-write lock";
    QTest::newRow("writes") << id + "__WRIT__0000000002"
                            << "Curator read-write lock";
    QTest::newRow("kazoo") << "b9a1c2d30f1e4a5b8c7d112233445566__lock__0000000003"
                           << "kazoo lock";
    QTest::newRow("kazoo reads") << "b9a1c2d30f1e4a5b8c7d112233445566__rlock__0000000003"
                                 << "kazoo lock";
    QTest::newRow("no number") << id + "lock-"
                               << "";
    QTest::newRow("no protection") << "my-lock-0000000007"
                                   << "";
    QTest::newRow("a number alone") << "0000000007"
                                    << "";
    QTest::newRow("another mark") << id + "queue-0000000007"
                                  << "";
    QTest::newRow("a service") << "b9a1c2d3-0f1e-4a5b-8c7d-112233445566"
                               << "";
  }
  void curatorsNodesAreKnownByTheirMarkAndProtection() {
    QFETCH(QString, node);
    QFETCH(QString, system);
    QCOMPARE(system_of(node.toStdString()), system.toStdString());
  }
  void aLineIsOrderedByItsNumbersNotByTheLotBeforeThem() {
    const zookeeper::LineForm form = zookeeper::kazoo_lock();
    const std::string late = "0" + std::string(31, 'a') + "__lock__0000000010";
    const std::string early = "f" + std::string(31, 'a') + "__lock__0000000002";
    QCOMPARE(zookeeper::line_of(form, {late, "other", early}), (std::vector<std::string>{early, late}));
  }
  void rowsOfSeveralHoldersAreShared() {
    const RowForm form{"PostgreSQL",
                       "advisory lock",
                       false,
                       false,
                       nullptr,
                       "",
                       [](std::string_view how) { return how == "ShareLock"; }};
    ForeignRows rows(form);
    const auto only = [&](std::vector<ForeignRow> all) { return rows.see(std::move(all), {}).told.at(0); };
    const ForeignRow a{"7", "a", false, {}, "ShareLock"}, b{"7", "b", false, {}, "ShareLock"};
    QCOMPARE(only({a}).holders, std::vector<std::string>{"a"});
    QCOMPARE(only({a, b}).holders, (std::vector<std::string>{"a", "b"}));
    const Sighting alone = only({{"7", "c", false, {}, "ExclusiveLock"}, {"7", "a", true, {}, "ShareLock"}});
    QVERIFY(!alone.is_shared() && alone.owner == "c" && alone.waiters == std::optional<std::uint32_t>(1));
  }
  void aLineSaysWhoHoldsBesideOthers() {
    const std::string node = "_c_" + kClient + "-";
    const std::string reads = node + "__READ__0000000001", writes = node + "__WRIT__0000000002";
    const zookeeper::LineForm form = zookeeper::curator_read_write();
    QVERIFY(form.shares({reads, writes}) && !form.shares({writes, reads}) && !form.shares({}));
    QVERIFY(zookeeper::curator_semaphore().shares != nullptr && zookeeper::curator_mutex().shares == nullptr);
  }
  void readersHoldTogetherUpToTheFirstWriter() {
    const zookeeper::LineForm form = zookeeper::curator_read_write();
    const std::string id = "_c_b9a1c2d3-0f1e-4a5b-8c7d-112233445566-";
    const std::string r1 = id + "__READ__0000000001", r2 = id + "__READ__0000000002", w3 = id + "__WRIT__0000000003",
                      r4 = id + "__READ__0000000004";
    QCOMPARE(form.holders(zookeeper::line_of(form, {r4, w3, r2, r1})), std::size_t{2});
    QCOMPARE(form.holders(zookeeper::line_of(form, {r4, w3})), std::size_t{1});
    QCOMPARE(form.holders({}), std::size_t{0});
  }
};

LEASESCOPE_SUITE(ForeignFormsTest)
#include "foreign_forms_test.moc"
