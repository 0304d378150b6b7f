#include "core/observe/belief_outlet.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "core/observe/watch_record.h"

namespace leasescope {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr Duration kInAMoment = std::chrono::milliseconds(20);
constexpr int kMostInVain = 250;  // of a contender that is no more

// Of one process, whatever outlets it has: who is told a second time to tell goes on where he was.
std::atomic<std::uint64_t> last_number{0};

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

}  // namespace

BeliefOutlet::BeliefOutlet(Loop& loop, std::string store, const Make& make, Refused refused)
    : loop_(&loop), refused_(std::move(refused)), again_(loop) {
  first_.host = host_name();
  first_.pid = ::getpid();
  first_.store = std::move(store);
  sender_ = make({[this] { repeat(true); },
                  [this](const std::string& words) {
                    if (const Refused told = std::exchange(refused_, {})) told(words);
                  }});
}

void BeliefOutlet::owns(const std::string& mutex, const std::string& owner, Token fence, TrueTime until) {
  tell(mutex, owner, Belief::What::kOwns, fence, until);
}

void BeliefOutlet::stopped(const std::string& mutex, const std::string& owner) {
  tell(mutex, owner, Belief::What::kStopped);
  const auto told = latest_.find({mutex, owner});
  if (told->second.in_vain == 0) latest_.erase(told);
}

void BeliefOutlet::tell(const std::string& mutex, const std::string& owner, Belief::What what, Token fence,
                        TrueTime until) {
  Latest& latest = latest_[{mutex, owner}];
  latest.in_vain = 0;
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
  belief.number = ++last_number;
  // What is left is counted after the moment at which it is said that it is sent, and so never too long, even where
  // this process stands still between the two.
  belief.sent_ms = wall_clock_ns() / kMs;
  const TrueTime now = loop_->now();
  belief.left.reset();
  if (belief.what == Belief::What::kOwns && latest.until != TrueTime::max())
    belief.left = std::max(latest.until - now, Duration::zero());
  const std::string text = belief_text(belief);
  const bool sent = text.empty() || sender_ == nullptr || sender_->send(belief.mutex, text);
  latest.in_vain = sent ? 0 : latest.in_vain + 1;
  if (!sent && !again_.armed()) again_.arm(kInAMoment, [this] { repeat(false); });
}

// All, or what could not be sent, until one cannot be again: the rest would not either.
void BeliefOutlet::repeat(bool all) {
  bool full = false;
  for (auto each = latest_.begin(); each != latest_.end();) {
    Latest& latest = each->second;
    if (all || latest.in_vain > 0) full ? void(++latest.in_vain) : send(latest);
    full = full || latest.in_vain > 0;
    const bool over = latest.belief.what == Belief::What::kStopped;
    each = over && (latest.in_vain == 0 || latest.in_vain > kMostInVain) ? latest_.erase(each) : std::next(each);
  }
}

}  // namespace leasescope
