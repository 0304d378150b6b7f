#include "app/leasescopectl_watcher.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>

#include "app/leasescopectl.h"
#include "app/watch/watch_words.h"
#include "core/history/recording/continued_file.h"
#include "core/observe/watch_record.h"
#include "core/store/store_type.h"
#include "core/time/duration_text.h"
#include "simulator/alerts/alert_rules_file.h"
#include "simulator/alerts/alert_rules_text.h"
#include "simulator/campaign/replay.h"

namespace leasescope::ctl {
namespace {

using namespace std::chrono_literals;

constexpr Duration kBetweenPrints = 100ms;
constexpr Sequence kForgottenAtOnce = 10'000;  // events
constexpr Sequence kLooked = 1'000;            // ... that whoever looks at the table may still see
constexpr int kPrintsAShow = 5;                // of what Prometheus reads
constexpr int kPrintsAKnown = 5;               // of until when all is known, which each mutex is asked for

}  // namespace

Watcher::Watcher(const WatchOptions& options, const WatchWish& wish)
    : options_(options),
      wish_(wish),
      watch_(loop_, wish.terms),
      epoch_ns_(zero_by_wall_clock(loop_)),
      meters_(options.metrics_mutexes),
      alerts_(wish.rules, epoch_ns_),
      told_why_(wish.stores.size()),
      told_remarks_(wish.stores.size(), 0) {
  if (!options.on_alert.empty()) {
    on_alert_ = std::make_unique<AlertCommand>(loop_, options.on_alert);
    alerts_.on_told([this](AlertFacts facts) { on_alert_->run(std::move(facts)); });
  }
  for (const StoreUrl& url : wish.stores)
    watch_.add(printable(url), [this, &url](ObserverListener& listener) {
      return url.type->observe(loop_, url, wish_.terms.look, listener);
    });
}

// What is said of the mutexes meanwhile comes when it comes: beliefs are listened for as long as that may take.
tl::expected<void, std::string> Watcher::look_once() {
  if (!begin_beliefs()) return tl::unexpected(error_);
  if (!watch_.listens_for_beliefs())
    watch_.on_change([this] {
      if (watch_.is_looked_through()) loop_.quit();
    });
  timer_.arm(wish_.within, [this] { loop_.quit(); });
  loop_.post([this] { watch_.begin(); });
  loop_.run();
  std::string error;
  for (const auto& store : watch_.stores()) {
    const std::string why = why_unknown(*store);
    for (const std::string& remark : store->remarks)
      if (remark != why) complain(store->name + ": " + remark);
    for (const BlindPart& part : store->parts)
      complain(fmt::format("{}: not observed: {}: {}", store->name, part.server, part.why));
    if (error.empty() && !why.empty()) error = store->name + ": " + why;
  }
  if (!error.empty()) return tl::unexpected(error);
  tell_refused_beliefs();
  watch_.history();  // deadlines of beliefs that have come
  return {};
}

// Why the look at that store has failed; empty: it has not. Where others are told, or the store tells of some, what it
// refuses to tell of is a remark.
std::string Watcher::why_unknown(const WatchedStore& store) const {
  if (store.known) return {};
  if (!store.why.empty()) return store.why;
  if (store.refused.empty()) return "not all of it was seen in time: see --within";
  return watch_.mutexes().empty() ? store.refused : std::string();
}

bool Watcher::begin_beliefs() {
  if (wish_.belief_socket.empty()) return true;
  auto socket =
      BeliefSocket::open(loop_, wish_.belief_socket, [this](std::string_view text) { watch_.hear_belief(text); });
  if (socket)
    beliefs_ = *std::move(socket);
  else
    error_ = "--beliefs " + socket.error();
  return beliefs_ != nullptr;
}

// Whoever sends what nobody understands may send it for ever: it is said of the first one, then ever more seldom.
void Watcher::tell_refused_beliefs() {
  const BeliefCounts& counts = watch_.belief_counts();
  if (counts.refused <= 2 * told_refused_) return;
  told_refused_ = counts.refused;
  complain(fmt::format("beliefs: {} refused; the last one: {}",
                       counts.refused == 1 ? "a message is" : fmt::format("{} messages are", counts.refused),
                       counts.why));
}

bool Watcher::begin_table() {
  if (table_ == nullptr) return true;
  watch_.on_change([this] { table_->note_change(); });
  const auto opened = table_->open();
  if (!opened) error_ = "--table: " + opened.error();
  return opened.has_value();
}

bool Watcher::begin_recording() {
  if (options_.record.empty()) return true;
  if (wish_.team) {
    auto sink = team::TeamSink::open(wish_.team->url, wish_.team->terms);
    if (!sink) {
      error_ = "--record " + sink.error().words;
      may_pass_ = sink.error().may_pass;
      return false;
    }
    writer_ = std::make_unique<RecordingWriter>(printable(wish_.team->url), std::move(*sink));
  } else if (!(holds_something(options_.record) ? go_on_in_file() : begin_file())) {
    return false;
  }
  writer_->head(header());
  writer_->note(watch_.seen_history(), {});  // what fires is kept, though nothing has yet
  return true;
}

bool Watcher::begin_file() {
  RecordingTerms terms;
  terms.retention = wish_.retention;
  auto writer = RecordingWriter::create(options_.record, terms);
  if (!writer) error_ = writer.error();
  if (!writer) return false;
  writer_ = std::move(*writer);
  return true;
}

// In what an earlier one has recorded of the same stores.
bool Watcher::go_on_in_file() {
  auto file = ContinuedFile::open(options_.record, header(), now(), wish_.retention);
  if (!file) {
    error_ = "--record " + file.error().words;
    may_pass_ = file.error().may_pass;
    return false;
  }
  if ((*file)->events_before() > 0)
    complain(fmt::format("{}: goes on after {}; the last {} s are marked as not observed", options_.record,
                         counted((*file)->events_before(), "event"),
                         format_seconds(std::max((*file)->gap(), Duration::zero()), 1)));
  writer_ = std::make_unique<RecordingWriter>(options_.record, std::move(*file));
  return true;
}

// A database that is away is no end of it.
void Watcher::keep_recording() {
  keep_alerts();
  if (writer_ == nullptr) return;
  const bool asks = until_known_-- <= 0;
  if (asks) until_known_ = kPrintsAKnown - 1;
  const History& history = watch_.history();
  writer_->offer(history, asks ? std::optional(watch_.known_until()) : std::nullopt);
  error_ = writer_->error();
  const std::string away = writer_->away();
  if (away.empty() != told_away_) return;
  told_away_ = !away.empty();
  complain(told_away_ ? away + "; what is seen is kept until it is there again"
                      : fmt::format("{}: is there again", printable(wish_.team->url)));
}

// What it is a recording of, and how the watch looks.
HistoryHeader Watcher::header() const {
  HistoryHeader header = watch_header(watch_, std::string(program_version()), epoch_ns_);
  WatchSettings& settings = header.watch.emplace();
  for (const StoreUrl& url : wish_.stores) {
    ObserverTerms look = wish_.terms.look;
    look.beliefs = look.beliefs && url.type->tell_beliefs != nullptr;  // others have no channel
    settings.stores.push_back(settings_of(printable(url), look));
  }
  settings.mutexes = wish_.terms.glob;
  settings.belief_socket = !wish_.belief_socket.empty();
  settings.rules = alert_rules_text(alerts_.desk().engine().rules());
  return header;
}

void Watcher::keep_alerts() {
  std::vector<AlertNote> told = alerts_.take_notes();
  if (writer_ != nullptr && !told.empty()) writer_->note(watch_.seen_history(), std::move(told));
}

void Watcher::end_recording() {
  keep_alerts();
  if (writer_ == nullptr || !error_.empty()) return;
  RecordedOutcome outcome;
  outcome.simulated_ns = outcome.wall_ns = now().time_since_epoch().count();
  if (const auto done = writer_->finish(watch_.history(), outcome); !done) error_ = done.error();
}

bool Watcher::begin_metrics() {
  if (!wish_.metrics) return true;
  auto page = MetricsPage::open(*wish_.metrics);
  if (!page) {
    error_ = "--metrics " + page.error();
    return false;
  }
  page_ = std::move(*page);
  return true;
}

void Watcher::tell_metrics() {
  if (page_ == nullptr) return;
  meters_.bring_up_to(watch_, now());
  if (until_shown_-- > 0) return;
  page_->show(meters_.now());
  until_shown_ = kPrintsAShow - 1;
}

void Watcher::tell_stores() {
  for (std::size_t i = 0; i < watch_.stores().size(); ++i) {
    const WatchedStore& store = *watch_.stores()[i];
    for (; told_remarks_[i] < store.remarks.size(); ++told_remarks_[i])
      complain(store.name + ": " + store.remarks[told_remarks_[i]]);
    const std::string why = unobserved_text(store);
    if (why == told_why_[i]) continue;
    complain(fmt::format("{}: {}", store.name, why.empty() ? "answers" : why));
    told_why_[i] = why;
  }
}

void Watcher::tell_new() {
  const History& history = watch_.history();
  std::string out;
  for (; told_ < history.last(); ++told_) {
    const Event& event = history.event(told_ + 1);
    alerts_.append(event, history.names);
    if (table_ != nullptr) continue;
    if (options_.json) {
      lines_.add(history, told_ + 1, out);
    } else if (const std::string line = event_text(history, event, epoch_ns_); !line.empty()) {
      out += line + "\n";
    }
  }
  if (out.empty()) return;
  put(out);
  if (std::fflush(stdout) != 0) loop_.quit();  // whoever reads it reads it now, and nobody does
}

// A rules file that is wrong leaves those that there are.
void Watcher::read_rules_anew() {
  const auto now_us =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch());
  service_.say(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", now_us.count()));
  told_ready_ = false;
  auto rules = read_alert_rules_file(options_.alerts);
  if (!rules)
    return complain(
        fmt::format("--alerts {}; what was before stays, {}", rules.error(), counted(alerts_.rules(), "rule")));
  complain(fmt::format("{}: {}, read anew", options_.alerts, counted(rules->size(), "rule")));
  alerts_.replace(*std::move(rules), watch_.history());
  if (writer_ != nullptr) writer_->head(header());
}

// Before there is another thread, which they would end. What it was started to ignore, as nohup has it, it ignores: a
// signal that is blocked comes to a descriptor all the same. Without a terminal SIGHUP asks for the rules alone.
void Watcher::take_signals() {
  sigset_t ours;
  ::sigemptyset(&ours);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    const bool ignored = ::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
    const bool asks = number == SIGHUP && !has_terminal_ && !options_.alerts.empty();
    if (!ignored || asks) ::sigaddset(&ours, number);
  }
  ::sigprocmask(SIG_BLOCK, &ours, nullptr);
  signals_ = ::signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
}

void Watcher::heed(std::uint32_t signal) {
  if (signal != SIGHUP || options_.alerts.empty() || has_terminal_) return loop_.quit();
  read_rules_anew();
}

// That the loop goes round is what makes us alive. What its manager did not take is said again.
void Watcher::tell_service() {
  if (!service_.is_heard()) return;
  if (!told_ready_) told_ready_ = service_.say("READY=1");
  const auto blind = std::count_if(watch_.stores().begin(), watch_.stores().end(),
                                   [](const auto& store) { return store->blind || !store->parts.empty(); });
  std::string status = fmt::format("STATUS=mutexes: {}, stores: {}", watch_.mutexes().size(), watch_.stores().size());
  if (blind > 0) status += fmt::format(", of which cannot be seen: {}", blind);
  if (status != told_status_ && service_.say(status)) told_status_ = std::move(status);
  if (service_.patience() && now() >= alive_next_) {
    service_.say("WATCHDOG=1");
    alive_next_ = now() + *service_.patience() / 3;
  }
}

// What has been told and is recorded: a watch goes on for weeks. Of incidents the writer may have fewer than there are,
// where it had no room for all events.
void Watcher::forget() {
  const Sequence all = writer_ == nullptr ? told_ : std::min(told_, writer_->taken());
  const Sequence done = std::max(watch_.seen_history().forgotten, all - std::min(all, kLooked));
  if (done - watch_.seen_history().forgotten < kForgottenAtOnce) return;
  watch_.forget(done, writer_ == nullptr ? watch_.seen_history().incidents : writer_->taken_incidents());
}

void Watcher::keep() {
  tell_stores();
  tell_refused_beliefs();
  tell_new();
  alerts_.tell(watch_.history());
  tell_metrics();
  tell_service();
  if (table_ != nullptr) table_->keep();
  keep_recording();
  if (!error_.empty()) return loop_.quit();
  forget();
  timer_.arm(kBetweenPrints, [this] { keep(); });
}

int Watcher::go_on(WatchManner manner) {
  take_signals();
  if (manner == WatchManner::kTable)
    table_ = std::make_unique<WatchTable>(WatchTable::World{loop_, watch_, alerts_.desk(), epoch_ns_,
                                                            wish_.team ? printable(wish_.team->url) : options_.record,
                                                            [this] { loop_.quit(); }});
  if (!begin_beliefs() || !begin_recording() || !begin_metrics() || !begin_table())
    return may_pass_ ? failed(error_) : bad_input(error_);  // a service is started again after the former alone
  loop_.watch(signals_, Readiness::kRead, [this] {
    signalfd_siginfo came{};
    if (::read(signals_, &came, sizeof came) == sizeof came) heed(came.ssi_signo);
  });
  loop_.post([this] { watch_.begin(); });
  keep();
  loop_.run();
  service_.say("STOPPING=1");
  tell_new();
  alerts_.tell(watch_.history());
  watch_.end();  // told in the recording, and nobody else wants to know
  end_recording();
  if (table_ != nullptr) table_->close();  // a terminal that stands still holds up nothing of the recording
  return error_.empty() ? kAsExpected : failed(error_);
}

}  // namespace leasescope::ctl
