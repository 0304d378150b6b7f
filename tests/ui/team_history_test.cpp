// A team's history in the window, of a real PostgreSQL: opened by its address, refused with what to do, and no password
// of it anywhere.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QFile>
#include <QSettings>

#include "core/history/recording/recording_writer.h"
#include "core/history/team/team_sink.h"
#include "core/observe/watch_record.h"
#include "core/store/password.h"
#include "core/store/postgres/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/support/passwords_in_memory.h"
#include "tests/support/window_suite.h"
#include "ui/keyring/kept_passwords.h"
#include "ui/models/words.h"
#include "ui/recordings/recent_recordings.h"
#include "ui/recordings/recordings_perspective.h"
#include "ui/recordings/team_dialog.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

constexpr const char* kSecret = "hush-of-the-team";
constexpr int kTurns = 40;

RecordingsPerspective& recordings(MainWindow& window) {
  return *static_cast<RecordingsPerspective*>(window.perspective(QStringLiteral("recordings")));
}

// A mutex that changes hands every second.
History seen() {
  History out;
  const Name store = out.names.intern("redis://h"), mutex = out.names.intern("orders");
  const Name owners[] = {out.names.intern("a"), out.names.intern("b")};
  const auto tell = [&](EventKind kind, Name who, TrueTime at, Token token = kNoToken) {
    Event event;
    event.kind = kind;
    event.node = who;
    event.mutex = mutex;
    event.token = token;
    event.lo = event.hi = at;
    if (kind == EventKind::kGranted) event.a = Duration(10s).count();
    out.events.push_back(event);
  };
  tell(EventKind::kUnobservedBegan, store, TrueTime{});
  tell(EventKind::kUnobservedEnded, store, TrueTime{});
  for (int i = 0; i < kTurns; ++i) {
    tell(EventKind::kGranted, owners[i % 2], TrueTime{} + i * 1s, static_cast<Token>(i + 1));
    tell(EventKind::kReleased, owners[i % 2], TrueTime{} + i * 1s + 900ms);
  }
  out.now = TrueTime{} + kTurns * 1s;
  return out;
}

void recordBy(const StoreUrl& url, const char* observer) {
  team::TeamTerms terms;
  terms.observer = observer;
  terms.program = "9.8.7";
  auto sink = team::TeamSink::open(url, terms);
  QVERIFY2(sink.has_value(), sink ? "" : sink.error().words.c_str());
  RecordingWriter writer("team", std::move(*sink), {});
  HistoryHeader header;
  header.program = "9.8.7";
  header.scenario = kWatchName;
  header.toml = watch_scenario();
  header.world = "live";
  header.store = "redis://h";
  static std::int64_t times = 0;  // no two begin in the same moment
  header.epoch_ns = 1'764'000'000'000'000'000 + ++times * 1'000'000;
  writer.head(header);
  History history = seen();
  writer.append(history);
  const Name orders = history.names.intern("orders");
  const auto note = [&](AlertDeed deed, TrueTime at) {
    return AlertNote{1, deed, at, at, "nobody pays", "no_owner", orders, "nobody has owned it for more than 50ms"};
  };
  writer.note(history, {note(AlertDeed::kBegan, TrueTime{} + 950ms), note(AlertDeed::kOver, TrueTime{} + 1s)});
  RecordedOutcome outcome;
  outcome.simulated_ns = outcome.wall_ns = (history.now - TrueTime{}).count();
  const auto done = writer.finish(history, outcome);
  QVERIFY2(done.has_value(), done ? "" : done.error().c_str());
}

// Takes connections, and never says a word.
class Mute {
 public:
  Mute() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    if (::bind(socket_, reinterpret_cast<sockaddr*>(&at), size) != 0 || ::listen(socket_, 8) != 0) qFatal("no socket");
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&at), &size);
    port_ = ntohs(at.sin_port);
  }
  ~Mute() { ::close(socket_); }
  int port() const { return port_; }

 private:
  int socket_, port_ = 0;
};

}  // namespace

class TeamHistoryTest : public WindowSuite {
  Q_OBJECT

  std::unique_ptr<PrivateServer> server_;
  QString address_;  // without its password

  static TeamDialog& dialog(TestWindow& window) { return *recordings(window).teamDialog(); }
  static QString written(TestWindow& window) {
    window.remember();
    QSettings settings;
    settings.sync();
    QFile file(settings.fileName());
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
  QString withPassword() const {
    return address_ + (address_.contains(u'?') ? u'&' : u'?') + QStringLiteral("password=") +
           QString::fromLatin1(kSecret);
  }
  static void open(TestWindow& window, const QString& address, const QString& password = {}) {
    window.action(WindowAction::kOpenTeam)->trigger();
    QTRY_VERIFY(dialog(window).isVisible());
    dialog(window).address()->setText(address);
    dialog(window).password()->setText(password);
    QTest::mouseClick(dialog(window).button(), Qt::LeftButton);
  }

 private slots:
  void initTestCase() {
    WindowSuite::initTestCase();
    PrivateServerOptions options;
    options.password = kSecret;
    server_ = std::make_unique<PrivateServer>(postgres::store_type(), options);
    const auto started = server_->start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    StoreUrl bare = server_->url();
    bare.password.clear();
    address_ = fromText(printable(bare));
  }
  void cleanupTestCase() { server_.reset(); }
  void init() {
    UiSuite::init();
    QSettings().clear();
  }

  // Before anything was recorded there.
  void whereNothingWasRecordedItSaysSo() {
    TestWindow window;
    show(window);
    open(window, address_, QString::fromLatin1(kSecret));
    RecordingsPerspective& its = recordings(window);
    QTRY_VERIFY_WITH_TIMEOUT(!its.view()->problem()->problem().empty(), kPatience);
    const Problem& problem = its.view()->problem()->problem();
    QVERIFY2(problem.title.endsWith(QStringLiteral("was not opened")), qPrintable(problem.title));
    QVERIFY2(!problem.message.isEmpty() && !problem.message.contains(QLatin1String(kSecret)),
             qPrintable(problem.message));
    QVERIFY(its.recent()->teams().isEmpty());
  }

  void whatATeamHasRecordedIsOpenedAndItsPasswordIsNowhere() {
    recordBy(server_->url(), "api-1");
    TestWindow window;
    show(window);
    QTest::keyClick(&window, Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(dialog(window).isVisible());
    dialog(window).address()->setText(withPassword());
    QTest::keyClick(dialog(window).address(), Qt::Key_Return);
    QVERIFY(!dialog(window).isVisible());
    RecordingsPerspective& its = recordings(window);
    QCOMPARE(&window.current(), static_cast<Perspective*>(&its));
    QTRY_VERIFY_WITH_TIMEOUT(its.recording().history() != nullptr, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(its.recording().state(), RunState::kFinished, kPatience);
    const auto& events = its.recording().history()->events;
    const auto granted = std::count_if(events.begin(), events.end(),
                                       [](const Event& event) { return event.kind == EventKind::kGranted; });
    QCOMPARE(static_cast<int>(granted), kTurns);
    // What was told of alerts is there for an evidence report.
    const WatchAccount account = its.recording().watchAccount();
    QVERIFY(account.fired.has_value());
    const std::vector<FiredAlert> fired = fired_alerts(*account.fired);
    QCOMPARE(fired.size(), std::size_t{1});
    QCOMPARE(fired[0].rule, std::string("nobody pays"));
    QCOMPARE(its.recording().history()->names.text(fired[0].subject), std::string_view("orders"));
    QVERIFY(fired[0].to == TrueTime{} + 1s);
    QTRY_COMPARE(its.recent()->teams(), QStringList{address_});
    QCOMPARE(its.recording().path(), address_);
    QVERIFY(its.notebook().whyNotKept().isEmpty());
    QVERIFY(!its.action(RecordingAction::kCompare)->isEnabled());  // two files are compared
    QVERIFY(!window.windowTitle().contains(QLatin1String(kSecret)));
    QVERIFY(window.windowTitle().contains(QStringLiteral("watch")));
    const QString settings = written(window);
    QVERIFY(settings.contains(QStringLiteral("postgresql://")));
    QVERIFY(!settings.contains(QLatin1String(kSecret)));
    // Read again it has what another observer has recorded meanwhile, each one's mutex with its name.
    const std::size_t before = events.size();
    recordBy(server_->url(), "api-2");
    its.action(RecordingAction::kReadAgain)->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(its.recording().history()->events.size() > before, kPatience);
  }

  void aMissingPasswordIsAskedFor() {
    recordBy(server_->url(), "api-3");
    TestWindow window;
    show(window);
    window.turnTo(recordings(window));
    recordings(window).openTeam(address_);
    QTRY_VERIFY_WITH_TIMEOUT(dialog(window).isVisible(), kPatience);
    QVERIFY2(dialog(window).error().contains(QLatin1String(kWantsPassword)), qPrintable(dialog(window).error()));
    QCOMPARE(dialog(window).address()->text(), address_);
    dialog(window).password()->setText(QString::fromLatin1(kSecret));
    QTest::mouseClick(dialog(window).button(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(recordings(window).recording().history() != nullptr, kPatience);
    QVERIFY(dialog(window).password()->text().isEmpty());
  }

  void aPasswordThatIsKeptIsAskedFromTheKeyring() {
    recordBy(server_->url(), "api-4");
    const auto keyring = std::make_shared<Keyring>();
    {
      TestWindow window;
      show(window);
      recordings(window).kept().keepIn(std::make_unique<PasswordsInMemory>(keyring));
      window.action(WindowAction::kOpenTeam)->trigger();
      QTRY_VERIFY(dialog(window).isVisible());
      dialog(window).address()->setText(withPassword());
      dialog(window).keep()->setChecked(true);
      QTest::mouseClick(dialog(window).button(), Qt::LeftButton);
      QTRY_COMPARE(keyring->passwords.value(address_), QString::fromLatin1(kSecret));
      QTRY_VERIFY_WITH_TIMEOUT(recordings(window).recording().history() != nullptr, kPatience);
      QVERIFY(!written(window).contains(QLatin1String(kSecret)));
    }
    TestWindow window;
    show(window);
    window.restore();
    recordings(window).kept().keepIn(std::make_unique<PasswordsInMemory>(keyring));
    window.turnTo(recordings(window));
    recordings(window).openTeam(address_);
    QTRY_VERIFY_WITH_TIMEOUT(recordings(window).recording().history() != nullptr, kPatience);
    QCOMPARE(keyring->asked, 1);
    // Without a keyring one line says why it is asked for.
    recordings(window).action(RecordingAction::kClose)->trigger();
    keyring->away = QStringLiteral("no secret service is running");
    recordings(window).openTeam(address_);
    QTRY_VERIFY(dialog(window).isVisible());
    QVERIFY2(dialog(window).error().contains(keyring->away), qPrintable(dialog(window).error()));
    dialog(window).reject();
  }

  // Nobody waits for it.
  void aServerThatSaysNothingIsLeftAtOnce() {
    const Mute mute;
    TestWindow window;
    show(window);
    open(window, QStringLiteral("postgresql://joe:%1@127.0.0.1:%2/team").arg(QLatin1String(kSecret)).arg(mute.port()));
    RecordedSession& session = recordings(window).recording();
    QTRY_COMPARE(session.state(), RunState::kPreparing);
    QVERIFY(!session.preparation().title.contains(QLatin1String(kSecret)));
    QTest::qWait(200);
    QElapsedTimer since;
    since.start();
    recordings(window).action(RecordingAction::kStop)->trigger();
    QCOMPARE(session.state(), RunState::kEmpty);
    QVERIFY2(since.elapsed() < 500, qPrintable(QString::number(since.elapsed())));
  }

  void whatIsNoTeamIsRefusedInTheDialog_data() {
    QTest::addColumn<QString>("typed");
    QTest::newRow("another store") << "redis://joe:hush-of-the-team@h";
    QTest::newRow("a file") << "night.recording";
    QTest::newRow("nothing") << "";
    QTest::newRow("a port that is none") << "postgresql://joe:hush-of-the-team@h:port/db";
  }
  void whatIsNoTeamIsRefusedInTheDialog() {
    QFETCH(const QString, typed);
    TestWindow window;
    show(window);
    open(window, typed);
    QVERIFY(dialog(window).isVisible());
    QVERIFY2(dialog(window).error().contains(QStringLiteral("expected")), qPrintable(dialog(window).error()));
    QVERIFY(!dialog(window).error().contains(QLatin1String(kSecret)));
    dialog(window).reject();
    QCOMPARE(recordings(window).recording().state(), RunState::kEmpty);
  }
};

LEASESCOPE_SUITE(TeamHistoryTest)
#include "team_history_test.moc"
