// How closely the virtual world foretells a live store: one scenario many times in both, side by side.
#include <algorithm>
#include <csignal>
#include <functional>
#include <memory>
#include <optional>

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <QGuiApplication>
#include <QTimer>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_files.h"
#include "app/leasescopectl_progress.h"
#include "app/leasescopectl_seeds.h"
#include "core/base/random_stream.h"
#include "core/store/types/types.h"
#include "core/time/duration_text.h"
#include "simulator/live/descriptor_limit.h"
#include "simulator/live/live_refusal.h"
#include "simulator/live/live_run.h"
#include "simulator/live/live_world.h"
#include "simulator/live/private_server.h"
#include "simulator/model/models.h"
#include "simulator/run/fidelity.h"
#include "simulator/scenario/catalogue.h"
#include "ui/timeline/paint/distributions.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;
using Measure = FidelitySamples::Measure;

struct FidelityCommand {
  std::string scenario;
  std::string store;
  std::size_t runs = 400;
  std::size_t at_once = 50;
  std::size_t virtual_runs = 10'000;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> sets;
  std::string svg;
  bool json = false;
  bool quiet = false;
};

volatile std::sig_atomic_t interrupted = 0;  // by that signal

// The first of so many live runs is a calm one: its calls and hand-offs are timed, in the very rhythm in which the
// others call.
constexpr std::size_t kTimedOf = 3;

// Many live runs on one server, each on a mutex of its own, so many at once. They begin one after another, spread over
// the length of a run: in step, what all do at the same moment would wait for the others.
class LiveRuns {
 public:
  using Ended = std::function<void(const LiveRun&, bool timed)>;

  LiveRuns(const Scenario& scenario, std::string store, std::size_t at_once)
      : scenario_(scenario), store_(std::move(store)), at_once_(at_once) {}

  // So many, and those that are timed, each handed over when it has ended. The error is of the first that could not be
  // run.
  std::string play(std::size_t runs, Progress& progress, const Ended& ended) {
    runs_ = runs + (runs + kTimedOf - 2) / (kTimedOf - 1);
    ended_ = ended;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, [&] {
      progress.tell([&] { return fmt::format("{} of {} live runs", done_, runs_); });
      if (interrupted != 0) QCoreApplication::quit();
    });
    look.start(20);
    const std::size_t first = std::min(at_once_, runs_);
    apart_ = std::chrono::duration_cast<std::chrono::milliseconds>(scenario_.length()) / first;
    for (std::size_t i = 0; i < first; ++i) QTimer::singleShot(i * apart_, &beginning_, [this] { begin_soon(); });
    QCoreApplication::exec();
    under_way_.clear();
    return error_;
  }

 private:
  // Not in step with whatever is done at the server every so often: as one run is as long as the other, all would begin
  // at a few of its moments else.
  void begin_soon() {
    QTimer::singleShot(std::chrono::milliseconds(draws_.below(1 + static_cast<std::uint64_t>(apart_.count()))),
                       &beginning_, [this] { begin(); });
  }
  void begin() {
    if (begun_ == runs_) return;
    const bool timed = begun_ % kTimedOf == 0;
    Scenario scenario = scenario_;
    scenario.seed += begun_;
    if (timed) scenario = calm(scenario);
    scenario.mutex.name = fmt::format("{}-{}", scenario_.mutex.name, ++begun_);
    under_way_.push_back(std::make_unique<LiveRun>(scenario, store_));
    LiveRun* const run = under_way_.back().get();
    QObject::connect(run, &LiveRun::prepared, run, [run] { run->start(); });
    QObject::connect(run, &LiveRun::failed, run, [this](const std::string& message) {
      if (error_.empty()) error_ = message;
      QCoreApplication::quit();
    });
    // It is in the midst of telling: it goes at the loop's next turn.
    QObject::connect(run, &LiveRun::finished, run,
                     [=, this] { QTimer::singleShot(0, run, [=, this] { end(run, timed); }); });
    run->prepare();
  }
  void end(LiveRun* run, bool timed) {
    ended_(*run, timed);
    for (auto& each : under_way_)
      if (each.get() == run) each.release()->deleteLater();
    std::erase(under_way_, nullptr);
    if (++done_ == runs_) return QCoreApplication::quit();
    begin_soon();
  }

  Scenario scenario_;
  std::string store_;
  std::size_t at_once_;
  std::chrono::milliseconds apart_{};
  RandomStream draws_{scenario_.seed, "live runs", "beginnings"};
  std::size_t runs_ = 0, begun_ = 0, done_ = 0;
  Ended ended_;
  std::string error_;
  std::vector<std::unique_ptr<LiveRun>> under_way_;
  QObject beginning_;  // what has not begun by the end of this never does
};

// What a scenario has to say of its store for it to be in virtual time as private servers of that type are: KEY=VALUE.
// Where its contenders need a model that stands for no store, nothing.
std::vector<std::string> terms_of_private(const StoreType& type, Family family) {
  const std::vector<std::string_view> models = models_for(family);
  if (std::find(models.begin(), models.end(), type.model) == models.end()) return {};
  std::vector<std::string> out{fmt::format("store.model={}", type.model)};
  for (const ModelTerm& term : type.private_terms)
    out.push_back(fmt::format("store.{}.{}={}", type.model, term.key, term.value));
  return out;
}

// Why it cannot be set so: a private server is as it is. Empty: it is not.
std::string set_otherwise(const std::vector<std::string>& sets, const std::vector<std::string>& terms) {
  for (const std::string& term : terms)
    for (const std::string& set : sets)
      if (set != term && set.substr(0, set.find('=')) == term.substr(0, term.find('=')))
        return fmt::format("--set {}: the private server has {}, and virtual time as well: leave it out", set, term);
  return {};
}

struct Worlds {
  std::vector<std::string> terms;  // of the store in virtual time, as its private server has them: KEY=VALUE
  std::vector<Duration> calls;     // of the calm runs, and all else of them
  FidelitySamples calm, live, foretold;
};

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// None where one of them has nothing.
std::optional<double> distance(const Worlds& of, Measure what) {
  if (of.live.of(what).empty() || of.foretold.of(what).empty()) return std::nullopt;
  return kolmogorov_smirnov(of.live.of(what), of.foretold.of(what));
}

Json json_of(const std::vector<double>& values) {
  Json out{{"count", values.size()}};
  const std::vector<double> in_order = sorted(values);
  for (const double share : FidelitySamples::kShares)
    out[fmt::format("p{:.0f}", share * 100)] = in_order.empty() ? Json() : Json(quantile(in_order, share));
  return out;
}

void print_json(const FidelityCommand& asked, const Scenario& scenario, const Worlds& of) {
  std::vector<double> trips;
  for (const Duration each : of.calls) trips.push_back(static_cast<double>(each.count()) / 1e6);
  Json measures = Json::array();
  for (std::size_t i = 0; i < FidelitySamples::kMeasures; ++i) {
    const auto what = static_cast<Measure>(i);
    const auto apart = distance(of, what);
    measures.push_back({{"name", name_of(what)},
                        {"unit", unit_of(what)},
                        {"live", json_of(of.live.of(what))},
                        {"virtual", json_of(of.foretold.of(what))},
                        {"ks", apart ? Json(*apart) : Json()}});
  }
  const Json out{{"scenario", scenario.name},
                 {"store", asked.store},
                 {"seed", scenario.seed},
                 {"store_terms", of.terms},
                 {"runs", {{"live", of.live.runs()}, {"virtual", of.foretold.runs()}, {"at_once", asked.at_once}}},
                 {"fitted_to", {{"round_trip_ms", json_of(trips)}, {"handoff_ms", json_of(of.calm.idle_handoffs())}}},
                 {"measures", measures}};
  say("{}\n", out.dump(2));
}

void print_text(const FidelityCommand& asked, const Scenario& scenario, const Worlds& of) {
  say("{} on {}: {} live runs, {} at once, and {} virtual ones; delays fitted to {} calls and {} hand-offs without "
      "faults\n",
      scenario.name, asked.store, of.live.runs(), asked.at_once, of.foretold.runs(), of.calls.size(),
      of.calm.idle_handoffs().size());
  if (!of.terms.empty()) say("in virtual time the store is as the private server: {}\n", fmt::join(of.terms, ", "));
  say("\n");
  say("{:<18} {:<9} {:>7}", "", "", "samples");
  for (const double share : FidelitySamples::kShares) say(" {:>9}", fmt::format("p{:.0f}", share * 100));
  say("  {:>5}\n", "KS");
  for (std::size_t i = 0; i < FidelitySamples::kMeasures; ++i) {
    const auto what = static_cast<Measure>(i);
    for (const auto* const samples : {&of.live, &of.foretold}) {
      const bool live = samples == &of.live;
      const std::vector<double> values = sorted(samples->of(what));
      say("{:<18} {:<9} {:>7}", live ? name_of(what) : fmt::format("  {}", unit_of(what)), live ? "live" : "virtual",
          values.size());
      for (const double share : FidelitySamples::kShares)
        say(" {:>9}", values.empty() ? std::string("-") : fmt::format("{:.3f}", quantile(values, share)));
      const auto apart = distance(of, what);
      say("{}\n", live ? fmt::format("  {:>5}", apart ? fmt::format("{:.3f}", *apart) : "-") : "");
    }
  }
}

std::string draw(const FidelityCommand& asked, const Scenario& scenario, const Worlds& of) {
  std::vector<DistributionPanel> panels;
  for (std::size_t i = 0; i < FidelitySamples::kMeasures; ++i) {
    const auto what = static_cast<Measure>(i);
    const auto apart = distance(of, what);
    if (!apart) continue;
    panels.push_back({std::string(name_of(what)), std::string(unit_of(what)), sorted(of.live.of(what)),
                      sorted(of.foretold.of(what)), *apart});
  }
  QString reason;
  write_distributions(QStringLiteral("%1 on %2, live and virtual")
                          .arg(QString::fromStdString(scenario.name), QString::fromStdString(asked.store)),
                      panels, QString::fromStdString(asked.svg), &reason);
  return reason.toStdString();
}

int unless_interrupted(const std::string& error) {
  if (interrupted != 0) return failed("interrupted: nothing is said of half the runs");
  return bad_input(error);
}

// Both worlds, one after the other; the code to leave with where it did not come to the end.
std::optional<int> play(const FidelityCommand& asked, Scenario scenario, const StoreUrl& store, Worlds& out) {
  Progress progress(asked.quiet);
  PrivateServerOptions options;
  options.servers = store.servers;
  options.connections =
      static_cast<int>(asked.at_once) * (2 * scenario.contender_count() + 2) + static_cast<int>(asked.at_once);
  PrivateServer server(*store.type, options);
  if (const auto started = server.start(); !started) return unless_interrupted(started.error());
  LiveRuns runs(scenario, printable(server.url()), asked.at_once);
  const std::string error = runs.play(asked.runs, progress, [&](const LiveRun& run, bool timed) {
    (timed ? out.calm : out.live).add_live(run.history(), scenario);
    if (!timed) return;
    const std::vector<Duration> trips = round_trips_of(run.history());
    out.calls.insert(out.calls.end(), trips.begin(), trips.end());
  });
  if (!error.empty() || interrupted != 0) return unless_interrupted(error);
  if (out.calls.empty()) return failed("no call was timed: expected a scenario whose owner renews");
  scenario.store.latency = one_way_of(out.calls);
  scenario.store.tells_after = tells_after_of(scenario, out.calm.idle_handoffs(), [&] {
    progress.tell([] { return std::string("fitting the delays"); });
    return interrupted == 0;
  });
  for (std::size_t i = 0; i < asked.virtual_runs && interrupted == 0; ++i, ++scenario.seed) {
    out.foretold.add_virtual(scenario);
    progress.tell([&] { return fmt::format("{} of {} virtual runs", i, asked.virtual_runs); });
  }
  return interrupted != 0 ? std::optional(unless_interrupted("")) : std::nullopt;
}

int run_fidelity(const FidelityCommand& asked, const std::string& program) {
  const auto store = parse_store_url(asked.store);
  if (!store)
    return bad_input(fmt::format("--store: {}, for a private server that nobody else keeps busy", store.error()));
  if (store->given)
    return bad_input(fmt::format("--store {}: expected {}: a private server, which nobody else keeps busy",
                                 printable(*store), store_words()));
  auto scenario = find_scenario(asked.scenario, asked.sets);
  if (!scenario) return bad_input(scenario.error().text());
  if (asked.seed) scenario->seed = *asked.seed;
  StoreUrl place = *store;
  if (const auto refused = live_refusal(*scenario, place)) return bad_input(*refused);
  if (scenario->servers() > 1)
    return bad_input(fmt::format("{} needs {} servers, and all live runs share one: expected a scenario of one store",
                                 scenario->name, scenario->servers()));
  place.given = true;
  if (live_refusal(*scenario, place))
    return bad_input(
        fmt::format("{} has a fault of the server itself, and all live runs share one: expected a scenario without",
                    scenario->name));
  Worlds worlds;
  worlds.terms = terms_of_private(*store->type, scenario->family());
  if (const std::string wrong = set_otherwise(asked.sets, worlds.terms); !wrong.empty()) return bad_input(wrong);
  std::vector<std::string> sets = asked.sets;
  sets.insert(sets.end(), worlds.terms.begin(), worlds.terms.end());
  scenario = find_scenario(asked.scenario, sets);
  if (!scenario) return bad_input(scenario.error().text());
  if (asked.seed) scenario->seed = *asked.seed;
  if (!asked.svg.empty() && !asked.svg.ends_with(".svg"))
    return bad_input(fmt::format("--svg {}: expected a file ending in .svg", asked.svg));
  if (const std::string problem = unwritable(asked.svg); !problem.empty()) return bad_input(problem);
  const auto room = allow_descriptors_for(asked.at_once * static_cast<std::size_t>(scenario->contender_count()),
                                          needs_proxies(*scenario));
  if (!room) return bad_input(room.error());

  qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) {
    // A machine without a desktop session has no runtime folder, and it does not matter here.
    if (!text.startsWith("QStandardPaths: XDG_RUNTIME_DIR")) fmt::print(stderr, "{}\n", text.toStdString());
  });
  qputenv("QT_QPA_PLATFORM", "offscreen");  // pictures need fonts, not a display
  int words = 1;
  std::string name = program;
  char* arguments[] = {name.data(), nullptr};
  QGuiApplication application(words, arguments);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, [](int came) { interrupted = came; });
  if (const auto code = play(asked, *scenario, *store, worlds)) return *code;
  asked.json ? print_json(asked, *scenario, worlds) : print_text(asked, *scenario, worlds);
  if (asked.svg.empty()) return kAsExpected;
  if (const std::string reason = draw(asked, *scenario, worlds); !reason.empty()) return failed(reason);
  if (!asked.json) say("\npicture written to {}\n", asked.svg);
  return kAsExpected;
}

}  // namespace

void add_fidelity_command(CLI::App& app, int& exit) {
  constexpr std::size_t kMostRuns = 100'000;
  constexpr std::size_t kMostAtOnce = 500;
  auto asked = std::make_shared<FidelityCommand>();
  CLI::App* command = app.add_subcommand(
      "fidelity", "How closely virtual time foretells a live store: a scenario many times in both, side by side");
  command->add_option("SCENARIO", asked->scenario, "A built-in name or a TOML file")->required();
  command->add_option("--store", asked->store, fmt::format("{}, a private server for all live runs", store_words()))
      ->required();
  command->add_option("--runs", asked->runs, "Live runs, each on a mutex of its own")
      ->check(CLI::Range(std::size_t{1}, kMostRuns));
  command->add_option("--at-once", asked->at_once, "So many of them at the same time")
      ->check(CLI::Range(std::size_t{1}, kMostAtOnce));
  command->add_option("--virtual", asked->virtual_runs, "Runs in virtual time")
      ->check(CLI::Range(std::size_t{1}, 10 * kMostRuns));
  command->add_option("--seed", asked->seed, "Of the first run; each has the next")->check(wrong_seed);
  command->add_option("--set", asked->sets, "KEY=VALUE for both worlds, e.g. mutex.ttl=1s, mutex.transition=500ms")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--svg", asked->svg, "FILE.svg: both distributions of each measure as a drawing");
  command->add_flag("--json", asked->json, "Print one JSON object");
  command->add_flag("--quiet", asked->quiet, "No progress on a terminal");
  command->callback([asked, &exit, &app] { exit = run_fidelity(*asked, app.get_name()); });
}

}  // namespace leasescope::ctl
