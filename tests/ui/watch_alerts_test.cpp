// Alerts in the operator's perspective, over a Redis of its own: told once, acknowledged, muted, and told of the
// desktop without markup.
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>

#include "core/alerts/alert_note.h"
#include "core/history/recording/recording_reader.h"
#include "tests/ui/watched_redis_suite.h"
#include "ui/watch/alerts_strip.h"
#include "ui/watch/desktop_notice.h"
#include "ui/watch/mute_menu.h"
#include "ui/watch/mutexes_panel.h"
#include "ui/watch/watch_perspective.h"

using namespace leasescope;
using namespace leasescope::tests;

class WatchAlertsTest : public WatchedRedisSuite {
  Q_OBJECT

  // A recording that is begun only now has what was told and done before, too.
  void whatFiredIsIn(WatchSession& watched) {
    const QString path = home_.filePath("fired.recording");
    const auto begun = watched.record(path);
    QVERIFY2(begun, begun ? "" : qPrintable(begun.error()));
    watched.stopRecording();
    const auto reader = RecordingReader::open(path.toStdString());
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
    QVERIFY(reader->alerts() != nullptr);
    const std::vector<FiredAlert> fired = fired_alerts(*reader->alerts());
    QCOMPARE(fired.size(), std::size_t{2});
    QVERIFY(fired[0].acknowledged && !fired[0].lasts() && !fired[0].muted);
    QVERIFY(!fired[1].acknowledged && fired[1].muted);
    const Duration muted = fired[1].muted->second - fired[1].muted->first;
    QVERIFY(muted > std::chrono::minutes(14) && muted <= std::chrono::minutes(15));
    for (const FiredAlert& each : fired) {
      QCOMPARE(each.rule, std::string("nobody"));
      QCOMPARE(reader->frame().names.text(each.subject), std::string_view("orders"));
      QVERIFY2(each.words.find("nobody has owned it for more than 300ms") == 0, each.words.c_str());
    }
  }

  static void muteForAQuarterOfAnHour(AlertsStrip& strip, WatchSession& watched) {
    QTest::mouseClick(strip.findChild<QPushButton*>("mute"), Qt::LeftButton);
    QVERIFY(strip.muteMenu()->isVisible() && !strip.isHidden());
    QStringList titles;
    for (const QAction* each : strip.muteMenu()->actions()) titles << each->text();
    QCOMPARE(titles, (QStringList{"For 15 min", "For 1 h", "Until tomorrow", "Until…"}));
    // Whoever types what is no end is told so, and may let it be.
    QStringList questions;
    strip.muteMenu()->askWith([&](const QString& question) {
      questions << question;
      return questions.size() == 1 ? std::optional(QStringLiteral("soon")) : std::nullopt;
    });
    strip.muteMenu()->actions()[3]->trigger();
    QCOMPARE(questions.size(), 2);
    QVERIFY2(questions[1].startsWith("soon: expected for how long, such as 90m"), qPrintable(questions[1]));
    QVERIFY(!strip.isHidden());
    strip.muteMenu()->actions()[0]->trigger();
    QVERIFY(strip.isHidden());
    strip.muteMenu()->close();
    endsOfAMuteAreRead(watched);
  }
  // From now on: the next such moment, tomorrow's where today's is over.
  static void endsOfAMuteAreRead(const WatchSession& watched) {
    const auto in = [&](const char* text) {
      const auto until = watched.muteEnd(text);
      return until ? std::optional(*until - watched.now()) : std::nullopt;
    };
    QCOMPARE(in("90m").value_or(Duration{}), Duration(std::chrono::minutes(90)));
    for (const char* each : {"00:00", "12:00", "23:59:59Z"}) {
      QVERIFY2(in(each) > Duration::zero() && in(each) <= Duration(std::chrono::hours(25)), each);
    }
    for (const char* each : {"", "never", "2019-01-01 00:00", "1000h", "-5min"}) QVERIFY2(!in(each), each);
    QVERIFY(watched.muteEnd("1000h").error().contains("an alert may be muted from "));
  }

 private slots:
  void initTestCase() { WatchedRedisSuite::initTestCase(); }
  void init() { WatchedRedisSuite::init(); }

  // A rule that holds is told of, acknowledged, and told of again when it comes to hold again.
  void anAlertIsToldAcknowledgedAndMuted() {
    const QString path = home_.filePath("rules.toml");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("schema = 1\n[[rule]]\nname = \"nobody\"\nkind = \"no_owner\"\nmutex = \"ord*\"\nfor = \"300ms\"\n");
    file.close();
    own("orders", "a", 1, 60'000);
    own("bills", "a", 1, 60'000);
    TestWindow window;
    watchIt(window);
    redis({"DEL", "simba:{orders}"});
    redis({"PUBLISH", "simba:{orders}", "released@@a"});
    AlertsStrip& strip = *watch(window).alerts();
    QVERIFY(strip.isHidden());
    MutexesPanel& panel = *watch(window).mutexes();
    QVERIFY(panel.alertChip()->isHidden());  // there are no rules
    QSignalSpy began(&watch(window).watched(), &WatchSession::alertBegan);
    watch(window).chooseRulesWith([path] { return path; });
    watch(window).action(WatchAction::kRules)->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!strip.isHidden(), 2 * kSeen);
    QVERIFY2(strip.text().startsWith("nobody · orders: nobody has owned it for more than 300ms; a was the last · for "),
             qPrintable(strip.text()));
    QCOMPARE(began.size(), 1);
    QCOMPARE(began.front()[0].toString(), QString("nobody"));
    QVERIFY(began.front()[1].toString().startsWith("orders: nobody has owned it"));
    QCOMPARE(watch(window).mutexes()->chosen()->name, std::string("bills"));
    QTest::mouseClick(strip.childAt(60, 12), Qt::LeftButton, {}, QPoint(60, 12));
    QCOMPARE(watch(window).mutexes()->chosen()->name, std::string("orders"));
    // Its chip shows it alone, until it is acknowledged.
    QVERIFY(!panel.alertChip()->isHidden());
    QTRY_COMPARE(panel.alertChip()->text(), QString("alert 1"));
    QTest::mouseClick(panel.alertChip(), Qt::LeftButton);
    QCOMPARE(panel.model()->rowCount(), 1);
    QCOMPARE(panel.model()->mutex(0)->name, std::string("orders"));
    QCOMPARE(panel.chip({})->text(), QString("all 2"));
    QTest::mouseClick(strip.findChild<QPushButton*>("acknowledge"), Qt::LeftButton);
    QVERIFY(strip.isHidden());
    QCOMPARE(panel.alertChip()->text(), QString("alert 0"));
    QCOMPARE(panel.model()->rowCount(), 0);
    QTest::mouseClick(panel.chip({}), Qt::LeftButton);
    QCOMPARE(panel.model()->rowCount(), 2);
    own("orders", "b", 2, 400);
    QTRY_VERIFY_WITH_TIMEOUT(!strip.isHidden(), 2 * kSeen);
    muteForAQuarterOfAnHour(strip, watch(window).watched());
    whatFiredIsIn(watch(window).watched());
    // A file that is wrong leaves the rules of before.
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("schema = 1\n[[rule]]\nname = \"x\"\nkind = \"none\"\n");
    file.close();
    watch(window).action(WatchAction::kRules)->trigger();
    QVERIFY(watch(window).view()->problem()->problem().message.contains("rules.toml:4:8"));
    server_->kill();
    QTRY_VERIFY_WITH_TIMEOUT(strip.text().startsWith("Not observed · "), 6000);
    QVERIFY(strip.findChild<QPushButton*>("acknowledge")->isHidden());
  }

  // A mutex may be called anything, and a desktop may take what it is told for HTML.
  void aNoticeHasNoMarkupInIt() {
    const QString bad = QStringLiteral("<img src=\"http://x/\">&amp;\x1b[2J\nbills");
    const QString plain = DesktopNotice::plain(bad);
    QVERIFY2(!plain.contains('<') && !plain.contains('&') && !plain.contains('\x1b') && !plain.contains('\n'),
             qPrintable(plain));
    QVERIFY(plain.endsWith("bills"));
    QVERIFY(DesktopNotice::plain(QString(100'000, 'm')).size() < 500);
    QCOMPARE(DesktopNotice::plain(QStringLiteral("orders: nobody")), QStringLiteral("orders: nobody"));
  }

  // Who has seen an alert is not told of it again because the rules are read anew.
  void rulesThatAreReadAnewTellNothingTwice() {
    const QByteArray nobody = "[[rule]]\nname = \"nobody\"\nkind = \"no_owner\"\nmutex = \"ord*\"\nfor = \"300ms\"\n";
    const QString path = home_.filePath("anew.toml");
    const auto write = [&](const QByteArray& rules) {
      QFile file(path);
      return file.open(QIODevice::WriteOnly) && file.write("schema = 1\n" + rules) > 0;
    };
    QVERIFY(write(nobody));
    own("orders", "a", 1, 60'000);
    TestWindow window;
    watchIt(window);
    redis({"DEL", "simba:{orders}"});
    redis({"PUBLISH", "simba:{orders}", "released@@a"});
    AlertsStrip& strip = *watch(window).alerts();
    QSignalSpy began(&watch(window).watched(), &WatchSession::alertBegan);
    watch(window).chooseRulesWith([path] { return path; });
    watch(window).action(WatchAction::kRules)->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!strip.isHidden(), 2 * kSeen);
    QTest::mouseClick(strip.findChild<QPushButton*>("acknowledge"), Qt::LeftButton);
    QVERIFY(strip.isHidden());
    QVERIFY(write("[[rule]]\nname = \"other\"\nkind = \"no_owner\"\nmutex = \"none\"\nfor = \"1s\"\n" + nobody));
    watch(window).action(WatchAction::kRules)->trigger();
    QVERIFY2(strip.isHidden(), qPrintable(strip.text()));
    QCOMPARE(began.size(), 1);
    // By a rule that says something else it is another alert.
    QVERIFY(write(QByteArray(nobody).replace("300ms", "200ms")));
    watch(window).action(WatchAction::kRules)->trigger();
    QTRY_VERIFY(!strip.isHidden());
    QCOMPARE(began.size(), 2);
  }
};

LEASESCOPE_SUITE(WatchAlertsTest)
#include "watch_alerts_test.moc"
