#include "simulator/live/private_server.h"

#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <cstring>

#include <fmt/format.h>

#include "core/store/postgres/conninfo.h"
#include "simulator/live/event_wait.h"

namespace leasescope {
namespace {

using std::chrono::seconds;
using Result = tl::expected<void, std::string>;

constexpr int kPostgresPort = 5432;         // only the name of its socket
constexpr std::size_t kLongestFolder = 80;  // a socket's path has room for 107 bytes

tl::unexpected<std::string> missing(std::string_view program, std::string_view package) {
  return tl::unexpected(
      fmt::format("{} is not installed: install the package {} (apt-get install {}), or name a server "
                  "by its URL",
                  program, package, package));
}

std::string find_program(const QStringList& names, const QStringList& folders = {}) {
  for (const QString& name : names) {
    QString found = folders.isEmpty() ? QString() : QStandardPaths::findExecutable(name, folders);
    if (found.isEmpty()) found = QStandardPaths::findExecutable(name);
    if (found.isEmpty()) found = QStandardPaths::findExecutable(name, {"/usr/bin", "/usr/sbin", "/usr/local/bin"});
    if (!found.isEmpty()) return found.toStdString();
  }
  return {};
}

// Debian keeps PostgreSQL's servers out of PATH, one folder a version.
QStringList postgres_folders() {
  QStringList folders;
  const QDir versions("/usr/lib/postgresql");
  for (const QString& version : versions.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name | QDir::Reversed))
    folders << versions.filePath(version + "/bin");
  return folders;
}

// Redis answers as soon as it listens.
bool redis_answers(const std::string& socket_path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, socket_path.c_str(), sizeof(address.sun_path) - 1);
  const bool connected = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  ::close(fd);
  return connected;
}

// PostgreSQL listens before it lets anybody in.
bool postgres_answers(const StoreUrl& url) {
  const postgres::ConnInfo info(url, url.endpoint);
  return PQpingParams(info.keywords().data(), info.values().data(), 0) == PQPING_OK;
}

bool answers(const StoreUrl& url) {
  return url.kind == StoreKind::kRedis ? redis_answers(url.endpoint.unix_path) : postgres_answers(url);
}

// Runs in the child between fork and exec: only what is safe there.
void enter_server(unsigned user, unsigned group, int death_signal, pid_t parent) {
  ::setsid();
  if (user != 0 && (::setgroups(0, nullptr) != 0 || ::setgid(group) != 0 || ::setuid(user) != 0)) ::_exit(126);
  ::prctl(PR_SET_PDEATHSIG, death_signal);  // after setuid, which would forget it
  if (::getppid() != parent) ::_exit(127);
}

}  // namespace

PrivateServer::PrivateServer(StoreKind kind, PrivateServerOptions options)
    : kind_(kind), options_(std::move(options)) {}

PrivateServer::~PrivateServer() { kill(); }

Result PrivateServer::start() {
  auto folder = PrivateFolder::make(kLongestFolder);
  if (!folder) return tl::unexpected(folder.error());
  folder_ = std::move(*folder);
  if (::mkdir(home().toLocal8Bit().constData(), 0700) != 0)
    return tl::unexpected(fmt::format("cannot make {}: {}", home().toStdString(), std::strerror(errno)));
  if (kind_ == StoreKind::kRedis) return launch_redis();
  if (auto made = make_database(); !made) return made;
  return launch_postgres();
}

QString PrivateServer::home() const { return QString::fromStdString(folder_->path()) + "/server"; }

Result PrivateServer::start_again() {
  kill();
  return kind_ == StoreKind::kRedis ? launch_redis() : launch_postgres();
}

Result PrivateServer::launch_redis() {
  const std::string program = find_program({"redis-server", "valkey-server"});
  if (program.empty()) return missing("redis-server", "redis-server");
  const std::string socket = url().endpoint.unix_path;
  QStringList arguments{"--port",     "0",       "--unixsocket", QString::fromStdString(socket),
                        "--save",     "",        "--appendonly", "no",
                        "--dir",      home(),    "--daemonize",  "no",
                        "--loglevel", "warning", "--maxclients", QString::number(options_.connections + 64)};
  if (!options_.password.empty()) arguments << "--requirepass" << QString::fromStdString(options_.password);
  if (auto launched = launch(program, arguments, SIGKILL); !launched) return launched;
  return wait_for_answer();
}

Result PrivateServer::launch_postgres() {
  const std::string program = find_program({"postgres"}, postgres_folders());
  if (program.empty()) return missing("postgres", "postgresql");
  const QString data = home() + "/data";
  // No write waits for a disk, but a commit is in the log before it is answered: who kills the server finds every lease
  // that it has granted.
  const QStringList arguments{"-D", data,
                              "-k", home(),
                              "-p", QString::number(kPostgresPort),
                              "-c", "listen_addresses=",
                              "-c", "fsync=off",
                              "-c", "full_page_writes=off",
                              "-c", "shared_buffers=16MB",
                              "-c", "autovacuum=off",
                              "-c", QString("max_connections=%1").arg(options_.connections + 20)};
  // Its quick shutdown: a killed postmaster would leave its shared memory behind.
  if (auto launched = launch(program, arguments, SIGQUIT); !launched) return launched;
  return wait_for_answer();
}

// PostgreSQL refuses to run as root, so as root it gets the user its package made, and a folder within ours.
Result PrivateServer::give_folder_away() {
  if (::geteuid() != 0) return {};
  const passwd* user = ::getpwnam("postgres");
  if (user == nullptr) user = ::getpwnam("nobody");
  if (user == nullptr)
    return tl::unexpected(std::string("PostgreSQL does not run as root, and there is no user postgres"));
  user_ = user->pw_uid;
  group_ = user->pw_gid;
  const std::string mine = folder_->path(), its = home().toStdString();
  if (::chown(its.c_str(), user_, group_) != 0 || ::chmod(mine.c_str(), 0711) != 0)
    return tl::unexpected(fmt::format("cannot give {} to the user postgres: {}", its, std::strerror(errno)));
  return {};
}

Result PrivateServer::make_database() {
  const std::string program = find_program({"initdb"}, postgres_folders());
  if (program.empty()) return missing("initdb", "postgresql");
  if (auto given = give_folder_away(); !given) return given;
  QStringList arguments{"-D",   home() + "/data",   "-U", "leasescope", "-N", "--no-locale", "-E",
                        "UTF8", "--no-instructions"};
  if (options_.password.empty()) {
    arguments << "-A"
              << "trust";
  } else {
    const QString path = home() + "/password";
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return tl::unexpected(std::string("cannot write the password's file"));
    file.write(QByteArray::fromStdString(options_.password));
    file.close();
    if (user_ != 0 && ::chown(path.toLocal8Bit().constData(), user_, group_) != 0)
      return tl::unexpected(std::string("cannot give the password's file away"));
    arguments << "-A"
              << "scram-sha-256"
              << "--pwfile" << path;
  }
  if (auto launched = launch(program, arguments, SIGKILL); !launched) return launched;
  wait_until([this] { return process_->state() == QProcess::NotRunning; }, seconds(60));
  const bool made = process_->state() == QProcess::NotRunning && process_->exitCode() == 0 &&
                    process_->exitStatus() == QProcess::NormalExit;
  if (made) return {};
  return tl::unexpected("initdb failed: " + QString::fromLocal8Bit(process_->readAll()).trimmed().toStdString());
}

Result PrivateServer::launch(const std::string& program, const QStringList& arguments, int death_signal) {
  process_ = std::make_unique<QProcess>();
  process_->setProcessChannelMode(QProcess::MergedChannels);
  process_->setWorkingDirectory(home());
  const pid_t parent = ::getpid();
  process_->setChildProcessModifier(
      [user = user_, group = group_, death_signal, parent] { enter_server(user, group, death_signal, parent); });
  process_->start(QString::fromStdString(program), arguments);
  if (process_->waitForStarted(5000)) return {};
  return tl::unexpected(fmt::format("{} does not start: {}", program, process_->errorString().toStdString()));
}

Result PrivateServer::wait_for_answer() {
  wait_until([&] { return process_->state() == QProcess::NotRunning || answers(url()); }, seconds(20));
  if (process_->state() != QProcess::NotRunning && answers(url())) return {};
  const std::string said = QString::fromLocal8Bit(process_->readAll()).trimmed().toStdString();
  kill();
  return tl::unexpected(fmt::format("the private {} server does not answer: {}", text(kind_), said));
}

void PrivateServer::kill() {
  if (process_ == nullptr || process_->state() == QProcess::NotRunning) return;
  const auto pid = static_cast<pid_t>(process_->processId());
  // PostgreSQL's children leave the group; SIGQUIT makes their parent end them at once, without a word to anybody.
  ::kill(-pid, kind_ == StoreKind::kPostgres ? SIGQUIT : SIGKILL);
  if (process_->waitForFinished(3000)) return;
  ::kill(-pid, SIGKILL);
  process_->waitForFinished(1000);
}

bool PrivateServer::running() const { return process_ != nullptr && process_->state() == QProcess::Running; }

StoreUrl PrivateServer::url() const {
  StoreUrl url;
  url.kind = kind_;
  url.given = true;
  url.password = options_.password;
  const std::string folder = home().toStdString();
  if (kind_ == StoreKind::kRedis) {
    url.endpoint.unix_path = folder + "/redis.sock";
    return url;
  }
  url.endpoint.host = folder;
  url.endpoint.port = kPostgresPort;
  url.endpoint.unix_path = fmt::format("{}/.s.PGSQL.{}", folder, kPostgresPort);
  url.user = "leasescope";
  url.database = "postgres";
  return url;
}

}  // namespace leasescope
