// logging_contender STORE MUTEX LOG TTL_MS TRANSITION_MS SEED: contends again and again, holds for a while each time,
// and writes down what it knows of its own ownerships, for a test that compares that with what a watch has told. It
// ends with whoever started it.
//
// One line a write at the end of LOG, "PROCESS OWNER TOKEN WHAT AT SENT", moments in ns of CLOCK_BOOTTIME:
//   contends   about to ask for it
//   owns       by AT it had been granted, and after SENT (-1: who asks a store of sessions does not know)
//   renewed    likewise, of a lease
//   gives      it owned until AT, and is about to release it
//   gave       by AT it was released
//   lost       at AT it took itself to own no more
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/contend/driver/contention.h"
#include "core/loop/epoll/epoll_loop.h"
#include "core/loop/one_shot.h"
#include "core/store/types/types.h"

namespace leasescope::tests {
namespace {

using std::chrono::milliseconds;

constexpr Duration kTimeout = std::chrono::seconds(1);

std::int64_t boot_ns() {
  timespec at{};
  ::clock_gettime(CLOCK_BOOTTIME, &at);
  return std::int64_t{at.tv_sec} * 1'000'000'000 + at.tv_nsec;
}

class LoggingContender {
 public:
  LoggingContender(StoreUrl url, std::string mutex, const LeaseTerms& terms, int log, unsigned seed)
      : url_(std::move(url)), mutex_(std::move(mutex)), terms_(terms), log_(log), draw_(seed) {}

  void run() {
    contend();
    loop_.run();
  }

 private:
  void contend() {
    write("contends");
    contention_ = std::make_unique<Contention>(loop_, url_, id_, mutex_, terms_, kTimeout, events());
    contention_->start();
  }
  Contention::Events events() {
    Contention::Events out;
    out.acquired = [this](Token token, TrueTime until) { on_acquired(token, until); };
    out.confirmed = [this](TrueTime until) {
      until_ = until;
      if (leases()) write("renewed", sent_for(until));
    };
    out.released = [this](DisbeliefReason reason) { on_released(reason); };
    out.others = [](const std::string&) {};
    out.trouble = [](const std::string&) {};
    out.stopped = [this] {
      if (std::exchange(gives_, false)) write("gave");
      pause_.arm(drawn(50, 400), [this] { contend(); });
    };
    return out;
  }
  void on_acquired(Token token, TrueTime until) {
    contention_->acquired_done();
    token_ = token;
    until_ = until;
    write("owns", sent_for(until));
    pause_.arm(drawn(200, 900), [this] { contention_->stop(); });
  }
  // Who stood still until its time was over gives nothing back.
  void on_released(DisbeliefReason reason) {
    pause_.cancel();
    gives_ = reason == DisbeliefReason::kStop && loop_.now() < until_;
    write(gives_ ? "gives" : "lost");
    contention_->work_done();
  }

  bool leases() const { return url_.type->carries(Family::kLease); }
  Duration drawn(int from_ms, int to_ms) {
    return milliseconds(std::uniform_int_distribution<int>(from_ms, to_ms)(draw_));
  }
  // A moment at which the call had not left yet by which it owns until then.
  std::int64_t sent_for(TrueTime until) const {
    if (!leases()) return -1;
    const std::int64_t now = boot_ns();
    return now - (loop_.now() - (until + lease_margin(terms_) - terms_.lease())).count();
  }
  // At once, and whole: it may be killed at any moment.
  void write(const char* what, std::int64_t sent = -1) {
    const std::string line = fmt::format("{} {} {} {} {} {}\n", ::getpid(), id_, token_, what, boot_ns(), sent);
    if (::write(log_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
  }

  EpollLoop loop_;
  const StoreUrl url_;
  const std::string mutex_;
  const LeaseTerms terms_;
  const int log_;
  std::mt19937 draw_;
  const std::string id_ = Contention::make_id();
  std::unique_ptr<Contention> contention_;
  OneShot pause_{loop_};
  Token token_ = kNoToken;
  TrueTime until_{};
  bool gives_ = false;
};

int contend(char** arguments) {
  const auto url = parse_store_url(arguments[1]);
  if (!url) return std::fprintf(stderr, "%s\n", url.error().c_str()), 2;
  LeaseTerms terms;
  terms.ttl = milliseconds(std::atoi(arguments[4]));
  terms.transition = milliseconds(std::atoi(arguments[5]));
  terms.jitter = {Duration::zero(), milliseconds(100)};
  if (const auto valid = Contention::check(*url, arguments[2], terms); !valid)
    return std::fprintf(stderr, "%s\n", valid.error().c_str()), 2;
  const int log = ::open(arguments[3], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (log < 0) return std::perror(arguments[3]), 2;
  LoggingContender(*url, arguments[2], terms, log, static_cast<unsigned>(std::atoi(arguments[6]))).run();
  return 0;
}

}  // namespace
}  // namespace leasescope::tests

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "logging_contender STORE MUTEX LOG TTL_MS TRANSITION_MS SEED\n");
    return 2;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_IGN);
  return leasescope::tests::contend(argv);
}
