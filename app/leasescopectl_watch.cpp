// watch: who owns what on stores that are in use, looked at without writing a byte; who: the same of one mutex, in one
// line.
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_alert_lines.h"
#include "app/leasescopectl_password.h"
#include "app/leasescopectl_service.h"
#include "core/base/escaped.h"
#include "core/history/history_lines.h"
#include "core/history/recording/recording_writer.h"
#include "core/loop/epoll/epoll_loop.h"
#include "core/loop/one_shot.h"
#include "core/observe/meters.h"
#include "core/observe/metrics/metrics_page.h"
#include "core/observe/watch.h"
#include "core/observe/watch_record.h"
#include "core/observe/watched_row.h"
#include "core/store/types/types.h"
#include "core/time/duration_text.h"
#include "simulator/alerts/alert_rules_file.h"
#include "simulator/campaign/replay.h"

namespace leasescope::ctl {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

template <class T>
using Read = tl::expected<T, std::string>;

struct WatchOptions {
  std::vector<std::string> stores;
  std::string mutex;  // a glob; of `who` a name
  std::string password_file;
  std::string poll = "1s";
  std::string within = "5s";
  std::string record;
  std::string alerts;
  std::string foreign = "certain";
  std::string metrics;
  std::size_t metrics_mutexes = 1'000;
  bool metrics_owners = false;
  bool once = false;
  bool json = false;
};

constexpr Duration kBetweenPrints = 100ms;
constexpr int kPrintsAShow = 5;  // of what Prometheus reads

// ---- what was asked for

Read<StoreUrl> read_store(const std::string& text, const WatchOptions& options) {
  if (!options.password_file.empty() && options.stores.size() > 1)
    return tl::unexpected(
        std::string("--password-file: expected one store, whose password it is; of several each URL has its own"));
  return given_store(text, options.password_file,
                     "a server that was started for this command alone would hold nothing: "
                     "expected the URL of a store that is in use");
}

constexpr std::array<std::pair<std::string_view, Foreign>, 3> kForeign{
    {{"none", Foreign::kNone}, {"certain", Foreign::kCertain}, {"likely", Foreign::kLikely}}};

struct Wish {
  std::vector<StoreUrl> stores;
  std::vector<AlertRule> rules;
  std::optional<MetricsTerms> metrics;
  WatchTerms terms;
  Duration within{};
};

Read<Wish> read(const WatchOptions& options) {
  Wish out;
  for (const std::string& text : options.stores) {
    const auto url = read_store(text, options);
    if (!url) return tl::unexpected(url.error());
    if (url->type->observe == nullptr)
      return tl::unexpected(fmt::format("{}: {} cannot be watched yet", printable(*url), url->type->title));
    out.stores.push_back(*url);
  }
  const auto poll = parse_duration(options.poll), within = parse_duration(options.within);
  if (!poll || *poll < 50ms) return tl::unexpected("--poll " + options.poll + ": expected 50ms or more, such as 1s");
  if (!within || *within <= Duration::zero())
    return tl::unexpected("--within " + options.within + ": expected a length of time, such as 5s");
  if (!options.alerts.empty()) {
    auto rules = read_alert_rules_file(options.alerts);
    if (!rules) return tl::unexpected("--alerts " + rules.error());
    out.rules = *std::move(rules);
  }
  const auto* const foreign =
      std::find_if(kForeign.begin(), kForeign.end(), [&](const auto& each) { return each.first == options.foreign; });
  if (foreign == kForeign.end())
    return tl::unexpected("--foreign " + options.foreign + ": expected none, certain or likely");
  out.terms.look.foreign = foreign->second;
  if (!options.metrics.empty()) {
    auto terms = parse_metrics_address(options.metrics);
    if (!terms) return tl::unexpected("--metrics " + terms.error());
    out.metrics = *std::move(terms);
    out.metrics->owners = options.metrics_owners;
  }
  out.terms.look.poll = *poll;
  out.terms.glob = options.mutex;
  out.within = *within;
  return out;
}

// ---- what is told

std::string lasting(const WatchedRow& row) {
  return row.lasts_most ? length_text(row.lasts_least) : "≥ " + length_text(row.lasts_least);
}

std::string left_text(const WatchedRow& row) {
  if (!row.left) return row.owner.empty() ? "–" : "no end";
  return fmt::format("{:.1f} s", std::max(0.0, static_cast<double>(row.left->count()) / 1e9));
}

std::string number_text(std::uint64_t number) { return number == 0 ? "–" : std::to_string(number); }

json json_of(const WatchedMutex& mutex, const WatchedStore& store, TrueTime now) {
  const WatchedRow row = row_of(mutex, now);
  const auto seconds = [](Duration d) { return static_cast<double>(d.count()) / 1e9; };
  json out{{"mutex", mutex.name},
           {"store", store.name},
           {"maker", mutex.maker.empty() ? json() : json(std::string(mutex.maker))},
           {"system", std::string(mutex.book.last().system)},
           {"likely", mutex.book.last().likely},
           {"state", std::string(text(row.state))},
           {"owner", row.owner.empty() ? json() : json(row.owner)},
           {"token", row.token == kNoToken ? json() : json(row.token)},
           {"since_at_least_seconds", seconds(row.lasts_least)},
           {"since_at_most_seconds", row.lasts_most ? json(seconds(*row.lasts_most)) : json()},
           {"lease_left_seconds", row.left ? json(seconds(*row.left)) : json()},
           {"waiters", row.waiters ? json(*row.waiters) : json()},
           {"queue", mutex.book.last().queue},
           {"handoffs_last_hour", row.handoffs},
           {"age_seconds", seconds(row.age)}};
  json raw = json::object();
  for (const auto& [key, value] : mutex.book.last().raw) raw[key] = value;
  out["raw"] = std::move(raw);
  return out;
}

std::string dump(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace) + "\n";
}

// One event, as a line for people.
std::string line_of(const History& history, const Event& event, std::int64_t epoch_ns) {
  const std::string mutex = escaped(history.names.text(event.mutex), 200);
  const std::string who = escaped(history.names.text(event.node), 200);
  std::string what;
  switch (event.kind) {
    case EventKind::kGranted:
      what = fmt::format("granted to {}{}", who, event.token == kNoToken ? "" : fmt::format(" #{}", event.token));
      break;
    case EventKind::kRenewed:
      what = fmt::format("renewed by {}", who);
      break;
    case EventKind::kReleased:
      what = fmt::format("released by {}", who);
      break;
    case EventKind::kExpired:
      what = fmt::format("the lease of {} is over", who);
      break;
    case EventKind::kUnobservedBegan:
      if (event.lo == TrueTime{}) return {};  // before the first look
      what = "not observed";
      break;
    case EventKind::kUnobservedEnded:
      what = "observed";
      break;
    default:
      what = std::string(text(event.kind));
  }
  const double within = static_cast<double>((event.hi - event.lo).count()) / 1e9;
  return fmt::format("{}  {}  {}{}\n", clock_text(epoch_ns, event.hi), mutex, what,
                     within < 0.01 ? "" : fmt::format("  (in the {:.2f} s before)", within));
}

class Table {
 public:
  void add(std::vector<std::string> cells) {
    widths_.resize(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) widths_[i] = std::max(widths_[i], width(cells[i]));
    rows_.push_back(std::move(cells));
  }
  std::string text() const {
    std::string out;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line += row[i] + (i + 1 < row.size() ? std::string(widths_[i] - width(row[i]) + 2, ' ') : "");
      out += line + "\n";
    }
    return out;
  }

 private:
  // Letters, of UTF-8.
  static std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  }
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

// ---- the watch

class Watcher {
 public:
  Watcher(const WatchOptions& options, const Wish& wish);

  // Until every store has been looked at as a whole, or the time for that is over: the error says whose is not.
  Read<void> look_once();
  // Until a signal comes that does not ask for the rules to be read anew.
  int go_on();

  void put_table();
  void put_json();
  Watch& watch() { return watch_; }
  TrueTime now() const { return loop_.now(); }

 private:
  std::vector<const WatchedMutex*> sorted() const;
  void tell_new();
  void tell_stores();
  void tell_service();
  void heed(std::uint32_t signal);
  void read_rules_anew();
  void keep();
  bool begin_recording();
  bool begin_metrics();
  void tell_metrics();

  const WatchOptions& options_;
  const Wish& wish_;
  EpollLoop loop_;
  Watch watch_;
  std::int64_t epoch_ns_;
  std::unique_ptr<RecordingWriter> writer_;
  HistoryLines lines_;
  std::unique_ptr<MetricsPage> page_;
  Meters meters_;
  int until_shown_ = 0;  // prints
  AlertLines alerts_;
  const bool has_terminal_ = has_terminal();  // of a terminal that hangs up nobody has one any more
  ServiceNotice service_;
  bool told_ready_ = false;
  std::string told_status_;
  TrueTime alive_next_{};
  Sequence told_ = 0;
  std::vector<std::string> told_why_;
  std::vector<std::size_t> told_remarks_;
  std::string error_;
  OneShot timer_{loop_};
  int signals_ = -1;
};

Watcher::Watcher(const WatchOptions& options, const Wish& wish)
    : options_(options),
      wish_(wish),
      watch_(loop_, wish.terms),
      epoch_ns_(wall_clock_ns() - loop_.now().time_since_epoch().count()),
      meters_(options.metrics_mutexes),
      alerts_(wish.rules, epoch_ns_),
      told_why_(wish.stores.size()),
      told_remarks_(wish.stores.size(), 0) {
  for (const StoreUrl& url : wish.stores)
    watch_.add(printable(url), [this, &url](ObserverListener& listener) {
      return url.type->observe(loop_, url, wish_.terms.look, listener);
    });
}

Read<void> Watcher::look_once() {
  watch_.on_change([this] {
    if (watch_.complete()) loop_.quit();
  });
  timer_.arm(wish_.within, [this] { loop_.quit(); });
  loop_.post([this] { watch_.begin(); });
  loop_.run();
  for (const auto& store : watch_.stores()) {
    for (const std::string& remark : store->remarks) complain(store->name + ": " + remark);
    if (!store->known)
      return tl::unexpected(fmt::format(
          "{}: {}", store->name, store->why.empty() ? "not all of it was seen in time: see --within" : store->why));
  }
  return {};
}

std::vector<const WatchedMutex*> Watcher::sorted() const {
  std::vector<const WatchedMutex*> out;
  for (const auto& each : watch_.mutexes()) out.push_back(each.get());
  std::sort(out.begin(), out.end(), [](const WatchedMutex* a, const WatchedMutex* b) {
    return std::pair(a->name, a->source) < std::pair(b->name, b->source);
  });
  return out;
}

void Watcher::put_table() {
  Table table;
  table.add({"MUTEX", "STORE", "SYSTEM", "OWNER", "FOR", "LEASE LEFT", "WAITERS", "TOKEN", "STATE"});
  for (const WatchedMutex* each : sorted()) {
    const WatchedRow row = row_of(*each, now());
    table.add({escaped(each->name, 60), watch_.stores()[each->source]->name, system_text(each->book.last()),
               row.owner.empty() ? "–" : escaped(row.owner, 60), lasting(row), left_text(row),
               row.waiters ? std::to_string(*row.waiters) : "?", number_text(row.token), std::string(text(row.state))});
  }
  put(table.text());
}

void Watcher::put_json() {
  json out{{"at_ns", epoch_ns_ + now().time_since_epoch().count()}, {"mutexes", json::array()}};
  for (const WatchedMutex* each : sorted())
    out["mutexes"].push_back(json_of(*each, *watch_.stores()[each->source], now()));
  put(dump(out, 2));
}

bool Watcher::begin_recording() {
  if (options_.record.empty()) return true;
  auto writer = RecordingWriter::create(options_.record);
  if (!writer) {
    error_ = writer.error();
    return false;
  }
  writer_ = std::move(*writer);
  writer_->head(watch_header(watch_, std::string(program_version()), epoch_ns_));
  return true;
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
    if (store.why == told_why_[i]) continue;
    complain(fmt::format("{}: {}", store.name, store.blind ? store.why : "answers"));
    told_why_[i] = store.why;
  }
}

void Watcher::tell_new() {
  const History& history = watch_.history();
  std::string out;
  for (; told_ < history.last(); ++told_) {
    const Event& event = history.event(told_ + 1);
    alerts_.append(event, history.names);
    options_.json ? lines_.add(history, told_ + 1, out) : void(out += line_of(history, event, epoch_ns_));
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
  alerts_.replace(*std::move(rules));
}

void Watcher::heed(std::uint32_t signal) {
  if (signal != SIGHUP || options_.alerts.empty() || has_terminal_) return loop_.quit();
  read_rules_anew();
}

// That the loop goes round is what makes us alive. What its manager did not take is said again.
void Watcher::tell_service() {
  if (!service_.is_heard()) return;
  if (!told_ready_ && !alerts_.is_replacing()) told_ready_ = service_.say("READY=1");
  const auto blind =
      std::count_if(watch_.stores().begin(), watch_.stores().end(), [](const auto& store) { return store->blind; });
  std::string status = fmt::format("STATUS=mutexes: {}, stores: {}", watch_.mutexes().size(), watch_.stores().size());
  if (blind > 0) status += fmt::format(", of which cannot be seen: {}", blind);
  if (status != told_status_ && service_.say(status)) told_status_ = std::move(status);
  if (service_.patience() && now() >= alive_next_) {
    service_.say("WATCHDOG=1");
    alive_next_ = now() + *service_.patience() / 3;
  }
}

void Watcher::keep() {
  tell_stores();
  tell_new();
  alerts_.tell(watch_.history());
  tell_metrics();
  tell_service();
  if (writer_ != nullptr) {
    writer_->offer(watch_.history());
    if (!writer_->error().empty()) {
      error_ = writer_->error();
      return loop_.quit();
    }
  }
  timer_.arm(kBetweenPrints, [this] { keep(); });
}

int Watcher::go_on() {
  // Before there is another thread, which they would end.
  sigset_t ours;
  ::sigemptyset(&ours);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&ours, number);
  ::sigprocmask(SIG_BLOCK, &ours, nullptr);
  signals_ = ::signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
  if (!begin_recording() || !begin_metrics()) return bad_input(error_);
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
  if (writer_ != nullptr && error_.empty()) {
    RecordedOutcome outcome;
    outcome.simulated_ns = outcome.wall_ns = now().time_since_epoch().count();
    if (const auto done = writer_->finish(watch_.history(), outcome); !done) error_ = done.error();
  }
  return error_.empty() ? kAsExpected : failed(error_);
}

int watch(const WatchOptions& options) {
  const auto wish = read(options);
  if (!wish) return bad_input(wish.error());
  Watcher watcher(options, *wish);
  if (!options.once) return watcher.go_on();
  if (const auto looked = watcher.look_once(); !looked) return bad_input(looked.error());
  options.json ? watcher.put_json() : watcher.put_table();
  return kAsExpected;
}

std::string sentence_of(const WatchedMutex& mutex, const WatchedStore& store, TrueTime now) {
  const WatchedRow row = row_of(mutex, now);
  std::string out = escaped(mutex.name, 200);
  if (!mutex.maker.empty()) out += fmt::format(" ({})", system_text(mutex.book.last()));
  out += ": ";
  if (row.state == WatchState::kNotObserved) {
    out += fmt::format("not known: {}", store.why.empty() ? "the store does not tell" : store.why);
  } else if (row.owner.empty()) {
    out += "nobody holds it";
  } else {
    out += fmt::format("{} holds it, for {}", escaped(row.owner, 200), lasting(row));
    if (row.token != kNoToken) out += fmt::format(", #{}", row.token);
    out += row.left ? fmt::format(", {} left", left_text(row)) : ", without an end";
  }
  if (row.waiters) out += fmt::format("; {} wait", *row.waiters);
  return out + fmt::format(" ({})\n", store.name);
}

// Nobody holds it as ours, and somebody's lock at that store bears the name: that is the one that is meant.
bool is_beside_another(const WatchedMutex& mutex, const Watch& watch) {
  if (!mutex.maker.empty() || !mutex.book.last().owner.empty()) return false;
  return std::any_of(watch.mutexes().begin(), watch.mutexes().end(), [&](const auto& each) {
    return each->source == mutex.source && !each->maker.empty() && !each->book.last().owner.empty();
  });
}

int who(const WatchOptions& options) {
  auto wish = read(options);
  if (!wish) return bad_input(wish.error());
  wish->terms.glob.clear();
  wish->terms.look.mutexes = {options.mutex};
  Watcher watcher(options, *wish);
  if (const auto looked = watcher.look_once(); !looked) return bad_input(looked.error());
  if (options.json) {
    watcher.put_json();
    return kAsExpected;
  }
  if (watcher.watch().mutexes().empty())
    put(fmt::format("{}: no mutex of that name is seen\n", escaped(options.mutex, 200)));
  for (const auto& each : watcher.watch().mutexes())
    if (!is_beside_another(*each, watcher.watch()))
      put(sentence_of(*each, *watcher.watch().stores()[each->source], watcher.now()));
  return kAsExpected;
}

void add_common(CLI::App& command, WatchOptions& options) {
  command.add_option("STORE", options.stores, fmt::format("{}", store_schemes()))->required();
  command.add_option("--password-file", options.password_file,
                     fmt::format("The stores' password is the first line of FILE ({})", store_passwords()));
  command
      .add_option("--foreign", options.foreign,
                  "Locks of other makers: none, certain (whose form is theirs alone: Redisson, Curator, kazoo, "
                  "PostgreSQL, MySQL) or likely (also redsync, node-redlock, redis-py, ShedLock)")
      ->capture_default_str();
  command.add_option("--within", options.within, "How long a store may take to be looked at once")
      ->capture_default_str();
}

}  // namespace

void add_watch_commands(CLI::App& app, int& exit) {
  const auto watched = std::make_shared<WatchOptions>();
  CLI::App* command = app.add_subcommand(
      "watch", "Who owns what on stores that are in use: looked at, again and again, without writing a byte");
  add_common(*command, *watched);
  command->add_option("--mutex", watched->mutex, "Only those with such a name, as a shell has it: 'orders-*'");
  command->add_option("--poll", watched->poll, "How often a store is asked that tells nobody of changes")
      ->capture_default_str();
  auto* const once = command->add_flag("--once", watched->once, "A table of now, and no more");
  command->add_flag("--json", watched->json, "As JSON: one object with --once, else an event a line");
  command->add_option("--record", watched->record, "Record all that is seen")->excludes(once);
  command
      ->add_option("--alerts", watched->alerts,
                   "Tell when rules of this TOML file hold, and when they do no more; without a terminal, "
                   "SIGHUP has it read anew")
      ->excludes(once);
  auto* const metrics = command
                            ->add_option("--metrics", watched->metrics,
                                         "Show figures to Prometheus on HOST:PORT, or on PORT of this machine alone")
                            ->excludes(once);
  command
      ->add_option("--metrics-mutexes", watched->metrics_mutexes,
                   "Series of their own for so many mutexes at most, as they are met")
      ->capture_default_str()
      ->needs(metrics);
  command->add_flag("--metrics-owners", watched->metrics_owners, "Who owns is a label of a series too")->needs(metrics);
  command->callback([&exit, watched] { exit = watch(*watched); });

  const auto asked = std::make_shared<WatchOptions>();
  CLI::App* one = app.add_subcommand("who", "Who owns a mutex now, in one line: who MUTEX STORE…");
  one->add_option("MUTEX", asked->mutex, "Its name at the store")->required();
  add_common(*one, *asked);
  one->add_flag("--json", asked->json, "As JSON");
  one->callback([&exit, asked] { exit = who(*asked); });
}

}  // namespace leasescope::ctl
