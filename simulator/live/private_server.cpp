#include "simulator/live/private_server.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace leasescope {
namespace {

using std::chrono::seconds;
using Result = tl::expected<void, std::string>;
using Environment = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kLongestFolder = 80;  // a socket's path has room for 107 bytes

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
  recipe_ = type_->recipe(
      {home(), options_.password, options_.connections, options_.remembers, options_.servers, options_.replica});
  if (options_.sets_clock)
    for (ServerFile& file : PreloadedClock::files(home())) recipe_.files.push_back(std::move(file));
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
    const std::string folder = file.path.substr(0, file.path.rfind('/'));
    if (::mkdir(folder.c_str(), 0700) == 0 && user_ != 0 && ::chown(folder.c_str(), user_, group_) != 0)
      return tl::unexpected(fmt::format("cannot give {} away: {}", folder, std::strerror(errno)));
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
  auto clock = PreloadedClock::in(home());
  if (!clock) return tl::unexpected(clock.error());
  clock_ = std::move(*clock);
  return {};
}

void PrivateServer::set_clock(Duration ahead) { clock_->set(ahead); }

std::unique_ptr<ServerProcess> PrivateServer::process(const ServerCommand& command, const std::string& said) const {
  return std::make_unique<ServerProcess>(command, ServerProcess::Setting{home(), said, user_, group_, {}});
}

Result PrivateServer::prepare() {
  if (!recipe_.prepare) return {};
  const auto made = process(*recipe_.prepare, "said.txt");
  if (auto started = made->start(); !started) return started;
  wait([&] { return !made->running() || stop_.stop_requested(); }, *made, seconds(60));
  if (made->succeeded()) return {};
  return tl::unexpected(fmt::format("{} failed: {}", recipe_.prepare->programs.front(), made->said()));
}

Result PrivateServer::serve() {
  processes_.clear();
  for (std::size_t i = 0; i <= recipe_.beside.size(); ++i) {
    processes_.push_back(server(i));
    if (auto started = processes_.back()->start(); !started) return started;
  }
  return wait_for_answer();
}

std::unique_ptr<ServerProcess> PrivateServer::server(std::size_t which) const {
  return server(which == 0 ? recipe_.serve : recipe_.beside[which - 1],
                which == 0 ? "said.txt" : fmt::format("said-{}.txt", which));
}

std::unique_ptr<ServerProcess> PrivateServer::server(const ServerCommand& command, const std::string& said) const {
  return std::make_unique<ServerProcess>(
      command, ServerProcess::Setting{home(), said, user_, group_,
                                      clock_ ? PreloadedClock::environment(home()) : Environment{}});
}

Result PrivateServer::wait_for_answer() {
  bool answers = false;
  const auto gone = [&] { return !running() || stop_.stop_requested(); };
  wait([&] { return gone() || (answers = type_->answers(url())); }, *processes_.front(),
       seconds(20 + 20 * recipe_.beside.size()));
  if (answers && !gone()) return look_at_clock();
  std::string said;
  for (const auto& each : processes_)
    if (said.empty() || !each->running()) said = each->said();
  kill();
  return tl::unexpected(fmt::format("the private {} server does not answer: {}", type_->name(), said));
}

Result PrivateServer::look_at_clock() {
  if (!clock_ || clock_->read()) return {};
  kill();
  return tl::unexpected(
      fmt::format("the clock of the private {} server cannot be set: nothing in {} may be run, which the folder for "
                  "temporary files has to allow (TMPDIR names another)",
                  type_->name(), home()));
}

bool PrivateServer::wait(const std::function<bool()>& so, ServerProcess& meanwhile, seconds most) const {
  const auto end = std::chrono::steady_clock::now() + most;
  while (!so()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    meanwhile.wait_a_moment();
  }
  return true;
}

void PrivateServer::freeze() {
  for (const auto& each : processes_) each->freeze();
}
void PrivateServer::thaw() {
  for (const auto& each : processes_) each->tell(SIGCONT);
}

void PrivateServer::kill() {
  for (const auto& each : processes_) each->end();
}

void PrivateServer::kill(std::size_t which) { processes_[which]->end(); }

Result PrivateServer::start_again(std::size_t which) {
  processes_[which]->end();
  processes_[which] = server(which);
  return processes_[which]->start();
}

// ---- its replica

StoreUrl PrivateServer::replica() const {
  StoreUrl url = recipe_.url;
  url.endpoint = recipe_.replica->endpoint;
  return url;
}

Result PrivateServer::follow(const Endpoint& leader) {
  if (replica_ == nullptr || !replica_->running()) {
    // Each writes to a file of its own: the one before may be the server by now.
    replica_ = server(recipe_.replica->serve, fmt::format("said-replica-{}.txt", ++replicas_));
    if (auto started = replica_->start(); !started) return started;
    bool answers = false;
    wait([&] { return !replica_->running() || stop_.stop_requested() || (answers = type_->answers(replica())); },
         *replica_, seconds(20));
    if (!answers)
      return tl::unexpected(
          fmt::format("the replica of the private {} server does not answer: {}", type_->name(), replica_->said()));
  }
  return type_->follow(replica(), leader);
}

Result PrivateServer::promote() {
  if (auto leads = type_->lead(replica()); !leads) return leads;
  std::swap(recipe_.serve, recipe_.replica->serve);
  std::swap(recipe_.url.endpoint, recipe_.replica->endpoint);
  processes_.front() = std::move(replica_);
  return {};
}

bool PrivateServer::running() const {
  return !processes_.empty() &&
         std::all_of(processes_.begin(), processes_.end(), [](const auto& each) { return each->running(); });
}
bool PrivateServer::running(std::size_t which) const { return processes_[which]->running(); }

}  // namespace leasescope
