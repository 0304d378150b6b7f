// What an operator types to see what stands in a store: each store's own client, quoted for a shell, never with a
// password.
#include "core/store/store_type.h"
#include "core/store/types/types.h"
#include "tests/support/suite.h"

#include <QProcess>

using namespace leasescope;

namespace {

constexpr const char* kSecret = "s3cret";

Sighting ours(const std::string& mutex, std::vector<std::pair<std::string, std::string>> raw) {
  Sighting out;
  out.mutex = mutex;
  out.raw = std::move(raw);
  return out;
}
Sighting of_maker(const std::string& mutex, std::string_view maker, std::string_view system,
                  std::vector<std::pair<std::string, std::string>> raw) {
  Sighting out = ours(mutex, std::move(raw));
  out.maker = maker;
  out.system = system;
  return out;
}

const Sighting kRedisKeys = ours("orders", {{"simba:{orders}", "a"}, {"simba:{orders}:token", "1"}});
const Sighting kRow = ours("it's", {{"owner_id", "a"}});
const Sighting kNode = ours("orders", {{"/simba/orders/_c_1-latch-0000000001", "a"}});
const Sighting kKey = of_maker("locks", "etcd", "mutex", {{"locks/694d", "a"}, {"locks/\\x00", ""}});

}  // namespace

class RawCommandsTest : public QObject {
  Q_OBJECT

  static QString commands(const QString& url, const Sighting& seen) {
    const auto read = parse_store_url(url.toStdString());
    if (!read) return QString::fromStdString(read.error());
    if (read->type->raw_commands == nullptr) return QStringLiteral("none");
    QStringList out;
    for (const std::string& each : read->type->raw_commands(*read, seen)) out << QString::fromStdString(each);
    return out.join(u'\n');
  }

 private slots:
  void eachStoreHasItsOwn_data() {
    QTest::addColumn<QString>("url");
    QTest::addColumn<Sighting>("seen");
    QTest::addColumn<QString>("said");
    QTest::newRow("redis") << "redis://host:6380" << kRedisKeys
                           << "redis-cli -h host -p 6380 GET 'simba:{orders}'\n"
                              "redis-cli -h host -p 6380 GET 'simba:{orders}:token'\n"
                              "redis-cli -h host -p 6380 PTTL 'simba:{orders}'";
    QTest::newRow("redis, with a login") << "redis://api:s3cret@host/3" << ours("o", {{"k", "a"}})
                                         << "redis-cli -h host -p 6379 -n 3 --user api --askpass GET k\n"
                                            "redis-cli -h host -p 6379 -n 3 --user api --askpass PTTL k";
    QTest::newRow("redis, by a socket") << "unix:/run/a b.sock" << ours("o", {{"k", "a"}})
                                        << "redis-cli -s '/run/a b.sock' GET k\nredis-cli -s '/run/a b.sock' PTTL k";
    QTest::newRow("redis, a cluster") << "redis://one,two" << ours("o", {{"k", "a"}})
                                      << "redis-cli -h one -p 6379 -c GET k\nredis-cli -h one -p 6379 -c PTTL k";
    QTest::newRow("redis, by sentinels")
        << "redis+sentinel://host:26379/main" << ours("o", {{"k", "a"}})
        << "(set -- $(redis-cli -h host -p 26379 --raw SENTINEL get-master-addr-by-name main) && redis-cli -h \"$1\" "
           "-p \"$2\" GET k)\n"
           "(set -- $(redis-cli -h host -p 26379 --raw SENTINEL get-master-addr-by-name main) && redis-cli -h \"$1\" "
           "-p \"$2\" PTTL k)";
    QTest::newRow("redisson") << "redis://host" << of_maker("cart", "Redisson", "lock", {{"cart b9a1:1", "1"}})
                              << "redis-cli -h host -p 6379 HGETALL cart\nredis-cli -h host -p 6379 PTTL cart";
    QTest::newRow("redis-py") << "redis://host"
                              << of_maker("job", "redis-py", "lock", {{"job", "0f1e"}, {"made on", "host"}})
                              << "redis-cli -h host -p 6379 GET job\nredis-cli -h host -p 6379 PTTL job";
    QTest::newRow("redisson's semaphore")
        << "redis://host" << of_maker("{s}:timeout", "Redisson", "semaphore", {{"{s}:timeout id", "1"}})
        << "redis-cli -h host -p 6379 ZRANGE '{s}:timeout' 0 -1 WITHSCORES\n"
           "redis-cli -h host -p 6379 PTTL '{s}:timeout'";
    QTest::newRow("postgres") << "postgresql://api:s3cret@host:5433/db?sslmode=require&sslpassword=s3cret" << kRow
                              << "psql 'host=host port=5433 user=api dbname=db sslmode=require' -x -c "
                                 "'select * from simba_mutex where mutex = '\\''it'\\'''\\''s'\\'''";
    QTest::newRow("postgres, an advisory lock")
        << "postgresql://u@host/db" << of_maker("42", "PostgreSQL", "advisory lock", {{"pid 1", "ExclusiveLock"}})
        << "psql 'host=host port=5432 user=u dbname=db' -x -c 'select * from pg_locks where locktype = "
           "'\\''advisory'\\'''";
    QTest::newRow("mysql") << "mysql://api:s3cret@host:3307/db" << kRow
                           << "mysql -h host -P 3307 -u api -p db -e "
                              "'select * from simba_mutex where mutex = '\\''it'\\'''\\''s'\\''\\G'";
    QTest::newRow("mysql, GET_LOCK")
        << "mysql://u@host/db" << of_maker("job", "MySQL", "GET_LOCK", {{"connection 1 u@h", "EXCLUSIVE"}})
        << "mysql -h host -P 3306 -u u db -e 'select * from performance_schema.metadata_locks where object_type = "
           "'\\''USER LEVEL LOCK'\\'' and object_name = '\\''job'\\''\\G'";
    QTest::newRow("fenced lock of ours")
        << "postgresql://u@host/db" << of_maker("job", "leasescope", "fenced lock", {{"a", "session 7"}})
        << "psql 'host=host port=5432 user=u dbname=db' -x -c 'select * from leasescope_lock l left join "
           "leasescope_session s using (session) where l.mutex = '\\''job'\\'''";
    QTest::newRow("zookeeper") << "zookeeper://api:s3cret@one,two:2182/app" << kNode
                               << "zkCli.sh -server 'one:2181,two:2182/app' get /simba/orders/_c_1-latch-0000000001";
    // What is shown of the other key is not the key.
    QTest::newRow("etcd") << "etcds://api:s3cret@one,two:2380?cacert=/ca.pem" << kKey
                          << "etcdctl --endpoints='https://one:2379,https://two:2380' --cacert=/ca.pem --user api get "
                             "locks/694d";
  }
  void eachStoreHasItsOwn() {
    QFETCH(const QString, url);
    QFETCH(const Sighting, seen);
    QFETCH(const QString, said);
    const QString got = commands(url, seen);
    QCOMPARE(got, said);
    QVERIFY2(!got.contains(QLatin1String(kSecret)), qPrintable(got));
  }

  // Whatever a mutex is called, the client gets its name and nothing else is run.
  void aShellGivesTheClientTheNameAsItIs() {
    const std::string name = "it's $(id) `id` \\ \"x\"";
    const QString line = commands("redis://host", ours("o", {{name, "a"}})).section('\n', 0, 0);
    QProcess shell;
    // A function's name has no hyphen in every shell.
    const QString words = "told() { printf '%s\\n' \"$@\"; }\n";
    shell.start("/bin/sh", {"-c", words + QString(line).replace("redis-cli ", "told ")});
    QVERIFY(shell.waitForFinished(5000));
    const QByteArrayList given = shell.readAllStandardOutput().trimmed().split('\n');
    QCOMPARE(given.size(), 6);
    QCOMPARE(given.back(), QByteArray::fromStdString(name));
  }

  void whatNothingStandsOfHasNone() {
    for (const char* url : {"redis://host", "zookeeper://host", "etcd://host"})
      QCOMPARE(commands(QString::fromLatin1(url), ours("o", {})), QString());
    QCOMPARE(commands("postgresql://u@host/db", of_maker("m", "somebody", "lock", {{"a", "b"}})), QString());
  }
};

LEASESCOPE_SUITE(RawCommandsTest)
#include "raw_commands_test.moc"
