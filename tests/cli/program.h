// Runs leasescopectl as a user would, and keeps what it said.
#pragma once
#include <QByteArray>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "tests/support/places.h"

namespace leasescope::tests {

struct Ran {
  int exit = -1;
  QByteArray out;
  QByteArray err;

  nlohmann::json json() const { return nlohmann::json::parse(out.toStdString(), nullptr, false); }
};

inline Ran leasescopectl(const QStringList& arguments, int seconds = 60) {
  QProcess process;
  process.start(kLeasescopectl, arguments);
  Ran ran;
  if (!process.waitForFinished(seconds * 1000)) {
    process.kill();
    process.waitForFinished();
    ran.err = "did not start or did not end in time: " + process.readAllStandardError();
    return ran;
  }
  ran.exit = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
  ran.out = process.readAllStandardOutput();
  ran.err = process.readAllStandardError();
  return ran;
}

// A scenario file that is right; tests make one thing in it wrong.
inline QByteArray good_scenario() {
  return R"(schema = 1
title = "mine"
seed = 3
duration = "20s"

[mutex]
name = "orders"
ttl = "2s"
transition = "1s"

[[contender]]
name = "a"

[[contender]]
name = "b"
)";
}

inline QString write_file(const QTemporaryDir& folder, const char* name, const QByteArray& text) {
  QFile file(folder.filePath(name));
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) return {};
  return file.fileName();
}

inline QByteArray read_whole(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Over what is there. False: it could not be.
inline bool overwrite(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(bytes) == bytes.size();
}

// What a run said of its failure.
#define SAYS(ran, words) QVERIFY2((ran).err.contains(words), (ran).err)

}  // namespace leasescope::tests
