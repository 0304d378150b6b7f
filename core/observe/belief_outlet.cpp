#include "core/observe/belief_outlet.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "core/observe/watch_record.h"

namespace leasescope {
namespace {

constexpr std::int64_t kMs = 1'000'000;

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

}  // namespace

BeliefOutlet::BeliefOutlet(Loop& loop, std::string store, const Make& make, Refused refused)
    : loop_(&loop), refused_(std::move(refused)) {
  first_.host = host_name();
  first_.pid = ::getpid();
  first_.store = std::move(store);
  sender_ = make({[this] { repeat(); },
                  [this](const std::string& words) {
                    if (const Refused told = std::exchange(refused_, {})) told(words);
                  }});
}

void BeliefOutlet::owns(const std::string& mutex, const std::string& owner, Token fence, TrueTime until) {
  tell(mutex, owner, Belief::What::kOwns, fence, until);
}

void BeliefOutlet::stopped(const std::string& mutex, const std::string& owner) {
  tell(mutex, owner, Belief::What::kStopped);
  latest_.erase({mutex, owner});
}

void BeliefOutlet::tell(const std::string& mutex, const std::string& owner, Belief::What what, Token fence,
                        TrueTime until) {
  Latest& latest = latest_[{mutex, owner}];
  latest.belief = first_;
  latest.belief.mutex = mutex;
  latest.belief.owner = owner;
  latest.belief.what = what;
  latest.belief.fence = fence;
  latest.until = until;
  send(latest);
}

void BeliefOutlet::send(Latest& latest) {
  Belief& belief = latest.belief;
  belief.number = ++number_;
  // What is left is counted at the moment at which it is said that it is sent, and so never too long.
  const TrueTime now = loop_->now();
  belief.sent_ms = wall_clock_ns() / kMs;
  belief.left.reset();
  if (belief.what == Belief::What::kOwns && latest.until != TrueTime::max())
    belief.left = std::max(latest.until - now, Duration::zero());
  if (const std::string text = belief_text(belief); !text.empty() && sender_ != nullptr)
    sender_->send(belief.mutex, text);
}

void BeliefOutlet::repeat() {
  for (auto& [who, latest] : latest_) send(latest);
}

}  // namespace leasescope
