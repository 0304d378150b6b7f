// simulate: a scenario after what was observed of a mutex, from a recording or from a store that is in use.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_files.h"
#include "app/leasescopectl_recorded.h"
#include "app/leasescopectl_watch_options.h"
#include "core/base/escaped.h"
#include "core/base/glob.h"
#include "core/fenced/fenced_terms.h"
#include "core/history/mutex_title.h"
#include "core/history/recording/joined_names.h"
#include "core/history/recording/recording_reader.h"
#include "core/loop/epoll/epoll_loop.h"
#include "core/loop/one_shot.h"
#include "core/observe/latency_samples.h"
#include "core/observe/watch_record.h"
#include "core/store/store_type.h"
#include "core/store/types/types.h"
#include "core/time/duration_text.h"
#include "simulator/observed/observed_scenario.h"
#include "simulator/run/recorded_run.h"
#include "simulator/scenario/reader.h"

namespace leasescope::ctl {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostNamed = 10;  // mutexes, in an error
constexpr Duration kLook = 20ms;        // answers are counted so often

struct SimulateCommand {
  std::string source;
  std::string mutex;
  Moments moments;
  std::string watch_for;
  std::string password_file;
  std::string output;
};

// "job" and "Redisson" of "job (Redisson)"; one of Simba's form, and a latch, has no maker.
struct TitledLock {
  std::string name, maker;
};

TitledLock lock_in(std::string_view title) {
  const std::string_view name = name_in(title);
  const std::size_t open = name.rfind(" (");
  if (open == std::string_view::npos || !name.ends_with(')')) return {std::string(name), {}};
  return {std::string(name.substr(0, open)), std::string(name.substr(open + 2, name.size() - open - 3))};
}

// For a watch, which goes by the names at the store: of a title that of its lock, with whatever may follow, as a name
// may end in brackets, too. chosen() takes the title among these.
std::string names_of(const std::string& asked) {
  const std::string name = lock_in(asked).name;
  return name.size() < asked.size() ? name + "*" : asked;
}

// Which one is meant, of the titles that there are: where none is called so, the locks of other forms that are. The
// error is for the user.
tl::expected<std::string, std::string> chosen(const SimulateCommand& asked, const std::string& source,
                                              const std::vector<std::string>& titles) {
  std::vector<std::string> meant;
  for (const std::string& title : titles)
    if (asked.mutex.empty() || is_called(asked.mutex, title)) meant.push_back(title);
  if (meant.empty())
    for (const std::string& title : titles)
      if (is_like(asked.mutex, lock_in(without_number(title)).name)) meant.push_back(title);
  if (meant.size() == 1) return meant.front();
  const std::vector<std::string>& shown = meant.empty() ? titles : meant;
  std::string there;
  for (std::size_t i = 0; i < std::min(shown.size(), kMostNamed); ++i)
    there += (i == 0 ? "" : ", ") + escaped(shown[i], 100);
  if (shown.size() > kMostNamed) there += fmt::format(" and {} more", shown.size() - kMostNamed);
  if (titles.empty() && asked.mutex.empty()) return tl::unexpected(fmt::format("{}: no mutex is seen there", source));
  if (titles.empty())
    return tl::unexpected(fmt::format("--mutex {}: no such mutex is seen in {}", asked.mutex, source));
  if (meant.empty())
    return tl::unexpected(fmt::format("--mutex {}: no such mutex is seen in {}; there {}: {}", asked.mutex, source,
                                      shown.size() == 1 ? "is" : "are", there));
  return tl::unexpected(fmt::format("{}: expected --mutex and the name of one of its mutexes: {}", source, there));
}

std::string nothing_seen(const std::string& source, const std::string& title, const std::string& remedy) {
  return fmt::format("{}: nobody was seen to hold {}, or to want it: {}", source, escaped(title, 100), remedy);
}

int hand_out(const SimulateCommand& asked, const std::string& toml) {
  // What is handed out can be run: if not, that is no mistake of whoever asked.
  if (const auto read = read_scenario(toml, "simulated.toml"); !read) return failed(read.error().text());
  if (const std::string error = write_file(asked.output.empty() ? "-" : asked.output, toml); !error.empty())
    return failed(fmt::format("--output {}: {}", asked.output, error));
  if (!asked.output.empty() && asked.output != "-") complain(asked.output + ": written; run takes it, and the Lab");
  return kAsExpected;
}

// ---- from a recording

// The titles of those of which something is told.
tl::expected<std::vector<std::string>, std::string> titles_in(const std::string& path) {
  auto recording = RecordingReader::open(path);
  if (!recording) return tl::unexpected(recording.error());
  std::set<std::string> titles;
  std::set<std::uint32_t> known;
  std::vector<Event> page;
  for (bool more = true; more;) {
    page.clear();
    more = recording->read_page(page);
    for (const Event& event : page)
      if (!event.mutex.empty() && known.insert(event.mutex.handle).second)
        titles.emplace(recording->frame().names.text(event.mutex));
  }
  if (!recording->error().empty()) return tl::unexpected(recording->error());
  return std::vector<std::string>(titles.begin(), titles.end());
}

// A title bears its store where it is not the only one, or the first of a watch.
std::string_view store_of(const std::string& title, const std::string& stores) {
  const std::string_view name = name_in(title);
  if (name.size() < title.size()) return std::string_view(title).substr(name.size() + 3);
  return std::string_view(stores).substr(0, stores.find(", "));
}

// Of recordings that were merged two may have told of the same name: it bears a number in the second.
ObservedMutex recorded_mutex(const std::string& merged_title, const HistoryHeader& header, bool watched,
                             const tl::expected<Scenario, std::string>& scenario) {
  const std::string title(without_number(merged_title));
  ObservedMutex out;
  out.name = name_in(title);
  if (!watched) {
    if (scenario) out.system = scenario->mutex.system;
    if (scenario) out.model = scenario->store.model;
    return out;
  }
  if (const auto url = parse_store_url(store_of(title, header.store))) out.model = url->type->model;
  TitledLock lock = lock_in(title);
  out.name = std::move(lock.name);
  if (lock.maker == kOwnMaker)
    out.system = FencedTerms::kSystem;
  else if (!lock.maker.empty())
    out.maker = "lock of " + lock.maker;
  else if (out.model == "zookeeper")
    out.system = "latch";  // ours there are
  return out;
}

int simulate_recording(const SimulateCommand& asked) {
  if (!asked.watch_for.empty())
    return bad_input(
        fmt::format("--for {}: goes with a store that is watched; of a recording --from and --to say "
                    "which part",
                    asked.watch_for));
  auto recording = RecordingReader::open(asked.source);
  if (!recording) return bad_input(recording.error());
  const bool watched = recording->header().scenario == kWatchName;
  const auto scenario = scenario_of(recording->header(), asked.source);
  const auto range = range_of(asked.moments, *recording, scenario);
  if (!range) return bad_input(range.error());
  const auto titles = titles_in(asked.source);
  if (!titles) return bad_input(titles.error());
  const auto title = chosen(asked, asked.source, *titles);
  if (!title) return bad_input(title.error());

  const NameTable& names = recording->frame().names;
  UseFold fold(*mutex_titled(names, *title), watched ? SeenBy::kWatch : SeenBy::kContenders, range->from);
  std::vector<Event> page;
  for (bool more = true; more;) {
    page.clear();
    more = recording->read_page(page);
    for (const Event& event : page)
      if (event.at() <= range->to) fold.append(event, names);
    more = more && (page.empty() || page.back().at() <= range->to);
  }
  if (!recording->error().empty()) return bad_input(recording->error());
  const ObservedUse use = fold.use(range->to);
  if (use.terms.empty() && use.contenders.empty())
    return bad_input(nothing_seen(asked.source, *title,
                                  asked.moments.all() ? "expected a recording of somebody who does"
                                                      : "expected other moments in --from and --to; history tells of "
                                                        "all"));
  return hand_out(
      asked, observed_scenario(recorded_mutex(*title, recording->header(), watched, scenario), estimate(use), names));
}

// ---- from a store that is in use

volatile std::sig_atomic_t interrupted = 0;

// Looks for so long, or until somebody ends it; by then all that was seen is in the watch.
class Look {
 public:
  Look(const WatchWish& wish, Duration length) : watch_(loop_, wish.terms), length_(length) {
    for (const StoreUrl& url : wish.stores)
      watch_.add(printable(url), [this, &url, &wish](ObserverListener& listener) {
        return url.type->observe(loop_, url, wish.terms.look, listener);
      });
  }

  void run() {
    watch_.on_change([this] { latencies_.take(watch_); });
    loop_.post([this] { watch_.begin(); });
    end_ = loop_.now() + length_;
    count();
    loop_.run();
    watch_.history();
  }
  // Why nothing is known of the store; empty: it was looked at.
  std::string why_unknown() const {
    const WatchedStore& store = *watch_.stores().front();
    if (store.known) return {};
    if (!store.why.empty()) return store.why;
    if (!store.refused.empty()) return watch_.mutexes().empty() ? store.refused : std::string();
    return "not all of it was seen in time: expected a longer --for";
  }
  const Watch& watch() const { return watch_; }
  std::vector<Duration> round_trips() const { return latencies_.of(0); }

 private:
  void count() {
    latencies_.take(watch_);
    if (interrupted != 0 || loop_.now() >= end_) return loop_.quit();
    timer_.arm(kLook, [this] { count(); });
  }

  EpollLoop loop_;
  Watch watch_;
  LatencySamples latencies_;
  const Duration length_;
  TrueTime end_{};
  OneShot timer_{loop_};
};

int simulate_store(const SimulateCommand& asked) {
  if (!asked.moments.all())
    return bad_input("--from and --to: go with a recording; a store is watched from now on, for --for");
  const std::string length_text = asked.watch_for.empty() ? "30s" : asked.watch_for;
  const auto length = parse_duration(length_text);
  if (!length || *length <= Duration::zero() || *length > Duration(24h))
    return bad_input(fmt::format("--for {}: expected a length of time up to 24h, such as 30s", length_text));
  WatchOptions options;
  options.stores = {asked.source};
  options.password_file = asked.password_file;
  options.mutex = names_of(asked.mutex);
  const auto wish = read_watch_wish(options);
  if (!wish) return bad_input(wish.error());
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, [](int) { interrupted = 1; });
  Look look(*wish, *length);
  look.run();
  const std::string store = printable(wish->stores.front());
  if (const std::string why = look.why_unknown(); !why.empty()) return bad_input(store + ": " + why);
  std::vector<std::string> titles;
  for (const auto& each : look.watch().mutexes()) titles.push_back(each->shown);
  const auto title = chosen(asked, store, titles);
  if (!title) return bad_input(title.error());
  const auto mutex = std::find_if(look.watch().mutexes().begin(), look.watch().mutexes().end(),
                                  [&](const auto& each) { return each->shown == *title; });
  const Sighting& last = (*mutex)->book.last();
  if ((*mutex)->terms.empty() && last.owner.empty() && last.waiters.value_or(0) == 0)
    return bad_input(nothing_seen(store, *title, "expected a longer --for"));
  return hand_out(asked, watched_scenario(**mutex, look.watch().seen_history(), wish->stores.front().type->model,
                                          look.round_trips()));
}

// A file is a recording. What is a store's word alone and no file is told what is wrong with it as a store.
bool names_store(const std::string& source) {
  if (source.find("://") != std::string::npos || source.starts_with("unix:")) return true;
  std::error_code ignored;
  return find_store_type(source) != nullptr && !std::filesystem::exists(source, ignored);
}

int simulate(const SimulateCommand& asked) {
  if (const std::string problem = unwritable(asked.output); !problem.empty()) return bad_input("--output " + problem);
  if (names_store(asked.source)) return simulate_store(asked);
  if (!asked.password_file.empty())
    return bad_input(
        fmt::format("--password-file {}: {} is taken for a recording, which has no password: expected "
                    "the URL of a store",
                    asked.password_file, asked.source));
  return simulate_recording(asked);
}

}  // namespace

void add_simulate_command(CLI::App& app, int& exit) {
  const auto asked = std::make_shared<SimulateCommand>();
  CLI::App* command = app.add_subcommand(
      "simulate",
      "A scenario after what is observed of a mutex: its lease, contenders, delays and pauses, with how often each "
      "was; run and the Lab take it");
  command
      ->add_option("SOURCE", asked->source,
                   fmt::format("A recording, of a watch or of a run; or a store to watch: {}", watched_schemes()))
      ->required();
  command->add_option("--mutex", asked->mutex, "Which one, '*' and '?' as in a shell; left out: the only one");
  command->add_option("--from", asked->moments.from,
                      "Of a recording: from there on, e.g. 20s, or 03:12 (UTC) where it had a wall clock");
  command->add_option("--to", asked->moments.to, "Likewise, until there");
  command->add_option("--for", asked->watch_for, "Of a store: watch it for so long (30s)");
  command->add_option("--password-file", asked->password_file,
                      fmt::format("The store's password is the first line of FILE ({})", store_passwords()));
  command->add_option("--output", asked->output, "Write it into FILE.toml instead of printing it");
  command->callback([asked, &exit] { exit = simulate(*asked); });
}

}  // namespace leasescope::ctl
