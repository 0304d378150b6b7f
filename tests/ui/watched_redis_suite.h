// The base of tests of Watch over a Redis of their own, where a test does what owners of mutexes would do.
#pragma once
#include <QProcess>
#include <QSettings>
#include <memory>

#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/support/redis_program.h"
#include "tests/support/window_suite.h"
#include "tests/ui/window_watch.h"
#include "ui/models/words.h"
#include "ui/watch/mutexes_panel.h"
#include "ui/watch/stores_panel.h"

namespace leasescope::tests {

// Each test has a server that holds nothing yet. Qt Test finds no slots here: a suite has initTestCase and init as
// slots of its own, which call these.
class WatchedRedisSuite : public WindowSuite {
 protected:
  void initTestCase() {
    WindowSuite::initTestCase();
    QVERIFY2(!redis_client_program().isEmpty(), kNoRedis);
  }
  void init() {
    UiSuite::init();
    QSettings().clear();
    server_ = std::make_unique<PrivateServer>(redis::store_type());
    QVERIFY(server_->start().has_value());
    url_ = fromText(printable(server_->url()));
  }

  // A command of Redis, as an operator would type it.
  void redis(const QStringList& words) {
    const Endpoint& at = server_->url().endpoint;
    QStringList all = at.unix_path.empty() ? QStringList{"-h", fromText(at.host), "-p", QString::number(at.port)}
                                           : QStringList{"-s", fromText(at.unix_path)};
    QProcess client;
    client.start(redis_client_program(), all + words);
    QVERIFY(client.waitForFinished(5000));
    QVERIFY2(client.exitCode() == 0, client.readAllStandardError());
  }
  void own(const QString& mutex, const QString& owner, int token, int ms) {
    redis({"SET", "simba:{" + mutex + "}", owner, "PX", QString::number(ms)});
    redis({"SET", "simba:{" + mutex + "}:token", QString::number(token), "PX", QString::number(ms)});
    redis({"SET", "simba:{" + mutex + "}:fence", QString::number(token)});
    redis({"PUBLISH", "simba:{" + mutex + "}", "acquired@@" + owner});
  }
  void watchIt(TestWindow& window, QSize size = {1440, 900}) {
    show(window, size);
    window.open(url_);
    QVERIFY2(watch(window).stores()->error().isEmpty(), qPrintable(watch(window).stores()->error()));
    QTRY_VERIFY_WITH_TIMEOUT(watch(window).watched().watch()->complete(), kSeen);
  }
  static QString cell(TestWindow& window, const QString& mutex, MutexesModel::Column column) {
    return watchCell(window, mutex, column);
  }

  std::unique_ptr<PrivateServer> server_;
  QString url_;
};

}  // namespace leasescope::tests
