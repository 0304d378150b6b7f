// What whoever watches asks for: as the options say it, and as it is understood.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/alerts/alert_rule.h"
#include "core/history/recording/retention.h"
#include "core/history/team/team_sink.h"
#include "core/observe/metrics/metrics_page.h"
#include "core/observe/watch.h"
#include "core/store/url.h"

namespace leasescope::ctl {

struct WatchOptions {
  std::vector<std::string> stores;
  std::string mutex;  // a glob; of `who` a name
  std::string password_file;
  std::string poll = "1s";
  std::string within = "5s";
  std::string record;
  std::string observer;  // of a team's database
  std::string keep, keep_size;
  std::string alerts;
  std::string on_alert;  // a line of the shell
  std::string foreign = "certain";
  std::vector<std::string> beliefs;  // ways by which they are told
  std::string metrics;
  std::size_t metrics_mutexes = 1'000;
  bool metrics_owners = false;
  bool once = false;
  bool json = false;
  bool table = false, lines = false;  // neither: as standard output is a terminal or not
};

// A team's database to record to.
struct TeamWish {
  StoreUrl url;
  team::TeamTerms terms;
};

struct WatchWish {
  std::vector<StoreUrl> stores;
  std::optional<TeamWish> team;
  Retention retention;  // of a file
  std::vector<AlertRule> rules;
  std::optional<MetricsTerms> metrics;
  std::string belief_socket;  // its path; empty: none
  WatchTerms terms;
  Duration within{};
};

// The error is for the user.
tl::expected<WatchWish, std::string> read_watch_wish(const WatchOptions& options);

}  // namespace leasescope::ctl
