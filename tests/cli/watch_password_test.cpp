// The password of a store that is watched is in nothing that is said or written, nor on the command line of whoever
// looks: however it was given.
#include <QDirIterator>
#include <QProcess>
#include <csignal>
#include <memory>

#include "core/store/mysql/store_type.h"
#include "core/store/postgres/store_type.h"
#include "core/store/redis/store_type.h"
#include "core/store/zookeeper/asker.h"
#include "core/store/zookeeper/store_type.h"
#include "tests/cli/program.h"
#include "tests/cli/read_page.h"
#include "tests/store/free_port.h"
#include "tests/store/rig.h"
#include "tests/support/other_readers.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr const char* kSecret = "zebra7-hush";

// One who watches "orders", until he is told to stop: what he says, and how others see him.
class Watcher {
 public:
  Watcher(const QStringList& arguments, const QProcessEnvironment& environment) {
    const QString port = QString::number(free_port());
    page_ = "http://127.0.0.1:" + port + "/metrics";
    process_.setProcessEnvironment(environment);
    process_.start(kLeasescopectl, arguments + QStringList{"--metrics", port, "--metrics-owners"});
  }
  // He has been let in, and sees who holds it.
  bool sees() {
    const auto owned = [this] { return read_from(page_).contains("leasescope_mutex_owned{mutex=\"orders\""); };
    return QTest::qWaitFor(owned, 10'000);
  }
  QByteArray page() const { return read_from(page_); }
  QByteArray in_process_list() const { return read_whole(QString("/proc/%1/cmdline").arg(process_.processId())); }
  Ran stop() {
    ::kill(static_cast<pid_t>(process_.processId()), SIGINT);
    Ran out;
    if (process_.waitForFinished(10'000)) out.exit = process_.exitCode();
    out.out = process_.readAllStandardOutput();
    out.err = process_.readAllStandardError();
    return out;
  }

 private:
  QProcess process_;
  QString page_;
};

QByteArray text_of_pdf(const QString& path) {
  const Read read = read_by("pdftotext", {"-layout", path, "-"});
  return read.done ? read.out.toUtf8() : read.why;
}

}  // namespace

class WatchPasswordTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  QTemporaryDir secrets_;
  QString password_file_ = write_file(secrets_, "password", QByteArray(kSecret) + "\n");
  PrivateServer redis_{redis::store_type(), {kSecret, 50}}, postgres_{postgres::store_type(), {kSecret, 50}},
      mysql_{mysql::store_type(), {kSecret, 50}}, zookeeper_{zookeeper::store_type()};
  std::vector<std::unique_ptr<Client>> owners_;

  // Whoever has no login may not read what this one makes. Its session lasts for 10 s, as nobody drives it.
  void lead(zookeeper::Asker& leader) {
    StoreUrl url = zookeeper_.url();
    url.user = "joe";
    url.password = kSecret;
    using Kind = zookeeper::Session::Kind;
    QVERIFY(leader.connect(url).has_value());
    for (const char* folder : {"/simba", "/simba/orders"})
      QVERIFY(leader.create(folder, "", Kind::kContainer).has_value());
    const std::string node = "/simba/orders/_c_b9a1c2d3-0f1e-4a5b-8c7d-112233445566-latch-";
    QVERIFY(leader.create(node, "a", Kind::kNumbered).has_value());
  }
  // With this in the login's place: "", or ":password".
  QString url_of(const QString& store, const QString& password) const {
    const StoreUrl& url = store == "redis" ? redis_.url() : store == "postgresql" ? postgres_.url() : mysql_.url();
    const QString folder = QString::fromStdString(url.endpoint.host);
    const QString socket = QString::fromStdString(url.endpoint.unix_path);
    if (store == "redis") return "unix:" + socket + (password.isEmpty() ? "" : "?password=" + password.mid(1));
    if (store == "postgresql") return "postgresql://leasescope" + password + "@/postgres?host=" + folder;
    if (store == "mysql") return "mysql://leasescope" + password + "@/leasescope?option-file=&socket=" + socket;
    return "zookeeper://joe" + password + "@127.0.0.1:" + QString::number(zookeeper_.url().endpoint.port);
  }

 private slots:
  void initTestCase() {
    for (PrivateServer* server : {&redis_, &postgres_, &mysql_, &zookeeper_}) {
      const auto started = server->start();
      QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
      if (server == &zookeeper_) continue;
      QVERIFY(probe(server->url()).has_value());
      owners_.push_back(std::make_unique<Client>(loop_, names_, server->url(), "a"));
      QVERIFY(owners_.back()->connects());
      QCOMPARE(owners_.back()->ask(RequestKind::kAcquire, "orders", milliseconds(600'000)).error, std::string());
    }
  }
  void cleanupTestCase() { owners_.clear(); }

  void aPasswordIsInNothingThatIsSaidOrWritten_data() {
    QTest::addColumn<QString>("store");
    QTest::addColumn<QString>("way");  // "file", "URL", or a variable of the environment
    for (const char* store : {"redis", "postgresql", "mysql", "zookeeper"})
      for (const char* way : {"file", "URL"}) QTest::addRow("%s, %s", store, way) << QString(store) << QString(way);
    QTest::newRow("redis, environment") << QString("redis") << QString("REDISCLI_AUTH");
    QTest::newRow("postgresql, environment") << QString("postgresql") << QString("PGPASSWORD");
    QTest::newRow("mysql, environment") << QString("mysql") << QString("MYSQL_PWD");
  }
  void aPasswordIsInNothingThatIsSaidOrWritten() {
    QFETCH(QString, store);
    QFETCH(QString, way);
    const QTemporaryDir folder;
    QStringList asked{"watch", url_of(store, way == "URL" ? QString(":") + kSecret : QString())};
    if (way == "file") asked += {"--password-file", password_file_};
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (way != "file" && way != "URL") environment.insert(way, kSecret);
    // Without it nothing is seen: a test in which nobody asks for it could not fail.
    const Ran without = leasescopectl({"watch", url_of(store, {}), "--once", "--within", "2s"});
    QCOMPARE(without.exit, 2);

    zookeeper::Asker leader(std::chrono::minutes(1));
    if (store == "zookeeper") lead(leader);
    const QString recording = folder.filePath("night.recording"), other = folder.filePath("lines.recording");
    Watcher json(asked + QStringList{"--json", "--record", recording}, environment);
    Watcher lines(asked + QStringList{"--lines", "--record", other}, environment);
    QVERIFY2(json.sees() && lines.sees(), json.stop().err + lines.stop().err);
    QByteArray all = json.page() + lines.page() + json.in_process_list() + lines.in_process_list();
    QVERIFY2(all.count("watch") >= 2 && all.contains("owner=\"a\""), all);
    for (Watcher* each : {&json, &lines}) {
      const Ran ran = each->stop();
      QVERIFY2(ran.exit == 0 && ran.out.contains("orders"), ran.out + ran.err);
      all += ran.out + ran.err;
    }
    const auto report = [&](const char* name) { return folder.filePath(name); };
    for (const QStringList& words :
         {QStringList{"replay", recording, "--report", report("night.html")},
          QStringList{"replay", recording, "--report", report("night.pdf")},
          QStringList{"replay", recording, "--report", report("night.svg")}, QStringList{"replay", recording, "--json"},
          QStringList{"recording", "info", recording, "--json"},
          QStringList{"recording", "export", recording, report("night.jsonl")},
          QStringList{"history", "orders", other}}) {
      const Ran ran = leasescopectl(words);
      QVERIFY2(ran.exit == 0, ran.err);
      all += ran.out + ran.err;
    }
    all += text_of_pdf(report("night.pdf"));
    QDirIterator files(folder.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) all += read_whole(files.next());
    for (const char* name : {"night.html", "night.jsonl"}) QVERIFY2(read_whole(report(name)).contains("orders"), name);
    QVERIFY(read_whole(report("night.svg")).contains("</svg>"));
    QVERIFY2(text_of_pdf(report("night.pdf")).contains("orders"), text_of_pdf(report("night.pdf")));
    const qsizetype at = all.indexOf(kSecret);
    QVERIFY2(at < 0, all.mid(std::max<qsizetype>(0, at - 200), 400));
  }
};

LEASESCOPE_SUITE(WatchPasswordTest)
#include "watch_password_test.moc"
