// Words for a POSIX shell, as one reads them.
#include "core/base/shell_word.h"

#include "tests/support/suite.h"

#include <QProcess>

using namespace leasescope;

class ShellWordTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsPlainStaysAsItIs() {
    QCOMPARE(shell_word("redis://host:6379/0"), std::string("redis://host:6379/0"));
    QCOMPARE(shell_word(""), std::string("''"));
    QCOMPARE(shell_word("it's"), std::string("'it'\\''s'"));
  }
  void aShellReadsItAsItWas_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"simba:{orders}", "a b", "$(id) `id` $HOME", "back\\slash", "'", "!!", "two\nlines",
                             "ümlaut", "*", "~", "#x", "a;b&c|d"})
      QTest::newRow(text) << QByteArray(text);
  }
  void aShellReadsItAsItWas() {
    QFETCH(const QByteArray, text);
    QProcess shell;
    shell.start(
        QStringLiteral("/bin/sh"),
        {QStringLiteral("-c"), QStringLiteral("printf %s ") + QString::fromStdString(shell_word(text.toStdString()))});
    QVERIFY(shell.waitForFinished(5000));
    QCOMPARE(shell.readAllStandardOutput(), text);
  }
};

LEASESCOPE_SUITE(ShellWordTest)
#include "shell_word_test.moc"
