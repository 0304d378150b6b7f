#include "core/store/resolver.h"

#include <netdb.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "core/time/duration_text.h"

namespace leasescope {
namespace {

using List = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

tl::expected<List, std::string> ask_system(const Endpoint& endpoint, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | flags;
  addrinfo* list = nullptr;
  const int error = ::getaddrinfo(endpoint.host.c_str(), fmt::format("{}", endpoint.port).c_str(), &hints, &list);
  if (error != 0) return tl::unexpected(fmt::format("{}: {}", endpoint.host, ::gai_strerror(error)));
  return List(list, ::freeaddrinfo);
}

}  // namespace

bool is_address(const Endpoint& endpoint) {
  return !endpoint.unix_path.empty() || ask_system(endpoint, AI_NUMERICHOST).has_value();
}

Addresses look_up(const Endpoint& endpoint) {
  if (!endpoint.unix_path.empty()) return std::vector<Endpoint>{endpoint};
  const auto found = ask_system(endpoint, 0);
  if (!found) return tl::unexpected(found.error());
  std::vector<Endpoint> out;
  for (const addrinfo* each = found->get(); each != nullptr; each = each->ai_next) {
    std::array<char, NI_MAXHOST> host{};
    if (::getnameinfo(each->ai_addr, each->ai_addrlen, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) != 0)
      continue;
    out.push_back(endpoint);
    out.back().host = host.data();
  }
  if (out.empty()) return tl::unexpected(fmt::format("{} has no address", endpoint.host));
  return out;
}

// Shared with its thread, which goes on alone when nobody waits any longer.
struct Resolver::Task {
  std::mutex mutex;
  std::condition_variable done;
  bool over = false;
  Addresses found = tl::unexpected<std::string>("");
  int event = -1;

  Task() : event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~Task() { ::close(event); }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  static std::shared_ptr<Task> start(const LookUp& how, const Endpoint& endpoint) {
    auto task = std::make_shared<Task>();
    std::thread([task, how, endpoint] {
      Addresses found = how(endpoint);
      const std::lock_guard lock(task->mutex);
      task->found = std::move(found);
      task->over = true;
      task->done.notify_all();
      ::eventfd_write(task->event, 1);
    }).detach();
    return task;
  }
};

Addresses look_up_within(const Endpoint& endpoint, const Patience& patience) {
  if (is_address(endpoint)) return std::vector<Endpoint>{endpoint};
  const auto task = Resolver::Task::start([](const Endpoint& wanted) { return look_up(wanted); }, endpoint);
  std::unique_lock lock(task->mutex);
  for (auto most = patience.left(); most.count() > 0; most = patience.left())
    if (task->done.wait_for(lock, std::min(most, Patience::kHeard), [&] { return task->over; })) return task->found;
  return tl::unexpected(
      fmt::format("the name {} is not found within {}", endpoint.host, format_duration(patience.whole())));
}

Resolver::Resolver(Loop& loop, LookUp how) : loop_(&loop), how_(std::move(how)) {}

Resolver::~Resolver() {
  for (auto& [key, host] : hosts_) loop_->unwatch(host.watch);
}

Resolver::Ticket Resolver::look_up(const Endpoint& endpoint, Done done) {
  const Key key{endpoint.host, endpoint.port};
  Host& host = hosts_[key];
  auto ticket = std::make_shared<const Done>(std::move(done));
  host.waiting.push_back(ticket);
  if (host.known) {
    loop_->post([waiting = std::weak_ptr(ticket), known = host.known] {
      if (const auto alive = waiting.lock()) (*alive)(known);
    });
    host.waiting.pop_back();
  } else if (host.task == nullptr) {
    begin(host, key);
  }
  return ticket;
}

void Resolver::begin(Host& host, const Key& key) {
  Endpoint endpoint;
  endpoint.host = key.first;
  endpoint.port = key.second;
  host.task = Task::start(how_, endpoint);
  host.watch = loop_->watch(host.task->event, Readiness::kRead, [this, key] { finish(key); });
}

void Resolver::finish(const Key& key) {
  Host& host = hosts_[key];
  loop_->unwatch(std::exchange(host.watch, 0));
  const std::shared_ptr<Task> task = std::exchange(host.task, nullptr);
  const Addresses found = [&] {
    const std::lock_guard lock(task->mutex);
    return task->found;
  }();
  host.known = found;
  for (const auto& waiting : std::exchange(host.waiting, {}))
    if (const auto alive = waiting.lock()) (*alive)(found);
}

void Resolver::forget(const Endpoint& endpoint) {
  const auto host = hosts_.find({endpoint.host, endpoint.port});
  if (host != hosts_.end()) host->second.known = tl::unexpected<std::string>("");
}

}  // namespace leasescope
