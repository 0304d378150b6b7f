// The password of a store that is watched is in nothing that is said or written of it, nor in the list of processes.
// Each text that is searched must tell of a mutex and of its owner: of one that is empty nothing is proved.
#include <QProcess>
#include <QUrl>
#include <csignal>
#include <map>
#include <memory>

#include "core/store/mysql/store_type.h"
#include "core/store/postgres/store_type.h"
#include "core/store/zookeeper/kept_session.h"
#include "core/store/zookeeper/store_type.h"
#include "tests/cli/program.h"
#include "tests/cli/read_page.h"
#include "tests/store/free_port.h"
#include "tests/store/redis_on_a_port.h"
#include "tests/store/rig.h"
#include "tests/support/etcd_server.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// All that a URL gives another meaning stands between two words: whoever cuts it at one of these shows one of them.
constexpr const char* kSecret = "zebra7:/@?#%&quagga8";
constexpr const char* kWrong = "okapi3:/@?#%&kudu5";
const QByteArrayList kParts{"zebra7", "quagga8", "okapi3", "kudu5"};
const QByteArray kMutex = "orders", kFreed = "bills", kOwner = "keeper-9";
const QStringList kStores{"redis", "postgresql", "mysql", "zookeeper", "etcd"};

// Beside the URL, where each looks for its password itself; ZooKeeper nowhere.
const std::map<QString, QString> kVariables{
    {"redis", "REDISCLI_AUTH"}, {"postgresql", "PGPASSWORD"}, {"mysql", "MYSQL_PWD"}, {"etcd", "ETCDCTL_PASSWORD"}};
QStringList ways_of(const QString& store) {
  return kVariables.count(store) > 0 ? QStringList{"URL", "environment"} : QStringList{"URL"};
}
// Of ours there are none at an etcd.
QString foreign_of(const QString& store) { return store == "etcd" ? "certain" : "none"; }

// Nothing: it has all of `controls` and no part of a password, as it is or as a URL has it. Else what is wrong.
QByteArray fault_of(QByteArray text, const QByteArrayList& controls) {
  text.replace('\0', ' ');
  for (const QByteArray& each : controls)
    if (!text.contains(each)) return "\"" + each + "\" is not in it: " + text.left(2000);
  for (const QByteArray& each : kParts)
    if (const qsizetype at = text.indexOf(each); at >= 0) return text.mid(std::max<qsizetype>(0, at - 200), 400);
  return {};
}
#define IS_CLEAN(text, ...)                                              \
  do {                                                                   \
    const QByteArray fault = fault_of(text, QByteArrayList __VA_ARGS__); \
    QVERIFY2(fault.isEmpty(), (#text ": " + fault).constData());         \
  } while (false)

QString encoded(const char* password) { return QString::fromLatin1(QUrl::toPercentEncoding(password)); }

using Environment = QProcessEnvironment;

std::unique_ptr<QProcess> begun(const QStringList& words, const Environment& environment) {
  auto process = std::make_unique<QProcess>();
  process->setProcessEnvironment(environment);
  process->start(kLeasescopectl, words);
  return process;
}
Ran ended(QProcess& process) {
  Ran ran;
  if (process.state() == QProcess::NotRunning || process.waitForFinished(20'000)) ran.exit = process.exitCode();
  ran.out = process.readAllStandardOutput();
  ran.err = process.readAllStandardError();
  return ran;
}

// Who owns two latches whose nodes only this login may read, for as long as the loop runs now and then.
class GuardedLatches {
 public:
  GuardedLatches(QtLoop& loop, const StoreUrl& url)
      : session_(loop, url, [](const Endpoint& server) { return server; },
                 {[this] { stands_ = true; }, [](const std::string& why) { qFatal("%s", why.c_str()); }, [] {}}) {
    session_.begin(std::chrono::minutes(1));
    if (!wait_until([this] { return stands_; }, milliseconds(10'000))) qFatal("ZooKeeper does not answer");
    for (const char* folder : {"/simba", "/simba/orders", "/simba/bills"})
      make(folder, "", zookeeper::Session::Kind::kContainer);
    make("/simba/orders/latch-", kOwner.toStdString(), zookeeper::Session::Kind::kNumbered);
    freed_ = make("/simba/bills/latch-", kOwner.toStdString(), zookeeper::Session::Kind::kNumbered);
  }
  void free_one() {
    session_.session().remove(freed_, [](zookeeper::Outcome, const std::string&) {});
    session_.go_on();
  }

 private:
  std::string make(const std::string& path, const std::string& data, zookeeper::Session::Kind kind) {
    std::optional<std::string> made;
    session_.session().create(
        path, data, kind,
        [&](zookeeper::Outcome, const std::string& as, std::int64_t, const std::string&) { made = as; });
    session_.go_on();
    if (!wait_until([&] { return made.has_value(); }, milliseconds(5000))) qFatal("%s: not made", path.c_str());
    return *made;
  }

  bool stands_ = false;
  zookeeper::KeptSession session_;
  std::string freed_;
};

// Who leads two elections of an etcd that asks for a login.
class GuardedElections {
 public:
  explicit GuardedElections(int port) : port_(port) {
    const EtcdByHand nobody(port);
    for (const auto& [user, password] :
         {std::pair<const char*, const char*>{"root", "hush"}, {"leasescope", kSecret}}) {
      nobody.ask("/v3/auth/user/add", {{"name", user}, {"password", password}});
      nobody.ask("/v3/auth/role/add", {{"name", user}});
      nobody.ask("/v3/auth/user/grant", {{"user", user}, {"role", user}});
    }
    const std::string all = "AA==";  // from the first key on, to the last
    nobody.ask("/v3/auth/role/grant",
               {{"name", "leasescope"}, {"perm", {{"permType", "READ"}, {"key", all}, {"range_end", all}}}});
    lease_ = nobody.grant(600);
    for (const QByteArray& mutex : {kMutex, kFreed})
      if (!nobody.stand_in_line(mutex.toStdString(), lease_, kOwner.toStdString())) qFatal("etcd takes no key");
    nobody.ask("/v3/auth/enable", nlohmann::json::object());
  }
  void free_one() const {
    const nlohmann::json answer =
        EtcdByHand(port_).ask("/v3/auth/authenticate", {{"name", "root"}, {"password", "hush"}});
    EtcdByHand(port_, answer["token"].get<std::string>()).leave(kFreed.toStdString(), lease_);
  }

 private:
  int port_;
  std::int64_t lease_ = 0;
};

// One who watches all there is, records it and tells of alerts, until he is told to stop.
class Watcher {
 public:
  Watcher(const QString& url, const QString& manner, const QString& foreign, const Environment& environment,
          const QString& rules)
      : rules_(rules) {
    const QString port = QString::number(free_port());
    page_ = "http://127.0.0.1:" + port + "/metrics";
    process_.setProcessEnvironment(environment);
    process_.start(kLeasescopectl, {"watch", url, manner, "--foreign", foreign, "--poll", "200ms", "--record",
                                    recording(), "--alerts", rules_, "--metrics", port, "--metrics-owners"});
  }
  ~Watcher() {
    process_.kill();
    process_.waitForFinished();
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  QString recording() const { return folder_.filePath("night.recording"); }
  QString file(const char* name) const { return folder_.filePath(name); }
  QByteArray page() const { return read_from(page_); }
  QByteArray written() const { return read_whole(recording()) + read_whole(recording() + "-wal"); }
  QByteArray in_list() const { return read_whole(QString("/proc/%1/cmdline").arg(process_.processId())); }
  // As other processes see it before the mutex that is freed is; and that it is let in at all.
  bool sees_owners() const {
    const auto owned = [this] {
      const QByteArray shown = page();
      return shown.contains("owner_info{mutex=\"" + kMutex) && shown.contains("owner_info{mutex=\"" + kFreed);
    };
    return QTest::qWaitFor(owned, 10'000);
  }
  bool alerts() {
    return QTest::qWaitFor([this] { return (err_ += process_.readAllStandardError()).contains("  ALERT  "); }, 10'000);
  }
  bool has_written(const QByteArray& word) const {
    return QTest::qWaitFor([&] { return written().contains(word); }, 5'000);
  }
  const QByteArray& err() const { return err_; }
  Ran stop() {
    process_.terminate();
    Ran ran;
    if (process_.waitForFinished(5'000)) ran.exit = process_.exitCode();
    ran.out = process_.readAllStandardOutput();
    ran.err = err_ += process_.readAllStandardError();
    return ran;
  }

 private:
  QTemporaryDir folder_;
  QString rules_, page_;
  QByteArray err_;
  QProcess process_;
};

}  // namespace

class WatchPasswordTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  QTemporaryDir folder_;
  PrivateServer redis_{redis_on_a_port(), {kSecret, 50}}, postgres_{postgres::store_type(), {kSecret, 50}},
      mysql_{mysql::store_type(), {kSecret, 50}}, zookeeper_{zookeeper::store_type()}, etcd_{private_etcd()};
  std::vector<std::unique_ptr<Client>> owners_;
  std::unique_ptr<GuardedLatches> latches_;
  std::unique_ptr<GuardedElections> elections_;
  std::map<QByteArray, std::unique_ptr<Watcher>> watchers_;
  std::map<QString, std::unique_ptr<QProcess>> without_, wrong_;  // by store

  // With this in the login's place, as a URL has it: none where it is empty.
  QString url_of(const QString& store, const QString& password) const {
    const QString word = password.isEmpty() ? QString() : ":" + password;
    if (store == "redis")
      return "redis://" + (word.isEmpty() ? word : word + "@") +
             "127.0.0.1:" + QString::number(redis_.url().endpoint.port);
    if (store == "postgresql")
      return "postgresql://leasescope" + word +
             "@/postgres?host=" + QString::fromStdString(postgres_.url().endpoint.host);
    if (store == "zookeeper" || store == "etcd")
      return store + "://leasescope" + word +
             "@127.0.0.1:" + QString::number((store == "etcd" ? etcd_ : zookeeper_).url().endpoint.port);
    return "mysql://leasescope" + word +
           "@localhost/leasescope?option-file=&socket=" + QString::fromStdString(mysql_.url().endpoint.unix_path);
  }
  static Environment environment_of(const QString& store, const QString& way) {
    Environment out = Environment::systemEnvironment();
    if (way == "environment") out.insert(kVariables.at(store), kSecret);
    return out;
  }
  QString url_by(const QString& store, const QString& way) const {
    return url_of(store, way == "URL" ? encoded(kSecret) : QString());
  }
  void rows() const {
    QTest::addColumn<QString>("store");
    QTest::addColumn<QString>("way");
    for (const QString& store : kStores)
      for (const QString& way : ways_of(store))
        QTest::newRow((store + ", " + way).toUtf8().constData()) << store << way;
  }

  // They try again until they may look no longer.
  void begin_to_be_refused() {
    for (const QString& store : kStores)
      for (const bool none : {true, false})
        (none ? without_ : wrong_)[store] =
            begun({"watch", url_of(store, none ? QString() : encoded(kWrong)), "--once", "--within", "3s"},
                  Environment::systemEnvironment());
  }
  void own_two(const StoreUrl& url) {
    QVERIFY(probe(url).has_value());
    owners_.push_back(std::make_unique<Client>(loop_, names_, url, kOwner.toStdString()));
    Client& owner = *owners_.back();
    QVERIFY(owner.connects());
    for (const QByteArray& mutex : {kMutex, kFreed})
      QCOMPARE(owner.ask(RequestKind::kAcquire, mutex.toStdString(), milliseconds(600'000)).error, std::string());
  }
  // All at once: an alert is told three seconds late.
  void begin_to_watch() {
    const QString rules = write_file(folder_, "rules.toml",
                                     "schema = 1\n[[rule]]\nname = \"nobody pays\"\nkind = \"no_owner\"\n"
                                     "mutex = \"bill*\"\nfor = \"100ms\"\n");
    for (const QString& store : kStores)
      for (const QString& way : ways_of(store))
        watchers_[(store + ", " + way).toUtf8()] =
            std::make_unique<Watcher>(url_by(store, way), way == "URL" ? "--json" : "--lines", foreign_of(store),
                                      environment_of(store, way), rules);
    for (const auto& [tag, watcher] : watchers_) QVERIFY2(watcher->sees_owners(), tag + watcher->page());
    for (auto& owner : owners_) QCOMPARE(owner->ask(RequestKind::kRelease, kFreed.toStdString()).error, std::string());
    latches_->free_one();
    elections_->free_one();
  }

 private slots:
  void initTestCase() {
    for (const char* name : {"REDISCLI_AUTH", "LEASESCOPE_REDIS_PASSWORD_FILE", "PGPASSWORD", "PGPASSFILE", "MYSQL_PWD",
                             "ETCDCTL_PASSWORD"})
      qunsetenv(name);
    for (PrivateServer* server : {&redis_, &postgres_, &mysql_, &zookeeper_, &etcd_}) {
      const auto started = server->start();
      QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
      if (server->url().type->carries(Family::kLease)) own_two(server->url());
      if (QTest::currentTestFailed()) return;
    }
    const auto url = parse_store_url(url_by("zookeeper", "URL").toStdString());
    QVERIFY2(url.has_value(), url ? "" : url.error().c_str());
    latches_ = std::make_unique<GuardedLatches>(loop_, *url);
    elections_ = std::make_unique<GuardedElections>(etcd_.url().endpoint.port);
    begin_to_be_refused();
    begin_to_watch();
  }
  void cleanupTestCase() {
    for (auto* all : {&without_, &wrong_})
      for (auto& [store, process] : *all) {
        process->kill();
        process->waitForFinished();
      }
    watchers_.clear();
    owners_.clear();
    latches_.reset();
  }

  // The search itself: what it is given to find it finds, and what has no mutex in it does not pass.
  void whatIsLookedForIsFound() {
    for (const QString& store : kStores) QVERIFY(!fault_of(url_by(store, "URL").toUtf8(), {}).isEmpty());
    QVERIFY(!fault_of(QByteArray("of ") + kSecret, {}).isEmpty());
    QVERIFY(!fault_of({}, {kMutex}).isEmpty());
    QVERIFY(fault_of("orders: keeper-9", {kMutex, kOwner}).isEmpty());
  }

  void aLookTellsTheOwnerAndNoPassword_data() { rows(); }
  void aLookTellsTheOwnerAndNoPassword() {
    QFETCH(QString, store);
    QFETCH(QString, way);
    const QString url = url_by(store, way);
    for (const QStringList& words : {QStringList{"watch", url, "--once", "--json"}, QStringList{"who", kMutex, url}}) {
      const Ran ran = ended(*begun(words, environment_of(store, way)));
      QVERIFY2(ran.exit == 0, ran.err);
      IS_CLEAN(ran.out, {kMutex, kOwner, "://"});
      IS_CLEAN(ran.err, {});
    }
  }

  // Neither in a file nor where it is printed.
  void aScenarioAfterAStoreHasNoPassword_data() { rows(); }
  void aScenarioAfterAStoreHasNoPassword() {
    QFETCH(QString, store);
    QFETCH(QString, way);
    const QString file = folder_.filePath("after.toml");
    QFile::remove(file);
    const QStringList words{"simulate", url_by(store, way), "--mutex", kMutex, "--for", "2s"};
    const Ran written = ended(*begun(words + QStringList{"--output", file}, environment_of(store, way)));
    QVERIFY2(written.exit == 0, written.err);
    IS_CLEAN(written.err, {"after.toml: written"});
    IS_CLEAN(written.out, {});
    IS_CLEAN(read_whole(file), {kMutex, kOwner, "observed for "});
    if (way == "URL") return;  // that it is printed is one thing for all
    const Ran printed = ended(*begun(words, environment_of(store, way)));
    QVERIFY2(printed.exit == 0, printed.err);
    IS_CLEAN(printed.out, {kMutex, kOwner, "observed for "});
    IS_CLEAN(printed.err, {});
  }

  void aWatchTellsTheOwnerAndNoPassword_data() { rows(); }
  void aWatchTellsTheOwnerAndNoPassword() {
    QFETCH(QString, store);
    QFETCH(QString, way);
    Watcher& watcher = *watchers_.at(QTest::currentDataTag());
    QVERIFY2(watcher.alerts(), watcher.err());
    QVERIFY(watcher.has_written(kOwner));
    IS_CLEAN(watcher.written(), {kMutex, kOwner, "nobody pays"});
    IS_CLEAN(watcher.page(), {"owner_info{mutex=\"" + kMutex, "owner=\"" + kOwner + "\""});
    IS_CLEAN(watcher.in_list(), {"watch", "://", "--record"});
    const Ran ran = watcher.stop();
    QVERIFY2(ran.exit == 0, ran.err);
    IS_CLEAN(ran.out, {kMutex, kOwner});
    IS_CLEAN(ran.err, {"nobody pays: " + kFreed, kOwner + " was the last"});
    IS_CLEAN(watcher.written(), {kMutex, kOwner, "nobody pays"});
    const QString title = kMutex + (store == "etcd" ? " (etcd)" : "");
    const Ran history = leasescopectl({"history", title, watcher.recording()});
    QVERIFY2(history.exit == 0, history.err);
    IS_CLEAN(history.out, {kMutex, kOwner});
    IS_CLEAN(history.err, {});
    const Ran simulated = leasescopectl({"simulate", watcher.recording(), "--mutex", kMutex});
    QVERIFY2(simulated.exit == 0, simulated.err);
    IS_CLEAN(simulated.out, {kMutex, kOwner});
    IS_CLEAN(simulated.err, {});
    // A report is drawn of the same recording, whichever way the password came: of one of each store.
    const QString page = watcher.file("night.html");
    const Ran replay = leasescopectl(QStringList{"replay", watcher.recording(), "--json"} +
                                     (way == "URL" ? QStringList{"--html", page} : QStringList()));
    QVERIFY2(replay.exit == 0, replay.err);
    IS_CLEAN(replay.out, {kMutex, kOwner, "://"});
    IS_CLEAN(replay.err, {});
    if (way == "URL") IS_CLEAN(read_whole(page), {kMutex, kOwner, "://"});
  }

  // Nothing would be proved if whoever asks were let in without one.
  void aWrongPasswordIsRefusedAndNotRepeated_data() {
    QTest::addColumn<QByteArray>("refusal");
    QTest::addColumn<QByteArray>("remedy");
    const QByteArray wrong = "the user or the password is wrong";
    QTest::newRow("redis") << QByteArray("WRONGPASS") << wrong;
    QTest::newRow("postgresql") << QByteArray("password authentication failed") << wrong;
    QTest::newRow("mysql") << QByteArray("Access denied for user") << wrong;
    // It takes any login, and lets the wrong one read nothing.
    QTest::newRow("zookeeper") << QByteArray("not authenticated") << QByteArray("the password of leasescope is wrong");
    QTest::newRow("etcd") << QByteArray("authentication failed") << wrong;
  }
  void aWrongPasswordIsRefusedAndNotRepeated() {
    QFETCH(QByteArray, refusal);
    QFETCH(QByteArray, remedy);
    const QString store = QTest::currentDataTag();
    const Ran without = ended(*without_.at(store)), wrong = ended(*wrong_.at(store));
    QVERIFY2(without.exit == 2, without.out + without.err);
    IS_CLEAN(without.err, {store.toUtf8() + "://"});
    QCOMPARE(wrong.exit, 2);
    IS_CLEAN(wrong.out, {});
    IS_CLEAN(wrong.err, {refusal, store.toUtf8() + "://", remedy});
  }

  void anAddressWithAMistakeIsNotRepeatedWithItsPassword_data() {
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("words");
    const QString right = encoded(kSecret), bare = kSecret;
    QTest::newRow("a scheme that is none") << "redi://:" + right + "@127.0.0.1" << QByteArray("is not a store");
    QTest::newRow("a database that is none")
        << "redis://:" + right + "@127.0.0.1/zero" << QByteArray("a Redis database");
    QTest::newRow("a port that is none") << "postgresql://joe:" + right + "@127.0.0.1:port/db"
                                         << QByteArray("expected");
    QTest::newRow("no database") << "mysql://joe:" + right + "@127.0.0.1" << QByteArray("names no database");
    QTest::newRow("an option that is none")
        << "mysql://joe:" + right + "@127.0.0.1/db?pasword=" + right << QByteArray("is not an option");
    for (const char* head : {"redis://:", "postgresql://joe:", "mysql://joe:", "zookeeper://joe:", "etcd://joe:"})
      QTest::addRow("%s as it is", head) << head + bare + "@127.0.0.1:1/db" << QByteArray("expected");
  }
  void anAddressWithAMistakeIsNotRepeatedWithItsPassword() {
    QFETCH(QString, url);
    QFETCH(QByteArray, words);
    for (const QStringList& command : {QStringList{"watch", url, "--once"}, QStringList{"who", kMutex, url},
                                       QStringList{"simulate", url, "--mutex", kMutex}}) {
      const Ran ran = leasescopectl(command);
      QCOMPARE(ran.exit, 2);
      IS_CLEAN(ran.err, {words});
      IS_CLEAN(ran.out, {});
    }
  }
};

LEASESCOPE_SUITE(WatchPasswordTest)
#include "watch_password_test.moc"
