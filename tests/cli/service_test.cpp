// A watch as a service: what its manager hears of it, and rules that are read anew while it goes on.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// As systemd listens.
class Manager {
 public:
  explicit Manager(const QString& path) : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, qPrintable(path), sizeof address.sun_path - 1);
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) qFatal("cannot bind");
  }
  ~Manager() { ::close(socket_); }
  // The lines of all that was said so far.
  const QByteArrayList& heard() {
    char text[4096];
    for (ssize_t length = 0; (length = ::recv(socket_, text, sizeof text, 0)) > 0;)
      heard_ += QByteArray(text, static_cast<int>(length)).split('\n');
    return heard_;
  }
  bool hears(const QByteArray& line) {
    return QTest::qWaitFor([&] { return heard().contains(line); }, 8000);
  }
  void forget() { heard(), heard_.clear(); }

 private:
  int socket_;
  QByteArrayList heard_;
};

}  // namespace

class ServiceTest : public QObject {
  Q_OBJECT

  PrivateServer server_{redis::store_type()};
  QTemporaryDir folder_;
  QString rules_ = folder_.filePath("rules.toml");
  Manager manager_{folder_.filePath("notify")};
  QProcess watch_;
  QByteArray said_;

  void write_rules(const QByteArray& toml) {
    QFile file(rules_);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(toml);
  }
  static QByteArray rule(const QByteArray& name, const QByteArray& mutex) {
    return "[[rule]]\nname = \"" + name + "\"\nkind = \"no_owner\"\nmutex = \"" + mutex + "\"\nfor = \"1s\"\n";
  }
  bool says(const char* words) {
    return QTest::qWaitFor([&] { return (said_ += watch_.readAllStandardError()).contains(words); }, 15'000);
  }
  void signal(int number) { ::kill(static_cast<pid_t>(watch_.processId()), number); }

 private slots:
  void initTestCase() {
    QVERIFY(server_.start().has_value());
    const QString url = QString::fromStdString(printable(server_.url()));
    // Two that nobody owns any more.
    for (const char* mutex : {"orders", "bills"})
      QCOMPARE(leasescopectl({"contend", url, mutex, "--", "true"}).exit, 0);
    write_rules("schema = 1\n" + rule("nobody orders", "orders"));
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("NOTIFY_SOCKET", folder_.filePath("notify"));
    environment.insert("WATCHDOG_USEC", "600000");
    watch_.setProcessEnvironment(environment);
    watch_.setChildProcessModifier([] { ::setsid(); });  // as a service has no terminal
    watch_.start(kLeasescopectl, {"watch", url, "--alerts", rules_});
    QVERIFY(watch_.waitForStarted());
  }
  void cleanupTestCase() {
    watch_.kill();
    watch_.waitForFinished();
  }

  void itSaysWhenItIsReadyAndThatItIsAlive() {
    QVERIFY(manager_.hears("READY=1"));
    QVERIFY2(manager_.hears("STATUS=mutexes: 2, stores: 1"), manager_.heard().join('\n'));
    QVERIFY(QTest::qWaitFor([&] { return manager_.heard().count("WATCHDOG=1") >= 3; }, 5000));
  }
  void itIsSilentWhileItsLoopStandsStill() {
    signal(SIGSTOP);
    QTest::qWait(200);
    manager_.forget();
    QTest::qWait(1000);
    QCOMPARE(manager_.heard().count("WATCHDOG=1"), 0);
    signal(SIGCONT);
    QVERIFY(manager_.hears("WATCHDOG=1"));
  }
  void rulesAreReadAnewAndWhatLastsUnderBothIsToldOnce() {
    QVERIFY2(says("ALERT  nobody orders: orders: "), said_);
    manager_.forget();
    write_rules("schema = 1\n" + rule("nobody orders", "orders") + rule("nobody pays", "bills"));
    signal(SIGHUP);
    QVERIFY(manager_.hears("RELOADING=1") && manager_.hears("READY=1"));
    QVERIFY2(says("rules.toml: 2 rules, read anew") && says("ALERT  nobody pays: bills: "), said_);
    write_rules("schema = 1\n" + rule("nobody pays", "bills"));
    signal(SIGHUP);
    QVERIFY2(says("over, by other rules  nobody orders: orders: "), said_);
    QCOMPARE(said_.count("  ALERT  nobody orders"), 1);
    QCOMPARE(said_.count("  ALERT  nobody pays"), 1);
  }
  void rulesThatAreWrongLeaveThoseThatThereAre() {
    write_rules("schema = 1\n[[rule]]\nname = \"a\"\nkind = \"no_ownr\"\n");
    signal(SIGHUP);
    QVERIFY2(says("rules.toml:4:8: rule.0.kind is \"no_ownr\"") && says("; what was before stays, 1 rule"), said_);
    QCOMPARE(watch_.state(), QProcess::Running);
    QVERIFY(!said_.contains("over, by other rules  nobody pays"));
  }
  // With a terminal the same signal comes from a window that was closed: it ends, as any program does.
  void whereATerminalHangsUpItEnds() {
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    QVERIFY(terminal >= 0 && ::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
    const std::string other = ::ptsname(terminal);
    QProcess watch;
    watch.setChildProcessModifier([&] {
      ::setsid();
      ::ioctl(::open(other.c_str(), O_RDWR), TIOCSCTTY, 0);
    });
    watch.setStandardOutputFile(folder_.filePath("events"));  // so that no broken terminal ends it
    watch.setStandardErrorFile(folder_.filePath("errors"));
    write_rules("schema = 1\n" + rule("nobody pays", "bills"));
    watch.start(kLeasescopectl, {"watch", QString::fromStdString(printable(server_.url())), "--alerts", rules_});
    QVERIFY(watch.waitForStarted());
    QVERIFY(QTest::qWaitFor([&] { return read_whole(folder_.filePath("errors")).contains("ALERT"); }, 15'000));
    ::close(terminal);
    QVERIFY(watch.waitForFinished(5000));
    QCOMPARE(watch.exitCode(), 0);
  }
  void itSaysThatItEnds() {
    manager_.forget();
    signal(SIGTERM);
    QVERIFY(watch_.waitForFinished(5000));
    QCOMPARE(watch_.exitCode(), 0);
    QVERIFY(manager_.hears("STOPPING=1"));
  }
};

LEASESCOPE_SUITE(ServiceTest)
#include "service_test.moc"
