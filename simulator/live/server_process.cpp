#include "simulator/live/server_process.h"

#include <grp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <QFile>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace leasescope {
namespace {

using std::chrono::seconds;

constexpr int kToEndMs = 5000;      // that a command has to come to its end
constexpr int kTick = 5;            // ms between two looks at what a command has come to
constexpr qint64 kMostSaid = 4000;  // bytes of what a command that failed has written, the last ones

QStringList texts(const std::vector<std::string>& list) {
  QStringList out;
  for (const std::string& each : list) out << QString::fromStdString(each);
  return out;
}

QString find_program(const ServerCommand& command) {
  const QStringList folders = texts(command.folders);
  for (const QString& name : texts(command.programs)) {
    QString found = folders.isEmpty() ? QString() : QStandardPaths::findExecutable(name, folders);
    if (found.isEmpty()) found = QStandardPaths::findExecutable(name);
    if (found.isEmpty()) found = QStandardPaths::findExecutable(name, {"/usr/bin", "/usr/sbin", "/usr/local/bin"});
    if (!found.isEmpty()) return found;
  }
  return {};
}

QProcessEnvironment environment_with(const std::vector<std::pair<std::string, std::string>>& more) {
  QProcessEnvironment out = QProcessEnvironment::systemEnvironment();
  for (const auto& [name, value] : more) out.insert(QString::fromStdString(name), QString::fromStdString(value));
  return out;
}

// Runs in the child between fork and exec: only what is safe there.
void enter_server(unsigned user, unsigned group, int death_signal, pid_t parent) {
  ::setsid();
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);  // our thread may leave its signals to others
  if (user != 0 && (::setgroups(0, nullptr) != 0 || ::setgid(group) != 0 || ::setuid(user) != 0)) ::_exit(126);
  ::prctl(PR_SET_PDEATHSIG, death_signal);  // after setuid, which would forget it
  if (::getppid() != parent) ::_exit(127);
}

struct Running {
  pid_t process = 0, parent = 0, group = 0;
};

// Of a process or a thread; the state is 0 when there is none any more.
struct Told {
  Running running;
  char state = 0;
};
Told told_by(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");  // "number (name) state parent group …"
  std::string text;
  std::getline(file, text);
  std::istringstream words(text.substr(std::min(text.rfind(')') + 1, text.size())));
  Told out;
  out.running.process = std::atoi(text.c_str());
  if (!(words >> out.state >> out.running.parent >> out.running.group)) out.state = 0;
  return out;
}

// All of the system, but for those that are dead and that nobody has asked about yet.
std::vector<Running> all_running() {
  std::vector<Running> out;
  std::error_code code;
  for (std::filesystem::directory_iterator at("/proc", code), end; !code && at != end; at.increment(code)) {
    const Told told = told_by(at->path());
    if (told.state != 0 && told.state != 'Z' && told.state != 'X') out.push_back(told.running);
  }
  return out;
}

// All of its threads.
bool stands(pid_t process) {
  constexpr std::string_view kGoesOn = "RSDI";  // runs, or waits for something
  std::error_code code;
  for (std::filesystem::directory_iterator at(fmt::format("/proc/{}/task", process), code), end; !code && at != end;
       at.increment(code))
    if (const char state = told_by(at->path()).state; state != 0 && kGoesOn.find(state) != std::string_view::npos)
      return false;
  return true;
}

bool runs(pid_t group) {
  if (::kill(-group, 0) != 0) return false;
  const std::vector<Running> all = all_running();
  return std::any_of(all.begin(), all.end(), [group](const Running& each) { return each.group == group; });
}

// A command's own children may still be at work in the folder for a moment when it has ended.
void wait_for_the_rest_of(pid_t group) {
  const auto end = std::chrono::steady_clock::now() + seconds(2);
  while (runs(group) && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace

ServerProcess::ServerProcess(const ServerCommand& command, Setting setting)
    : command_(command), setting_(std::move(setting)) {}

tl::expected<void, std::string> ServerProcess::start() {
  const QString program = find_program(command_);
  if (program.isEmpty())
    return tl::unexpected(
        fmt::format("{} is not installed: install the package {} (apt-get install {}), or name a server by its URL",
                    command_.programs.front(), command_.package, command_.package));
  process_ = std::make_unique<QProcess>();
  // Not a pipe, which somebody would have to empty for as long as it runs.
  process_->setProcessChannelMode(QProcess::MergedChannels);
  process_->setStandardOutputFile(QString::fromStdString(setting_.folder + "/" + setting_.said));
  process_->setProcessEnvironment(environment_with(setting_.environment));
  process_->setWorkingDirectory(QString::fromStdString(setting_.folder));
  const pid_t parent = ::getpid();
  const int on_our_death = command_.end_signal != 0 ? command_.end_signal : SIGKILL;
  process_->setChildProcessModifier([user = setting_.user, group = setting_.group, on_our_death, parent] {
    enter_server(user, group, on_our_death, parent);
  });
  process_->start(program, texts(command_.arguments));
  if (process_->waitForStarted(5000)) return {};
  return tl::unexpected(
      fmt::format("{} does not start: {}", program.toStdString(), process_->errorString().toStdString()));
}

// PostgreSQL's backends are groups of their own. They come second: who stands still begins no others.
void ServerProcess::tell(int signal) const {
  if (!running()) return;
  const auto server = static_cast<pid_t>(process_->processId());
  ::kill(-server, signal);
  for (const Running& each : all_running())
    if (each.parent == server && each.group != server) ::kill(each.process, signal);
}

// One of its threads takes the signal, when it comes to run; the others may answer until then.
void ServerProcess::freeze() const {
  tell(SIGSTOP);
  if (!running()) return;
  const auto server = static_cast<pid_t>(process_->processId());
  const auto goes_on = [server](const Running& each) {
    return (each.group == server || each.parent == server) && !stands(each.process);
  };
  const auto end = std::chrono::steady_clock::now() + seconds(2);
  for (;;) {
    const std::vector<Running> all = all_running();
    if (std::none_of(all.begin(), all.end(), goes_on) || std::chrono::steady_clock::now() > end) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void ServerProcess::end() {
  if (process_ == nullptr || process_->state() == QProcess::NotRunning) return;
  const auto pid = static_cast<pid_t>(process_->processId());
  if (command_.end_signal != 0) ::kill(-pid, command_.end_signal);
  tell(SIGCONT);  // one that stands still hears of nothing but SIGKILL
  if (!process_->waitForFinished(kToEndMs)) {
    ::kill(-pid, SIGKILL);
    process_->waitForFinished(kToEndMs);
  }
  wait_for_the_rest_of(pid);
}

bool ServerProcess::succeeded() const {
  return process_ != nullptr && process_->state() == QProcess::NotRunning && process_->exitCode() == 0 &&
         process_->exitStatus() == QProcess::NormalExit;
}

void ServerProcess::wait_a_moment() { process_->waitForFinished(kTick); }

std::string ServerProcess::said() const {
  QFile file(QString::fromStdString(setting_.folder + "/" + setting_.said));
  if (!file.open(QIODevice::ReadOnly)) return {};
  file.seek(std::max<qint64>(0, file.size() - kMostSaid));
  return QString::fromLocal8Bit(file.read(kMostSaid)).trimmed().toStdString();
}

}  // namespace leasescope
