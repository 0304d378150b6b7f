// The ways a password comes in without standing on the command line.
#include <QProcess>

#include "core/store/url.h"
#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class PasswordTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  static Ran run(const QString& store, const QStringList& more = {}) {
    return leasescopectl(QStringList{"run", "healthy", "--store", store, "--until", "500ms"} + more);
  }
  static QString redis(const PrivateServer& server) {
    return "unix:" + QString::fromStdString(server.url().endpoint.unix_path);
  }

 private slots:
  void aRedisPasswordComesFromAFileTheEnvironmentOrTheUrl() {
    PrivateServer server(StoreKind::kRedis, {"hush-hush", 50});
    QVERIFY(server.start().has_value());
    const Ran without = run(redis(server));
    QCOMPARE(without.exit, 2);
    QVERIFY2(without.err.contains("it wants a password"), without.err);
    const QString file = write_file(folder_, "password", "hush-hush\n");
    QCOMPARE(run(redis(server), {"--password-file", file}).err, QByteArray());
    QCOMPARE(run(redis(server) + "?password=hush-hush").err, QByteArray());
    qputenv("REDISCLI_AUTH", "hush-hush");
    QCOMPARE(run(redis(server)).err, QByteArray());
    qunsetenv("REDISCLI_AUTH");
    qputenv("LEASESCOPE_REDIS_PASSWORD_FILE", file.toLocal8Bit());
    QCOMPARE(run(redis(server)).err, QByteArray());
    qputenv("LEASESCOPE_REDIS_PASSWORD_FILE", "/nowhere/at-all");
    const Ran wrong = run(redis(server));
    qunsetenv("LEASESCOPE_REDIS_PASSWORD_FILE");
    QCOMPARE(wrong.exit, 2);
    QVERIFY2(wrong.err.contains("/nowhere/at-all"), wrong.err);
    QCOMPARE(run(redis(server), {"--password-file", "/nowhere"}).exit, 2);
  }

  // libpq was given the proxy's port, for which ~/.pgpass has no line.
  void thePasswordLibpqFindsForTheRealHostAndPortIsHandedOn() {
    PrivateServer server(StoreKind::kPostgres, {"hush-hush", 50});
    QVERIFY(server.start().has_value());
    const QString folder = QString::fromStdString(server.url().endpoint.host);
    const QString file = write_file(folder_, "pgpass", folder.toUtf8() + ":5432:*:leasescope:hush-hush\n");
    QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner);
    qputenv("PGPASSFILE", file.toLocal8Bit());
    const Ran ran = run("postgresql://leasescope@/postgres?host=" + folder);
    qunsetenv("PGPASSFILE");
    QCOMPARE(ran.err, QByteArray());
    const Ran without = run("postgresql://leasescope@/postgres?host=" + folder);
    QCOMPARE(without.exit, 2);
    QVERIFY2(without.err.contains("it wants a password"), without.err);
  }

  void noErrorRepeatsWhatMayBeAPassword() {
    for (const char* store : {"redis://:hush/word@h", "host=h password=hush", "postgresql://me:12/hush@h"})
      for (const QStringList& more : {QStringList{}, QStringList{"--fork-at", "1s"}}) {
        const Ran ran = run(store, more);
        QCOMPARE(ran.exit, 2);
        QVERIFY2(!ran.err.contains("hush"), ran.err);
      }
  }
};

LEASESCOPE_SUITE(PasswordTest)
#include "password_test.moc"
