#include "simulator/live/private_server.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace leasescope {
namespace {

using std::chrono::seconds;
using Result = tl::expected<void, std::string>;

constexpr const char* kSaid = "said.txt";   // in its folder
constexpr int kToEndMs = 5000;              // that a command has to come to its end
constexpr int kTick = 5;                    // ms between two looks at what a command has come to
constexpr qint64 kMostSaid = 4000;          // bytes of what a command that failed has written, the last ones
constexpr std::size_t kLongestFolder = 80;  // a socket's path has room for 107 bytes

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

// Of libfaketime, the one for programs of several threads; empty: it is not here.
std::string find_clock_library() {
  std::error_code error;
  for (const char* const folder : {"/usr/lib", "/usr/local/lib"})
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
      for (const std::filesystem::path& where : {at->path() / "faketime", at->path()})
        if (const auto file = where / "libfaketimeMT.so.1"; std::filesystem::exists(file, error)) return file.string();
  return {};
}

// Only what it reads as the time of day; memory comes from the C library, for jemalloc looks at the clock before
// libfaketime can tell it.
QProcessEnvironment with_clock(const std::string& library, const std::string& file) {
  QProcessEnvironment out = QProcessEnvironment::systemEnvironment();
  out.insert("LD_PRELOAD", QString::fromStdString(library + " libc.so.6"));
  out.insert("FAKETIME_TIMESTAMP_FILE", QString::fromStdString(file));
  out.insert("FAKETIME_NO_CACHE", "1");
  out.insert("FAKETIME_DONT_FAKE_MONOTONIC", "1");
  return out;
}

// What libfaketime keeps of a process by names that a killed one would leave behind: who has it open needs them no
// more.
void forget_clock_of(pid_t process) {
  for (const char* const name : {"faketime_shm_", "sem.faketime_sem_"})
    ::unlink(fmt::format("/dev/shm/{}{}", name, process).c_str());
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

// Whether any process of the group still runs. One that is dead and that nobody has asked about yet is in it too.
bool runs(pid_t group) {
  if (::kill(-group, 0) != 0) return false;
  std::error_code code;
  for (std::filesystem::directory_iterator at("/proc", code), end; !code && at != end; at.increment(code)) {
    std::ifstream file(at->path() / "stat");  // "number (name) state parent group …"
    std::string text;
    std::getline(file, text);
    std::istringstream words(text.substr(std::min(text.rfind(')') + 1, text.size())));
    char state = 0;
    pid_t parent = 0, of = 0;
    if (words >> state >> parent >> of && of == group && state != 'Z' && state != 'X') return true;
  }
  return false;
}

// A command's own children may still be at work in the folder for a moment when it has ended.
void wait_for_the_rest_of(pid_t group) {
  const auto end = std::chrono::steady_clock::now() + seconds(2);
  while (runs(group) && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace

PrivateServer::PrivateServer(const StoreType& type, PrivateServerOptions options)
    : type_(&type), options_(std::move(options)) {}

PrivateServer::~PrivateServer() { kill(); }

Result PrivateServer::start(std::stop_token stop) {
  stop_ = std::move(stop);
  auto folder = PrivateFolder::make(kLongestFolder);
  if (!folder) return tl::unexpected(folder.error());
  folder_ = std::move(*folder);
  if (::mkdir(home().c_str(), 0700) != 0)
    return tl::unexpected(fmt::format("cannot make {}: {}", home(), std::strerror(errno)));
  recipe_ = type_->recipe({home(), options_.password, options_.connections, options_.remembers});
  if (auto given = give_folder_away(); !given) return given;
  if (auto written = write_files(); !written) return written;
  if (auto given = give_clock(); !given) return given;
  if (auto prepared = prepare(); !prepared) return prepared;
  return serve();
}

std::string PrivateServer::home() const { return folder_->path() + "/server"; }

Result PrivateServer::start_again() {
  kill();
  return serve();
}

// A server that refuses to run as root gets the user its package made, and a folder within ours.
Result PrivateServer::give_folder_away() {
  if (::geteuid() != 0 || recipe_.users.empty()) return {};
  const passwd* user = nullptr;
  for (const std::string& name : recipe_.users)
    if (user == nullptr) user = ::getpwnam(name.c_str());
  if (user == nullptr)
    return tl::unexpected(
        fmt::format("{} does not run as root, and there is no user {}", type_->title, recipe_.users.front()));
  user_ = user->pw_uid;
  group_ = user->pw_gid;
  if (::chown(home().c_str(), user_, group_) != 0 || ::chmod(folder_->path().c_str(), 0711) != 0)
    return tl::unexpected(
        fmt::format("cannot give {} to the user {}: {}", home(), recipe_.users.front(), std::strerror(errno)));
  return {};
}

Result PrivateServer::write_files() {
  for (const ServerFile& file : recipe_.files) {
    const int fd = ::open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool written = fd >= 0 && ::write(fd, file.text.data(), file.text.size()) == ssize_t(file.text.size()) &&
                         (user_ == 0 || ::fchown(fd, user_, group_) == 0);
    const int error = errno;
    if (fd >= 0) ::close(fd);
    if (!written) return tl::unexpected(fmt::format("cannot write {}: {}", file.path, std::strerror(error)));
  }
  return {};
}

Result PrivateServer::give_clock() {
  if (!options_.sets_clock) return {};
  clock_library_ = find_clock_library();
  if (clock_library_.empty())
    return tl::unexpected<std::string>(
        "a server's clock is set by libfaketime, which is not installed: install the package libfaketime (apt-get "
        "install libfaketime)");
  return set_clock(Duration::zero());
}

// At once and whole: it is read at every look at the clock.
Result PrivateServer::set_clock(Duration ahead) {
  const std::string next = clock_file() + ".next";
  std::ofstream(next) << fmt::format("{:+.9f}\n", std::chrono::duration<double>(ahead).count());
  std::error_code error;
  std::filesystem::permissions(next, std::filesystem::perms(0644), error);
  std::filesystem::rename(next, clock_file(), error);
  if (error) return tl::unexpected(fmt::format("cannot write {}: {}", clock_file(), error.message()));
  return {};
}

Result PrivateServer::prepare() {
  if (!recipe_.prepare) return {};
  if (auto launched = launch(*recipe_.prepare); !launched) return launched;
  wait([this] { return ended(); }, seconds(60));
  const bool made = process_->state() == QProcess::NotRunning && process_->exitCode() == 0 &&
                    process_->exitStatus() == QProcess::NormalExit;
  if (made) return {};
  return tl::unexpected(fmt::format("{} failed: {}", recipe_.prepare->programs.front(), said()));
}

Result PrivateServer::serve() {
  if (auto launched = launch(recipe_.serve); !launched) return launched;
  bool answers = false;
  wait([&] { return ended() || (answers = type_->answers(url())); }, seconds(20));
  if (!clock_library_.empty()) forget_clock_of(static_cast<pid_t>(process_->processId()));
  if (answers && !ended()) return {};
  kill();
  return tl::unexpected(fmt::format("the private {} server does not answer: {}", type_->name(), said()));
}

bool PrivateServer::wait(const std::function<bool()>& so, seconds most) const {
  const auto end = std::chrono::steady_clock::now() + most;
  while (!so()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    process_->waitForFinished(kTick);
  }
  return true;
}

bool PrivateServer::ended() const { return process_->state() == QProcess::NotRunning || stop_.stop_requested(); }

std::string PrivateServer::said() const {
  QFile file(QString::fromStdString(home() + "/" + kSaid));
  if (!file.open(QIODevice::ReadOnly)) return {};
  file.seek(std::max<qint64>(0, file.size() - kMostSaid));
  return QString::fromLocal8Bit(file.read(kMostSaid)).trimmed().toStdString();
}

Result PrivateServer::launch(const ServerCommand& command) {
  const QString program = find_program(command);
  if (program.isEmpty())
    return tl::unexpected(
        fmt::format("{} is not installed: install the package {} (apt-get install {}), or name a server by its URL",
                    command.programs.front(), command.package, command.package));
  process_ = std::make_unique<QProcess>();
  end_signal_ = command.end_signal;
  // Not a pipe, which somebody would have to empty for as long as it runs.
  process_->setProcessChannelMode(QProcess::MergedChannels);
  process_->setStandardOutputFile(QString::fromStdString(home() + "/" + kSaid));
  if (!clock_library_.empty() && &command == &recipe_.serve)
    process_->setProcessEnvironment(with_clock(clock_library_, clock_file()));
  process_->setWorkingDirectory(QString::fromStdString(home()));
  const pid_t parent = ::getpid();
  const int on_our_death = command.end_signal != 0 ? command.end_signal : SIGKILL;
  process_->setChildProcessModifier(
      [user = user_, group = group_, on_our_death, parent] { enter_server(user, group, on_our_death, parent); });
  process_->start(program, texts(command.arguments));
  if (process_->waitForStarted(5000)) return {};
  return tl::unexpected(
      fmt::format("{} does not start: {}", program.toStdString(), process_->errorString().toStdString()));
}

void PrivateServer::freeze() { tell_all(SIGSTOP); }
void PrivateServer::thaw() { tell_all(SIGCONT); }

// It leads a session of its own, and with it a group: some servers are several processes.
void PrivateServer::tell_all(int signal) const {
  if (running()) ::kill(-static_cast<pid_t>(process_->processId()), signal);
}

void PrivateServer::kill() {
  if (process_ == nullptr || process_->state() == QProcess::NotRunning) return;
  const auto pid = static_cast<pid_t>(process_->processId());
  if (end_signal_ != 0) ::kill(-pid, end_signal_);
  thaw();  // one that stands still hears of nothing but SIGKILL
  if (!process_->waitForFinished(kToEndMs)) {
    ::kill(-pid, SIGKILL);
    process_->waitForFinished(kToEndMs);
  }
  wait_for_the_rest_of(pid);
}

bool PrivateServer::running() const { return process_ != nullptr && process_->state() == QProcess::Running; }

}  // namespace leasescope
