// `recording retain` of a file: what is dropped is said, and who owned at the cut stays known.
#include <QFileInfo>

#include "tests/cli/program.h"
#include "tests/cli/watched_recording.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;
using nlohmann::json;

class RetainTest : public QObject {
  Q_OBJECT

  static constexpr int kSeconds = 240'000;

  QTemporaryDir folder_;

  // "busy" is granted and released each second for days; "kept" belongs to b from the first second on.
  QString busy(const char* name) {
    const QString path = folder_.filePath(name);
    Recorder recorder({}, LeaseTerms{});
    const Name kept = recorder.intern("kept"), busy = recorder.intern("busy");
    const Name a = recorder.intern("a"), b = recorder.intern("b");
    recorder.append(told(EventKind::kGranted, b, kept, 1s, 1s, 1));
    for (int second = 1; second <= kSeconds; ++second) {
      const Duration at = std::chrono::seconds(second);
      const auto kind = second % 2 == 1 ? EventKind::kGranted : EventKind::kReleased;
      recorder.append(told(kind, a, busy, at, at, static_cast<Token>((second + 1) / 2)));
    }
    record(path, recorder, std::chrono::seconds(kSeconds));
    return path;
  }
  // Who is said to own it then.
  static json owners(const QString& path, const char* mutex, const char* at) {
    const Ran ran = leasescopectl({"history", mutex, path, "--at", at, "--json"});
    const json all = ran.json();
    return all.is_object() ? all["mutexes"][0] : json(ran.err.toStdString());
  }

 private slots:
  void aFileIsKeptToItsSize() {
    const QString path = busy("large.recording");
    const qint64 before = QFileInfo(path).size();
    QVERIFY2(before > 1'500'000, QByteArray::number(before));
    const Ran ran = leasescopectl({"recording", "retain", path, "--keep-size", "1MB"});
    QVERIFY2(ran.exit == 0 && ran.err.isEmpty(), ran.out + ran.err);
    QVERIFY2(ran.out.contains(" events dropped; not kept before 2026-11-29 "), ran.out);
    QVERIFY2(QFileInfo(path).size() < 1'100'000, QByteArray::number(QFileInfo(path).size()));
    const json then = owners(path, "kept", "1h"), now = owners(path, "kept", "239000s");
    QVERIFY2(then["owners"].size() == 1 && !then["unobserved"].is_null(), then.dump().c_str());
    QVERIFY2(now["owners"].size() == 1 && now["owners"][0]["owner"] == "b" && now["unobserved"].is_null(),
             now.dump().c_str());
    const Ran again = leasescopectl({"recording", "retain", path, "--keep-size", "1MB"});
    QVERIFY2(again.exit == 0 && again.out.contains(": 0 events dropped\n"), again.out + again.err);
  }

  void whatSomebodyElseHasOpenIsLeftAsItIs() {
    const QString path = busy("open.recording");
    const QByteArray before = read_whole(path);
    const auto other = Database::open(path.toStdString(), Database::Mode::kRead);
    QVERIFY(other.has_value() && (*other)->number("SELECT count(*) FROM sqlite_master") > 0);
    (*other)->run("BEGIN");
    QVERIFY((*other)->number("SELECT count(*) FROM sqlite_master") > 0);
    const Ran ran = leasescopectl({"recording", "retain", path, "--keep-size", "1MB"});
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains("open.recording"), ran.err);
    QCOMPARE(read_whole(path), before);
  }

  void aRunIsKeptWhole() {
    const QString scenario = write_file(folder_, "mine.toml", good_scenario()),
                  path = folder_.filePath("run.recording");
    QCOMPARE(leasescopectl({"run", scenario, "--record", path}).exit, 0);
    const Ran ran = leasescopectl({"recording", "retain", path, "--keep-size", "1MB"});
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains("is of a run, which is kept whole"), ran.err);
  }
};

LEASESCOPE_SUITE(RetainTest)
#include "retain_test.moc"
