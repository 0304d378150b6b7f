// A document that is written as it is made: what was there before stays until it is whole, and nothing is left of one
// that nobody wants, or that found no room.
#include "core/base/file_sink.h"

#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/suite.h"

using namespace leasescope;

class FileSinkTest : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(folder_->isValid());
    QFile old(folder_->filePath(QStringLiteral("report")));
    QVERIFY(old.open(QIODevice::WriteOnly));
    QCOMPARE(old.write("older"), qint64{5});
  }

  void itTakesItsNameWhenItIsWhole() {
    FileSink out(path());
    for (int i = 0; i < 1000; ++i) QVERIFY(out.put(std::string(300, 'a' + static_cast<char>(i % 26))));
    QCOMPARE(text(), QByteArray("older"));
    QCOMPARE(names().size(), 2);
    const auto done = out.commit();
    QVERIFY2(done.has_value(), done ? "" : done.error().c_str());
    QCOMPARE(text().size(), qsizetype{300'000});
    QCOMPARE(text().at(300), 'b');
    QCOMPARE(names(), QStringList{QStringLiteral("report")});
  }

  void anEmptyOneIsAFileToo() {
    FileSink out(path());
    QVERIFY(out.commit().has_value());
    QCOMPARE(text(), QByteArray());
  }

  void nothingIsLeftOfWhatNobodyWants() {
    bool wanted = true;
    FileSink out(path(), [&](std::uint64_t, std::uint64_t) { return wanted; });
    QVERIFY(out.put(std::string(200'000, 'x')));
    QVERIFY(out.go_on(1, 2));
    QCOMPARE(names().size(), 2);
    wanted = false;
    QVERIFY(!out.go_on(1, 2));
    QVERIFY(out.unwanted());
    QCOMPARE(names(), QStringList{QStringLiteral("report")});
    QVERIFY(!out.put("more"));
    QVERIFY(!out.commit().has_value());
    QCOMPARE(text(), QByteArray("older"));
  }

  void nothingIsLeftOfWhatIsLetGo() {
    {
      FileSink out(path());
      QVERIFY(out.put(std::string(200'000, 'x')));
    }
    QCOMPARE(names(), QStringList{QStringLiteral("report")});
    QCOMPARE(text(), QByteArray("older"));
  }

  void aDiskThatIsFullIsToldWithWhatHelps() {
    QVERIFY2(QFile::exists(QStringLiteral("/dev/full")), "no /dev/full here: mknod -m 666 /dev/full c 1 7");
    FileSink out("/dev/full");
    bool taken = true;
    for (int i = 0; i < 100 && taken; ++i) taken = out.put(std::string(10'000, 'x'));
    QVERIFY(!taken);
    QVERIFY(!out.go_on(0, 0));
    QVERIFY(!out.unwanted());
    const auto done = out.commit();
    QVERIFY(!done.has_value());
    QVERIFY2(done.error().find("/dev/full cannot be written: No space") == 0, done.error().c_str());
    QVERIFY2(done.error().find("Make room") != std::string::npos, done.error().c_str());
    QVERIFY(QFile::exists(QStringLiteral("/dev/full")));
  }

  void aFolderThatIsNotThereIsTold() {
    FileSink out(folder_->filePath(QStringLiteral("none/report")).toStdString());
    QVERIFY(out.put("x"));
    const auto done = out.commit();
    QVERIFY(!done.has_value());
    QVERIFY2(done.error().find("No such file") != std::string::npos, done.error().c_str());
    QVERIFY2(done.error().find("another place") != std::string::npos, done.error().c_str());
  }

  void anOldFileKeepsItsMode() {
    QCOMPARE(::chmod(path().c_str(), 0640), 0);
    FileSink out(path());
    QVERIFY(out.put("new"));
    QVERIFY(out.commit().has_value());
    struct stat now {};
    QCOMPARE(::stat(path().c_str(), &now), 0);
    QCOMPARE(now.st_mode & 07777, mode_t{0640});
    QCOMPARE(text(), QByteArray("new"));
  }

  void whereALinkLeadsIsWritten() {
    const QString link = folder_->filePath(QStringLiteral("link"));
    QVERIFY(QFile::link(folder_->filePath(QStringLiteral("report")), link));
    FileSink out(link.toStdString());
    QVERIFY(out.put("new"));
    QVERIFY(out.commit().has_value());
    QVERIFY(QFileInfo(link).isSymLink());
    QCOMPARE(text(), QByteArray("new"));
  }

 private:
  std::string path() const { return folder_->filePath(QStringLiteral("report")).toStdString(); }
  QByteArray text() const {
    QFile file(folder_->filePath(QStringLiteral("report")));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  QStringList names() const {
    return QDir(folder_->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

LEASESCOPE_SUITE(FileSinkTest)
#include "file_sink_test.moc"
