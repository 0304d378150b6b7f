// watch: who owns what on stores that are in use, looked at without writing a byte; who: the same of one mutex, in one
// line.
#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_watch_options.h"
#include "app/leasescopectl_watch_print.h"
#include "app/leasescopectl_watcher.h"
#include "core/base/escaped.h"
#include "core/store/types/types.h"

namespace leasescope::ctl {
namespace {

// On a terminal a table, unless something else is asked for; to a pipe or a file lines.
tl::expected<WatchManner, std::string> manner_of(const WatchOptions& options) {
  if (options.json || options.lines) return WatchManner::kLines;
  const std::string why_not = WatchTable::why_not();
  if (options.table && !why_not.empty())
    return tl::unexpected(fmt::format("--table: {}; --lines tells each change as a line", why_not));
  const bool has_place = why_not.empty() && !WatchTable::is_in_background();
  return options.table || has_place ? WatchManner::kTable : WatchManner::kLines;
}

int watch(const WatchOptions& options) {
  const auto wish = read_watch_wish(options);
  if (!wish) return bad_input(wish.error());
  const auto manner = manner_of(options);
  if (!manner) return bad_input(manner.error());
  Watcher watcher(options, *wish);
  if (!options.once) return watcher.go_on(*manner);
  if (const auto looked = watcher.look_once(); !looked) return bad_input(looked.error());
  put(options.json ? watched_json(watcher.watch(), watcher.now(), watcher.epoch_ns())
                   : watched_table(watcher.watch(), watcher.now()));
  return kAsExpected;
}

// Nobody holds it as ours, and somebody's lock at that store bears the name: that is the one that is meant.
bool is_beside_another(const WatchedMutex& mutex, const Watch& watch) {
  if (!mutex.maker.empty() || !mutex.book.last().owner.empty()) return false;
  return std::any_of(watch.mutexes().begin(), watch.mutexes().end(), [&](const auto& each) {
    return each->source == mutex.source && !each->maker.empty() && !each->book.last().owner.empty();
  });
}

int who(const WatchOptions& options) {
  auto wish = read_watch_wish(options);
  if (!wish) return bad_input(wish.error());
  wish->terms.glob.clear();
  wish->terms.look.mutexes = {options.mutex};
  Watcher watcher(options, *wish);
  if (const auto looked = watcher.look_once(); !looked) return bad_input(looked.error());
  if (options.json) {
    put(watched_json(watcher.watch(), watcher.now(), watcher.epoch_ns()));
    return kAsExpected;
  }
  if (watcher.watch().mutexes().empty())
    put(fmt::format("{}: no mutex of that name is seen\n", escaped(options.mutex, 200)));
  for (const auto& each : watcher.watch().mutexes()) {
    if (is_beside_another(*each, watcher.watch())) continue;
    put(watched_sentence(*each, *watcher.watch().stores()[each->source], watcher.now()));
    if (watcher.watch().listens_for_beliefs() && each->maker.empty())
      put(belief_lines(*each, watcher.now(), watcher.epoch_ns()));
  }
  return kAsExpected;
}

void add_common(CLI::App& command, WatchOptions& options) {
  command.add_option("STORE", options.stores, watched_schemes())->required();
  command.add_option("--password-file", options.password_file,
                     fmt::format("The stores' password is the first line of FILE ({})", store_passwords()));
  command
      .add_option("--foreign", options.foreign,
                  "Locks of other makers: none, certain (whose form is theirs alone: Redisson, Curator, kazoo, etcd, "
                  "PostgreSQL, MySQL) or likely (also redsync, node-redlock, redis-py, ShedLock)")
      ->capture_default_str();
  command
      .add_option("--within", options.within,
                  "How long a store may take to be looked at once; and how long beliefs are listened for then")
      ->capture_default_str();
  command
      .add_option("--beliefs", options.beliefs,
                  "Hear what processes believe that tell it (contend --beliefs): channel, by the stores' messages, or "
                  "unix:PATH, at a socket that is made there; both may be given")
      ->allow_extra_args(false);
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
  auto* const json =
      command->add_flag("--json", watched->json, "As JSON: one object with --once, else an event a line");
  auto* const lines =
      command->add_flag("--lines", watched->lines, "Each change as a line, as where standard output is no terminal")
          ->excludes(once);
  command
      ->add_flag("--table", watched->table,
                 "A table that is kept up to date, as on a terminal; ? lists its keys, q ends it")
      ->excludes(once)
      ->excludes(json)
      ->excludes(lines);
  auto* const record =
      command
          ->add_option("--record", watched->record,
                       "Record all that is seen: in a file, which goes on where a watch of the same stores "
                       "has recorded there before, or for a team on PostgreSQL: "
                       "postgresql://host/database, where several observers write; where that is "
                       "away when it begins, exit code 1")
          ->excludes(once);
  command
      ->add_option("--observer", watched->observer,
                   "What this one is called in a team's database, where no two have one name (the machine's name)")
      ->needs(record);
  command
      ->add_option("--keep", watched->keep,
                   "Drop what is older from the recording, of a team's database whoever has seen it: days, such as 30d")
      ->needs(record);
  command
      ->add_option(
          "--keep-size", watched->keep_size,
          "Drop the oldest from a recording that would be larger, of a team's database in whole days: 2GB (kB, MB, GB)")
      ->needs(record);
  command
      ->add_option(
          "--alerts", watched->alerts,
          "Tell when rules of this TOML file hold, of mutexes or of stores, and when they do no more; without a "
          "terminal, SIGHUP has it read anew")
      ->excludes(once);
  command
      ->add_option("--on-alert", watched->on_alert,
                   "Run this line of the shell for each alert that begins or is over; LEASESCOPE_ALERT and what begins "
                   "with it in its environment say which")
      ->needs("--alerts");
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
