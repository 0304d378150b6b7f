// A PostgreSQL that cannot be used as it is: bad input, said in one line, with nothing made or written.
#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/support/pgbouncer.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class PostgresRefusalTest : public QObject {
  Q_OBJECT

  PrivateServer server_{postgres::store_type()};

  static QString store(const StoreUrl& url, const QString& user) {
    return QString("postgresql://%1@/postgres?host=%2&port=%3")
        .arg(user, QString::fromStdString(url.endpoint.host))
        .arg(url.endpoint.port);
  }
  void refused(const QString& store, const QList<const char*>& words) {
    for (const QStringList& command : {QStringList{"run", "healthy", "--until", "500ms", "--store", store},
                                       QStringList{"contend", store, "orders", "--", "true"}}) {
      const Ran ran = leasescopectl(command);
      QVERIFY2(ran.exit == 2, ran.err);
      QVERIFY2(ran.err.count('\n') == 1, ran.err);
      for (const char* word : words) QVERIFY2(ran.err.contains(word), ran.err);
    }
    QCOMPARE(by_hand(server_.url(), "select count(*) from pg_class where relname = 'simba_mutex'"), std::string("0"));
  }

 private slots:
  void initTestCase() { QVERIFY(server_.start().has_value()); }

  void aMissingTableThatMayNotBeMadeIsBadInputWithItsText() {
    by_hand(server_.url(), "create role me login");
    refused(store(server_.url(), "me"), {"permission denied", "create table if not exists simba_mutex",
                                         "grant select, insert, update on simba_mutex to me"});
  }
  void aPoolerThatLendsSessionsIsBadInputWithTheReason() {
    PrivateServer pooler(pgbouncer({server_.url(), "transaction", 2}));
    const auto started = pooler.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    refused(store(pooler.url(), "leasescope"), {"pool_mode = session", "LISTEN"});
  }
};

LEASESCOPE_SUITE(PostgresRefusalTest)
#include "postgres_refusal_test.moc"
