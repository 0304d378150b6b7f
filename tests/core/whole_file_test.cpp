// A file that is written beside and renamed is still the user's file: its mode, its links, and that it could be
// written.
#include "core/base/whole_file.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/suite.h"

using namespace leasescope;

class WholeFileTest : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void aNewFileHasTheModeThatOneHasAtBirth();
  void anOldFileKeepsItsMode();
  void nobodyElsesFileIsTouched();
  void whereALinkLeadsIsWritten_data();
  void whereALinkLeadsIsWritten();
  void aFileInAFolderOfOthersIsWritten();
  void aMountedFileIsWritten();
  void whatMayNotBeWrittenIsSaidBefore();

 private:
  std::string at(const char* name) const { return folder_->filePath(name).toStdString(); }
  QByteArray text_of(const char* name) const;
  QStringList names() const {
    return QDir(folder_->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
  }
  void make(const char* name, const QByteArray& text) const;

  std::unique_ptr<QTemporaryDir> folder_;
};

namespace {

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

// Runs it where nothing is allowed for being root's; whether it did as it should.
template <class Act>
bool as_nobody(Act&& act) {
  constexpr uid_t kNobody = 65534;
  const pid_t child = ::fork();
  if (child == 0) ::_exit((::geteuid() != 0 || ::seteuid(kNobody) == 0) && act() ? 0 : 1);
  int status = 1;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

void WholeFileTest::init() { folder_ = std::make_unique<QTemporaryDir>(); }

QByteArray WholeFileTest::text_of(const char* name) const {
  QFile file(folder_->filePath(name));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(none)");
}

void WholeFileTest::make(const char* name, const QByteArray& text) const {
  QFile file(folder_->filePath(name));
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
}

void WholeFileTest::aNewFileHasTheModeThatOneHasAtBirth() {
  const mode_t old = ::umask(027);
  const auto done = write_whole(at("new"), "text");
  ::umask(old);
  QVERIFY(done.has_value());
  QCOMPARE(mode_of(at("new")), mode_t(0640));
  QCOMPARE(text_of("new"), "text");
  QCOMPARE(names(), QStringList("new"));
}

void WholeFileTest::anOldFileKeepsItsMode() {
  make("secret", "old");
  QCOMPARE(::chmod(at("secret").c_str(), 0600), 0);
  QVERIFY(write_whole(at("secret"), "new").has_value());
  QCOMPARE(text_of("secret"), "new");
  QCOMPARE(mode_of(at("secret")), mode_t(0600));
}

// The name of what is written beside was once a fixed one.
void WholeFileTest::nobodyElsesFileIsTouched() {
  make("other", "mine");
  make("chart.leasescope-part", "mine as well");
  QVERIFY(QFile::link(folder_->filePath("other"), folder_->filePath("table.leasescope-part")));
  for (const char* name : {"chart", "table"}) {
    QVERIFY(write_whole(at(name), "text").has_value());
    QCOMPARE(text_of(name), "text");
  }
  QCOMPARE(text_of("other"), "mine");
  QCOMPARE(text_of("chart.leasescope-part"), "mine as well");
  QCOMPARE(names().size(), 5);
}

void WholeFileTest::whereALinkLeadsIsWritten_data() {
  QTest::addColumn<bool>("dangling");
  QTest::addRow("to a file") << false;
  QTest::addRow("to no file yet") << true;
}

void WholeFileTest::whereALinkLeadsIsWritten() {
  QFETCH(bool, dangling);
  if (!dangling) make("file", "old");
  QCOMPARE(::symlink("file", at("inner").c_str()), 0);  // relative to its own folder
  QCOMPARE(::symlink(at("inner").c_str(), at("link").c_str()), 0);
  QVERIFY(write_whole(at("link"), "new").has_value());
  QVERIFY(QFileInfo(folder_->filePath("link")).isSymLink());
  QVERIFY(QFileInfo(folder_->filePath("inner")).isSymLink());
  QCOMPARE(text_of("file"), "new");
}

void WholeFileTest::aFileInAFolderOfOthersIsWritten() {
  make("mine", "a longer text of old");
  QCOMPARE(::chmod(at("mine").c_str(), 0666), 0);
  QCOMPARE(::chmod(folder_->path().toUtf8(), 0555), 0);
  QVERIFY(as_nobody([&] { return why_unwritable(at("mine")).empty() && write_whole(at("mine"), "new").has_value(); }));
  QCOMPARE(text_of("mine"), "new");
  QCOMPARE(::chmod(folder_->path().toUtf8(), 0755), 0);
}

// As a container is given a single file of its host: it cannot be replaced.
void WholeFileTest::aMountedFileIsWritten() {
  make("outside", "old, and longer");
  make("inside", "");
  const pid_t child = ::fork();
  if (child == 0) {
    const int spaces = ::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER;
    if (::unshare(spaces) != 0) ::_exit(77);
    // Nobody else is to see the mount. In a changed root, whose "/" is no mount, all do: so it is taken away as well.
    (void)::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
    if (::mount(at("outside").c_str(), at("inside").c_str(), nullptr, MS_BIND, nullptr) != 0) ::_exit(77);
    const bool written = write_whole(at("inside"), "new").has_value();
    (void)::umount2(at("inside").c_str(), MNT_DETACH);
    ::_exit(written ? 0 : 1);
  }
  int status = 1;
  QCOMPARE(::waitpid(child, &status, 0), child);
  QVERIFY2(WEXITSTATUS(status) != 77, "it has to mount a file: run it as root, or allow user namespaces");
  QCOMPARE(status, 0);
  QCOMPARE(text_of("outside"), "new");
  QCOMPARE(names().size(), 2);
}

// What is said before a long run is what happens after it.
void WholeFileTest::whatMayNotBeWrittenIsSaidBefore() {
  make("read-only", "old");
  QCOMPARE(::chmod(at("read-only").c_str(), 0444), 0);
  QCOMPARE(::symlink("/no/such/folder/file", at("astray").c_str()), 0);
  QCOMPARE(::symlink("round", at("round").c_str()), 0);
  QCOMPARE(::chmod(folder_->path().toUtf8(), 0777), 0);
  for (const char* name : {"read-only", "astray", "round", "."})
    QVERIFY2(as_nobody([&] { return !why_unwritable(at(name)).empty() && !write_whole(at(name), "new"); }), name);
  QCOMPARE(::chmod(folder_->path().toUtf8(), 0555), 0);
  QVERIFY(as_nobody([&] { return !why_unwritable(at("new")).empty() && !write_whole(at("new"), "new"); }));
  QCOMPARE(::chmod(folder_->path().toUtf8(), 0755), 0);
  QCOMPARE(text_of("read-only"), "old");
  QCOMPARE(names(), (QStringList{"astray", "read-only", "round"}));
}

LEASESCOPE_SUITE(WholeFileTest)
#include "whole_file_test.moc"
