// The fault proxy alone: between any client and any server, by a plan.
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <csignal>

#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/support/places.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// Hears, and says all of it back.
class Echo : public QTcpServer {
 public:
  Echo() {
    listen(QHostAddress::LocalHost);
    connect(this, &QTcpServer::newConnection, this, [this] {
      QTcpSocket* const each = nextPendingConnection();
      connect(each, &QTcpSocket::readyRead, each, [each] { each->write(each->readAll()); });
    });
  }
  QString at() const { return QString("127.0.0.1:%1").arg(serverPort()); }
};

// One `leasescopectl proxy` that runs beside the test.
class Proxy {
 public:
  Proxy(const QString& upstream, const QString& plan, const QStringList& options = {},
        const QString& at = "127.0.0.1:0") {
    process_.start(kLeasescopectl, QStringList{"proxy", at, upstream, "--plan", plan} + options);
    QObject::connect(&process_, &QProcess::readyReadStandardOutput,
                     [this] { out += process_.readAllStandardOutput(); });
    says("listening");
    const int end = static_cast<int>(out.indexOf(", to"));
    port = out.mid(out.lastIndexOf(':', end) + 1, end - out.lastIndexOf(':', end) - 1).toUShort();
  }
  bool says(const QByteArray& what) {
    return QTest::qWaitFor([&] { return out.contains(what) || process_.state() == QProcess::NotRunning; }, 8000) &&
           out.contains(what);
  }
  int ended_by(int signal) {
    ::kill(static_cast<pid_t>(process_.processId()), signal);
    return process_.waitForFinished(8000) && process_.exitStatus() == QProcess::NormalExit ? process_.exitCode() : -1;
  }
  QByteArray errors() { return process_.readAllStandardError(); }

  QByteArray out;
  quint16 port = 0;

 private:
  QProcess process_;
};

QString through(const StoreType& type, const StoreUrl& url, quint16 port) {
  StoreUrl out = url;
  out.endpoint.host = "127.0.0.1";
  out.endpoint.port = port;
  out.endpoint.unix_path.clear();
  return QString::fromStdString(type.printable(out));
}

}  // namespace

class ProxyTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  int plans_ = 0;

  QString plan(const QByteArray& toxics) {
    return write_file(folder_, ("plan" + std::to_string(++plans_) + ".toml").c_str(), "schema = 1\n" + toxics);
  }

 private slots:
  void bytesAreLateAndTheLogSaysWhose() {
    Echo echo;
    Proxy proxy(echo.at(), plan("[[toxic]]\nkind = \"latency\"\nby = \"150ms\"\ndirection = \"from_store\"\n"));
    QTcpSocket client;
    client.connectToHost("127.0.0.1", proxy.port);
    QElapsedTimer timer;
    timer.start();
    client.write("hello");
    QVERIFY(QTest::qWaitFor([&] { return client.bytesAvailable() == 5; }, 5000));
    QVERIFY(timer.elapsed() >= 150);
    QVERIFY(proxy.says("1 latency: connection 1 from_store, 5 bytes: later by 150ms\n"));
    QVERIFY2(proxy.out.contains("s 1 latency: began\n"), proxy.out);
    QCOMPARE(proxy.ended_by(SIGTERM), 0);
    QCOMPARE(proxy.errors(), QByteArray());
  }

  void asJsonEachLineIsAnObject() {
    Echo echo;
    const QString what = plan("[[toxic]]\nkind = \"reset\"\nat = \"100ms\"\n");
    QProcess process;
    process.start(kLeasescopectl, {"proxy", ":0", echo.at(), "--plan", what, "--json", "--seed", "7"});
    QByteArray out;
    QVERIFY(QTest::qWaitFor([&] { return (out += process.readAllStandardOutput()).contains("done"); }, 8000));
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);
    const QList<QByteArray> lines = out.trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    const auto listening = nlohmann::json::parse(lines[0].toStdString()),
               done = nlohmann::json::parse(lines[1].toStdString());
    QVERIFY(listening["event"] == "listening");
    QVERIFY(listening["host"] == "127.0.0.1");
    QVERIFY(listening["port"] > 0);
    QVERIFY(done["event"] == "done");
    QVERIFY(done["kind"] == "reset");
    QVERIFY(done["at_ns"] >= 100'000'000);
  }

  void anUpstreamThatIsNotThereIsSaidAndTheProxyStays() {
    QTcpServer gone;
    gone.listen(QHostAddress::LocalHost);
    const QString at = QString("127.0.0.1:%1").arg(gone.serverPort());
    gone.close();
    Proxy proxy(at, plan("[[toxic]]\nkind = \"latency\"\nby = \"1ms\"\n"));
    QTcpSocket client;
    client.connectToHost("127.0.0.1", proxy.port);
    QVERIFY(proxy.says("connection 1: upstream cannot be reached: Connection refused"));
    QCOMPARE(proxy.ended_by(SIGINT), 0);
  }

  // Through it, a command under a mutex on a real store, whose protocol it reads.
  void aRealStoreIsUsedThroughIt_data() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : store_types()) QTest::newRow(type->name().data()) << true;
  }
  void aRealStoreIsUsedThroughIt() {
    const StoreType& type = this_store();
    PrivateServer server(type);
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    Proxy proxy(QString::fromStdString(printable(server.url())),
                plan("[[toxic]]\nkind = \"delay_frame\"\nby = \"40ms\"\ncount = 1000\n"
                     "[[toxic]]\nkind = \"slicer\"\nsize = 7\n"));
    const QString store = through(type, server.url(), proxy.port);
    const Ran ran = leasescopectl({"contend", store, "orders", "--", "printenv", "LEASESCOPE_MUTEX"});
    QVERIFY2(ran.exit == 0, ran.err + proxy.out);
    QCOMPARE(ran.out, QByteArray("orders\n"));
    QVERIFY(proxy.says("delay_frame: connection"));
    QVERIFY(proxy.says("later by 40ms"));
    QCOMPARE(proxy.ended_by(SIGTERM), 0);
  }

  // A request that is lost: nothing more comes on that connection, and the store's own time-out finds a new one.
  void aLostRequestIsOutlived_data() { each_lease_store(); }
  void aLostRequestIsOutlived() {
    const StoreType& type = this_store();
    PrivateServer server(type);
    QVERIFY(server.start().has_value());
    Proxy proxy(QString::fromStdString(printable(server.url())),
                plan("[[toxic]]\nkind = \"drop_frame\"\nat = \"2s\"\nnth = 2\n"));
    const QString store = through(type, server.url(), proxy.port);
    const Ran ran = leasescopectl(
        {"contend", store, "orders", "--ttl", "1s", "--transition", "4s", "--timeout", "300ms", "--", "sleep", "6"});
    QVERIFY2(ran.exit == 0, ran.err + proxy.out);
    QVERIFY2(proxy.says("lost, and silent from now on"), proxy.out);
  }

  void wrongInputIsAnsweredWithARemedy_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const auto frames = [&](const char* kind, const char* keys = "") {
      return plan(QByteArray("[[toxic]]\nkind = \"") + kind + "\"\n" + keys);
    };
    const QString bytes = plan("[[toxic]]\nkind = \"reset\"\n");
    const auto row = [](const char* name, const QStringList& arguments, const QString& says) {
      QTest::newRow(name) << QStringList{"proxy"} + arguments << says;
    };
    row("no plan", {":0", "127.0.0.1:9"}, "--plan is required");
    row("several servers", {":0", "redis://127.0.0.1:1,127.0.0.1:2", "--plan", bytes}, "expected one host");
    row("a plan that is not there", {":0", "127.0.0.1:9", "--plan", "/nowhere.toml"}, "/nowhere.toml:");
    row("a wrong plan", {":0", "127.0.0.1:9", "--plan", frames("latenzy")}, ":3:8: toxic.0.kind is \"latenzy\"");
    row("no port to listen on", {"127.0.0.1", "127.0.0.1:9", "--plan", bytes}, "127.0.0.1: expected HOST:PORT");
    row("an address that is none", {"no.such.host.invalid:0", "127.0.0.1:9", "--plan", bytes},
        "cannot listen on no.such.host.invalid:0");
    row("no upstream", {":0", "nothing", "--plan", bytes}, "nothing: expected HOST:PORT");
    row("a bare store", {":0", "redis", "--plan", bytes},
        "expected HOST:PORT, or the URL of a store, such as redis://");
    row("frames of bytes", {":0", "127.0.0.1:9", "--plan", frames("drop_frame")},
        ".toml:2: drop_frame acts on single requests, replies and messages, and of 127.0.0.1:9 nothing is known but "
        "bytes: expected the URL of a store");
    row("frames over TLS", {":0", "rediss://127.0.0.1:9", "--plan", frames("drop_push")}, "over TLS nobody in between");
    row("messages of who tells nobody", {":0", "mysql://u@127.0.0.1:9/d", "--plan", frames("drop_push")},
        "MySQL sends no messages");
    row("messages twice of who tells nobody", {":0", "mysql://u@127.0.0.1:9/d", "--plan", frames("duplicate_frame")},
        "MySQL sends no messages");
    row("a seed that is none", {":0", "127.0.0.1:9", "--plan", bytes, "--seed", "x"}, "seed");
  }
  void wrongInputIsAnsweredWithARemedy() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Ran ran = leasescopectl(arguments);
    QCOMPARE(ran.exit, 2);
    QCOMPARE(ran.out, QByteArray());
    QVERIFY2(ran.err.contains(says.toUtf8()), ran.err);
    QCOMPARE(ran.err.count('\n'), 1);
  }

  void aPortThatIsTakenIsSaid() {
    Echo echo;
    const Ran ran = leasescopectl({"proxy", echo.at(), echo.at(), "--plan", plan("[[toxic]]\nkind = \"reset\"\n")});
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains("Address already in use"), ran.err);
  }

  void helpAndManListEveryToxic() {
    const Ran help = leasescopectl({"proxy", "--help"}), man = leasescopectl({"man"});
    for (const char* kind : {"latency", "bandwidth", "slicer", "stall", "black_hole", "refuse", "reset", "slow_close",
                             "half_close", "limit_bytes", "limit_time", "delay_frame", "drop_frame", "delay_push",
                             "drop_push", "duplicate_frame", "reorder_frame"}) {
      QVERIFY2(help.out.contains(kind), kind);
      QVERIFY2(man.out.contains(kind), kind);
    }
    QVERIFY(leasescopectl({"completion", "bash"}).out.contains("proxy) words="));
  }
};

LEASESCOPE_SUITE(ProxyTest)
#include "proxy_test.moc"
