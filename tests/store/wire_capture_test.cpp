#include <hiredis/hiredis.h>

#include <algorithm>
#include <set>

#include "core/contend/driver/driver.h"
#include "core/store/redis/scripts.h"
#include "core/store/redis/store_type.h"
#include "tests/store/rig.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

using Lines = std::vector<std::string>;

constexpr const char* kA = "0:4242@10.0.0.7";
constexpr const char* kB = "0:4243@10.0.0.8";

// What the server executed, as MONITOR tells it: scripts by their purpose, handshakes left out.
class Monitor {
 public:
  explicit Monitor(const std::string& socket) : context_(redisConnectUnix(socket.c_str())) {
    freeReplyObject(redisCommand(context_, "MONITOR"));
  }
  ~Monitor() { redisFree(context_); }

  Lines take() {
    redisSetTimeout(context_, timeval{0, 200'000});
    Lines lines;
    for (void* reply = nullptr; redisGetReply(context_, &reply) == REDIS_OK && reply != nullptr;) {
      const std::string line = normal(static_cast<redisReply*>(reply)->str);
      freeReplyObject(reply);
      if (!line.empty()) lines.push_back(line);
    }
    return lines;
  }

 private:
  // 1700000000.1 [0 lua] "set" "k" "v"  is  lua set k v
  static std::string normal(const std::string& raw) {
    std::string out = raw.find(" lua] ") != std::string::npos ? "lua" : "";
    for (std::size_t at = raw.find('"'); at != std::string::npos; at = raw.find('"', at + 1)) {
      const std::size_t begin = at + 1;
      for (at = begin; raw[at] != '"'; ++at)
        if (raw[at] == '\\') ++at;
      std::string word = purpose(raw.substr(begin, at - begin));
      if (out.empty()) std::transform(word.begin(), word.end(), word.begin(), ::toupper);
      out += (out.empty() ? "" : " ") + word;
    }
    // The queue's scores are the server's seconds: ZADD key nx SECOND id.
    if (out.rfind("lua zadd ", 0) == 0) out.replace(out.find(" nx ") + 4, out.rfind(' ') - out.find(" nx ") - 4, "now");
    static const std::set<std::string> handshakes{"PING", "AUTH", "SELECT", "HELLO", "MONITOR"};
    return handshakes.count(out.substr(0, out.find(' '))) != 0 ? std::string() : out;
  }
  static std::string purpose(const std::string& word) {
    const auto is = [&](const redis::Script& script) {
      return word == script.sha1 || (word.rfind("-- ", 0) == 0 && script.text.rfind(word.substr(0, 32), 0) == 0);
    };
    for (const Wire wire : {Wire::kFenced, Wire::kTokenless}) {
      const redis::Scripts& all = redis::scripts(wire);
      if (is(all.acquire)) return "<acquire>";
      if (is(all.guard)) return "<guard>";
      if (is(all.release)) return "<release>";
    }
    return word;
  }

  redisContext* context_;
};

// Hosts contenders with ids as they are in the captures.
class CaptureHost final : public DriverHost {
 public:
  CaptureHost(QtLoop& loop, PlainNames& names, const StoreUrl& url) : loop_(loop), names_(names), url_(url) {}

  std::unique_ptr<Driver> contender(const char* id, Behaviour behaviour = Behaviour::k4x) {
    SimbaConfig config;
    config.id = names_.intern(id);
    config.mutex = names_.intern("m");
    config.terms.ttl = milliseconds(1000);
    config.terms.transition = milliseconds(500);
    config.behaviour = behaviour;
    DriverSetting setting;
    setting.name = config.id;
    setting.mutex = config.mutex;
    setting.contender = SimbaContender(config, RandomStream(1, id, "jitter"));
    auto node = std::make_unique<Driver>(loop_, *this, setting);
    node->connect();
    return wait_until([&] { return node->connected(); }, milliseconds(3000)) ? std::move(node) : nullptr;
  }

  std::unique_ptr<Store> make_store(Driver&, StoreListener& listener) override {
    return tests::make_store(loop_, url_, StoreRoute{url_.endpoint, url_.endpoint}, names_, listener);
  }

 private:
  QtLoop& loop_;
  PlainNames& names_;
  StoreUrl url_;
};

bool believes(const std::unique_ptr<Driver>& node, bool wanted, milliseconds within) {
  return wait_until([&] { return node->believes() == wanted; }, within);
}

bool stopped(const std::unique_ptr<Driver>& node) {
  node->stop();
  return wait_until([&] { return node->status() == Status::kInitial; }, milliseconds(2000));
}

// ---- what the captures of 4.x hold (redis-alone, redis-handoff): one call of a script and what it executed

Lines won(const std::string& call, const std::string& id, int token) {
  return {call + " <acquire> 3 simba:{m} simba:{m}:fence simba:{m}:token " + id + " 1500",
          "lua set simba:{m} " + id + " nx px 1500", "lua incr simba:{m}:fence",
          "lua set simba:{m}:token " + std::to_string(token) + " px 1500", "lua publish simba:{m} acquired@@" + id};
}

Lines lost(const std::string& id) {
  return {"EVALSHA <acquire> 3 simba:{m} simba:{m}:fence simba:{m}:token " + id + " 1500",
          "lua set simba:{m} " + id + " nx px 1500", "lua get simba:{m}", "lua pttl simba:{m}",
          "lua get simba:{m}:token"};
}

Lines renewed(const std::string& call, const std::string& id) {
  return {call + " <guard> 2 simba:{m} simba:{m}:token " + id + " 1500", "lua get simba:{m}", "lua get simba:{m}:token",
          "lua set simba:{m} " + id + " xx px 1500", "lua pexpire simba:{m}:token 1500"};
}

Lines freed(const std::string& call, const std::string& id) {
  return {call + " <release> 2 simba:{m} simba:{m}:token " + id, "lua get simba:{m}",
          "lua del simba:{m} simba:{m}:token", "lua publish simba:{m} released@@" + id};
}

// ---- what the captures of 3.1.3 hold: the same, but for keys that are named in whole, and for the head of the queue,
// which ours asks for by ZRANGE from the other end

Lines won31(const std::string& call, const std::string& id) {
  return {call + " <acquire> 2 simba:{m} simba:{m}:contender " + id + " 1500",
          "lua set simba:{m} " + id + " nx px 1500", "lua publish simba:{m} acquired@@" + id};
}

Lines lost31(const std::string& id) {
  return {"EVALSHA <acquire> 2 simba:{m} simba:{m}:contender " + id + " 1500",
          "lua set simba:{m} " + id + " nx px 1500",
          "lua time",
          "lua zadd simba:{m}:contender nx now " + id,
          "lua get simba:{m}",
          "lua pttl simba:{m}"};
}

Lines renewed31(const std::string& call, const std::string& id) {
  return {call + " <guard> 1 simba:{m} " + id + " 1500", "lua get simba:{m}",
          "lua set simba:{m} " + id + " xx px 1500"};
}

Lines freed31(const std::string& call, const std::string& id, const std::string& woken = "") {
  Lines out{call + " <release> 2 simba:{m} simba:{m}:contender " + id, "lua get simba:{m}", "lua del simba:{m}",
            "lua zrange simba:{m}:contender 0 0"};
  if (woken.empty()) return out;
  out.push_back("lua zrem simba:{m}:contender " + woken);
  out.push_back("lua publish simba:{m}:" + woken + " released@@" + id);
  return out;
}

std::string subscribed31(const std::string& id) { return "SUBSCRIBE simba:{m} simba:{m}:" + id; }

std::string unknown(const std::string& script, const std::string& rest) { return "EVALSHA <" + script + "> " + rest; }

Lines joined(const std::vector<Lines>& parts) {
  Lines out;
  for (const Lines& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

// Takes `call` out wherever it stands as a whole; the number of polls hangs on the jitter.
int take_out(Lines& lines, const Lines& call) {
  int taken = 0;
  for (auto at = lines.begin(); (at = std::search(at, lines.end(), call.begin(), call.end())) != lines.end(); ++taken)
    at = lines.erase(at, at + static_cast<std::ptrdiff_t>(call.size()));
  return taken;
}

void compare(const Lines& seen, const Lines& expected) {
  for (std::size_t i = 0; i < std::max(seen.size(), expected.size()); ++i)
    QCOMPARE(QString::fromStdString(i < seen.size() ? seen[i] : "(nothing)"),
             QString::fromStdString(i < expected.size() ? expected[i] : "(nothing)"));
}

// A raw answer in the captures' words: array ["a", 1500, 1], bulk "a@@1500", integer 1.
std::string shown(const redisReply* reply) {
  if (reply->type == REDIS_REPLY_STRING) return "bulk \"" + std::string(reply->str) + '"';
  if (reply->type == REDIS_REPLY_INTEGER) return "integer " + std::to_string(reply->integer);
  std::string out = "array [";
  for (std::size_t i = 0; i < reply->elements; ++i) {
    const redisReply* part = reply->element[i];
    out += i > 0 ? ", " : "";
    out += part->type == REDIS_REPLY_INTEGER ? std::to_string(part->integer) : '"' + std::string(part->str) + '"';
  }
  return out + "]";
}

std::string answer(redisContext* context, const redis::Script& script, const Lines& rest) {
  std::vector<const char*> words{"EVAL", script.text.c_str()};
  for (const std::string& word : rest) words.push_back(word.c_str());
  auto* const reply =
      static_cast<redisReply*>(redisCommandArgv(context, static_cast<int>(words.size()), words.data(), nullptr));
  const std::string out = reply->type == REDIS_REPLY_ERROR ? reply->str : shown(reply);
  freeReplyObject(reply);
  return out;
}

}  // namespace

// What a contender of ours of 4.x, and of 3.1, puts on Redis, beside what Simba's own put there (the recordings of one
// contender alone and of a hand-off). Which ends first is left out where two connections race: a subscription and the
// first attempt do not, since the attempt waits for the subscription's answer.
class WireCaptureTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;

 private slots:
  void oneContenderAlone() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    CaptureHost host(loop_, names_, server.url());
    const auto a = host.contender(kA);
    QVERIFY(a);
    Monitor monitor(server.url().endpoint.unix_path);
    a->start();
    QVERIFY(believes(a, true, milliseconds(2000)));
    QTest::qWait(3300);
    QVERIFY(stopped(a));

    const std::string id = kA;
    const Lines expected = joined(
        {{"SUBSCRIBE simba:{m}", unknown("acquire", "3 simba:{m} simba:{m}:fence simba:{m}:token " + id + " 1500")},
         won("EVAL", id, 1),
         {unknown("guard", "2 simba:{m} simba:{m}:token " + id + " 1500")},
         renewed("EVAL", id),
         renewed("EVALSHA", id),
         renewed("EVALSHA", id),
         {"UNSUBSCRIBE", unknown("release", "2 simba:{m} simba:{m}:token " + id)},
         freed("EVAL", id)});
    compare(monitor.take(), expected);
  }

  void aHandOff() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    CaptureHost host(loop_, names_, server.url());
    const auto a = host.contender(kA), b = host.contender(kB);
    QVERIFY(a && b);
    Monitor monitor(server.url().endpoint.unix_path);
    a->start();
    QVERIFY(believes(a, true, milliseconds(2000)));
    QTest::qWait(1200);  // one renewal
    b->start();
    QTest::qWait(1500);
    QVERIFY(!b->believes());
    QVERIFY(stopped(a));
    QVERIFY(believes(b, true, milliseconds(500)));
    QTest::qWait(1200);
    QVERIFY(stopped(b));

    Lines seen = monitor.take();
    QVERIFY(take_out(seen, lost(kB)) >= 1);
    QVERIFY(take_out(seen, renewed("EVALSHA", kA)) >= 1);
    const std::string key_args = " simba:{m} simba:{m}:fence simba:{m}:token ";
    const Lines expected = joined(
        {{"SUBSCRIBE simba:{m}", unknown("acquire", "3" + key_args + kA + " 1500")},
         won("EVAL", kA, 1),
         {unknown("guard", std::string("2 simba:{m} simba:{m}:token ") + kA + " 1500")},
         renewed("EVAL", kA),
         {"SUBSCRIBE simba:{m}", "UNSUBSCRIBE", unknown("release", std::string("2 simba:{m} simba:{m}:token ") + kA)},
         freed("EVAL", kA),
         won("EVALSHA", kB, 2),
         renewed("EVALSHA", kB),
         {"UNSUBSCRIBE"},
         freed("EVALSHA", kB)});
    compare(seen, expected);
  }

  // MONITOR tells no answers: they are asked for here, and the messages heard beside them, as the captures have them.
  void theScriptsAnswerAndPublishAsRecorded() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    const std::string socket = server.url().endpoint.unix_path;
    redisContext* const heard = redisConnectUnix(socket.c_str());
    freeReplyObject(redisCommand(heard, "SUBSCRIBE simba:{m}"));
    redisContext* const asked = redisConnectUnix(socket.c_str());
    const redis::Scripts& all = redis::scripts(Wire::kFenced);
    const auto acquire = [&](const char* id) {
      return answer(asked, all.acquire, {"3", "simba:{m}", "simba:{m}:fence", "simba:{m}:token", id, "1500"});
    };
    const auto guard = [&](const char* id) {
      return answer(asked, all.guard, {"2", "simba:{m}", "simba:{m}:token", id, "1500"});
    };
    const auto release = [&](const char* id) {
      return answer(asked, all.release, {"2", "simba:{m}", "simba:{m}:token", id});
    };
    const std::string a = kA, b = kB;
    QCOMPARE(guard(kA), std::string("array [\"\", 0, 0]"));
    QCOMPARE(acquire(kA), "array [\"" + a + "\", 1500, 1]");
    QCOMPARE(guard(kA), "array [\"" + a + "\", 1500, 1]");
    const std::string lost = acquire(kB);  // what is left of the lease hangs on the moment
    QVERIFY2(lost.rfind("array [\"" + a + "\", 1", 0) == 0 && lost.substr(lost.size() - 4) == ", 1]", lost.c_str());
    QCOMPARE(release(kB), std::string("integer 0"));
    QCOMPARE(release(kA), std::string("integer 1"));
    QCOMPARE(acquire(kB), "array [\"" + b + "\", 1500, 2]");
    redisFree(asked);
    for (const std::string& message : {"acquired@@" + a, "released@@" + a, "acquired@@" + b}) {
      void* reply = nullptr;
      QCOMPARE(redisGetReply(heard, &reply), REDIS_OK);
      QCOMPARE(shown(static_cast<redisReply*>(reply)), "array [\"message\", \"simba:{m}\", \"" + message + "\"]");
      freeReplyObject(reply);
    }
    redisFree(heard);
  }

  // ---- the recordings of 3.1.3

  void oneContenderAloneUpTo31() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    CaptureHost host(loop_, names_, server.url());
    const auto a = host.contender(kA, Behaviour::k31);
    QVERIFY(a);
    Monitor monitor(server.url().endpoint.unix_path);
    a->start();
    QVERIFY(believes(a, true, milliseconds(2000)));
    QTest::qWait(3300);
    QVERIFY(stopped(a));

    const std::string id = kA;
    const std::string queued = "2 simba:{m} simba:{m}:contender " + id;
    const Lines expected = joined({{subscribed31(id), unknown("acquire", queued + " 1500")},
                                   won31("EVAL", id),
                                   {unknown("guard", "1 simba:{m} " + id + " 1500")},
                                   renewed31("EVAL", id),
                                   renewed31("EVALSHA", id),
                                   renewed31("EVALSHA", id),
                                   {"UNSUBSCRIBE", unknown("release", queued)},
                                   freed31("EVAL", id)});
    compare(monitor.take(), expected);
  }

  // The guard of 3.0 is for the ttl alone.
  void theRenewalOf30IsShort() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    CaptureHost host(loop_, names_, server.url());
    const auto a = host.contender(kA, Behaviour::k30);
    QVERIFY(a);
    Monitor monitor(server.url().endpoint.unix_path);
    a->start();
    QVERIFY(believes(a, true, milliseconds(2000)));
    QTest::qWait(1200);
    QVERIFY(stopped(a));
    const Lines seen = monitor.take();
    const std::string id = kA;
    QVERIFY(std::count(seen.begin(), seen.end(), "lua set simba:{m} " + id + " nx px 1500") == 1);
    QVERIFY(std::count(seen.begin(), seen.end(), "lua set simba:{m} " + id + " xx px 1000") >= 1);
  }

  void aHandOffUpTo31() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    CaptureHost host(loop_, names_, server.url());
    const auto a = host.contender(kA, Behaviour::k31), b = host.contender(kB, Behaviour::k31);
    QVERIFY(a && b);
    Monitor monitor(server.url().endpoint.unix_path);
    a->start();
    QVERIFY(believes(a, true, milliseconds(2000)));
    QTest::qWait(1200);  // one renewal
    b->start();
    QTest::qWait(1500);
    QVERIFY(!b->believes());
    QVERIFY(stopped(a));
    QVERIFY(believes(b, true, milliseconds(500)));
    QTest::qWait(1200);
    QVERIFY(stopped(b));

    Lines seen = monitor.take();
    QVERIFY(take_out(seen, lost31(kB)) >= 1);
    QVERIFY(take_out(seen, renewed31("EVALSHA", kA)) >= 1);
    const std::string queued = "2 simba:{m} simba:{m}:contender ";
    const Lines expected = joined({{subscribed31(kA), unknown("acquire", queued + kA + " 1500")},
                                   won31("EVAL", kA),
                                   {unknown("guard", std::string("1 simba:{m} ") + kA + " 1500")},
                                   renewed31("EVAL", kA),
                                   {subscribed31(kB), "UNSUBSCRIBE", unknown("release", queued + kA)},
                                   freed31("EVAL", kA, kB),
                                   won31("EVALSHA", kB),
                                   renewed31("EVALSHA", kB),
                                   {"UNSUBSCRIBE"},
                                   freed31("EVALSHA", kB)});
    compare(seen, expected);
  }

  void theScriptsUpTo31AnswerAndPublishAsRecorded() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    const std::string socket = server.url().endpoint.unix_path;
    redisContext* const heard = redisConnectUnix(socket.c_str());
    freeReplyObject(redisCommand(heard, "SUBSCRIBE simba:{m}"));
    freeReplyObject(redisCommand(heard, "SUBSCRIBE simba:{m}:%s", kB));
    redisContext* const asked = redisConnectUnix(socket.c_str());
    const redis::Scripts& all = redis::scripts(Wire::kTokenless);
    const auto acquire = [&](const char* id) {
      return answer(asked, all.acquire, {"2", "simba:{m}", "simba:{m}:contender", id, "1500"});
    };
    const auto guard = [&](const char* id) { return answer(asked, all.guard, {"1", "simba:{m}", id, "1500"}); };
    const auto release = [&](const char* id) {
      return answer(asked, all.release, {"2", "simba:{m}", "simba:{m}:contender", id});
    };
    const std::string a = kA, b = kB;
    QCOMPARE(guard(kA), std::string("bulk \"@@\""));
    QCOMPARE(acquire(kA), "bulk \"" + a + "@@1500\"");
    QCOMPARE(guard(kA), "bulk \"" + a + "@@1500\"");
    const std::string lost = acquire(kB);  // what is left of the lease hangs on the moment
    QVERIFY2(lost.rfind("bulk \"" + a + "@@1", 0) == 0, lost.c_str());
    QCOMPARE(release(kA), std::string("integer 1"));
    QCOMPARE(release(kA), std::string("integer 0"));
    QCOMPARE(acquire(kB), "bulk \"" + b + "@@1500\"");
    redisFree(asked);
    for (const std::string& message : {"simba:{m}\", \"acquired@@" + a, "simba:{m}:" + b + "\", \"released@@" + a,
                                       "simba:{m}\", \"acquired@@" + b}) {
      void* reply = nullptr;
      QCOMPARE(redisGetReply(heard, &reply), REDIS_OK);
      QCOMPARE(shown(static_cast<redisReply*>(reply)), "array [\"message\", \"" + message + "\"]");
      freeReplyObject(reply);
    }
    redisFree(heard);
  }

  void whatIsLeftIsTheFenceCounterAlone() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    CaptureHost host(loop_, names_, server.url());
    const auto a = host.contender(kA);
    QVERIFY(a);
    a->start();
    QVERIFY(believes(a, true, milliseconds(2000)));
    QVERIFY(stopped(a));
    redisContext* const context = redisConnectUnix(server.url().endpoint.unix_path.c_str());
    auto* const keys = static_cast<redisReply*>(redisCommand(context, "KEYS *"));
    QCOMPARE(keys->elements, std::size_t{1});
    QCOMPARE(QString(keys->element[0]->str), QString("simba:{m}:fence"));
    freeReplyObject(keys);
    auto* const fence = static_cast<redisReply*>(redisCommand(context, "GET simba:{m}:fence"));
    QCOMPARE(QString(fence->str), QString("1"));
    freeReplyObject(fence);
    redisFree(context);
  }

  void aScriptTheServerHasForgottenIsSentAgain() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    Client a(loop_, names_, server.url(), kA);
    QVERIFY(a.connects());
    a.ask(RequestKind::kAcquire, "m");
    a.ask(RequestKind::kGuard, "m");
    redisContext* const context = redisConnectUnix(server.url().endpoint.unix_path.c_str());
    freeReplyObject(redisCommand(context, "SCRIPT FLUSH"));
    redisFree(context);
    const Told renewed_again = a.ask(RequestKind::kGuard, "m");
    QVERIFY2(renewed_again.reply.ending == Ending::kOk, renewed_again.error.c_str());
    QCOMPARE(renewed_again.reply.token, Token{1});
  }

  // The token key is gone with the lease deleted by hand; the counter goes on (recorded: hazard-noscript).
  void aKeyWithoutExpiryIsReportedAsEndless() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    Client a(loop_, names_, server.url(), kA);
    QVERIFY(a.connects());
    redisContext* const context = redisConnectUnix(server.url().endpoint.unix_path.c_str());
    freeReplyObject(redisCommand(context, "SET simba:{m} other"));
    redisFree(context);
    const Told refused = a.ask(RequestKind::kAcquire, "m");
    QCOMPARE(a.owner_in(refused), "other");
    QVERIFY(refused.reply.remaining < Duration::zero());
    QCOMPARE(refused.reply.token, kNoToken);
  }
};

LEASESCOPE_SUITE(WireCaptureTest)
#include "wire_capture_test.moc"
