// Reports as others read them: a browser, and a reader of PDF. They are on the list of packages; without one the test
// fails.
#pragma once
#include <QFile>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>

namespace leasescope::tests {

inline QString put(const QTemporaryDir& folder, const QByteArray& bytes, const char* name) {
  const QString path = folder.filePath(QString::fromLatin1(name));
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? path : QString();
}

struct Read {
  bool done = false;
  QString out;
  QByteArray why;  // not
};

inline Read read_by(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.start(program, arguments);
  Read read;
  if (!process.waitForStarted()) {
    read.why = "there is no " + program.toUtf8() + ": see resources/packages.txt";
    return read;
  }
  if (!process.waitForFinished(150'000)) {
    process.kill();
    process.waitForFinished();
  }
  read.done = process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
  read.out = QString::fromUtf8(process.readAllStandardOutput());
  read.why = process.readAllStandardError();
  return read;
}

// A headless Chromium that reaches no host, as root too. `wanted`: "--dump-dom", "--screenshot=FILE".
inline Read browse(const QString& file, const QStringList& wanted) {
  const QTemporaryDir profile;
  return read_by(
      QStringLiteral("chromium"),
      QStringList{"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                  "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
                  "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + profile.path()} +
          wanted + QStringList{"file://" + file});
}

}  // namespace leasescope::tests
