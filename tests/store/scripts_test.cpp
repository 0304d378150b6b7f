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
    const std::pair<Wire, std::string> wires[] = {
        {Wire::kTerm, ""}, {Wire::kFenced, " of 4.x"}, {Wire::kTokenless, " up to 3.1"}};
    for (const auto& [wire, of] : wires) {
      const redis::Scripts& all = redis::scripts(wire);
      row(("acquire" + of).c_str(), all.acquire);
      row(("guard" + of).c_str(), all.guard);
      row(("release" + of).c_str(), all.release);
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
