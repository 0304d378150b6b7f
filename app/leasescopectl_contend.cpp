// contend: runs a command while it owns a mutex, and only then. How: README.md, "A command under a mutex".
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_command.h"
#include "app/leasescopectl_guardian.h"
#include "app/leasescopectl_password.h"
#include "core/base/escaped.h"
#include "core/contend/client/next_beginning.h"
#include "core/contend/driver/contention.h"
#include "core/loop/epoll/epoll_loop.h"
#include "core/store/belief_ways.h"
#include "core/store/password.h"
#include "core/store/types/types.h"
#include "core/time/duration_text.h"

namespace leasescope::ctl {
namespace {

using client::Schedule;

// Codes of its own, beside those of the command: as `timeout` has it, and the one next to it.
constexpr int kWaitRanOut = 124;
constexpr int kLost = 125;

// What may be sent to us and is meant for the command; the first four ask for the end.
constexpr std::array<int, 7> kPassedOn{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH};
constexpr std::size_t kEnding = 4;

constexpr Duration kLook = std::chrono::milliseconds(50);  // between two looks at a group that its leader has left

// As complain(), but at once or not at all: a reader that stands still must not hold up a renewal, or a kill.
void tell(const std::string& message) {
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) != 0) complain(message);
}

struct ContendOptions {
  std::string store;
  std::string mutex;
  std::string password_file;
  std::string ttl = "10s", transition = "6s", jitter, timeout = "1s";
  std::string fixed_delay, fixed_rate;
  std::string wait, grace;
  std::string beliefs;
  std::vector<std::string> command;
};

// The same, understood.
struct Wish {
  StoreUrl store;
  LeaseTerms terms;
  Duration timeout{};
  std::optional<Schedule> schedule;  // none: once
  std::optional<Duration> wait;      // none: without end
  Duration grace{};
  std::optional<BeliefWay> beliefs;  // none: they are nobody's business
};

class Contend {
 public:
  Contend(const ContendOptions& options, const Wish& wish, Guardian& guardian, int signals);

  // The code to leave with.
  int run();
  // The signal by which it was ended, where no command's code tells of that; 0 = none.
  int ended_by() const { return tells_signal_ ? signal_ : 0; }

 private:
  Contention::Events events();
  void on_acquired(Token token, TrueTime until);
  void on_released(DisbeliefReason reason);
  void on_confirmed(TrueTime until);
  void on_not_ours();
  void on_signal();
  void on_children();
  void pass_on(int number);
  void run_command();
  void watch_over_command();
  void end_command(const std::string& why);
  void ask_command_to_end();
  void on_command_ended();
  void give_up_waiting();
  void finish(int code);
  void finish_by_signal();
  bool repeats() const { return wish_.schedule.has_value(); }
  Duration since_boot(TrueTime at) const {
    return at == TrueTime::max() ? Duration::max() : Guardian::now() + (at - loop_.now());
  }

  const ContendOptions& options_;
  const Wish& wish_;
  Guardian& guardian_;
  EpollLoop loop_;
  std::string id_ = Contention::make_id();
  Contention contention_;
  Command command_;
  OneShot wait_{loop_};
  OneShot next_{loop_};
  OneShot warning_{loop_};
  OneShot deadline_{loop_};
  OneShot look_{loop_};        // whether all of the command's group has ended
  std::optional<Token> term_;  // while it is owned
  TrueTime until_{};
  TrueTime began_{};          // the command, the last time
  bool release_due_ = false;  // it is owned no more, and the command has not ended
  bool taken_away_ = false;   // the command was ended for that, or because it was near
  bool killed_ = false;       // and that was said
  bool broken_ = false;       // the command cannot be run at all
  bool told_waiting_ = false;
  bool ever_owned_ = false;
  std::string other_;
  int code_ = kAsExpected;
  int signal_ = 0;  // that asked for the end
  bool tells_signal_ = false;
  bool finishing_ = false;
  int signals_;
  std::unique_ptr<BeliefOutlet> beliefs_;  // null: what it believes is not told
};

Contend::Contend(const ContendOptions& options, const Wish& wish, Guardian& guardian, int signals)
    : options_(options),
      wish_(wish),
      guardian_(guardian),
      contention_(loop_, wish.store, id_, options.mutex, wish.terms, wish.timeout, events()),
      command_(options.command),
      signals_(signals) {
  if (wish.beliefs)
    beliefs_ = open_belief_outlet(loop_, *wish.beliefs, wish.store, [this](const std::string& why) {
      tell(fmt::format("--beliefs {}: what is believed is not told: {}", options_.beliefs, why));
    });
}

int Contend::run() {
  loop_.watch(signals_, Readiness::kRead, [this] { on_signal(); });
  if (wish_.wait && *wish_.wait > Duration::zero()) wait_.arm(*wish_.wait, [this] { give_up_waiting(); });
  contention_.start();
  loop_.run();
  return code_;
}

Contention::Events Contend::events() {
  Contention::Events out;
  out.acquired = [this](Token token, TrueTime until) { on_acquired(token, until); };
  out.confirmed = [this](TrueTime until) { on_confirmed(until); };
  out.released = [this](DisbeliefReason reason) { on_released(reason); };
  out.others = [this](const std::string& owner) {
    other_ = owner;
    if (beliefs_ != nullptr && !term_) beliefs_->waits(options_.mutex, id_);
    on_not_ours();
  };
  out.trouble = [this](const std::string& trouble) {
    if (finishing_) return;
    tell(trouble.empty() ? fmt::format("{} is well again", printable(wish_.store))
                         : fmt::format("{}: {}", printable(wish_.store), trouble));
    if (!trouble.empty()) on_not_ours();
  };
  out.stopped = [this] {
    if (beliefs_ != nullptr) beliefs_->stopped(options_.mutex, id_);
    loop_.quit();
  };
  return out;
}

// ---- the mutex

void Contend::on_acquired(Token token, TrueTime until) {
  contention_.acquired_done();
  wait_.cancel();
  ever_owned_ = true;
  term_ = token;
  until_ = until;
  if (!finishing_) run_command();
  if (beliefs_ != nullptr) beliefs_->owns(options_.mutex, id_, token, until);
}

// Renewed after all: a command that was asked to end for it, and goes on, may.
void Contend::on_confirmed(TrueTime until) {
  until_ = until;
  taken_away_ = false;
  if (command_.running() && term_) watch_over_command();
  if (beliefs_ != nullptr && term_) beliefs_->owns(options_.mutex, id_, *term_, until);
}

void Contend::on_released(DisbeliefReason reason) {
  term_.reset();
  next_.cancel();
  if (command_.running()) {
    release_due_ = true;
    end_command(fmt::format("{} is lost ({})", options_.mutex, text(reason)));
  }
  // Before the release: who owns next says so after us.
  if (beliefs_ != nullptr) beliefs_->not_owner(options_.mutex, id_);
  if (!release_due_) contention_.work_done();
}

// Somebody else has it, or the store has trouble.
void Contend::on_not_ours() {
  if (ever_owned_ || finishing_) return;
  if (wish_.wait && *wish_.wait <= Duration::zero()) return give_up_waiting();
  if (!std::exchange(told_waiting_, true) && !other_.empty() && ::isatty(STDERR_FILENO) != 0)
    tell(fmt::format("{} is held by {}: waiting", options_.mutex, escaped(other_)));
}

void Contend::give_up_waiting() {
  const std::string why = !contention_.trouble().empty() ? contention_.trouble()
                          : other_.empty()               ? "it is held by somebody else"
                                                         : "it is held by " + escaped(other_);
  tell(fmt::format("{} could not be had{}: {}", options_.mutex,
                   *wish_.wait > Duration::zero() ? " within " + format_duration(*wish_.wait) : "", why));
  finish(kWaitRanOut);
}

// ---- the command

void Contend::run_command() {
  if (!term_ || !contention_.owns()) return;
  taken_away_ = killed_ = false;
  began_ = loop_.now();
  const auto started = command_.start({{"LEASESCOPE_FENCE", fmt::format("{}", *term_)},
                                       {"LEASESCOPE_MUTEX", options_.mutex},
                                       {"LEASESCOPE_OWNER", id_}},
                                      guardian_, since_boot(until_));
  broken_ = !started;
  if (broken_) tell(started.error());
  command_.running() ? watch_over_command() : finish(kFailed);
}

// It is asked to end a while before its time is over, and killed when it is; by the guardian too, which knows the time.
void Contend::watch_over_command() {
  if (!guardian_.guard(command_.group(), since_boot(until_)))
    return end_command("there is no guardian any more, and none can be made");
  if (until_ == TrueTime::max()) return;
  const Duration left = until_ - loop_.now();
  deadline_.arm(left, [this] { end_command(fmt::format("{} could not be renewed in time", options_.mutex)); });
  // A server may grant a shorter session than was asked for.
  const Duration grace = std::min(wish_.grace, left / 2);
  if (grace > Duration::zero()) warning_.arm(left - grace, [this] { ask_command_to_end(); });
}

// Signals first, then words: nobody may read what we say.
void Contend::ask_command_to_end() {
  taken_away_ = true;
  command_.signal(SIGTERM);
  command_.signal(SIGCONT);
  const Duration left = std::max(until_ - loop_.now(), Duration::zero());
  tell(fmt::format("{} could not be renewed: the command is asked to end, and killed in {}", options_.mutex,
                   format_duration(std::chrono::ceil<std::chrono::milliseconds>(left))));
}

void Contend::end_command(const std::string& why) {
  warning_.cancel();
  deadline_.cancel();
  if (!command_.running()) return;
  taken_away_ = true;
  command_.signal(SIGTERM);
  command_.signal(SIGKILL);
  killed_ = true;
  guardian_.guard(command_.group(), Guardian::now());  // should that not be enough
  tell(why + ": the command is killed");
}

void Contend::on_command_ended() {
  guardian_.release();
  look_.cancel();
  warning_.cancel();
  deadline_.cancel();
  if (std::exchange(release_due_, false)) contention_.work_done();
  if (repeats() && signal_ != 0) return finish_by_signal();
  const int code = command_.code().value_or(kFailed);
  // The guardian may have been first.
  if (taken_away_ && !std::exchange(killed_, true) && code == 128 + SIGKILL)
    tell(fmt::format("{} could not be renewed in time: the command is killed", options_.mutex));
  // It was ended by a signal that we were sent: whoever waits for us should see that.
  if (signal_ != 0 && !taken_away_ && code == 128 + signal_) return finish_by_signal();
  if (!repeats() || broken_) return finish(taken_away_ ? kLost : code);
  const auto next = client::next_beginning(*wish_.schedule, began_.time_since_epoch(), loop_.now().time_since_epoch());
  if (term_) next_.arm(TrueTime(next) - loop_.now(), [this] { run_command(); });
}

// Gives the mutex back, and leaves once that is done.
void Contend::finish(int code) {
  if (!std::exchange(finishing_, true)) code_ = code;
  wait_.cancel();
  next_.cancel();
  if (!command_.running()) contention_.stop();
}

void Contend::finish_by_signal() {
  tells_signal_ = !finishing_;
  finish(128 + signal_);
}

// ---- signals

void Contend::on_signal() {
  signalfd_siginfo came{};
  while (::read(signals_, &came, sizeof came) == sizeof came) {
    const int number = static_cast<int>(came.ssi_signo);
    number == SIGCHLD ? on_children() : pass_on(number);
  }
}

// Also those that its command has left to us.
void Contend::on_children() {
  int status = 0;
  for (pid_t child = 0; (child = ::waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
    command_.take(child, status);
    if (!guardian_.replaced_after(child)) end_command("there is no guardian any more, and none can be made");
  }
  if (command_.stopped())
    tell(fmt::format("the command has stopped; {} is kept, and SIGCONT to process group {} lets it go on",
                     options_.mutex, command_.group()));
  if (!command_.running()) return;
  if (command_.over()) return on_command_ended();
  if (command_.code()) look_.arm(kLook, [this] { on_children(); });
}

void Contend::pass_on(int number) {
  const bool ends = std::find(kPassedOn.begin(), kPassedOn.begin() + kEnding, number) != kPassedOn.begin() + kEnding;
  if (ends) signal_ = number;
  command_.signal(number);
  if (ends) command_.signal(SIGCONT);
  if (ends && !command_.running()) finish_by_signal();
}

// ---- what was asked for

template <class T>
using Read = tl::expected<T, std::string>;

Read<Duration> read_time(const char* option, const std::string& text, Duration least) {
  const auto time = parse_duration(text);
  if (!time) return tl::unexpected(fmt::format("{} {}", option, time.error()));
  if (*time < least)
    return tl::unexpected(fmt::format("{} {}: expected {} or more", option, text, format_duration(least)));
  return *time;
}

Read<void> read_into(Duration& out, const char* option, const std::string& text, Duration least) {
  if (text.empty()) return {};
  const auto time = read_time(option, text, least);
  if (!time) return tl::unexpected(time.error());
  out = *time;
  return {};
}

// "-200ms..1s"
Read<void> read_jitter(const std::string& text, JitterRange& out) {
  if (text.empty()) return {};
  const std::size_t dots = text.find("..");
  const auto min = parse_duration(text.substr(0, dots));
  const auto max = parse_duration(dots == std::string::npos ? "" : text.substr(dots + 2));
  if (!min || !max) return tl::unexpected(fmt::format("--jitter {}: expected a range such as -200ms..1s", text));
  out = {*min, *max};
  return {};
}

Read<StoreUrl> read_store(const ContendOptions& options) {
  return given_store(options.store, options.password_file,
                     "a server that was started for this command alone would keep nobody out: "
                     "expected the URL of a store that others reach too");
}

Read<void> read_grace(const ContendOptions& options, Wish& wish) {
  const Duration longest = Contention::longest_warning(wish.store, wish.terms);
  wish.grace = std::clamp<Duration>(longest / 2, Duration::zero(), std::chrono::seconds(5));
  if (auto read = read_into(wish.grace, "--grace", options.grace, Duration::zero()); !read) return read;
  if (wish.grace > Duration::zero() && wish.grace >= longest)
    return tl::unexpected(fmt::format("--grace {}: a lease that is renewed in time has {} left then: expected less",
                                      options.grace, format_duration(longest)));
  return {};
}

Read<void> read_schedule(const ContendOptions& options, Wish& wish) {
  constexpr Duration kLeast = std::chrono::milliseconds(1);
  for (const auto& [option, text, make] : {std::tuple("--fixed-delay", &options.fixed_delay, &Schedule::fixed_delay),
                                           std::tuple("--fixed-rate", &options.fixed_rate, &Schedule::fixed_rate)}) {
    if (text->empty()) continue;
    const auto time = read_time(option, *text, kLeast);
    if (!time) return tl::unexpected(time.error());
    wish.schedule = make(*time);
  }
  return {};
}

Read<void> read_beliefs(const ContendOptions& options, Wish& wish) {
  if (options.beliefs.empty()) return {};
  const auto way = parse_belief_way(options.beliefs);
  if (!way) return tl::unexpected("--beliefs " + way.error());
  if (const auto has = check_belief_way(*way, wish.store); !has) return tl::unexpected("--beliefs " + has.error());
  wish.beliefs = *way;
  return {};
}

Read<Wish> read(const ContendOptions& options) {
  constexpr Duration kLeast = std::chrono::milliseconds(1);
  Wish wish;
  const auto store = read_store(options);
  if (!store) return tl::unexpected(store.error());
  wish.store = *store;
  for (const auto& read : {read_into(wish.terms.ttl, "--ttl", options.ttl, kLeast),
                           read_into(wish.terms.transition, "--transition", options.transition, Duration::zero()),
                           read_into(wish.timeout, "--timeout", options.timeout, kLeast),
                           read_jitter(options.jitter, wish.terms.jitter), read_schedule(options, wish)})
    if (!read) return tl::unexpected(read.error());
  if (!options.wait.empty()) {
    const auto wait = read_time("--wait", options.wait, Duration::zero());
    if (!wait) return tl::unexpected(wait.error());
    wish.wait = *wait;
  }
  if (auto valid = Contention::check(wish.store, options.mutex, wish.terms); !valid)
    return tl::unexpected(valid.error());
  if (auto grace = read_grace(options, wish); !grace) return tl::unexpected(grace.error());
  if (auto beliefs = read_beliefs(options, wish); !beliefs) return tl::unexpected(beliefs.error());
  return wish;
}

// Whether the store lets us do there what we are about to; asks for its password where somebody sits at a terminal.
Read<void> look_at_store(const std::string& mutex, Wish& wish) {
  StoreUrl& store = wish.store;
  auto look = store.type->probe(store, store.type->first_family(), {mutex}, {});
  const bool wants = !look && look.error().find(kWantsPassword) != std::string::npos;
  if (wants && store.password.empty()) {
    store.password = ask_password(printable(store)).value_or("");
    if (!store.password.empty()) look = store.type->probe(store, store.type->first_family(), {mutex}, {});
  }
  if (!look) return tl::unexpected(look.error());
  for (const std::string& remark : look->remarks) complain(remark);
  return {};
}

int contend(const ContendOptions& options) {
  auto wish = read(options);
  if (!wish) return bad_input(wish.error());
  if (const auto looked = look_at_store(options.mutex, *wish); !looked) return bad_input(looked.error());
  sigset_t ours;
  ::sigemptyset(&ours);
  ::sigaddset(&ours, SIGCHLD);
  for (const int number : kPassedOn) {
    struct sigaction before {};
    // What we were started to ignore, as under nohup, we do; and so does the command.
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) ::sigaddset(&ours, number);
  }
  ::signal(SIGTTOU, SIG_IGN);  // from the background, too, we say what there is to say
  ::sigprocmask(SIG_BLOCK, &ours, nullptr);
  const int signals = ::signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
  Guardian guardian;
  if (signals < 0 || !guardian.stands()) return failed("no process could be made that would guard the command");
  int code = kFailed, ended_by = 0;
  {
    Contend run(options, *wish, guardian, signals);
    code = run.run();
    ended_by = run.ended_by();
  }
  if (ended_by == 0) return code;
  // As if it had not been held up: whoever waits for us sees which signal it was.
  ::signal(ended_by, SIG_DFL);
  ::raise(ended_by);
  ::sigprocmask(SIG_UNBLOCK, &ours, nullptr);
  return code;
}

}  // namespace

void add_contend_command(CLI::App& app, int& exit) {
  const auto options = std::make_shared<ContendOptions>();
  CLI::App* command =
      app.add_subcommand("contend", "Runs a command while it owns a mutex: contend STORE MUTEX [options] -- COMMAND …");
  command->add_option("STORE", options->store, fmt::format("{}", store_schemes()))->required();
  command->add_option("MUTEX", options->mutex, "Its name at the store")->required();
  command
      ->add_option("COMMAND", options->command,
                   "What to run, after --; it finds LEASESCOPE_FENCE, the fencing token, "
                   "LEASESCOPE_MUTEX and LEASESCOPE_OWNER in its environment")
      ->required();
  command
      ->add_option("--ttl", options->ttl,
                   "Nobody else may take the mutex before it is over; of ZooKeeper the "
                   "session's time-out")
      ->capture_default_str();
  command->add_option("--transition", options->transition, "After it; the owner may still renew")
      ->capture_default_str();
  command->add_option("--jitter", options->jitter,
                      "Waiters come at the end of the transition and so much later: "
                      "--jitter=-200ms..1s");
  command->add_option("--timeout", options->timeout, "Of each request to the store")->capture_default_str();
  auto* const delay =
      command->add_option("--fixed-delay", options->fixed_delay,
                          "Run it again and again while the mutex is owned, so long after it has ended");
  command->add_option("--fixed-rate", options->fixed_rate, "Likewise, from beginning to beginning")->excludes(delay);
  command->add_option("--wait", options->wait,
                      "Give up, with exit code 124, when the mutex was not had within this time; "
                      "0s: when it is somebody else's");
  command->add_option(
      "--grace", options->grace,
      "When the mutex cannot be renewed, the command is sent SIGTERM so long before its end, and SIGKILL "
      "at its end; less than the transition (half of it, 5s at most)");
  command->add_option("--password-file", options->password_file,
                      fmt::format("The store's password is the first line of FILE ({})", store_passwords()));
  command->add_option("--beliefs", options->beliefs,
                      "Tell whoever watches what is believed here (watch --beliefs): channel, by the store's messages, "
                      "or unix:PATH, at a socket of this machine; nothing waits for it");
  command->callback([&exit, options] { exit = contend(*options); });
}

}  // namespace leasescope::ctl
