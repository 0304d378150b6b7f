// A password given with a store's address is never shown, written or exported.
#include <QAction>
#include <QComboBox>
#include <QDirIterator>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>

#include "tests/support/window_suite.h"
#include "ui/panels/timeline_page.h"
#include "ui/report/report_format.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;

class SecretsTest : public leasescope::tests::WindowSuite {
  Q_OBJECT
 private slots:
  void aPasswordIsNeitherShownNorWritten_data();
  void aPasswordIsNeitherShownNorWritten();
  void aStoreThatIsNoneIsNotRepeatedWithItsPassword();

 private:
  static QString shownIn(TestWindow& window);
  QString writtenBy(TestWindow& window);
};

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

LEASESCOPE_SUITE(SecretsTest)
#include "secrets_test.moc"
