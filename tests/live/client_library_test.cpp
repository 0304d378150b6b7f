// The library for programs that want a mutex, as such a program has it: installed, and found by pkg-config or CMake.
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

#include "core/store/types/types.h"
#include "simulator/live/private_server.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

struct Ended {
  int code = -1;
  QByteArray out;  // and what it said of errors
};

Ended run(const QString& program, const QStringList& arguments, const QByteArray& input = {}) {
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(program, arguments);
  process.write(input);
  process.closeWriteChannel();
  if (!process.waitForFinished(120'000)) return {-1, "did not end: " + process.readAll()};
  return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2, process.readAll()};
}

const QString kExamples = QString(kSourceFolder) + QStringLiteral("/core/contend/client/examples");

}  // namespace

class ClientLibraryTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<PrivateServer> redis_;
  QString store_;
  int mutexes_ = 0;

  QString in(const QString& name) const { return folder_.filePath(name); }
  QString new_mutex() { return QString("m%1").arg(++mutexes_); }
  void check(const QString& folder) {
    const Ended locker = run(folder + "/locker", {store_, new_mutex()});
    QVERIFY2(locker.code == 0, locker.out);
    QCOMPARE(locker.out, QByteArray("write balance=42 fence=1\n"));
    const Ended contender = run(folder + "/contender", {store_, new_mutex()});
    QVERIFY2(contender.code == 0, contender.out);
    const Ended leader = run(folder + "/leader", {store_, new_mutex()});
    QVERIFY2(leader.code == 0, leader.out);
  }
  // Beside each other, one waits for the other.
  void check_hand_over(const QString& folder) {
    const QString mutex = new_mutex();
    QProcess first, second;
    first.start(folder + "/contender", {store_, mutex});
    QVERIFY(first.waitForReadyRead(5000));
    QCOMPARE(first.readAllStandardOutput(), QByteArray("acquired fence=1\n"));
    second.start(folder + "/leader", {store_, mutex});
    QVERIFY(!second.waitForReadyRead(300));
    first.closeWriteChannel();
    QVERIFY(first.waitForFinished(5000));
    QCOMPARE(first.readAllStandardOutput(), QByteArray("released fence=1\n"));
    QVERIFY(second.waitForReadyRead(5000));
    QVERIFY(QTest::qWaitFor([&] { return second.bytesAvailable() > 60; }, 5000));
    second.closeWriteChannel();
    QVERIFY(second.waitForFinished(5000));
    const QByteArray swept = second.readAllStandardOutput();
    QCOMPARE(swept, QByteArray("sweep fence=2\n").repeated(static_cast<int>(swept.count('\n'))));
  }

 private slots:
  void initTestCase() {
    const Ended installed = run("cmake", {"--install", kBuildFolder, "--component", "client", "--prefix", in("usr")});
    QVERIFY2(installed.code == 0, installed.out);
    redis_ = std::make_unique<PrivateServer>(*find_store_type("redis"));
    const auto started = redis_->start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    store_ = QString::fromStdString(printable(redis_->url()));
  }
  void theExamplesAreBuiltByWhatPkgConfigSays_data() {
    QTest::addColumn<bool>("is_static");
    QTest::newRow("shared") << false;
    QTest::newRow("static") << true;
  }
  void theExamplesAreBuiltByWhatPkgConfigSays() {
    QFETCH(bool, is_static);
    qputenv("PKG_CONFIG_PATH", in("usr/lib/pkgconfig").toUtf8());
    const Ended said = run("pkg-config", QStringList{"--cflags", "--libs", "leasescope_client"} +
                                             (is_static ? QStringList{"--static"} : QStringList{}));
    QVERIFY2(said.code == 0, said.out);
    QStringList flags = QString(said.out).split(QRegularExpression("\\s+"), Qt::SkipEmptyParts);
    QString libraries = flags.filter(QRegularExpression("^-L")).value(0).mid(2);
    if (is_static) flags.replace(flags.indexOf("-lleasescope_client"), libraries + "/libleasescope_client.a");
    QVERIFY(QDir(folder_.path()).mkpath(is_static ? "static" : "shared"));
    const QString out = in(is_static ? "static" : "shared");
    for (const char* example : {"locker", "contender", "leader"}) {
      QStringList build{"-Wall", "-Wextra", "-Werror", kExamples + "/" + example + ".cpp", "-o", out + "/" + example};
      build += flags;
      if (!is_static) build << "-Wl,-rpath," + libraries;
      const Ended built = run("g++", build);
      QVERIFY2(built.code == 0, built.out);
    }
    check(out);
    check_hand_over(out);
  }
  void theExamplesAreBuiltByCMake() {
    QFile list(in("CMakeLists.txt"));
    QVERIFY(list.open(QIODevice::WriteOnly));
    list.write(QString(R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(leasescope_client 0.1 REQUIRED)
add_executable(locker %1/locker.cpp)
add_executable(contender %1/contender.cpp)
add_executable(leader %1/leader.cpp)
target_link_libraries(locker PRIVATE leasescope::leasescope_client)
target_link_libraries(contender PRIVATE leasescope::leasescope_client_static)
target_link_libraries(leader PRIVATE leasescope::leasescope_client_static)
)")
                   .arg(kExamples)
                   .toUtf8());
    list.close();
    const Ended configured =
        run("cmake", {"-S", folder_.path(), "-B", in("cmake"), "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + in("usr")});
    QVERIFY2(configured.code == 0, configured.out);
    const Ended built = run("cmake", {"--build", in("cmake")});
    QVERIFY2(built.code == 0, built.out);
    check(in("cmake"));
    check_hand_over(in("cmake"));
  }
  void whatIsWrongIsSaid() {
    const QString locker = in("shared/locker");
    const Ended none = run(locker, {"http://x", "m"});
    QCOMPARE(none.code, 2);
    QVERIFY2(none.out.contains("is not a store"), none.out);
    const Ended blank = run(locker, {store_, " "});
    QCOMPARE(blank.code, 2);
    QVERIFY2(blank.out.contains("blank"), blank.out);
    const Ended word = run(locker, {"redis", "m"});
    QCOMPARE(word.code, 2);
    QVERIFY2(word.out.contains("expected a URL"), word.out);
    const Ended nobody = run(locker, {"redis://127.0.0.1:1", "m"});
    QCOMPARE(nobody.code, 1);
    QVERIFY2(nobody.out.contains("m could not be locked: cannot use redis://127.0.0.1:1: Connection refused"),
             nobody.out);
  }
  void theLibraryNeedsNoQt() {
    const Ended needs = run("ldd", {in("shared/locker")});
    QVERIFY2(needs.out.contains("libleasescope_client.so.0"), needs.out);
    QVERIFY2(!needs.out.contains("Qt"), needs.out);
  }
};

LEASESCOPE_SUITE(ClientLibraryTest)
#include "client_library_test.moc"
