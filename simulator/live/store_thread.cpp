#include "simulator/live/store_thread.h"

#include <pthread.h>

#include <QCoreApplication>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/store/store_type.h"

namespace leasescope {

// What both sides have: neither outlives it.
struct StoreThread::Shared {
  using Server = std::unique_ptr<PrivateServer>;
  using Servers = std::vector<Server>;
  using Order = std::function<void(Servers& servers)>;

  std::mutex mutex;
  std::condition_variable_any changed;
  std::deque<Order> orders;
  StoreThread* owner = nullptr;  // null once it has gone
  bool done = false;             // the thread is at its end
  std::stop_source stop;
  std::map<std::uint64_t, std::shared_ptr<void>> stalls;  // of the thread: rows that are held, by fault

  void order(Order what) {
    const std::lock_guard lock(mutex);
    orders.push_back(std::move(what));
    changed.notify_all();
  }
  // Something is done to that server, if it has started.
  template <class Act>
  void control(std::size_t which, Act act) {
    order([this, which, act = std::move(act)](Servers& servers) {
      if (which >= servers.size()) return;
      const auto came_to = act(*servers[which]);
      if (!came_to) tell([why = came_to.error()](StoreThread& to) { Q_EMIT to.control_failed(why); });
    });
  }
  // In the owner's thread, if it is still there by then. What an order came to is of no use once the end is wanted.
  template <class Words>
  void tell(Words words) {
    post([words = std::move(words)](StoreThread& to) {
      if (!to.shared_->stop.stop_requested()) words(to);
    });
  }
  template <class Words>
  void post(Words words) {
    const std::lock_guard lock(mutex);
    if (owner == nullptr) return;
    QMetaObject::invokeMethod(
        owner, [to = owner, words = std::move(words)] { words(*to); }, Qt::QueuedConnection);
  }
  void work() {
    {
      Servers servers;  // die with this thread, and go here
      while (const Order next = next_order()) next(servers);
      stalls.clear();
    }
    post([](StoreThread& to) { Q_EMIT to.ended(); });
    const std::lock_guard lock(mutex);
    done = true;
  }
  Order next_order() {
    std::unique_lock lock(mutex);
    changed.wait(lock, stop.get_token(), [this] { return !orders.empty(); });
    if (stop.stop_requested()) return {};
    Order next = std::move(orders.front());
    orders.pop_front();
    return next;
  }
};

namespace {

// Those that have not been joined. A library's own books are closed when the process ends: nobody may work by then.
class Crew {
 public:
  ~Crew() { dismiss(); }

  void hire(const std::shared_ptr<StoreThread::Shared>& shared) {
    leave_none_behind();
    const std::lock_guard lock(mutex_);
    members_.remove_if([](Member& each) { return each.gone(); });
    // A signal is for the threads that know what to do with it.
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    members_.push_back({shared, std::thread([shared] { shared->work(); })});
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  void dismiss() {
    const std::lock_guard lock(mutex_);
    for (Member& each : members_) each.shared->stop.request_stop();
    for (Member& each : members_) each.thread.join();
    members_.clear();
  }

 private:
  struct Member {
    std::shared_ptr<StoreThread::Shared> shared;
    std::thread thread;

    bool gone() {
      {
        const std::lock_guard lock(shared->mutex);
        if (!shared->done) return false;
      }
      thread.join();
      return true;
    }
  };

  // An application takes Qt's own books with it when it goes.
  static void leave_none_behind();

  std::mutex mutex_;
  std::list<Member> members_;
};

Crew& crew() {
  static Crew all;
  return all;
}

void Crew::leave_none_behind() {
  static const QCoreApplication* known = nullptr;
  if (std::exchange(known, QCoreApplication::instance()) != QCoreApplication::instance())
    qAddPostRoutine([] {
      known = nullptr;
      crew().dismiss();
    });
}

}  // namespace

using Done = tl::expected<void, std::string>;

namespace {

constexpr std::chrono::seconds kToFollow{20};  // for a replica, to what its leader has
constexpr std::chrono::milliseconds kBetweenLooks{5};

// What several servers that are asked alike say together.
StoreLook by_majority(const std::vector<StoreLook>& looks) {
  StoreLook out = looks.front();
  for (std::size_t mutex = 0; mutex < out.holders.size(); ++mutex) {
    std::map<std::string, std::size_t> votes;
    for (const StoreLook& look : looks) ++votes[look.holders[mutex]];
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    out.holders[mutex] = most->second > looks.size() / 2 ? most->first : std::string();
  }
  return out;
}

// Of servers that are asked alike; empty: each is another. Two votes of one are no majority.
std::string one_twice(const std::vector<StoreUrl>& stores, const std::vector<StoreLook>& looks) {
  for (std::size_t i = 0; i < looks.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (!looks[i].server.empty() && looks[i].server == looks[k].server)
        return fmt::format(
            "{} and {} are one server, and two votes of one are no majority: name servers that know nothing of each "
            "other, each once",
            printable(stores[k]), printable(stores[i]));
  return {};
}

}  // namespace

StoreThread::StoreThread(QObject* parent) : QObject(parent), shared_(std::make_shared<Shared>()) {
  shared_->owner = this;
  crew().hire(shared_);
}

StoreThread::~StoreThread() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->owner = nullptr;
  }
  shared_->stop.request_stop();
}

void StoreThread::start_servers(const StoreType& type, const PrivateServerOptions& options, std::size_t count) {
  shared_->order([type = &type, options, count, shared = shared_.get()](Shared::Servers& servers) {
    servers.clear();
    for (std::size_t i = 0; i < count; ++i) {
      servers.push_back(std::make_unique<PrivateServer>(*type, options));
      const auto started = servers.back()->start(shared->stop.get_token());
      if (!started) return shared->tell([why = started.error()](StoreThread& to) { Q_EMIT to.server_failed(why); });
    }
    StoreUrl url = servers.front()->url();
    for (std::size_t i = 1; i < count; ++i) url.others.push_back(servers[i]->url().endpoint);
    shared->tell([url](StoreThread& to) { Q_EMIT to.server_started(url); });
  });
}

void StoreThread::look(const std::vector<StoreUrl>& stores, Family family, const std::vector<std::string>& mutexes) {
  shared_->order([stores, family, mutexes, shared = shared_.get()](Shared::Servers&) {
    std::vector<StoreLook> looks;
    for (const StoreUrl& store : stores) {
      const Looked found = store.type->probe(store, family, mutexes, shared->stop.get_token());
      if (!found) return shared->tell([why = found.error()](StoreThread& to) { Q_EMIT to.refused(why); });
      looks.push_back(*found);
    }
    if (const std::string why = one_twice(stores, looks); !why.empty())
      return shared->tell([why](StoreThread& to) { Q_EMIT to.refused(why); });
    shared->tell([look = by_majority(looks)](StoreThread& to) { Q_EMIT to.looked(look); });
  });
}

void StoreThread::kill(std::size_t which) {
  shared_->control(which, [](PrivateServer& server) { return server.kill(), Done(); });
}

void StoreThread::start_again(std::size_t which) {
  shared_->control(which, [](PrivateServer& server) { return server.start_again(); });
}

void StoreThread::freeze(std::size_t which) {
  shared_->control(which, [](PrivateServer& server) { return server.freeze(), Done(); });
}

void StoreThread::thaw(std::size_t which) {
  shared_->control(which, [](PrivateServer& server) { return server.thaw(), Done(); });
}

void StoreThread::follow(const Endpoint& leader) {
  shared_->control(0, [leader](PrivateServer& server) { return server.follow(leader); });
}

void StoreThread::promote() {
  shared_->control(0, [shared = shared_.get()](PrivateServer& server) {
    Done promoted = server.promote();
    if (promoted) shared->tell([url = server.url()](StoreThread& to) { Q_EMIT to.another_leads(url); });
    return promoted;
  });
}

void StoreThread::start_replica(const Endpoint& leader) {
  shared_->order([leader, shared = shared_.get()](Shared::Servers& servers) {
    PrivateServer& server = *servers.front();
    const auto end = std::chrono::steady_clock::now() + kToFollow;
    tl::expected<bool, std::string> follows = server.follow(leader).map([] { return false; });
    while (follows && !*follows && std::chrono::steady_clock::now() < end && !shared->stop.stop_requested()) {
      std::this_thread::sleep_for(kBetweenLooks);
      follows = server.follows();
    }
    if (follows && *follows) return shared->tell([](StoreThread& to) { Q_EMIT to.in_step(); });
    const std::string why = follows ? "it does not come to what its leader holds" : follows.error();
    shared->tell([why](StoreThread& to) { Q_EMIT to.server_failed("the private server has no replica: " + why); });
  });
}

void StoreThread::erase(const std::string& mutex) {
  shared_->control(0, [mutex](PrivateServer& server) { return server.url().type->erase(server.url(), mutex); });
}

void StoreThread::end_session(const std::string& mutex) {
  shared_->control(0, [mutex](PrivateServer& server) { return server.url().type->end_session(server.url(), mutex); });
}

void StoreThread::set_clock(std::size_t which, Duration ahead) {
  shared_->control(which, [which, ahead, shared = shared_.get()](PrivateServer& server) -> Done {
    server.set_clock(ahead);
    shared->tell([which](StoreThread& to) { Q_EMIT to.clock_set(which); });
    return {};
  });
}

void StoreThread::stall(const std::string& mutex, std::uint64_t fault) {
  shared_->control(0, [mutex, fault, shared = shared_.get()](PrivateServer& server) -> Done {
    auto held = server.url().type->stall(server.url(), mutex);
    if (!held) return tl::unexpected(held.error());
    shared->stalls[fault] = std::move(*held);
    return {};
  });
}

void StoreThread::let_go(std::uint64_t fault) {
  shared_->control(0, [fault, shared = shared_.get()](PrivateServer&) { return shared->stalls.erase(fault), Done(); });
}

void StoreThread::end() { shared_->stop.request_stop(); }

}  // namespace leasescope
