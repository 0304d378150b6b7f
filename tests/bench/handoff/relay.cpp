#include "tests/bench/handoff/relay.h"

#include <atomic>
#include <stdexcept>

#include <fmt/format.h>

#include "core/store/store_type.h"

namespace leasescope::bench {
namespace {

using std::chrono::seconds;

std::string another_mutex() {
  static std::atomic<int> count = 0;
  return fmt::format("handoff-{}", ++count);
}

}  // namespace

Relay::Relay(const StoreUrl& url, int waiters, const LeaseTerms& terms)
    : url_(url), mutex_(another_mutex()), terms_(terms), runners_(static_cast<std::size_t>(waiters) + 1) {
  if (const Looked looked = url.type->probe(url, url.type->first_family(), {mutex_}, {}); !looked)
    throw std::runtime_error(looked.error());
  put(0);
  run_until([this] { return owner_ == 0; });
  for (std::size_t i = 1; i < runners_.size(); ++i) put(i);
  settle();
}

void Relay::put(std::size_t place) {
  Runner& runner = runners_[place];
  runner = {};
  Contention::Events events;
  events.acquired = [this, place](Token, TrueTime until) {
    owned_at_ = Watch::now();
    owned_at_of_loop_ = loop_.now();
    owner_ = place;
    runners_[place].until = until;
    runners_[place].contention->acquired_done();
    loop_.quit();
  };
  events.confirmed = [this, place](TrueTime until) { runners_[place].until = until; };
  events.released = [this, place](DisbeliefReason) { runners_[place].contention->work_done(); };
  events.others = [this, place](const std::string&) {
    runners_[place].knows = true;
    loop_.quit();
  };
  events.trouble = [this](const std::string& trouble) { trouble_ = trouble; };
  events.stopped = [this, place] {
    runners_[place].stopped = true;
    loop_.quit();
  };
  runner.contention =
      std::make_unique<Contention>(loop_, url_, Contention::make_id(), mutex_, terms_, seconds(2), std::move(events));
  runner.contention->start();
}

// All but the owner know that somebody owns.
void Relay::settle() {
  run_until([this] {
    for (std::size_t i = 0; i < runners_.size(); ++i)
      if (i != owner_ && !runners_[i].knows) return false;
    return true;
  });
}

Watch::duration Relay::hand_off() {
  const std::size_t from = owner_;
  Watch::time_point begin;
  loop_.delay(kToBeSaid, [&] {
    begin = Watch::now();
    runners_[from].contention->stop();
  });
  run_until([&] { return owner_ != from; });
  const auto took = owned_at_ - begin;
  run_until([&] { return runners_[from].stopped; });
  idle(kToBeSaid);
  said_();
  put(from);
  settle();
  return took;
}

Watch::duration Relay::take_over() {
  const std::size_t from = owner_;
  const TrueTime over = runners_[from].until + lease_margin(terms_);
  runners_[from].contention.reset();
  run_until([&] { return owner_ != from; });
  const Duration took = owned_at_of_loop_ - over;
  put(from);
  settle();
  return std::chrono::duration_cast<Watch::duration>(took);
}

void Relay::run_until(const std::function<bool()>& so) {
  bool late = false;
  const Loop::TimerId alarm = loop_.delay(seconds(30), [&] {
    late = true;
    loop_.quit();
  });
  while (!so() && !late) loop_.run();
  loop_.cancel(alarm);
  if (!so()) throw std::runtime_error("nobody handed the mutex on within 30 s; the store says: " + trouble_);
}

void Relay::idle(Duration for_so_long) {
  bool over = false;
  loop_.delay(for_so_long, [&] {
    over = true;
    loop_.quit();
  });
  run_until([&] { return over; });
}

}  // namespace leasescope::bench
