#include "tests/bench/crowd/crowd.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace leasescope::bench {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kAtATime = 20;

}  // namespace

Crowd::Crowd(const StoreUrl& url, std::size_t contenders, std::size_t mutexes, const LeaseTerms& terms)
    : all_(contenders), owned_(mutexes) {
  for (std::size_t i = 0; i < contenders; ++i) put(i, url, fmt::format("crowd-{}", i % mutexes), terms);
}

void Crowd::put(std::size_t place, const StoreUrl& url, const std::string& mutex, const LeaseTerms& terms) {
  const std::size_t number = place % owned_.size();
  Contention::Events events;
  events.acquired = [this, place, number](Token, TrueTime) {
    owned_[number] = true;
    all_[place]->acquired_done();
  };
  events.confirmed = [this](TrueTime) { ++renewals_; };
  events.released = [this, place, number](DisbeliefReason) {
    owned_[number] = false;
    ++losses_;
    all_[place]->work_done();
  };
  events.others = [](const std::string&) {};
  events.trouble = [this](const std::string& trouble) { troubles_ += !trouble.empty(); };
  events.stopped = [] {};
  all_[place] =
      std::make_unique<Contention>(loop_, url, Contention::make_id(), mutex, terms, seconds(5), std::move(events));
}

void Crowd::gather() {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    all_[i]->start();
    if (i % kAtATime == 0) rest(milliseconds(5));
  }
  for (int i = 0; i < 60; ++i) {
    rest(seconds(1));
    if (std::all_of(owned_.begin(), owned_.end(), [](bool owned) { return owned; })) return;
  }
  throw std::runtime_error("after a minute there are mutexes that nobody owns");
}

void Crowd::stay(Duration for_so_long) {
  renewals_ = losses_ = troubles_ = 0;
  rest(for_so_long);
}

void Crowd::rest(Duration for_so_long) {
  loop_.delay(for_so_long, [this] { loop_.quit(); });
  loop_.run();
}

}  // namespace leasescope::bench
