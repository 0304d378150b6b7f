// A real keyring (gnome-keyring, on a bus of the test's own): what is kept there is found again and forgotten, lies in
// no file as it was typed, and a keyring that is not there, or has gone, is said to be so.
#include "ui/keyring/keyring_store.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <QDirIterator>
#include <QProcess>
#include <QTemporaryDir>
#include <csignal>

#include "tests/support/event_wait.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;

namespace {

const QString kAddress = QStringLiteral("redis://db:6379"), kOther = QStringLiteral("postgresql://db/locks");
const QString kSecret = QStringLiteral("s3cret-of-a-real-keyring");

// A bus that starts nobody by itself.
constexpr const char* kBus =
    "<busconfig><type>session</type><listen>unix:dir=%1</listen><auth>EXTERNAL</auth><policy context=\"default\">"
    "<allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow "
    "own=\"*\"/></policy></busconfig>";

const QString kNothing = QStringLiteral("nothing is kept"), kDone = QStringLiteral("done");

// What an answer that comes later was, in words: a password, that there is none, or "! " and why not.
QString said(const PasswordStore::Found& answer) {
  return !answer ? "! " + answer.error() : answer->has_value() ? **answer : kNothing;
}
QString said(const PasswordStore::Done& answer) { return answer ? kDone : "! " + answer.error(); }

}  // namespace

class KeyringTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QProcess bus_, daemon_;
  KeyringStore keyring_;

  static void start(QProcess& process, const QString& program, const QStringList& arguments) {
    process.setChildProcessModifier([parent = ::getpid()] {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(127);
    });
    process.start(program, arguments);
    QVERIFY2(process.waitForStarted(),
             qPrintable(program + ": " + process.errorString() + "; see resources/packages.txt"));
  }
  // `ask` is handed what is to be called with the answer.
  template <class Answer, class Ask>
  QString awaited(Ask ask) {
    QString out;
    ask([&out](const Answer& answer) { out = said(answer); });
    wait_until([&out] { return !out.isEmpty(); }, milliseconds(10'000));
    return out;
  }
  QString found(const QString& address) {
    return awaited<PasswordStore::Found>([&](auto then) { keyring_.find(address, this, then); });
  }
  QString kept(const QString& address, const QString& password) {
    return awaited<PasswordStore::Done>([&](auto then) { keyring_.keep(address, password, this, then); });
  }
  QString forgotten(const QString& address) {
    return awaited<PasswordStore::Done>([&](auto then) { keyring_.forget(address, this, then); });
  }
  void is_said_to_be_away() {
    for (const QString& answer : {found(kAddress), kept(kAddress, kSecret), forgotten(kAddress)})
      QVERIFY2(answer.startsWith("! ") && answer.size() > 2 && !answer.contains(u'\n'), qPrintable(answer));
  }

 private slots:
  void initTestCase() {
    for (const char* home : {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
      qputenv(home, folder_.path().toUtf8());
    qputenv("XDG_CURRENT_DESKTOP", "GNOME");
    QFile file(folder_.filePath("bus.conf"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QString(kBus).arg(folder_.path()).toUtf8());
    file.close();
    start(bus_, "dbus-daemon", {"--config-file=" + file.fileName(), "--nofork", "--print-address"});
    QVERIFY2(bus_.waitForReadyRead(5000), bus_.readAllStandardError());
    qputenv("DBUS_SESSION_BUS_ADDRESS", bus_.readLine().trimmed());
  }
  void cleanupTestCase() {
    for (QProcess* process : {&daemon_, &bus_}) {
      process->kill();
      process->waitForFinished(3000);
    }
  }

  void whereThereIsNoneThatIsSaid() { is_said_to_be_away(); }

  void aPasswordIsKeptFoundAgainAndForgotten() {
    start(daemon_, "gnome-keyring-daemon", {"--foreground", "--unlock", "--components=secrets"});
    daemon_.write("master");
    daemon_.closeWriteChannel();
    QTRY_COMPARE_WITH_TIMEOUT(found(kAddress), kNothing, 10'000);
    QCOMPARE(kept(kAddress, kSecret), kDone);
    QCOMPARE(kept(kOther, "of another store"), kDone);
    QCOMPARE(found(kAddress), kSecret);
    QCOMPARE(kept(kAddress, kSecret + "2"), kDone);
    QCOMPARE(found(kAddress), kSecret + "2");
    QCOMPARE(forgotten(kAddress), kDone);
    QCOMPARE(found(kAddress), kNothing);
    QCOMPARE(forgotten(kAddress), kDone);  // it is so already
    QCOMPARE(found(kOther), QString("of another store"));
  }

  void itLiesInNoFileAsItWasTyped() {
    QCOMPARE(kept(kAddress, kSecret), kDone);
    int files = 0;
    for (QDirIterator each(folder_.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); each.hasNext();) {
      QFile file(each.next());
      QVERIFY(file.open(QIODevice::ReadOnly));
      QVERIFY2(!file.readAll().contains(kSecret.toUtf8()), qPrintable(file.fileName()));
      files += file.fileName().endsWith(".keyring");
    }
    QVERIFY(files > 0);
  }

  void oneThatHasGoneIsSaidToBeAway() {
    daemon_.kill();
    QVERIFY(daemon_.waitForFinished(3000));
    is_said_to_be_away();
  }
};

LEASESCOPE_SUITE(KeyringTest)
#include "keyring_test.moc"
