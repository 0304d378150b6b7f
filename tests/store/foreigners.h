// The locks of other makers as a watch sees them, for the tests of each maker's.
#pragma once
#include <QProcess>

#include "core/observe/watched_row.h"
#include "tests/store/administration.h"
#include "tests/store/watching.h"
#include "tests/support/places.h"

namespace leasescope::tests {

// As Redisson and Curator draw the id of a client.
inline const std::string kClient = "b9a1c2d3-0f1e-4a5b-8c7d-112233445566";
inline constexpr milliseconds kLong{60'000};

// A watch of the locks of others, by their makers' names for them.
struct Foreigners : Watching {
  Foreigners(QtLoop& loop, const StoreUrl& url, Foreign foreign) : Watching(loop, url, terms(foreign)) {}
  Foreigners(QtLoop& loop, const StoreUrl& url, const WatchTerms& terms) : Watching(loop, url, terms) {}
  static WatchTerms terms(Foreign foreign) {
    WatchTerms out;
    out.look.foreign = foreign;
    out.look.sweep = milliseconds(400);
    return out;
  }
  const WatchedMutex* lock(const std::string& name) const {
    for (const auto& each : watch.mutexes())
      if (each->name == name && !each->maker.empty()) return each.get();
    return nullptr;
  }
  bool sees_lock(const std::string& name, const std::string& owner, milliseconds within = milliseconds(4000)) const {
    return wait_until(
        [&] {
          const WatchedMutex* const of = lock(name);
          return of != nullptr && of->book.known() != SeenMutex::Known::kNothing && of->book.last().owner == owner;
        },
        within);
  }
  std::string system(const std::string& name) const {
    const WatchedMutex* const of = lock(name);
    return of == nullptr ? std::string() : system_text(of->book.last());
  }
  // Whose owner is like "pid * tester".
  bool sees_somebody(const std::string& name) const {
    return wait_until([&] { return lock(name) != nullptr && !lock(name)->book.last().owner.empty(); },
                      milliseconds(4000));
  }
  bool is_complete() const {
    return wait_until([&] { return watch.complete(); }, milliseconds(5000));
  }
};

// Somebody else's client, which holds until it is told to stop.
struct ForeignHolder {
  QProcess process;
  ForeignHolder(const QString& maker, const StoreUrl& url, const QString& name) {
    const Endpoint& at = url.endpoint;
    const QString address = at.unix_path.empty()
                                ? QStringLiteral("%1:%2").arg(QString::fromStdString(at.host)).arg(at.port)
                                : QString::fromStdString(at.unix_path);
    // Whose packages are Debian's.
    process.start(
        QStringLiteral("/usr/bin/python3"),
        {QString::fromUtf8(kSourceFolder) + QStringLiteral("/tests/store/peers/hold_lock.py"), maker, address, name});
  }
  bool said(const QByteArray& word) {
    return wait_until(
        [&] {
          heard += process.readAllStandardOutput();
          return heard.contains(word);
        },
        milliseconds(20'000));
  }
  bool releases() {
    process.closeWriteChannel();
    return said("free");
  }
  ~ForeignHolder() {
    process.kill();
    process.waitForFinished();
  }
  QByteArray heard;
};

// As Redisson's client takes it.
inline void redisson(redis::Asker& server, const std::string& owner) {
  told(server, {"EVAL", "redis.call('hset', 'orders', ARGV[1], 1) redis.call('pexpire', 'orders', 30000)", "0", owner});
}

}  // namespace leasescope::tests
