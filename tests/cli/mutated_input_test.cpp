// Whatever is handed over, broken in whatever way: the program ends in time and in order, and says what to do.
// LEASESCOPE_MUTATED is how many inputs are tried, LEASESCOPE_MUTATED_SEED which; tests/mutated_input sets them.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <QDirIterator>
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QRegularExpression>

#include "tests/cli/program.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;

extern char** environ;

namespace {

constexpr int kSeconds = 30;
constexpr long kMegabytes = 200;

struct Case {
  QStringList arguments;
  QByteArray input;  // of the file that an argument names
};

struct Ending {
  int exit = -1;  // -signal
  long megabytes = 0;
  qint64 ms = 0;
  QByteArray said;
};

class Mutator {
 public:
  explicit Mutator(quint32 seed) : random_(seed) {}

  QByteArray mutated(QByteArray text) {
    for (int i = 1 + below(4); i > 0; --i) mutate(text);
    return text;
  }
  int below(int bound) { return static_cast<int>(random_.bounded(static_cast<quint32>(bound))); }
  template <class List>
  auto one_of(const List& list) {
    return list[below(static_cast<int>(std::size(list)))];
  }

 private:
  void mutate(QByteArray& text) {
    static const char* const kOdd[] = {"\"",
                                       "'",
                                       "[",
                                       "]",
                                       "{",
                                       "}",
                                       "=",
                                       ".",
                                       "-1",
                                       "0",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "1e308",
                                       "nan",
                                       "inf",
                                       "\"1e9 lease\"",
                                       "\"-5s\"",
                                       "\"99999999h\"",
                                       "\"0s\"",
                                       "\"\"",
                                       "true",
                                       "\\u0000",
                                       "\x1b[2J",
                                       "\xff\xfe",
                                       "\n",
                                       "\r",
                                       "\t",
                                       "#",
                                       "@",
                                       "@@",
                                       "://",
                                       "%00",
                                       "$(id)",
                                       "../../etc/passwd",
                                       "*"};
    const int at = below(static_cast<int>(text.size()) + 1);
    const int length = std::min<int>(1 + below(12), static_cast<int>(text.size()) - at);
    switch (below(8)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.remove(at, length);
        break;
      case 2:
        text.insert(at, text.mid(below(static_cast<int>(text.size()) + 1), 1 + below(60)));
        break;
      case 3:
        text.insert(at, kOdd[below(std::size(kOdd))]);
        break;
      case 4:
        text.replace(at, length, kOdd[below(std::size(kOdd))]);
        break;
      case 5:
        change_a_number(text);
        break;
      case 6:
        swap_lines(text);
        break;
      default:
        text.insert(at, QByteArray(1 + below(3000), "[.{\"a1 "[below(7)]));
    }
  }
  void change_a_number(QByteArray& text) {
    static const QRegularExpression number("[0-9]+");
    auto found = number.globalMatch(QString::fromLatin1(text));
    QList<QRegularExpressionMatch> all;
    while (found.hasNext()) all.append(found.next());
    if (all.isEmpty()) return;
    const auto& match = all[below(static_cast<int>(all.size()))];
    static const char* const kNumbers[] = {
        "0", "1", "-1", "2", "40", "999", "65536", "4294967296", "99999999999999999999"};
    text.replace(match.capturedStart(), match.capturedLength(), kNumbers[below(std::size(kNumbers))]);
  }
  void swap_lines(QByteArray& text) {
    QList<QByteArray> lines = text.split('\n');
    lines.swapItemsAt(below(static_cast<int>(lines.size())), below(static_cast<int>(lines.size())));
    text = lines.join('\n');
  }

  QRandomGenerator random_;
};

Ending run(const QStringList& arguments, const QString& said) {
  std::vector<QByteArray> words{kLeasescopectl};
  for (const QString& argument : arguments) words.push_back(argument.toLocal8Bit());
  std::vector<char*> raw;
  for (QByteArray& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, said.toLocal8Bit().constData(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  QElapsedTimer clock;
  clock.start();
  pid_t child = 0;
  Ending out;
  const bool spawned = posix_spawn(&child, kLeasescopectl, &files, nullptr, raw.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  if (!spawned) return out;
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, WNOHANG, &usage) == 0) {
    if (clock.elapsed() > kSeconds * 1000) ::kill(child, SIGKILL);
    usleep(clock.elapsed() < 50 ? 300 : 3000);
  }
  out.ms = clock.elapsed();
  out.megabytes = usage.ru_maxrss / 1024;
  out.exit = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  out.said = read_whole(said);
  return out;
}

}  // namespace

class MutatedInputTest : public QObject {
  Q_OBJECT
 private slots:
  // What is mutated: without one of these, nothing but an empty file would be tried.
  void initTestCase() {
    QDirIterator files(QString(kSourceFolder) + QStringLiteral("/resources/scenarios"), {"*.toml"});
    while (files.hasNext()) scenarios_.append(files.next());
    scenarios_.sort();
    QVERIFY(scenarios_.size() >= 30);
    for (const char* seed : {"3", "11", "17"}) {
      const Ran drawn = leasescopectl({"swarm", "--print", "--seeds", seed});
      QVERIFY2(drawn.exit == 0 && drawn.out.contains("[mutex]"), drawn.err);
      replays_.append(drawn.out);
    }
    const Ran trail = leasescopectl({"trail", "healthy", "--set", "duration=3s"});
    QVERIFY2(trail.exit == 0 && trail.out.count('\n') > 20, trail.err);
    trail_ = trail.out;
  }
  void itEndsInTimeAndInOrderAndSaysWhatToDo() {
    const int cases =
        qEnvironmentVariableIsSet("LEASESCOPE_MUTATED") ? qEnvironmentVariableIntValue("LEASESCOPE_MUTATED") : 300;
    const auto seed = static_cast<quint32>(qEnvironmentVariableIsSet("LEASESCOPE_MUTATED_SEED")
                                               ? qEnvironmentVariableIntValue("LEASESCOPE_MUTATED_SEED")
                                               : 1);
    qInfo("%d inputs from seed %u", cases, seed);
    int failed = 0;
    for (int i = 0; i < cases && failed < 20; ++i) {
      Mutator mutator(seed * 1'000'003u + static_cast<quint32>(i));
      const Case tried = draw(mutator);
      const Ending ending = run(tried.arguments, folder_.filePath("said"));
      const QString wrong = wrong_with(ending);
      if (wrong.isEmpty()) continue;
      ++failed;
      const QString kept = QDir::temp().filePath(QString("leasescope-mutated-%1-%2").arg(seed).arg(i));
      if (!tried.input.isEmpty()) QFile::copy(folder_.filePath("input"), kept);
      qWarning("input %d: %s\n  leasescopectl %s\n  %s\n  said: %s", i, qPrintable(wrong),
               qPrintable(tried.arguments.join(" ").left(400)), tried.input.isEmpty() ? "" : qPrintable(kept),
               ending.said.left(400).constData());
    }
    QCOMPARE(failed, 0);
  }

 private:
  Case draw(Mutator& mutator) {
    static const QByteArray sets[] = {"mutex.ttl=1s",
                                      "contender.0.count=5",
                                      "resource.fencing=false",
                                      "fault.0.at=3 lease",
                                      "store.latency={ median = \"500us\", p99 = \"3ms\" }",
                                      "mutex.jitter=[\"-1s\",\"1s\"]",
                                      "store.loss=0.01",
                                      "contender.*.clock.drift_ppm=20",
                                      "expect.acquisitions=>= 3",
                                      "mutex.name=orders",
                                      "duration=9s",
                                      "contender.0.behaviour=3.1"};
    static const QByteArray urls[] = {"redis://user:pw@127.77.0.1:1/0",
                                      "rediss://127.77.0.1:1",
                                      "unix:/nowhere/redis.sock",
                                      "postgresql://me:pw@127.77.0.1:1/db?sslmode=disable",
                                      "postgres",
                                      "model:redis",
                                      "postgresql:///db?host=/nowhere&port=5432"};
    Case out;
    switch (mutator.below(5)) {
      case 0:
        return file_case(mutator, read_whole(mutator.one_of(scenarios_)), {"run", "%1", "--json", "--until", "20s"});
      case 1:
        return file_case(mutator, mutator.one_of(replays_), {"run", "%1", "--until", "20s"});
      case 2:
        return file_case(mutator, trail_, {"trail", "healthy", "--set", "duration=3s", "--against", "%1"});
      case 3:
        out.arguments = {"run", "gc-pause", "--until", "20s", "--set", word(mutator.mutated(mutator.one_of(sets)))};
        return out;
      default:
        out.arguments = {"run", "healthy", "--until", "100ms", "--store", word(mutator.mutated(mutator.one_of(urls)))};
        if (out.arguments.last() == "postgres" || out.arguments.last() == "redis") out.arguments.last() = "redis:";
        return out;
    }
  }
  // No argument holds a zero.
  static QString word(QByteArray bytes) { return QString::fromLocal8Bit(bytes.replace('\0', 'x')); }

  Case file_case(Mutator& mutator, const QByteArray& text, QStringList arguments) {
    const QByteArray input = mutator.mutated(text);
    const QString path = write_file(folder_, "input", input);
    return {arguments.replaceInStrings("%1", path), input};
  }

  static QString wrong_with(const Ending& ending) {
    static const QRegularExpression helps("expected|:[0-9]+:|--|did you mean|install|line|is over|unset|its address");
    if (ending.exit < 0) return QString("signal %1").arg(-ending.exit);
    if (ending.exit > 3) return QString("exit %1").arg(ending.exit);
    if (ending.ms > kSeconds * 1000) return QString("%1 ms").arg(ending.ms);
    if (ending.megabytes > kMegabytes) return QString("%1 MB").arg(ending.megabytes);
    if (ending.exit == 0 || ending.exit == 3) return {};
    if (ending.said.size() > 8'000) return QString("a message of %1 bytes").arg(ending.said.size());
    if (ending.said.contains('\x1b')) return "an escape code is repeated";
    if (!QString::fromUtf8(ending.said).contains(helps)) return "no place and no remedy";
    return {};
  }

  QTemporaryDir folder_;
  QStringList scenarios_;
  QByteArrayList replays_;
  QByteArray trail_;
};

LEASESCOPE_SUITE(MutatedInputTest)
#include "mutated_input_test.moc"
