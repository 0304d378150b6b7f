// The pictures that are kept are those that are made, and the README shows none that is not there.
#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>

#include "tests/support/places.h"
#include "tests/support/ui_suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class ScreenshotsTest : public UiSuite {
  Q_OBJECT
 private slots:
  void whatIsKeptIsWhatIsMade() {
    const QDir folder(QString(kSourceFolder) + QStringLiteral("/resources/screenshots"));
    QProcess script;
    script.start(QString(kSourceFolder) + QStringLiteral("/tests/screenshots"), {QStringLiteral("--list")});
    QVERIFY(script.waitForFinished());
    QCOMPARE(script.exitCode(), 0);
    QStringList made = QString::fromUtf8(script.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
    made.sort();
    QVERIFY(!made.isEmpty());
    QCOMPARE(folder.entryList(QDir::Files, QDir::Name), made);
    for (const QString& name : made) QVERIFY2(!QImage(folder.filePath(name)).isNull(), qPrintable(name));
  }

  void theReadmeShowsNoneThatIsNotThere() {
    QFile readme(QString(kSourceFolder) + QStringLiteral("/README.md"));
    QVERIFY(readme.open(QIODevice::ReadOnly));
    static const QRegularExpression picture(QStringLiteral("!\\[[^\\]]+\\]\\(([^)]+)\\)"));
    int shown = 0;
    for (auto found = picture.globalMatch(QString::fromUtf8(readme.readAll())); found.hasNext(); ++shown) {
      const QString path = QString(kSourceFolder) + u'/' + found.next().captured(1);
      QVERIFY2(QFile::exists(path), qPrintable(path));
    }
    QVERIFY(shown > 0);
  }
};

LEASESCOPE_SUITE(ScreenshotsTest)
#include "screenshots_test.moc"
