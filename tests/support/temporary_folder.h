// The folder for temporary files, of a test's own: what lies in it, and who runs in it.
#pragma once
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace leasescope::tests {

// Every private folder is made in this one while it lives.
class TemporaryFolder {
 public:
  TemporaryFolder() : before_(qgetenv("TMPDIR")) {
    qputenv("TMPDIR", here_.path().toLocal8Bit());
    // As in /tmp, a server that runs as another user gets to its own.
    QFile::setPermissions(here_.path(), QFile::permissions(here_.path()) | QFile::ExeGroup | QFile::ExeOther);
  }
  ~TemporaryFolder() {
    if (before_.isNull())
      qunsetenv("TMPDIR");
    else
      qputenv("TMPDIR", before_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  QString path(const QString& name) const { return here_.filePath(name); }
  // A file in a folder of that name.
  QString file_in(const QString& folder) const {
    QDir(here_.path()).mkpath(folder);
    QFile file(path(folder + "/work"));
    return file.open(QIODevice::WriteOnly) && file.write("a week of it") > 0 ? file.fileName() : QString();
  }
  QStringList folders() const { return QDir(here_.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot); }
  // Numbers of those whose command line names a path in it.
  QStringList processes() const {
    QStringList out;
    for (const QString& number : QDir("/proc").entryList(QDir::Dirs)) {
      QFile file("/proc/" + number + "/cmdline");
      if (file.open(QIODevice::ReadOnly) && file.readAll().contains(here_.path().toLocal8Bit())) out << number;
    }
    return out;
  }
  // Of each, what the kernel tells by that name: "SigBlk".
  QStringList statuses(const QByteArray& name) const {
    QStringList out;
    for (const QString& number : processes()) {
      QFile file("/proc/" + number + "/status");
      if (!file.open(QIODevice::ReadOnly)) continue;
      for (const QByteArray& line : file.readAll().split('\n'))
        if (line.startsWith(name + ':')) out << line.mid(name.size() + 1).trimmed();
    }
    return out;
  }
  // What is left of private servers: nothing, once all have gone.
  QStringList left() const { return folders() + processes(); }

 private:
  QTemporaryDir here_;
  QByteArray before_;
};

}  // namespace leasescope::tests
