// A watch of stores as the terminal program carries it out: looked at once, or until somebody ends it.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "app/leasescopectl_alert_lines.h"
#include "app/leasescopectl_service.h"
#include "app/leasescopectl_watch_options.h"
#include "app/watch_table.h"
#include "core/history/history_lines.h"
#include "core/history/recording/recording_writer.h"
#include "core/loop/epoll/epoll_loop.h"
#include "core/loop/one_shot.h"
#include "core/observe/belief_socket.h"
#include "core/observe/meters.h"
#include "core/observe/metrics/metrics_page.h"
#include "core/observe/watch.h"

namespace leasescope::ctl {

// How what is seen is told: each change as a line, or all that is known as a table on the terminal.
enum class WatchManner : std::uint8_t { kLines, kTable };

class Watcher {
 public:
  // Both outlive it.
  Watcher(const WatchOptions& options, const WatchWish& wish);

  // Until every store has been looked at as a whole, or the time for that is over: the error says whose is not.
  tl::expected<void, std::string> look_once();
  // Until a key or a signal ends it, which is one that does not ask for the rules to be read anew; the exit code.
  int go_on(WatchManner manner);

  const Watch& watch() const { return watch_; }
  TrueTime now() const { return loop_.now(); }
  std::int64_t epoch_ns() const { return epoch_ns_; }  // the wall clock at its zero, ns since 1970

 private:
  std::string why_unknown(const WatchedStore& store) const;
  void tell_new();
  void tell_stores();
  void tell_service();
  void take_signals();
  void heed(std::uint32_t signal);
  void read_rules_anew();
  void keep();
  void keep_recording();
  void keep_alerts();
  void forget();
  bool begin_table();
  bool begin_beliefs();
  void tell_refused_beliefs();
  bool begin_recording();
  bool begin_file();
  bool go_on_in_file();
  HistoryHeader header() const;
  bool begin_metrics();
  void tell_metrics();
  void end_recording();

  const WatchOptions& options_;
  const WatchWish& wish_;
  EpollLoop loop_;
  Watch watch_;
  std::int64_t epoch_ns_;
  std::unique_ptr<RecordingWriter> writer_;
  HistoryLines lines_;
  std::unique_ptr<MetricsPage> page_;
  Meters meters_;
  int until_shown_ = 0;  // prints
  AlertLines alerts_;
  std::unique_ptr<AlertCommand> on_alert_;
  const bool has_terminal_ = has_terminal();  // of a terminal that hangs up nobody has one any more
  ServiceNotice service_;
  bool told_ready_ = false;
  std::string told_status_;
  bool told_away_ = false;
  int until_known_ = 0;  // prints
  TrueTime alive_next_{};
  Sequence told_ = 0;
  std::vector<std::string> told_why_;
  std::vector<std::size_t> told_remarks_;
  std::string error_;
  bool may_pass_ = false;           // of one before it began: another time the same may go well
  std::uint64_t told_refused_ = 0;  // beliefs
  OneShot timer_{loop_};
  std::unique_ptr<BeliefSocket> beliefs_;  // null: none is asked for
  int signals_ = -1;
  std::unique_ptr<WatchTable> table_;  // null: it tells lines
};

}  // namespace leasescope::ctl
