// The names that the build gives the scripts are those under which a server keeps them.
#include "core/store/redis/scripts.h"

#include <QCryptographicHash>

#include "tests/support/suite.h"

using namespace leasescope;

class ScriptsTest : public QObject {
  Q_OBJECT
 private slots:
  void everyScriptGoesByTheHashOfItsText_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("name");
    const auto row = [](const char* what, const redis::Script& script) {
      QTest::newRow(what) << QByteArray::fromStdString(script.text) << QByteArray::fromStdString(script.sha1);
    };
    for (const Wire wire : {Wire::kTerm, Wire::kFenced}) {
      const redis::Scripts& all = redis::scripts(wire);
      row(wire == Wire::kTerm ? "acquire" : "acquire of 4.x", all.acquire);
      row(wire == Wire::kTerm ? "guard" : "guard of 4.x", all.guard);
      row(wire == Wire::kTerm ? "release" : "release of 4.x", all.release);
    }
    row("probe", redis::probe_script());
  }
  void everyScriptGoesByTheHashOfItsText() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, name);
    QVERIFY(!text.isEmpty());
    QCOMPARE(name, QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex());
  }
};

LEASESCOPE_SUITE(ScriptsTest)
#include "scripts_test.moc"
