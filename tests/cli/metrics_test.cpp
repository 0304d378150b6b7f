// What Prometheus reads of a watch: names and types as it wants them, alerts that come and go in a real one, and a
// dashboard that asks for nothing that is not there.
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/cli/read_page.h"
#include "tests/store/free_port.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using nlohmann::json;

namespace {

QString resource(const char* name) {
  return QString::fromUtf8(kSourceFolder) + QStringLiteral("/resources/prometheus/") + QString::fromUtf8(name);
}

// Places of two panels in Grafana's grid: x, y, w and h in its cells.
bool overlap(const json& one, const json& other) {
  const auto meets = [&](const char* from, const char* length) {
    return one[from].get<int>() < other[from].get<int>() + other[length].get<int>() &&
           other[from].get<int>() < one[from].get<int>() + one[length].get<int>();
  };
  return meets("x", "w") && meets("y", "h");
}

// Another's program, to its end.
Ran ran(const QString& program, const QStringList& arguments, const QByteArray& input = {}) {
  QProcess process;
  process.start(program, arguments);
  if (!process.waitForStarted()) return {-1, {}, "there is no " + program.toUtf8()};
  process.write(input);
  process.closeWriteChannel();
  process.waitForFinished(30'000);
  return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

// A dashboard under the schema: 0 where it is one, 1 with a line for each thing that is wrong.
Ran judged(const json& board) {
  const QTemporaryDir folder;
  const QString path = write_file(folder, "board.json", QByteArray::fromStdString(board.dump()));
  const QString schema = QString::fromUtf8(kSourceFolder) + QStringLiteral("/tests/cli/grafana_dashboard.schema.json");
  return ran(QStringLiteral("/usr/bin/python3"), {"-W", "ignore", "-m", "jsonschema", "-i", path, schema});
}

}  // namespace

class MetricsTest : public QObject {
  Q_OBJECT

  PrivateServer server_{redis::store_type()};
  QString url_, page_;
  QProcess watch_;

  void put(const redis::Asker::Words& words) {
    redis::Asker server(std::chrono::milliseconds(5000));
    QVERIFY(server.connect(server_.url()).has_value() && server.ask(words).has_value());
  }
  bool shows(const QByteArray& line) {
    return QTest::qWaitFor([&] { return read_from(page_).contains(line); }, 5000);
  }

 private slots:
  void initTestCase() {
    QVERIFY(server_.start().has_value());
    url_ = QString::fromStdString(printable(server_.url()));
    const QString port = QString::number(free_port());
    page_ = QStringLiteral("http://127.0.0.1:%1/metrics").arg(port);
    watch_.start(kLeasescopectl, {"watch", url_, "--metrics", port, "--metrics-owners", "--metrics-mutexes", "3"});
    QVERIFY(watch_.waitForStarted());
  }
  void cleanupTestCase() {
    watch_.terminate();
    QVERIFY(watch_.waitForFinished());
    QCOMPARE(watch_.exitCode(), 0);
  }

  void whoHoldsWhoWaitsAndForHowLongIsShown() {
    put({"SET", "simba:{orders}", "api-2", "PX", "60000"});
    put({"SET", "simba:{orders}:token", "7", "PX", "60000"});
    put({"PUBLISH", "simba:{orders}", "acquired@@api-2"});
    const QByteArray of = "{mutex=\"orders\",store=\"" + url_.toUtf8() + "\",system=\"simba\"";
    QVERIFY2(shows("leasescope_mutex_owned" + of + "} 1"), read_from(page_));
    QVERIFY(shows("leasescope_mutex_fencing_token" + of + "} 7"));
    QVERIFY(shows("leasescope_mutex_owner_info" + of + ",owner=\"api-2\"} 1"));
    QVERIFY(shows("leasescope_mutex_handoffs_total" + of + "} 0"));
    QVERIFY(shows("leasescope_store_up{store=\"" + url_.toUtf8() + "\"} 1"));
    put({"SET", "simba:{orders}", "api-1", "PX", "60000"});
    put({"PUBLISH", "simba:{orders}", "acquired@@api-1"});
    QVERIFY2(shows("leasescope_mutex_handoffs_total" + of + "} 1"), read_from(page_));
    put({"DEL", "simba:{orders}", "simba:{orders}:token"});
    put({"PUBLISH", "simba:{orders}", "released@@api-1"});
    QVERIFY(shows("leasescope_mutex_owned" + of + "} 0"));
    QVERIFY2(!read_from(page_).contains("owner=\"api-1\""), "of whoever holds no more there is no series");
  }
  void tooManyMutexesHaveNoSeriesOfTheirOwn() {
    for (int i = 0; i < 5; ++i) put({"SET", "simba:{many-" + std::to_string(i) + "}:fence", "1"});
    for (int i = 0; i < 5; ++i) put({"PUBLISH", "simba:{many-" + std::to_string(i) + "}", "released@@nobody"});
    QVERIFY2(shows("leasescope_metrics_mutexes_left_out 3"), read_from(page_));
    QVERIFY(shows("leasescope_mutexes{state=\"free\"} 6"));
  }
  void itsNamesAndTypesAreAsPrometheusWantsThem() {
    const QByteArray text = read_from(page_);
    QVERIFY(text.contains("# TYPE leasescope_store_latency_seconds histogram"));
    // What its own client adds bears names that are not ours to choose.
    QByteArray ours;
    for (const QByteArray& line : text.split('\n'))
      if (line.contains("leasescope_")) ours += line + '\n';
    const Ran checked = ran("promtool", {"check", "metrics"}, ours);
    QVERIFY2(checked.exit == 0, checked.out + checked.err);
    const Ran rules = ran("promtool", {"check", "rules", resource("leasescope_alerts.yml")});
    QVERIFY2(rules.exit == 0 && rules.out.contains("5 rules found"), rules.out + rules.err);
  }
  // A mutex for which somebody waits and that nobody holds, in a Prometheus of our own; the shipped rules, with less
  // patience.
  void anAlertOfARealPrometheusIsPendingThenFiresAndIsOver() {
    const QTemporaryDir folder;
    QByteArray rules = read_whole(resource("leasescope_alerts.yml"));
    rules.replace("for: 30s", "for: 3s");
    const QByteArray config =
        "global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [rules.yml]\nscrape_configs:\n"
        "  - job_name: leasescope\n    static_configs: [{targets: ['" +
        QUrl(page_).authority().toUtf8() + "']}]\n";
    for (const auto& [name, text] : {std::pair("rules.yml", rules), std::pair("prometheus.yml", config)}) {
      QVERIFY(!write_file(folder, name, text).isEmpty());
    }
    const QString address = QStringLiteral("127.0.0.1:%1").arg(free_port());
    QProcess prometheus;
    prometheus.start(QStringLiteral("prometheus"), {"--config.file=" + folder.filePath("prometheus.yml"),
                                                    "--storage.tsdb.path=" + folder.filePath("data"),
                                                    "--web.listen-address=" + address, "--log.level=error"});
    QVERIFY2(prometheus.waitForStarted(), "there is no prometheus");
    const auto state = [&]() -> std::string {
      const json all = json::parse(read_from("http://" + address + "/api/v1/alerts").toStdString(), nullptr, false);
      if (all.is_discarded()) return {};
      for (const json& alert : all["data"]["alerts"])
        if (alert["labels"]["alertname"] == "LeasescopeMutexLeaderless" && alert["labels"]["mutex"] == "orders")
          return alert["state"];
      return {};
    };
    redis::Asker waits(std::chrono::milliseconds(120'000));
    QVERIFY(waits.connect(server_.url()).has_value() && waits.ask({"SUBSCRIBE", "simba:{orders}"}).has_value());
    put({"PUBLISH", "simba:{orders}", "released@@api-1"});
    bool pending = false;
    const bool fired = QTest::qWaitFor(
        [&] {
          const std::string now = state();
          pending = pending || now == "pending";
          return now == "firing";
        },
        60'000);
    QVERIFY2(pending && fired, read_from(page_) + prometheus.readAllStandardError());
    put({"SET", "simba:{orders}", "api-2", "PX", "60000"});
    put({"PUBLISH", "simba:{orders}", "acquired@@api-2"});
    QVERIFY(QTest::qWaitFor([&] { return state().empty(); }, 20'000));
    prometheus.terminate();
    QVERIFY(prometheus.waitForFinished());
  }
  // Each panel has its place and a title, and asks only for what is shown.
  void theDashboardAsksForNothingThatIsNotThere() {
    const json board = json::parse(read_whole(resource("grafana_dashboard.json")).toStdString());
    const QByteArray shown = read_from(page_);
    bool timeline = false;
    for (const json& panel : board["panels"]) {
      timeline = timeline || panel["type"] == "state-timeline";
      QVERIFY(!panel["title"].get<std::string>().empty());
      QVERIFY(panel["gridPos"]["x"].get<int>() + panel["gridPos"]["w"].get<int>() <= 24);
      for (const json& target : panel["targets"]) {
        static const QRegularExpression name(QStringLiteral("leasescope_[a-z_]+"));
        const QString asked = QString::fromStdString(target["expr"]);
        for (auto match = name.globalMatch(asked); match.hasNext();) {
          const QByteArray metric = match.next().captured().toUtf8();
          QVERIFY2(shown.contains(metric + '{') || shown.contains("# TYPE " + metric + ' '), metric);
        }
      }
    }
    QVERIFY(timeline);
  }
  // The schema is written down from Grafana's own definitions; that it refuses is shown by boards that are wrong.
  void theDashboardIsWhatGrafanaTakesForOne() {
    const json board = json::parse(read_whole(resource("grafana_dashboard.json")).toStdString());
    const Ran taken = judged(board);
    QVERIFY2(taken.exit == 0, taken.out + taken.err);
    const std::pair<const char*, json> wrong[] = {
        {"/panels/0/gridPos/w", 30},
        {"/panels/1/options/showValue", "sometimes"},
        {"/panels/1/option", json({})},
        {"/panels/2/targets/0/expr", ""},
        {"/templating/list/0/type", "qry"},
        {"/panels/3/fieldConfig/defaults/units", "s"},
        {"/refresh", 10},
        {"/panels/1/fieldConfig/defaults/mappings/0/options/0", "nobody"},
    };
    for (const auto& [place, value] : wrong) {
      json broken = board;
      broken[json::json_pointer(place)] = value;
      QVERIFY2(judged(broken).exit == 1, place);
    }
    // What a schema cannot say: no two panels bear one number or lie over each other.
    for (const json& one : board["panels"])
      for (const json& other : board["panels"]) {
        if (&one == &other) continue;
        QVERIFY(one["id"] != other["id"]);
        QVERIFY2(!overlap(one["gridPos"], other["gridPos"]), one["title"].get<std::string>().c_str());
      }
  }
  void anAddressThatIsNoneOrIsTakenIsRefused() {
    const Ran word = leasescopectl({"watch", url_, "--metrics", "soon"});
    QCOMPARE(word.exit, 2);
    SAYS(word, "--metrics soon: expected HOST:PORT or PORT");
    const Ran taken = leasescopectl({"watch", url_, "--metrics", QUrl(page_).authority()});
    QCOMPARE(taken.exit, 2);
    SAYS(taken, "cannot be listened on");
    const Ran once = leasescopectl({"watch", url_, "--once", "--metrics", "9464"});
    QCOMPARE(once.exit, 2);
  }
};

LEASESCOPE_SUITE(MetricsTest)
#include "metrics_test.moc"
