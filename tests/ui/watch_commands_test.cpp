// What stands in the store of the chosen mutex, copied as the commands that show it.
#include <QClipboard>
#include <QPushButton>

#include "tests/ui/watched_redis_suite.h"
#include "ui/watch/mutex_detail.h"

using namespace leasescope;
using namespace leasescope::tests;

class WatchCommandsTest : public WatchedRedisSuite {
  Q_OBJECT

 private slots:
  void initTestCase() { WatchedRedisSuite::initTestCase(); }
  void init() { WatchedRedisSuite::init(); }

  // They are run as they were copied, and show what is shown.
  void whatIsCopiedShowsWhatStandsThere() {
    own("orders", "api 2:873", 8812, 60'000);
    TestWindow window;
    watchIt(window);
    QTRY_COMPARE(cell(window, "orders", MutexesModel::kOwner), QString("api 2:873"));
    auto* const copy = watch(window).detail()->findChild<QPushButton*>(QStringLiteral("copyCommands"));
    QVERIFY(copy != nullptr);
    QTRY_VERIFY(!copy->isHidden());
    copy->click();
    const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 4);
    QVERIFY2(lines[0].startsWith("redis-cli ") && lines[0].endsWith(" GET 'simba:{orders}'"), qPrintable(lines[0]));
    QVERIFY2(lines[3].endsWith(" PTTL 'simba:{orders}'"), qPrintable(lines[3]));
    QProcess shell;
    shell.start("/bin/sh", {"-c", redis_client_program() + lines[0].mid(QStringLiteral("redis-cli").size())});
    QVERIFY(shell.waitForFinished(5000));
    QCOMPARE(shell.readAllStandardOutput().trimmed(), QByteArray("api 2:873"));
  }
};

LEASESCOPE_SUITE(WatchCommandsTest)
#include "watch_commands_test.moc"
