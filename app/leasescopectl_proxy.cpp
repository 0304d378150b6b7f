// proxy: the fault proxy alone, between any client and any server, with a plan of what goes wrong.
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_seeds.h"
#include "core/base/escaped.h"
#include "core/loop/epoll/epoll_loop.h"
#include "core/store/types/types.h"
#include "core/time/duration_text.h"
#include "simulator/live/fault_proxy.h"
#include "simulator/live/toxics/plan.h"
#include "simulator/scenario/text_file.h"

namespace leasescope::ctl {
namespace {

struct ProxyOptions {
  std::string listen;
  std::string upstream;
  std::string plan;
  std::optional<std::uint64_t> seed;
  bool json = false;
};

template <class T>
using Read = tl::expected<T, std::string>;

// host:port, [host]:port, :port
Read<Endpoint> read_endpoint(const std::string& text, int least_port) {
  Endpoint out;
  const std::size_t colon = text.rfind(':');
  std::string host = colon == std::string::npos ? "" : text.substr(0, colon);
  const std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (!url_text::parse_number(port, 65535, out.port) || out.port < least_port)
    return tl::unexpected(fmt::format("{}: expected HOST:PORT, with a port from {} to 65535", text, least_port));
  if (!host.empty()) out.host = host == "localhost" ? "127.0.0.1" : host;
  return out;
}

struct Upstream {
  Endpoint endpoint;
  const StoreType* type = nullptr;  // null: whatever it is
  bool sealed = false;
  std::string shown;
};

Read<Upstream> read_upstream(const std::string& text) {
  const bool is_url = text.find("://") != std::string::npos || text.rfind("unix:", 0) == 0;
  if (!is_url && find_store_type(text) != nullptr)
    return tl::unexpected(
        fmt::format("{}: a server that was started for this proxy alone would be of no use: "
                    "expected HOST:PORT, or the URL of a store, such as {}",
                    text, find_store_type(text)->forms.front()));
  if (!is_url) {
    const auto endpoint = read_endpoint(text, 1);
    if (!endpoint)
      return tl::unexpected(endpoint.error() + fmt::format(", or the URL of a store: {}", store_schemes()));
    return Upstream{*endpoint, nullptr, false, text};
  }
  const auto url = parse_store_url(text);
  if (!url) return tl::unexpected(url.error());
  if (!url->others.empty())
    return tl::unexpected(fmt::format(
        "{}: a proxy leads to one server: expected one host, and a proxy for each of them", printable(*url)));
  return Upstream{url->endpoint, url->type, url->sealed, printable(*url)};
}

Read<ToxicPlan> read_plan(const std::string& path) {
  const auto text = path == kStandardInput ? standard_input() : read_text_file(path, "a plan of toxics, a TOML file");
  if (!text) return tl::unexpected(fmt::format("{}: {}", path, text.error()));
  auto plan = read_toxic_plan(*text, path);
  if (!plan) return tl::unexpected(plan.error().text());
  return *std::move(plan);
}

// Why the plan cannot be carried out there; empty: it can.
std::string refusal(const ToxicPlan& plan, const Upstream& upstream) {
  for (const ToxicRow& row : plan.rows) {
    if (!row.kind->reads_frames) continue;
    const std::string place =
        fmt::format("{}: {} acts on single requests, replies and messages", plan.place(row), row.kind->name);
    if (upstream.type == nullptr)
      return fmt::format("{}, and of {} nothing is known but bytes: expected the URL of a store as UPSTREAM: {}", place,
                         upstream.shown, store_schemes());
    if (upstream.type->frames == nullptr)
      return fmt::format("{}, and what is said to {} cannot be read as such: take it out", place, upstream.type->title);
    if (upstream.sealed)
      return fmt::format(
          "{}, and over TLS nobody in between can read one: take it out, or let the store be reached "
          "without TLS",
          place);
    const std::string impossible = row.kind->refusal == nullptr ? "" : row.kind->refusal(row, *upstream.type);
    if (!impossible.empty())
      return fmt::format("{}: {} does nothing here, as {}: take it out", plan.place(row), row.kind->name, impossible);
  }
  return {};
}

constexpr std::string_view text(LinkDirection direction) {
  constexpr std::string_view kTexts[] = {"both", "to_store", "from_store"};
  return kTexts[static_cast<std::size_t>(direction)];
}

// A line each, at once: whoever reads them wants to know what happens now.
class Log {
 public:
  Log(const Loop& loop, bool json) : loop_(&loop), json_(json) {}

  void listening(const Endpoint& at, const std::string& upstream) const {
    nlohmann::ordered_json out{{"event", "listening"}, {"host", at.host}, {"port", at.port}, {"upstream", upstream}};
    line(loop_->now(), fmt::format("listening on {}:{}, to {}", at.host, at.port, upstream), out);
  }
  void changed(const ToxicRow& row, bool began) const {
    const std::string_view word = !row.kind->lasts ? "done" : began ? "began" : "ended";
    nlohmann::ordered_json out{{"event", word}, {"toxic", row.number}, {"kind", row.kind->name}};
    line(loop_->now(), fmt::format("{} {}: {}", row.number, row.kind->name, word), out);
  }
  void injected(const Injection& what) const {
    const ToxicRow& row = *what.row;
    nlohmann::ordered_json out{{"event", "injected"},
                               {"toxic", row.number},
                               {"kind", row.kind->name},
                               {"connection", what.connection},
                               {"direction", text(what.direction)},
                               {"bytes", what.bytes},
                               {"what", what.what}};
    line(what.at,
         fmt::format("{} {}: connection {} {}, {}: {}", row.number, row.kind->name, what.connection,
                     text(what.direction), counted(what.bytes, "byte"), what.what),
         out);
  }
  void unreachable(std::uint64_t connection, const std::string& why) const {
    nlohmann::ordered_json out{{"event", "unreachable"}, {"connection", connection}, {"what", why}};
    line(loop_->now(), fmt::format("connection {}: upstream cannot be reached: {}", connection, why), out);
  }

 private:
  void line(TrueTime at, const std::string& words, const nlohmann::ordered_json& facts) const {
    if (json_) {
      nlohmann::ordered_json out{{"at_ns", at.time_since_epoch().count()}};
      out.update(facts);
      put(out.dump() + "\n");
    } else {
      say("{}s {}\n", format_seconds(at.time_since_epoch()), escaped_lines(words));
    }
    std::fflush(stdout);
  }

  const Loop* loop_;
  bool json_;
};

// Until SIGINT or SIGTERM.
int carry_out(const ProxyOptions& options, const Endpoint& listen, const Upstream& upstream, const ToxicPlan& plan) {
  sigset_t ends;
  ::sigemptyset(&ends);
  for (const int number : {SIGINT, SIGTERM}) ::sigaddset(&ends, number);
  ::sigprocmask(SIG_BLOCK, &ends, nullptr);
  const int signals = ::signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC);
  if (signals < 0) return failed("signals cannot be waited for");
  EpollLoop loop;
  const Log log(loop, options.json);
  loop.watch(signals, Readiness::kRead, [&loop] { loop.quit(); });
  FaultProxy proxy(loop, upstream.endpoint, upstream.type, plan.reads_frames() != nullptr);
  proxy.pass_half_closes();
  proxy.on_unreachable = [&log](std::uint64_t connection, const std::string& why) { log.unreachable(connection, why); };
  const auto at = proxy.listen(listen);
  if (!at) return bad_input(at.error());
  log.listening(*at, upstream.shown);
  ToxicSchedule schedule(loop, proxy, plan, options.seed.value_or(0),
                         {[&log](const Injection& what) { log.injected(what); },
                          [&log](const ToxicRow& row, bool began) { log.changed(row, began); }});
  schedule.begin();
  loop.run();
  ::close(signals);
  return kAsExpected;
}

int proxy(const ProxyOptions& options) {
  const auto listen = read_endpoint(options.listen, 0);
  if (!listen) return bad_input(listen.error());
  const auto upstream = read_upstream(options.upstream);
  if (!upstream) return bad_input(upstream.error());
  const auto plan = read_plan(options.plan);
  if (!plan) return bad_input(plan.error());
  if (const std::string why = refusal(*plan, *upstream); !why.empty()) return bad_input(why);
  return carry_out(options, *listen, *upstream, *plan);
}

// The keys of a kind, as one writes them.
std::string keys_of(const ToxicKind& kind) {
  std::string out;
  if (!kind.directions.empty()) out += fmt::format(" direction ({})", fmt::join(kind.directions, " | "));
  for (const ToxicKey& key : kind.keys) {
    out += fmt::format(" {}", key.name);
    if (!key.words.empty()) out += fmt::format(" ({})", fmt::join(key.words, " | "));
    if (key.required) out += "*";
  }
  return out + (kind.lasts ? " duration" : "");
}

std::string footer() {
  std::string out =
      "A plan: schema = 1, then tables [[toxic]] with kind, at (0s) and the keys of its kind (*: required):\n";
  for (const ToxicKind& kind : all_toxic_kinds())
    out += fmt::format("  {:<16}{}\n  {:<16} {}\n", kind.name, keys_of(kind), "", kind.about);
  return out;
}

}  // namespace

void add_proxy_command(CLI::App& app, int& exit) {
  const auto options = std::make_shared<ProxyOptions>();
  CLI::App* command = app.add_subcommand(
      "proxy",
      "Stands between a client and a server, and does what a network does wrong: by a plan, until it is ended");
  command
      ->add_option("LISTEN", options->listen,
                   "HOST:PORT, the host by its number; :PORT on the loopback; port 0: a free one, which is said")
      ->required();
  command
      ->add_option("UPSTREAM", options->upstream,
                   "HOST:PORT, or the URL of a store, whose requests, replies and messages can then be told apart")
      ->required();
  command->add_option("--plan", options->plan, "A TOML file, or - for standard input")->required();
  command->add_option("--seed", options->seed, "Seed of all draws")->check(wrong_seed);
  command->add_flag("--json", options->json, "A JSON object a line");
  command->footer(footer());
  command->callback([&exit, options] { exit = proxy(*options); });
}

}  // namespace leasescope::ctl
