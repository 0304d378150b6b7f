// What a watch tells afterwards of who owned a mutex, beside what its owners wrote down themselves. Twenty contend; an
// owner ends its work, is killed, or stands still for longer than its lease. A few seconds here;
// tests/agreement_campaign for minutes.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <map>
#include <memory>
#include <optional>
#include <random>

#include "simulator/live/private_server.h"
#include "tests/cli/contend_process.h"
#include "tests/cli/program.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using nlohmann::json;

namespace {

constexpr int kContenders = 20;
constexpr qint64 kToWrite = 2'000'000'000;  // ns from a grant until the first line stands there, at most

qint64 wall_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

using Term = std::pair<std::string, std::int64_t>;  // owner, token

// Wall time, in ns since 1970.
struct Stretch {
  qint64 from = 0, to = 0;
  bool holds(qint64 at) const { return from <= at && at <= to; }
};

// "OWNER FENCE NS PROCESS": owned at that moment, as the process that contends believed.
struct Wrote {
  Term term;
  qint64 at = 0;
  QByteArray process;
};

std::vector<Wrote> written(const QByteArray& log) {
  std::vector<Wrote> out;
  for (const QByteArray& line : log.split('\n')) {
    const QList<QByteArray> words = line.split(' ');
    if (words.size() == 4)
      out.push_back({{words[0].toStdString(), words[1].toLongLong()}, words[2].toLongLong(), words[3]});
  }
  return out;
}

// What `leasescopectl history --json` says of the mutex.
class Told {
 public:
  struct Owned {
    Term term;
    Stretch widest;  // from its earliest begin to its latest end
    qint64 surely_from, surely_to;
  };

  explicit Told(const json& history) {
    const qint64 epoch = history["epoch_unix_ns"].get<qint64>();
    const auto wall = [&](const json& at) {
      return at.is_null() ? std::numeric_limits<qint64>::max() : epoch + at.get<qint64>();
    };
    const json& mutex = history["mutexes"][0];
    for (const json& each : mutex["owned"])
      owned.push_back({{each["owner"].get<std::string>(), each["token"].is_null() ? -1 : each["token"].get<qint64>()},
                       {wall(each["begin_from_ns"]), wall(each["end_ns"])},
                       wall(each["begin_ns"]),
                       wall(each["end_from_ns"])});
    for (const json& each : mutex["unobserved"]) unobserved.push_back({wall(each["begin_ns"]), wall(each["end_ns"])});
  }
  bool sees(qint64 at) const {
    return std::none_of(unobserved.begin(), unobserved.end(), [&](const Stretch& gap) { return gap.holds(at); });
  }

  std::vector<Owned> owned;
  std::vector<Stretch> unobserved;
};

// The contenders, and what is done to them.
class Fleet {
 public:
  Fleet(QString store, bool leases, QString log) : store_(std::move(store)), log_(std::move(log)), leases_(leases) {
    for (auto& each : all_) each = another();
  }
  ~Fleet() {
    for (const auto& each : all_) each->signal(SIGKILL);
    for (const auto& each : all_) each->ended();
  }

  void go_on(int ms) {
    QTest::qWait(ms);
    for (auto& each : all_)
      if (!each->running()) {
        ++(each->exit() == 0 ? done : lost);
        each = another();
      }
  }
  // To whoever wrote last, as it owns the mutex.
  void kill_or_stop_the_owner() {
    const auto lines = written(content(log_));
    const auto victim = std::find_if(all_.begin(), all_.end(), [&](const auto& each) {
      return !lines.empty() && each->running() && each->number() == " " + lines.back().process;
    });
    if (victim == all_.end()) return;
    if (draw_() % 2 == 0) {
      (*victim)->signal(SIGKILL);
      QVERIFY((*victim)->ended());
      *victim = another();
      ++killed;
      return;
    }
    const qint64 from = wall_ns();
    (*victim)->signal(SIGSTOP);
    QTest::qWait(leases_ ? 2500 : 5000);
    (*victim)->signal(SIGCONT);
    stood_still[lines.back().process].push_back({from, wall_ns() + 1'000'000'000});
    ++stopped;
  }

  int done = 0, killed = 0, stopped = 0;
  int lost = 0;                                            // their ownership: those that stood still, as a rule
  std::map<QByteArray, std::vector<Stretch>> stood_still;  // by process

 private:
  // It works for one to two seconds, and says so ten times a second.
  std::unique_ptr<Contend> another() {
    const QString work = QString(
                             "for i in $(seq %1); do "
                             "echo $LEASESCOPE_OWNER $LEASESCOPE_FENCE $(date +%s%N) $PPID >>%2; sleep 0.1; done")
                             .arg(10 + draw_() % 10)
                             .arg(log_);
    const QStringList terms{"--ttl", leases_ ? "1s" : "4s", "--transition", "600ms", "--timeout", "400ms", "--grace",
                            "200ms", "--jitter=0ms..100ms"};
    return std::make_unique<Contend>(store_, terms, QStringList{"sh", "-c", work});
  }

  QString store_, log_;
  bool leases_;
  std::mt19937 draw_{11};
  std::array<std::unique_ptr<Contend>, kContenders> all_;
};

QByteArray words(const Term& term) {
  return QByteArray::fromStdString(term.first) + " #" + QByteArray::number(term.second);
}

// What is wrong, one line each.
QList<QByteArray> disagreements(const Told& told, const std::vector<Wrote>& log, const Fleet& fleet, qint64 ending) {
  QList<QByteArray> out;
  std::map<Term, const Told::Owned*> by_term;
  qint64 owned_until = 0;
  for (const Told::Owned& each : told.owned) {
    if (!by_term.emplace(each.term, &each).second) out << words(each.term) + " is told of twice";
    if (each.surely_from < owned_until) out << words(each.term) + " begins before the one before it has ended";
    owned_until = std::max(owned_until, each.surely_to);
  }
  std::map<Term, int> lines;
  for (const Wrote& line : log) {
    ++lines[line.term];
    const auto of = fleet.stood_still.find(line.process);
    // A process that stands still does not know that its lease is over, and its command writes on.
    const bool knows =
        of == fleet.stood_still.end() ||
        std::none_of(of->second.begin(), of->second.end(), [&](const Stretch& each) { return each.holds(line.at); });
    if (!knows || !told.sees(line.at)) continue;
    const auto found = by_term.find(line.term);
    if (found == by_term.end())
      out << words(line.term) + " wrote, and is not told of";
    else if (!found->second->widest.holds(line.at))
      out << words(line.term) + " wrote " + QByteArray::number((line.at - found->second->widest.from) / 1000) +
                 " us after its begin, of " +
                 QByteArray::number((found->second->widest.to - found->second->widest.from) / 1000);
  }
  for (const Told::Owned& each : told.owned)
    if (lines[each.term] == 0 && each.surely_from < ending - kToWrite)
      out << words(each.term) + " is told of, and wrote nothing";
  return out;
}

}  // namespace

class AgreementTest : public QObject {
  Q_OBJECT

 private slots:
  void aWatchTellsWhatTheOwnersWroteDown_data() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : store_types()) QTest::newRow(type->name().data()) << true;
  }
  void aWatchTellsWhatTheOwnersWroteDown() {
    const int asked = qEnvironmentVariableIntValue("LEASESCOPE_AGREEMENT_SECONDS");
    const qint64 most = (asked > 0 ? asked : 8) * 1000;
    const QTemporaryDir folder;
    const QString log = folder.filePath("log"), recording = folder.filePath("night.recording");
    PrivateServer server(this_store());
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    const QString url = QString::fromStdString(printable(server.url()));
    // So that there is something to watch.
    QCOMPARE(leasescopectl({"contend", url, "orders", "--", "true"}).exit, 0);
    QProcess watching;
    watching.start(kLeasescopectl, {"watch", url, "--mutex", "orders", "--poll", "250ms", "--record", recording});
    QVERIFY(watching.waitForStarted());
    QVERIFY(soon([&] { return QFile::exists(recording); }));
    QTest::qWait(1500);

    Fleet fleet(url, this_store().carries(Family::kLease), log);
    std::mt19937 draw(5);
    QElapsedTimer since;
    for (since.start(); since.elapsed() < most;) {
      fleet.go_on(300);
      // Once soon, then now and then.
      if (fleet.killed + fleet.stopped == 0 || draw() % 12 == 0) fleet.kill_or_stop_the_owner();
      if (QTest::currentTestFailed()) return;
    }
    const qint64 ending = wall_ns();
    ::kill(static_cast<pid_t>(watching.processId()), SIGINT);
    QVERIFY(watching.waitForFinished(5000));
    QCOMPARE(watching.exitCode(), 0);

    std::vector<Wrote> wrote = written(content(log));
    wrote.erase(std::remove_if(wrote.begin(), wrote.end(), [&](const Wrote& line) { return line.at >= ending; }),
                wrote.end());
    const Ran ran = leasescopectl({"history", "orders", recording, "--json"});
    QVERIFY2(ran.exit == 0, ran.err);
    const Told told(ran.json());
    qInfo("%d lines, %d stretches, %d unobserved; %d done, %d killed, %d stood still, %d lost",
          static_cast<int>(wrote.size()), static_cast<int>(told.owned.size()), static_cast<int>(told.unobserved.size()),
          fleet.done, fleet.killed, fleet.stopped, fleet.lost);
    const QList<QByteArray> wrong = disagreements(told, wrote, fleet, ending);
    QVERIFY2(wrong.isEmpty(), wrong.mid(0, 20).join("\n"));
    QVERIFY(told.owned.size() >= 2 && fleet.killed + fleet.stopped > 0);
    const auto judged =
        std::count_if(wrote.begin(), wrote.end(), [&](const Wrote& line) { return told.sees(line.at); });
    QVERIFY2(judged * 2 > static_cast<qint64>(wrote.size()), QByteArray::number(static_cast<qint64>(judged)));
  }
};

LEASESCOPE_SUITE(AgreementTest)
#include "agreement_test.moc"
