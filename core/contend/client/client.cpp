#include <csignal>
#include <future>
#include <utility>

#include <fmt/format.h>

#include "core/contend/client/client_parts.h"
#include "core/contend/client/contender_parts.h"
#include "core/contend/client/leader_parts.h"
#include "core/contend/client/locker_parts.h"
#include "core/contend/client/made_of.h"
#include "core/contend/driver/contention.h"
#include "core/store/belief_ways.h"
#include "core/store/password.h"
#include "core/store/store_type.h"
#include "core/store/types/types.h"

namespace leasescope::client {
namespace {

// A program's signals are for its own threads; a line that breaks while it is written to is told of by the write.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

using Checked = tl::expected<void, std::string>;

Checked check(const StoreUrl& url, const std::string& mutex, const Terms& terms) {
  if (terms.timeout <= Nanoseconds::zero()) return tl::unexpected<std::string>("expected a timeout of more than 0s");
  return Contention::check(url, mutex, lease_terms(terms));
}

}  // namespace

LeaseTerms lease_terms(const Terms& terms) {
  LeaseTerms out;
  out.ttl = terms.ttl;
  out.transition = terms.transition;
  return out;
}

Client::Parts::Parts(StoreUrl store) : url(std::move(store)) {
  const SignalsBlocked blocked;
  thread = std::thread([this] { loop.run(); });
}

Client::Parts::~Parts() {
  run_in_loop([this] { beliefs.reset(); });
  loop.quit();
  thread.join();
}

void Client::Parts::run_in_loop(const std::function<void()>& task) {
  std::promise<void> done;
  loop.post([&] {
    task();
    done.set_value();
  });
  done.get_future().wait();
}

tl::expected<Client, std::string> Client::open(const std::string& store, const std::string& password) {
  auto url = parse_store_url(store);
  if (!url) return tl::unexpected(url.error());
  if (!url->given)
    return tl::unexpected(fmt::format("\"{}\" names a kind of store, not a server: expected a URL such as {}", store,
                                      url->type->forms.front()));
  if (!password.empty()) url->password = password;
  if (const auto found = fill_password(*url); !found) return tl::unexpected(found.error());
  return Client(std::make_shared<Parts>(std::move(*url)));
}

tl::expected<void, std::string> Client::tell_beliefs(const std::string& where,
                                                     std::function<void(const std::string&)> refused) const {
  const auto way = parse_belief_way(where);
  if (!way) return tl::unexpected(way.error());
  if (auto has = check_belief_way(*way, parts_->url); !has) return has;
  parts_->run_in_loop(
      [&] { parts_->beliefs = open_belief_outlet(parts_->loop, *way, parts_->url, std::move(refused)); });
  return {};
}

tl::expected<Contender, std::string> Client::contender(const std::string& mutex, Callbacks callbacks,
                                                       Terms terms) const {
  if (auto good = check(parts_->url, mutex, terms); !good) return tl::unexpected(good.error());
  return Contender(made_of<Contender::Parts>(parts_, mutex, terms, std::move(callbacks)));
}

tl::expected<Locker, std::string> Client::locker(const std::string& mutex, Terms terms) const {
  if (auto good = check(parts_->url, mutex, terms); !good) return tl::unexpected(good.error());
  return Locker(made_of<Locker::Parts>(parts_, mutex, terms));
}

tl::expected<LeaderScheduler, std::string> Client::leader_scheduler(const std::string& mutex, Schedule schedule,
                                                                    LeaderWork work, Terms terms) const {
  if (auto good = check(parts_->url, mutex, terms); !good) return tl::unexpected(good.error());
  if (schedule.period <= Nanoseconds::zero()) return tl::unexpected<std::string>("expected a period of more than 0s");
  if (work == nullptr) return tl::unexpected<std::string>("expected something to do while it leads");
  return LeaderScheduler(made_of<LeaderScheduler::Parts>(parts_, mutex, terms, schedule, std::move(work)));
}

}  // namespace leasescope::client
