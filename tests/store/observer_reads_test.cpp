// What a server receives while somebody watches it who may do anything: reads alone, by its own account, with the locks
// of other makers looked for and handed over meanwhile.
#include <hiredis/hiredis.h>

#include <QFile>
#include <QRegularExpression>
#include <map>
#include <set>
#include <vector>

#include "core/store/mysql/asker.h"
#include "core/store/postgres/asker.h"
#include "core/store/postgres/store_type.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/server.h"
#include "core/store/redis/store_type.h"
#include "core/store/zookeeper/asker.h"
#include "core/store/zookeeper/frames.h"
#include "core/store/zookeeper/store_type.h"
#include "tests/store/administration.h"
#include "tests/store/free_port.h"
#include "tests/store/mysql_kinds.h"
#include "tests/store/watching.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kRelease = RequestKind::kRelease;
constexpr milliseconds kLong{60'000};

WatchTerms everything() {
  WatchTerms out;
  out.look.foreign = Foreign::kLikely;
  out.look.sweep = milliseconds(400);
  return out;
}

bool sees_somebody(const Watching& watch, const std::string& mutex) {
  return wait_until([&] { return watch.owner(mutex).size() > 1; }, milliseconds(3000));
}

// ---- Redis

// On a port of the loopback too: the server names whoever comes by that, and of its socket nobody.
ServerRecipe redis_on_a_port(const ServerPlace& place) {
  ServerRecipe out = redis::server_recipe(place);
  std::vector<std::string>& words = out.serve.arguments;
  *std::next(std::find(words.begin(), words.end(), "--port")) = std::to_string(free_port());
  words.insert(words.end(), {"--bind", "127.0.0.1"});
  return out;
}
const StoreType& redis_kind() {
  static const StoreType type = [] {
    StoreType out = redis::store_type();
    out.recipe = redis_on_a_port;
    return out;
  }();
  return type;
}

// What the server carries out, as MONITOR tells it.
class Monitor {
 public:
  explicit Monitor(const std::string& socket) : context_(redisConnectUnix(socket.c_str())) {
    freeReplyObject(redisCommand(context_, "MONITOR"));
    redisSetTimeout(context_, timeval{0, 200'000});
  }
  ~Monitor() { redisFree(context_); }

  struct Said {
    double at = 0;  // seconds, by the server's clock
    std::string command;
    QString arguments;  // each in quotes
  };
  // What whoever came by the port has said until now; the silence after it ends the connection.
  std::vector<Said> said() {
    static const QRegularExpression line(
        QString::fromLatin1("^([\\d.]+) \\[\\d+ 127\\.0\\.0\\.1:\\d+\\] \"([^\"]+)\"(.*)$"));
    std::vector<Said> out;
    for (void* reply = nullptr; redisGetReply(context_, &reply) == REDIS_OK && reply != nullptr;) {
      const auto found = line.match(QString::fromUtf8(static_cast<redisReply*>(reply)->str));
      if (found.hasMatch())
        out.push_back({found.captured(1).toDouble(), found.captured(2).toLower().toStdString(), found.captured(3)});
      freeReplyObject(reply);
    }
    return out;
  }
  std::set<std::string> commands() {
    std::set<std::string> out;
    for (Said& each : said()) out.insert(std::move(each.command));
    return out;
  }

 private:
  redisContext* context_;
};

// What the server itself calls reading, and what a line needs beside. But for what looks at all keys at once, or at all
// of one however large it is: whoever watches is gentle.
std::set<std::string> gentle_reads(redis::Asker& admin) {
  std::set<std::string> out{"auth", "ping", "hello", "psubscribe", "pubsub", "time"};
  for (const redis::RespValue& each : told(admin, {"ACL", "CAT", "read"}).items) out.insert(each.text);
  for (const char* heavy : {"keys", "sort", "sort_ro", "memory", "memory|usage", "dump", "randomkey", "smembers",
                            "hvals", "sinter", "sunion", "sdiff", "zunion", "zinter", "zdiff"})
    out.erase(heavy);
  return out;
}

StoreUrl by_port(const StoreUrl& url, redis::Asker& admin) {
  StoreUrl out = url;
  out.endpoint = {"127.0.0.1", std::stoi(told(admin, {"CONFIG", "GET", "port"}).items[1].text), ""};
  return out;
}

// ---- SQL

// Of messages, which may be several statements each: those that may do more than read.
QStringList beyond_reading(const QStringList& messages) {
  static const QRegularExpression reads(QString::fromLatin1("^(select|with|(un)?listen|set (local|session))\\b"),
                                        QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression more(
      QString::fromLatin1("\\b(insert|update|delete|merge|into|share|nextval|setval|set_config|pg_notify)\\b|"
                          "\\b(get_lock|release_lock|release_all_locks|pg_(try_)?advisory\\w+|pg_\\w+_backend)\\b"),
      QRegularExpression::CaseInsensitiveOption);
  QStringList out;
  for (const QString& message : messages)
    for (const QString& statement : message.split(u';', Qt::SkipEmptyParts))
      if (const QString text = statement.trimmed();
          !text.isEmpty() && (!reads.match(text).hasMatch() || more.match(text).hasMatch()))
        out << text;
  return out;
}

// The messages in a log of PostgreSQL: the first line has the level, the others begin with a tab.
QStringList messages_of_postgres(const QString& path) {
  static const QRegularExpression begins(QStringLiteral("LOG:  (?:statement|execute [^:]*|fastpath[^:]*): (.*)"));
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  QStringList out;
  bool within = false;
  for (const QString& line : QString::fromUtf8(file.readAll()).split(u'\n')) {
    if (within && line.startsWith(u'\t')) {
      out.back() += u'\n' + line;
      continue;
    }
    const auto found = begins.match(line);
    within = found.hasMatch();
    if (within) out << found.captured(1);
  }
  return out;
}

QString names(const QStringList& messages) { return messages.join(u'\n'); }

// ---- ZooKeeper

// What a client says to a server, whose operations have numbers; it is read on its way through a proxy.
class Ear final : public FrameReader {
 public:
  void read(std::string_view bytes, std::vector<Frame>& out) override {
    kept_ += bytes;
    while (kept_.size() >= 4 && kept_.size() >= 4 + number(0)) {
      if (std::exchange(greeted_, true)) ++heard()[static_cast<std::int32_t>(number(8))];
      kept_.erase(0, 4 + number(0));
    }
    frames_->read(bytes, out);
  }
  static std::map<std::int32_t, int>& heard() {
    static std::map<std::int32_t, int> out;
    return out;
  }

 private:
  std::uint32_t number(std::size_t at) const {
    std::uint32_t out = 0;
    for (std::size_t i = at; i < at + 4; ++i) out = out << 8U | static_cast<unsigned char>(kept_[i]);
    return out;
  }
  std::unique_ptr<FrameReader> frames_ = zookeeper::make_frames(Speaker::kClient);
  std::string kept_;
  bool greeted_ = false;
};
const StoreType& zookeeper_overheard() {
  static const StoreType type = [] {
    StoreType out = zookeeper::store_type();
    out.frames = [](Speaker speaker) -> std::unique_ptr<FrameReader> {
      if (speaker == Speaker::kServer) return zookeeper::make_frames(speaker);
      return std::make_unique<Ear>();
    };
    return out;
  }();
  return type;
}

// exists, getData, getChildren (two of it), a sign of life, a login, addWatch, the end.
const std::set<std::int32_t> kReadsOfZookeeper{3, 4, 8, 12, 11, 100, 106, -11};

}  // namespace

class ObserverReadsTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;

  // Ours goes from "a" to "b".
  void handsOver(const Watching& watch, Client& a, Client& b) {
    QVERIFY(watch.sees("orders", "a"));
    a.ask(kRelease, "orders");
    QVERIFY(watch.sees("orders", "-"));
    QVERIFY(b.ask(kAcquire, "orders", kLong).error.empty());
    QVERIFY(watch.sees("orders", "b"));
  }

 private slots:
  void redisReceivesReadsAlone() {
    PrivateServer server(redis_kind());
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    redis::Asker admin(kLong);
    QVERIFY(admin.connect(server.url()).has_value());
    const std::set<std::string> reads = gentle_reads(admin);
    const std::string owner = "b9a1c2d3-0f1e-4a5b-8c7d-112233445566:";
    told(admin, {"HSET", "cart", owner + "1", "1"});
    told(admin, {"PEXPIRE", "cart", "60000"});
    told(admin, {"SET", "job", "0f1e2d3c4b5a49788796a5b4c3d2e1f0", "PX", "60000"});
    Client a(loop_, names_, server.url(), "a"), b(loop_, names_, server.url(), "b");
    QVERIFY(a.connects() && b.connects() && a.ask(kAcquire, "orders", kLong).error.empty());
    Monitor monitor(server.url().endpoint.unix_path);
    const StoreUrl url = by_port(server.url(), admin);
    {
      const Watching watch(loop_, url, everything());
      QVERIFY(watch.sees("cart", owner + "1") && sees_somebody(watch, "job"));
      handsOver(watch, a, b);
      told(admin,
           {"EVAL",
            "redis.call('del', 'cart') redis.call('hset', 'cart', ARGV[1], 1) redis.call('pexpire', 'cart', 60000)",
            "0", owner + "2"});
      QVERIFY(watch.sees("cart", owner + "2"));
    }
    const std::set<std::string> commands = monitor.commands();
    for (const std::string& each : commands) QVERIFY2(reads.count(each) != 0, each.c_str());
    for (const char* each : {"scan", "mget", "psubscribe", "type", "hgetall"})
      QVERIFY2(commands.count(each) != 0, each);
  }

  // They are asked for in batches of 500 or so; of each its type, once; and then the server has more time for others
  // than the batch took.
  void redisHasTimeForOthersWhileAHundredThousandOtherKeysAreGoneThrough() {
    constexpr int kKeys = 100'000;
    PrivateServer server(redis_kind());
    QVERIFY(server.start().has_value());
    redis::Asker admin(kLong);
    QVERIFY(admin.connect(server.url()).has_value());
    for (int i = 0; i < kKeys; i += 10'000)
      told(admin,
           {"EVAL", "for i = tonumber(ARGV[1]), tonumber(ARGV[1]) + 9999 do redis.call('set', 'cache:' .. i, i) end",
            "0", std::to_string(i)});
    const std::string owner = "b9a1c2d3-0f1e-4a5b-8c7d-112233445566:1";
    told(admin, {"HSET", "cart", owner, "1"});
    told(admin, {"PEXPIRE", "cart", "600000"});
    QCOMPARE(told(admin, {"DBSIZE"}).integer, std::int64_t{kKeys + 1});
    const StoreUrl url = by_port(server.url(), admin);
    Monitor monitor(server.url().endpoint.unix_path);
    {
      const Watching watch(loop_, url);
      QVERIFY(wait_until([&] { return watch.watch.complete(); }, kLong));
      QCOMPARE(watch.owner("cart"), owner);
      QCOMPARE(watch.watch.mutexes().size(), std::size_t{1});
    }
    const std::set<std::string> reads = gentle_reads(admin);
    static const QRegularExpression count(QStringLiteral("\"COUNT\" \"(\\d+)\""));
    int scans = 0, types = 0;
    double scanned = 0, last = 0, busy = 0, rest = 0;
    for (const Monitor::Said& each : monitor.said()) {
      QVERIFY2(reads.count(each.command) != 0, each.command.c_str());
      QVERIFY2(each.command != "getrange" || !each.arguments.contains("cache:"), "a text is no lock for certain");
      if (each.command == "scan") {
        const auto found = count.match(each.arguments);
        QVERIFY2(found.hasMatch() && found.captured(1).toInt() <= 500, qPrintable(each.arguments));
        if (scans++ > 0) {
          busy += last - scanned;
          rest += each.at - last;
        }
        scanned = last = each.at;
      } else if (each.command == "type") {
        ++types;
        last = each.at;
      }
    }
    QVERIFY2(scans >= kKeys / 600, std::to_string(scans).c_str());
    QVERIFY2(types >= kKeys && types <= kKeys + 1, std::to_string(types).c_str());
    QVERIFY2(busy > 0 && rest > busy, fmt::format("busy {} s, rest {} s", busy, rest).c_str());
  }

  void postgresReceivesReadsAlone() {
    PrivateServer server(postgres::store_type());
    QVERIFY(server.start().has_value() && probe(server.url()).has_value());
    QVERIFY(probe(server.url(), {"orders"}, Family::kSession).has_value());
    postgres::Asker admin(kLong);
    QVERIFY(admin.connect(server.url()).has_value());
    carried_out(admin, "create role watcher login superuser; alter role watcher set log_statement = 'all'");
    carried_out(admin,
                "create table shedlock (name varchar(64) primary key, lock_until timestamp not null, "
                "locked_at timestamp not null, locked_by varchar(255) not null); insert into shedlock values "
                "('report', timezone('utc', now()) + interval '60 s', timezone('utc', now()), 'api-1')");
    carried_out(admin, "select pg_advisory_lock(42)");
    Client a(loop_, names_, server.url(), "a"), b(loop_, names_, server.url(), "b");
    QVERIFY(a.connects() && b.connects() && a.ask(kAcquire, "orders", kLong).error.empty());
    StoreUrl url = server.url();
    url.user = "watcher";
    {
      const Watching watch(loop_, url, everything());
      QVERIFY(watch.sees("report", "api-1") && sees_somebody(watch, "42"));
      handsOver(watch, a, b);
      carried_out(admin, "update shedlock set locked_by = 'api-2'");
      carried_out(admin, "select pg_advisory_unlock(42)");
      QVERIFY(watch.sees("report", "api-2") && watch.sees("42", "-"));
    }
    const QStringList messages = messages_of_postgres(QString::fromStdString(server.url().endpoint.host + "/said.txt"));
    for (const char* table : {"simba_mutex", "pg_locks", "shedlock", "leasescope_waiter", "listen leasescope_"})
      QVERIFY2(names(messages).contains(QLatin1String(table)), table);
    QVERIFY2(beyond_reading(messages).isEmpty(), qPrintable(names(beyond_reading(messages))));
  }

  void mariadbReceivesReadsAlone() {
    PrivateServer server(mysql_with_schema());
    QVERIFY(server.start().has_value() && probe(server.url()).has_value());
    mysql::Asker admin(kLong);
    QVERIFY(admin.connect(server.url()).has_value());
    carried_out(admin,
                "create table shedlock (name varchar(64) primary key, lock_until timestamp(3) not null, "
                "locked_at timestamp(3) not null, locked_by varchar(255) not null); insert into shedlock values "
                "('report', utc_timestamp(3) + interval 60 second, utc_timestamp(3), 'api-1')");
    carried_out(admin, "create user watcher@localhost; grant all on *.* to watcher@localhost");
    carried_out(admin, "select get_lock('night', 0)");
    Client a(loop_, names_, server.url(), "a"), b(loop_, names_, server.url(), "b");
    QVERIFY(a.connects() && b.connects() && a.ask(kAcquire, "orders", kLong).error.empty());
    carried_out(admin, "set global log_output = 'TABLE'; set global general_log = 1");
    StoreUrl url = server.url();
    url.user = "watcher";
    {
      const Watching watch(loop_, url, everything());
      QVERIFY(watch.sees("report", "api-1") && sees_somebody(watch, "night"));
      handsOver(watch, a, b);
      carried_out(admin, "update shedlock set locked_by = 'api-2'");
      carried_out(admin, "select release_lock('night')");
      QVERIFY(watch.sees("report", "api-2") && watch.sees("night", "-"));
    }
    const auto logged = [&](const std::string& what, const std::string& which) {
      const auto row = admin.ask("set session group_concat_max_len = 200000; select group_concat(distinct " + what +
                                 " separator ';') from mysql.general_log where user_host like '%[watcher]%'" + which);
      if (!row) qFatal("%s", row.error().message.c_str());
      return QString::fromStdString(row->empty() ? std::string() : row->front()).split(u';', Qt::SkipEmptyParts);
    };
    for (const QString& each : logged("command_type", ""))
      QVERIFY2(QStringList({"Connect", "Query", "Quit"}).contains(each), qPrintable(each));
    const QStringList messages = logged("argument", " and command_type = 'Query'");
    for (const char* table : {"simba_mutex", "metadata_locks", "shedlock"})
      QVERIFY2(names(messages).contains(QLatin1String(table)), table);
    QVERIFY2(beyond_reading(messages).isEmpty(), qPrintable(names(beyond_reading(messages))));
  }

  void zookeeperReceivesReadsAlone() {
    PrivateServer server(zookeeper::store_type());
    QVERIFY(server.start().has_value());
    zookeeper::Asker admin(kLong);
    QVERIFY(admin.connect(server.url()).has_value());
    const auto made = [&](const std::string& path, const std::string& data, zookeeper::Session::Kind kind) {
      const auto node = admin.create(path, data, kind);
      if (!node) qFatal("%s: %s", path.c_str(), node.error().c_str());
      return *node;
    };
    const std::string id = "_c_b9a1c2d3-0f1e-4a5b-8c7d-112233445566-";
    std::vector<std::string> first;
    for (const char* folder : {"/simba", "/simba/orders", "/app", "/app/leader"})
      made(folder, "", zookeeper::Session::Kind::kContainer);
    for (const char* who : {"a", "b"})
      for (const char* line : {"/simba/orders/", "/app/leader/"})
        first.push_back(made(line + id + "latch-", who, zookeeper::Session::Kind::kNumbered));
    FaultProxy proxy(loop_, server.url().endpoint, zookeeper_overheard(), true);
    const auto at = proxy.listen();
    QVERIFY2(at.has_value(), at ? "" : at.error().c_str());
    StoreUrl url = server.url();
    url.endpoint = *at;
    Ear::heard().clear();
    {
      const Watching watch(loop_, url, everything());
      QVERIFY(watch.sees("orders", "a") && watch.sees("/app/leader", "a"));
      QVERIFY(admin.remove(first[0]).has_value() && admin.remove(first[1]).has_value());
      QVERIFY(watch.sees("orders", "b") && watch.sees("/app/leader", "b"));
      wait_until([] { return false; }, milliseconds(500));  // a sweep more
    }
    for (const auto& [operation, times] : Ear::heard())
      QVERIFY2(kReadsOfZookeeper.count(operation) != 0, std::to_string(operation).c_str());
    for (const int each : {3, 4, 12}) QVERIFY2(Ear::heard().count(each) != 0, std::to_string(each).c_str());
  }
};

LEASESCOPE_SUITE(ObserverReadsTest)
#include "observer_reads_test.moc"
