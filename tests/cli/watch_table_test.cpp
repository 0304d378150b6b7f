// The live table of a watch at a terminal, which is a pseudo-terminal of the test: what stands on it, keys, other
// sizes, and that the terminal is what it was when the watch has ended, however that was.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>

#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>

#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/support/suite.h"
#include "tests/support/terminal_screen.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr int kPatience = 15'000;  // ms
constexpr int kColumns = 120, kRows = 30;

// leasescopectl at a terminal of its own, which is its controlling one.
class AtTerminal {
 public:
  // Its standard error is that file, where one is named, and that signal is ignored by whoever starts it; 0: none is.
  explicit AtTerminal(const QStringList& arguments, const QProcessEnvironment& environment = usual(),
                      const QString& errors = {}, int ignored = 0)
      : terminal_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)) {
    if (terminal_ < 0 || ::grantpt(terminal_) != 0 || ::unlockpt(terminal_) != 0) qFatal("no pseudo-terminal");
    name_ = ::ptsname(terminal_);
    // It is held open, so that its modes can be looked at when nobody else has it any more.
    held_ = ::open(name_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    set_size(kColumns, kRows);
    before_ = modes();
    process.setProcessEnvironment(environment);
    process.setChildProcessModifier([this, file = errors.toStdString(), ignored] {
      if (ignored > 0) ::signal(ignored, SIG_IGN);
      ::setsid();
      const int own = ::open(name_.c_str(), O_RDWR);
      ::ioctl(own, TIOCSCTTY, 0);
      for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(own, each);
      if (own > STDERR_FILENO) ::close(own);
      if (!file.empty()) ::dup2(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      const rlimit none{0, 0};
      ::setrlimit(RLIMIT_CORE, &none);
    });
    process.start(kLeasescopectl, arguments);
    if (!process.waitForStarted()) qFatal("it did not start");
  }
  ~AtTerminal() {
    process.kill();
    process.waitForFinished();
    hang_up();
  }
  AtTerminal(const AtTerminal&) = delete;
  AtTerminal& operator=(const AtTerminal&) = delete;

  static QProcessEnvironment usual() {
    QProcessEnvironment out = QProcessEnvironment::systemEnvironment();
    for (const char* each : {"NO_COLOR", "LINES", "COLUMNS", "LANG", "NOTIFY_SOCKET"}) out.remove(each);
    out.insert("TERM", "xterm-256color");
    out.insert("LC_ALL", "C.UTF-8");
    return out;
  }

  // Whether it comes to be so.
  template <class Is>
  bool comes(Is is, int ms = kPatience) {
    return QTest::qWaitFor(
        [&] {
          read();
          return is();
        },
        ms);
  }
  bool shows(const char* words) {
    return comes([&] { return screen.text().contains(QString::fromUtf8(words)); });
  }
  // On its screen, or in lines.
  bool tells(const char* words) {
    return comes([&] { return sent.contains(words) || screen.text().contains(QString::fromUtf8(words)); });
  }
  bool shows_no_more(const char* words) {
    return comes([&] { return !screen.text().contains(QString::fromUtf8(words)); });
  }
  void type(const char* bytes) {
    if (::write(terminal_, bytes, std::strlen(bytes)) < 0) qFatal("nothing can be typed");
  }
  void set_size(int columns, int rows) {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = static_cast<unsigned short>(rows);
    screen.resize(columns, rows);
    ::ioctl(terminal_, TIOCSWINSZ, &size);
  }
  bool ends() {
    const bool ended = comes([&] { return process.state() == QProcess::NotRunning; });
    read();
    return ended;
  }
  void hang_up() {
    if (held_ >= 0) ::close(held_);
    if (terminal_ >= 0) ::close(terminal_);
    held_ = terminal_ = -1;
  }
  // The terminal is as it was before: its modes, its screen, its cursor.
  bool is_given_back() const {
    const termios now = modes();
    return now.c_lflag == before_.c_lflag && now.c_iflag == before_.c_iflag && now.c_oflag == before_.c_oflag &&
           now.c_cflag == before_.c_cflag && std::memcmp(now.c_cc, before_.c_cc, sizeof now.c_cc) == 0 &&
           screen.has_left_its_screen() && screen.shows_cursor();
  }
  // No file may grow beyond that any more: to whoever writes, and ignores SIGXFSZ, that is a full disk.
  void fill_disk(rlim_t bytes) {
    const rlimit small{bytes, bytes};
    if (::prlimit(static_cast<pid_t>(process.processId()), RLIMIT_FSIZE, &small, nullptr) != 0) qFatal("no limit");
  }
  bool has_other_modes() const { return modes().c_lflag != before_.c_lflag; }
  void signal(int number) { ::kill(static_cast<pid_t>(process.processId()), number); }

  QProcess process;
  TerminalScreen screen{kColumns, kRows};
  QByteArray sent;  // all of it

 private:
  void read() {
    char part[4096];
    for (ssize_t got = 0; terminal_ >= 0 && (got = ::read(terminal_, part, sizeof part)) > 0;) {
      const QByteArray bytes(part, static_cast<int>(got));
      sent += bytes;
      screen.take(bytes);
    }
  }
  termios modes() const {
    termios out{};
    if (::tcgetattr(held_, &out) != 0) qFatal("no modes");
    return out;
  }

  int terminal_, held_ = -1;
  std::string name_;
  termios before_{};
};

// The events of a recording, each a line of JSON.
QByteArrayList events_in(const QString& recording) {
  const QTemporaryDir folder;
  const QString lines = folder.filePath("events.jsonl");
  const Ran ran = leasescopectl({"recording", "export", recording, lines});
  return ran.exit == 0 ? read_whole(lines).split('\n') : QByteArrayList();
}
int count_in(const QByteArrayList& events, const char* kind, const char* mutex) {
  return static_cast<int>(std::count_if(events.begin(), events.end(), [&](const QByteArray& each) {
    return each.contains(QByteArray("\"kind\":\"") + kind + '"') && each.contains(mutex);
  }));
}

}  // namespace

class WatchTableTest : public QObject {
  Q_OBJECT

  PrivateServer server_{redis::store_type()};
  QTemporaryDir folder_;
  QString url_;
  QProcess owner_;

  static void each_manner() {
    QTest::addColumn<QStringList>("manner");
    QTest::newRow("a table") << QStringList{"--table"};
    QTest::newRow("lines") << QStringList{"--lines"};
  }
  // For longer than it takes to begin to listen.
  void own_bills_for_a_moment() const {
    QCOMPARE(leasescopectl({"contend", url_, "bills", "--", "sleep", "1"}).exit, 0);
  }

 private slots:
  // "orders" is owned meanwhile, and "bills" was.
  void initTestCase() {
    QVERIFY(server_.start().has_value());
    url_ = QString::fromStdString(printable(server_.url()));
    QCOMPARE(leasescopectl({"contend", url_, "bills", "--", "true"}).exit, 0);
    owner_.start(kLeasescopectl,
                 {"contend", url_, "orders", "--ttl", "5s", "--transition", "2s", "--", "sleep", "170"});
    QVERIFY(owner_.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(leasescopectl({"who", "orders", url_}).out.contains("holds it"), 8000);
  }
  void cleanupTestCase() {
    owner_.terminate();
    owner_.waitForFinished();
  }

  void whoOwnsWhatStandsOnTheTerminalAtAnySize() {
    const QString recording = folder_.filePath("night.recording");
    AtTerminal watch({"watch", url_, "--record", recording});
    QVERIFY2(watch.shows("orders") && watch.shows("held") && watch.shows("2 mutexes: 1 held, 1 free"),
             qPrintable(watch.screen.text()));
    const QString row = watch.screen.lines().filter(QRegularExpression("^.orders ")).value(0);
    QVERIFY2(row.contains(" s ") && row.contains(" 1 ") && row.contains("█"), qPrintable(watch.screen.text()));
    QVERIFY(watch.has_other_modes());
    QVERIFY2(watch.screen.lines().value(0).contains(" · recording "), qPrintable(watch.screen.text()));
    watch.set_size(60, 20);
    QVERIFY2(watch.shows("orders") && watch.shows("? keys") && !watch.screen.text().contains("Token"),
             qPrintable(watch.screen.text()));
    watch.set_size(30, 20);
    QVERIFY2(watch.shows("too small: 30"), qPrintable(watch.screen.text()));
    watch.set_size(120, 30);
    QVERIFY2(watch.shows("Token"), qPrintable(watch.screen.text()));
    QVERIFY2(watch.screen.unknown().isEmpty(), watch.screen.unknown().join(' '));
    watch.type("q");
    QVERIFY(watch.ends());
    QCOMPARE(watch.process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(watch.process.exitCode(), 0);
    QVERIFY(watch.is_given_back());
    const Ran info = leasescopectl({"recording", "info", recording});
    QVERIFY2(info.exit == 0 && info.out.contains("the run has ended\n"), info.out + info.err);
  }

  void keysLookForSortAndShowInDetail() {
    AtTerminal watch({"watch", url_, "--table"});
    QVERIFY2(watch.shows("2 mutexes"), qPrintable(watch.screen.text()));
    watch.type("/orders");
    QVERIFY2(watch.shows("Show only: orders_") && watch.shows("1 of 2 mutexes: 1 held · with orders"),
             qPrintable(watch.screen.text()));
    watch.type("\x1b");
    QVERIFY2(watch.shows_no_more("with orders"), qPrintable(watch.screen.text()));
    watch.type("r");
    QVERIFY2(watch.shows("by Mutex, falling"), qPrintable(watch.screen.text()));
    watch.type("\x1bOB");  // the key that goes down
    QVERIFY2(watch.shows(">orders"), qPrintable(watch.screen.text()));
    watch.type("\r");
    QVERIFY2(watch.shows("Owners · since · for · token") && watch.shows("simba:{orders}"),
             qPrintable(watch.screen.text()));
    watch.type("?");
    QVERIFY2(watch.shows("acknowledge the first alert"), qPrintable(watch.screen.text()));
    watch.signal(SIGINT);
    QVERIFY(watch.ends());
    QCOMPARE(watch.process.exitCode(), 0);
    QVERIFY(watch.is_given_back());
  }

  void whatWasComplainedOfStandsInItsLineAndBehindIt() {
    AtTerminal watch({"watch", url_, "redis://127.0.0.1:1"});
    QVERIFY2(watch.shows("! Not observed · redis://127.0.0.1:1"), qPrintable(watch.screen.text()));
    QVERIFY2(watch.comes([&] { return watch.screen.lines().value(kRows - 2).contains("redis://127.0.0.1:1: "); }),
             qPrintable(watch.screen.text()));
    QVERIFY(!watch.sent.contains("leasescopectl: "));
    watch.type("q");
    QVERIFY(watch.ends());
    const auto left = watch.sent.lastIndexOf("\x1b[?1049l");
    QVERIFY(left >= 0);
    QVERIFY2(watch.sent.mid(left).contains("leasescopectl: redis://127.0.0.1:1: "), watch.sent.mid(left));
  }
  void whereStandardErrorIsAFileMessagesGoThereAtOnce() {
    const QString errors = folder_.filePath("errors");
    AtTerminal watch({"watch", url_, "redis://127.0.0.1:1"}, AtTerminal::usual(), errors);
    QVERIFY2(watch.shows("! Not observed · redis://127.0.0.1:1"), qPrintable(watch.screen.text()));
    const char* const said = "leasescopectl: redis://127.0.0.1:1: ";
    QVERIFY(watch.comes([&] { return read_whole(errors).contains(said); }));
    watch.type("q");
    QVERIFY(watch.ends());
    QCOMPARE(read_whole(errors).count(said), 1);
    QVERIFY(!watch.sent.contains(said));
  }

  void theTerminalIsGivenBackHoweverItEnds_data() {
    QTest::addColumn<int>("number");
    QTest::addColumn<bool>("in_order");
    QTest::newRow("asked to") << SIGTERM << true;
    QTest::newRow("aborted") << SIGABRT << false;
    QTest::newRow("quit from the keyboard") << SIGQUIT << false;
    QTest::newRow("a file has become too large") << SIGXFSZ << false;
    QTest::newRow("a profiler's clock") << SIGPROF << false;
  }
  void theTerminalIsGivenBackHoweverItEnds() {
    QFETCH(int, number);
    QFETCH(bool, in_order);
    AtTerminal watch({"watch", url_, "redis://127.0.0.1:1"});
    QVERIFY2(watch.shows("orders") && watch.shows("! Not observed"), qPrintable(watch.screen.text()));
    QVERIFY(watch.has_other_modes());
    watch.signal(number);
    QVERIFY(watch.ends());
    QCOMPARE(watch.process.exitStatus(), in_order ? QProcess::NormalExit : QProcess::CrashExit);
    if (in_order) QCOMPARE(watch.process.exitCode(), 0);
    QVERIFY(watch.is_given_back());
    QVERIFY2(watch.sent.mid(watch.sent.lastIndexOf("\x1b[?1049l")).contains("leasescopectl: redis://127.0.0.1:1: "),
             watch.sent.right(500));
  }
  void whereTheTerminalHangsUpItEndsInOrder() {
    const QString recording = folder_.filePath("hung-up.recording");
    AtTerminal watch({"watch", url_, "--record", recording});
    QVERIFY2(watch.shows("orders"), qPrintable(watch.screen.text()));
    watch.hang_up();
    QVERIFY(watch.process.waitForFinished(kPatience));
    QCOMPARE(watch.process.exitCode(), 0);
    QVERIFY(leasescopectl({"recording", "info", recording}).out.contains("the run has ended\n"));
  }

  // Whatever was told by then is in it.
  void whatIsRecordedIsWholeWhenItsReaderEndsIt_data() { each_manner(); }
  void whatIsRecordedIsWholeWhenItsReaderEndsIt() {
    QFETCH(QStringList, manner);
    const QString recording = folder_.filePath("ended" + manner[0] + ".recording");
    AtTerminal watch(QStringList{"watch", url_, "--record", recording} + manner);
    QVERIFY2(watch.tells("orders") && watch.tells("bills"), watch.sent);
    own_bills_for_a_moment();
    QVERIFY2(watch.tells("released by "), watch.sent);
    watch.type("\x03");  // ^C
    QVERIFY(watch.ends());
    QCOMPARE(watch.process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(watch.process.exitCode(), 0);
    QVERIFY(watch.is_given_back());
    QVERIFY2(!watch.sent.contains("leasescopectl: "), watch.sent.right(500));
    const Ran info = leasescopectl({"recording", "info", recording});
    QVERIFY2(info.exit == 0 && info.out.contains("the run has ended\n"), info.out + info.err);
    QVERIFY(!QFile::exists(recording + "-wal"));
    const QByteArrayList events = events_in(recording);
    QCOMPARE(count_in(events, "granted", "bills"), 1);
    QCOMPARE(count_in(events, "released", "bills"), 1);
    QCOMPARE(count_in(events, "granted", "orders"), 1);
  }

  // It ends, and says why; what was written is whole, and a watch that begins with room goes on in it.
  void aFullDiskEndsItAndLeavesWhatWasWritten_data() { each_manner(); }
  void aFullDiskEndsItAndLeavesWhatWasWritten() {
    QFETCH(QStringList, manner);
    const QString recording = folder_.filePath("full" + manner[0] + ".recording");
    const QStringList words = QStringList{"watch", url_, "--record", recording};
    {
      AtTerminal watch(words + manner, AtTerminal::usual(), {}, SIGXFSZ);
      QVERIFY2(watch.tells("orders"), watch.sent);
      QVERIFY(watch.comes([&] { return count_in(events_in(recording), "granted", "orders") == 1; }));
      watch.fill_disk(1024);
      own_bills_for_a_moment();
      QVERIFY(watch.ends());
      QCOMPARE(watch.process.exitStatus(), QProcess::NormalExit);
      QCOMPARE(watch.process.exitCode(), 1);
      QVERIFY(watch.is_given_back());
      const QByteArray said = watch.sent.mid(watch.sent.lastIndexOf("leasescopectl: "));
      QVERIFY2(said.contains(recording.toUtf8()) && said.contains("could not be written any further: ") &&
                   said.contains("make room, or write elsewhere"),
               watch.sent.right(500));
    }
    const Ran info = leasescopectl({"recording", "info", recording});
    QVERIFY2(info.exit == 0 && !info.out.contains("the run has ended\n"), info.out + info.err);
    const Ran replay = leasescopectl({"replay", recording, "--quiet"});
    QVERIFY2(replay.exit == 0, replay.err);
    QCOMPARE(count_in(events_in(recording), "granted", "orders"), 1);
    AtTerminal next(words + QStringList{"--lines"});
    QVERIFY2(next.tells("orders"), next.sent);
    next.type("\x03");
    QVERIFY(next.ends());
    QVERIFY2(next.sent.contains("recording: goes on after "), next.sent);
    QCOMPARE(next.process.exitCode(), 0);
    QVERIFY(leasescopectl({"recording", "info", recording}).out.contains("the run has ended\n"));
    QCOMPARE(count_in(events_in(recording), "granted", "orders"), 1);
  }

  // As nohup has it, or a shell that controls no jobs: nobody would continue it.
  void whatItWasStartedToIgnoreItIgnores() {
    const QString events = folder_.filePath("nohup.recording");
    AtTerminal hung_up({"watch", url_, "--record", events, "--lines"}, AtTerminal::usual(), {}, SIGHUP);
    QVERIFY(hung_up.comes([&] { return hung_up.sent.contains("orders"); }));
    hung_up.signal(SIGHUP);
    QTest::qWait(500);
    QCOMPARE(hung_up.process.state(), QProcess::Running);
    hung_up.signal(SIGTERM);
    QVERIFY(hung_up.ends());
    QCOMPARE(hung_up.process.exitCode(), 0);
    AtTerminal stopped({"watch", url_}, AtTerminal::usual(), {}, SIGTSTP);
    QVERIFY2(stopped.shows("2 mutexes"), qPrintable(stopped.screen.text()));
    stopped.type("\x1a");  // ^Z
    stopped.type("/orders");
    QVERIFY2(stopped.shows("1 of 2 mutexes"), qPrintable(stopped.screen.text()));
    QVERIFY2(!stopped.sent.contains("\x1b[?1049l"), "the terminal was given back");
  }

  void coloursAreThereWhereTheyAreWanted() {
    const QByteArray green = "\x1b[32m";
    {
      AtTerminal watch({"watch", url_});
      QVERIFY2(watch.shows("orders") && watch.comes([&] { return watch.sent.contains(green); }),
               qPrintable(watch.screen.text()));
    }
    QProcessEnvironment without = AtTerminal::usual();
    without.insert("NO_COLOR", "1");
    AtTerminal watch({"watch", url_}, without);
    QVERIFY2(watch.shows("orders") && watch.shows("held"), qPrintable(watch.screen.text()));
    QVERIFY(!watch.sent.contains(green));
  }
  void whereTheLocaleHasOnlyAsciiNothingElseIsSent() {
    QProcessEnvironment plain = AtTerminal::usual();
    plain.insert("LC_ALL", "C");
    AtTerminal watch({"watch", url_}, plain);
    QVERIFY2(watch.shows("orders") && watch.shows(">= "), qPrintable(watch.screen.text()));
    QVERIFY(
        std::all_of(watch.sent.begin(), watch.sent.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  }

  void linesComeWhereTheyAreAskedForOrThereIsNoPicture() {
    AtTerminal lines({"watch", url_, "--lines"});
    QVERIFY2(lines.comes([&] { return lines.sent.contains("  orders  granted to "); }), lines.sent);
    QVERIFY(!lines.sent.contains("\x1b["));
    QProcessEnvironment dumb = AtTerminal::usual();
    dumb.insert("TERM", "dumb");
    AtTerminal other({"watch", url_}, dumb);
    QVERIFY2(other.comes([&] { return other.sent.contains("  orders  granted to "); }), other.sent);
    QVERIFY(!other.sent.contains("\x1b["));
  }
  void whereThereCanBeNoTableItIsSaid() {
    const Ran pipe = leasescopectl({"watch", url_, "--table"});
    QCOMPARE(pipe.exit, 2);
    SAYS(pipe, "--table: standard output is no terminal; --lines tells each change as a line");
    for (const char* const other : {"--json", "--once", "--lines"})
      QCOMPARE(leasescopectl({"watch", url_, "--table", other}).exit, 2);
    QProcessEnvironment dumb = AtTerminal::usual();
    dumb.insert("TERM", "dumb");
    AtTerminal watch({"watch", url_, "--table"}, dumb);
    QVERIFY(watch.ends());
    QCOMPARE(watch.process.exitCode(), 2);
    QVERIFY2(watch.sent.contains("--table: a terminal \"dumb\" (TERM) cannot write where it is told to"), watch.sent);
  }
};

LEASESCOPE_SUITE(WatchTableTest)
#include "watch_table_test.moc"
