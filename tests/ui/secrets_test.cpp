// A password given with a store's address is never shown, written or exported.
#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDirIterator>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QUrl>

#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/store/administration.h"
#include "tests/support/window_suite.h"
#include "tests/ui/window_watch.h"
#include "ui/models/words.h"
#include "ui/panels/timeline_page.h"
#include "ui/report/report_format.h"
#include "ui/timeline/timeline_view.h"
#include "ui/watch/alerts_strip.h"
#include "ui/watch/mutex_detail.h"
#include "ui/watch/stores_panel.h"
#include "ui/window/command_palette.h"

using namespace leasescope;
using namespace leasescope::tests;

class SecretsTest : public leasescope::tests::WindowSuite {
  Q_OBJECT
 private slots:
  void aPasswordIsNeitherShownNorWritten_data();
  void aPasswordIsNeitherShownNorWritten();
  void aStoreThatIsNoneIsNotRepeatedWithItsPassword();
  void aWatchedStoreIsShownAndWrittenWithoutItsPassword();
  void aWrongPasswordOfAWatchedStoreIsNotRepeated();

 private:
  static QString shownIn(TestWindow& window);
  static QString saidByModel(const QAbstractItemModel& model);
  static QString copiedFrom(TestWindow& window);
  static void hasNone(const QString& all);
  QString writtenBy(TestWindow& window);
};

// Between its two words stands all that has another meaning in a URL: whoever cuts it there shows one of them.
static const char* const kSecret = "zebra7:/@?#%&quagga8";
static const char* const kWrong = "okapi3:/@?#%&kudu5";

// As a URL has it, or as it is.
void SecretsTest::hasNone(const QString& all) {
  for (const QString& line : all.split(u'\n'))
    for (const char* part : {"zebra7", "quagga8", "okapi3", "kudu5"})
      QVERIFY2(!line.contains(QLatin1String(part)), qPrintable(line));
}

// Of lists and tables, that of the palette too.
QString SecretsTest::saidByModel(const QAbstractItemModel& model) {
  QStringList all;
  for (int row = 0; row < model.rowCount(); ++row)
    for (int column = 0; column < model.columnCount(); ++column)
      for (const int role : {int(Qt::DisplayRole), int(Qt::EditRole), int(Qt::ToolTipRole), int(Qt::StatusTipRole),
                             int(Qt::AccessibleTextRole), int(Qt::AccessibleDescriptionRole)})
        all << model.index(row, column).data(role).toString();
  return all.join(u'\n');
}

// Everything a reader or a screen reader can come by.
QString SecretsTest::shownIn(TestWindow& window) {
  QStringList all{window.windowTitle()};
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    all << widget->toolTip() << widget->statusTip() << widget->accessibleName() << widget->accessibleDescription();
    if (const auto* label = qobject_cast<const QLabel*>(widget)) all << label->text();
    if (const auto* edit = qobject_cast<const QLineEdit*>(widget)) all << edit->text();
    if (const auto* box = qobject_cast<const QComboBox*>(widget))
      for (int i = 0; i < box->count(); ++i) all << box->itemText(i);
  }
  for (const QAction* action : window.findChildren<QAction*>()) all << action->text() << action->toolTip();
  for (const QAbstractItemView* view : window.findChildren<QAbstractItemView*>())
    if (view->model() != nullptr) all << saidByModel(*view->model());
  const QUndoStack& undo = window.lab().undo();
  for (int i = 0; i < undo.count(); ++i) all << undo.text(i);
  all << QString::fromStdString(window.view()->timeline()->data().facts().store);
  all << QString::fromStdString(window.lab().outcome().store);
  const Problem& problem = window.view()->problem()->problem();
  all << problem.title << problem.message << problem.remains;
  return all.join(u'\n');
}

// The remembered settings, the chart as a picture and its text.
QString SecretsTest::writtenBy(TestWindow& window) {
  window.remember();
  QSettings().sync();
  QString all;
  ReportExport* exporter = window.labPerspective().exporter();
  const auto failed =
      connect(exporter, &ReportExport::failed, this, [&all](const QString&, const QString& why) { all += why; });
  const QString chart = home_.filePath(QStringLiteral("chart.svg"));
  exporter->begin(window.view()->exportWish(chart, *report_format_of(".svg")));
  if (!QTest::qWaitFor([&] { return !exporter->busy(); }, kPatience)) all += QStringLiteral("zebra7: it never ends");
  disconnect(failed);
  QDirIterator files(home_.path(), QDir::Files, QDirIterator::Subdirectories);
  while (files.hasNext()) {
    QFile file(files.next());
    if (file.open(QIODevice::ReadOnly)) all += QString::fromUtf8(file.readAll());
  }
  return all;
}

void SecretsTest::aPasswordIsNeitherShownNorWritten_data() {
  QTest::addColumn<QString>("url");
  QTest::addColumn<bool>("accepted");
  // Port 1: nobody listens, so every one of them is told as a problem too.
  QTest::newRow("redis") << "redis://:zebra7@127.0.0.1:1/0" << true;
  QTest::newRow("redis, with a user") << "redis://joe:zebra7@127.0.0.1:1/0" << true;
  QTest::newRow("redis, several") << "redis://joe:zebra7@127.0.0.1:1,127.0.0.1:2,127.0.0.1:3/0" << true;
  QTest::newRow("an escaped @") << "redis://joe:very%40zebra7@127.0.0.1:1/0" << true;
  QTest::newRow("an @ as it is") << "redis://joe:very@zebra7@127.0.0.1:1/0" << true;
  QTest::newRow("postgres") << "postgresql://joe:zebra7@127.0.0.1:1/shop" << true;
  QTest::newRow("an option") << "postgresql://joe@127.0.0.1:1/shop?password=zebra7" << true;
  QTest::newRow("a colon in it") << "postgresql://joe:ab:zebra7@127.0.0.1:1/shop" << true;
  QTest::newRow("a port that is none") << "redis://joe:zebra7@127.0.0.1:port/0" << false;
}

void SecretsTest::aPasswordIsNeitherShownNorWritten() {
  QFETCH(QString, url);
  QFETCH(bool, accepted);
  TestWindow window;
  window.show();
  QVERIFY(window.lab().open(QStringLiteral("healthy")));
  const auto chosen = window.lab().setStore(url.toStdString());
  const QString refused = chosen ? QString() : chosen.error();
  QVERIFY2(!refused.contains(QStringLiteral("zebra7")), qPrintable(refused));
  QVERIFY2(chosen.has_value() == accepted, qPrintable(refused));
  if (accepted) {
    window.lab().restart();
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kReady, 30'000);
    QVERIFY(window.view()->problem()->isVisible());
  }
  for (const QString& all : {shownIn(window), writtenBy(window)})
    for (const QString& line : all.split(u'\n')) {
      QVERIFY2(!line.contains(QStringLiteral("zebra7")), qPrintable(line));
      QVERIFY2(!line.contains(QStringLiteral("very@")), qPrintable(line));
    }
  // What it is connected to is still told.
  QCOMPARE(window.windowTitle().contains(QStringLiteral("127.0.0.1:1")), accepted);
}

void SecretsTest::aStoreThatIsNoneIsNotRepeatedWithItsPassword() {
  TestWindow window;
  window.show();
  QVERIFY(window.lab().open(QStringLiteral("healthy")));
  auto* store = window.findChild<QComboBox*>(QStringLiteral("store"));
  for (const char* text : {"redis://:zebra7@host:port/0", "redis:zebra7@host", "zebra7@host", "mongo://:zebra7@host"}) {
    store->setCurrentText(QString::fromLatin1(text));
    Q_EMIT store->lineEdit()->editingFinished();
    const Problem& problem = window.view()->problem()->problem();
    QVERIFY2(!problem.empty(), text);
    QVERIFY2(!(problem.title + problem.message).contains(QStringLiteral("zebra7")), qPrintable(problem.title));
    QVERIFY(!window.lab().values().live());
  }
}

// What the buttons beside a mutex put into the clipboard: its keys, and the commands that show them.
QString SecretsTest::copiedFrom(TestWindow& window) {
  QString all;
  for (const char* name : {"copyRaw", "copyCommands"}) {
    auto* button = window.findChild<QPushButton*>(QString::fromLatin1(name));
    if (button == nullptr) return QStringLiteral("there is no button ") + QString::fromLatin1(name);
    button->click();
    all += QGuiApplication::clipboard()->text() + u'\n';
  }
  return all;
}

// With everything that is found of the mutex and its owner in the same texts, so that none of them is empty.
void SecretsTest::aWatchedStoreIsShownAndWrittenWithoutItsPassword() {
  PrivateServer server(redis::store_type(), {kSecret, 50});
  const auto started = server.start();
  QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
  redis::Asker admin(std::chrono::seconds(5));
  QVERIFY(admin.connect(server.url()) && admin.greet(server.url()));
  told(admin, {"SET", "simba:{orders}", "keeper-9", "PX", "600000"});
  const QString address = fromText(printable(server.url()));
  TestWindow window;
  show(window);
  window.open(address + QStringLiteral("?password=") + QString::fromLatin1(QUrl::toPercentEncoding(kSecret)));
  WatchPerspective& shown = watch(window);
  QVERIFY2(shown.stores()->error().isEmpty(), qPrintable(shown.stores()->error()));
  QTRY_VERIFY_WITH_TIMEOUT(shown.watched().watch() != nullptr && shown.watched().watch()->complete(), kSeen);
  QTRY_VERIFY_WITH_TIMEOUT(shown.detail()->text().startsWith(QStringLiteral("orders, held, keeper-9")), kSeen);
  const QString recording = home_.filePath(QStringLiteral("watched.recording"));
  QVERIFY(shown.watched().record(recording));
  window.action(WindowAction::kPalette)->trigger();
  QVERIFY(window.commandPalette()->isVisible());
  const QString seen = shownIn(window), palette = saidByModel(*window.commandPalette()->list()->model());
  QTest::keyClick(window.commandPalette()->field(), Qt::Key_Escape);
  for (const QString& each : {QStringLiteral("orders"), QStringLiteral("keeper-9"), address})
    QVERIFY2(seen.contains(each), qPrintable(each));
  QVERIFY(window.windowTitle().contains(QStringLiteral("1 store")));
  QVERIFY(palette.contains(QStringLiteral("Watch a store")));
  const QString copied = copiedFrom(window);
  QVERIFY2(copied.contains(QStringLiteral("simba:{orders}")) && copied.contains(QStringLiteral("keeper-9")) &&
               copied.contains(QStringLiteral("redis-cli")),
           qPrintable(copied));
  shown.watched().stopRecording();
  QFile file(recording);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray recorded = file.readAll();
  QVERIFY(recorded.contains("orders") && recorded.contains("keeper-9"));
  // Settings and the recording. An address with a password in it is not written down for the next time.
  const QString written = writtenBy(window);
  QVERIFY(shown.stores()->known().isEmpty());
  for (const QString& all : {seen, palette, copied, written, QString::fromLatin1(recorded)}) {
    hasNone(all);
    if (QTest::currentTestFailed()) return;
  }
}

// The strip over the table and the list of stores say what the server answered.
void SecretsTest::aWrongPasswordOfAWatchedStoreIsNotRepeated() {
  PrivateServer server(redis::store_type(), {kSecret, 50});
  QVERIFY(server.start().has_value());
  TestWindow window;
  show(window);
  window.open(fromText(printable(server.url())) + QStringLiteral("?password=") +
              QString::fromLatin1(QUrl::toPercentEncoding(kWrong)));
  const AlertsStrip& strip = *watch(window).alerts();
  QTRY_VERIFY_WITH_TIMEOUT(strip.text().contains(QStringLiteral("WRONGPASS")), 2 * kSeen);
  const QString seen = shownIn(window);
  QVERIFY(seen.contains(QStringLiteral("WRONGPASS")));
  for (const QString& all : {strip.text(), seen, writtenBy(window)}) {
    hasNone(all);
    if (QTest::currentTestFailed()) return;
  }
}

LEASESCOPE_SUITE(SecretsTest)
#include "secrets_test.moc"
