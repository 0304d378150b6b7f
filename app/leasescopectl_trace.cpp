#include "app/leasescopectl_trace.h"

#include "app/leasescopectl_files.h"
#include "ui/timeline/paint/chrome_trace.h"

namespace leasescope::ctl {
namespace {

class Trace final : public Report {
 public:
  std::string open(const std::string& path) override {
    path_ = path;
    return {};
  }
  void part(const ReportPart& part) override { part_ = part; }
  std::string finish(const History& history, const Scenario& scenario, const Outcome& outcome) override {
    ChartData data;
    data.reset(run_facts(scenario, outcome.world, outcome.world == "virtual" ? "" : outcome.store));
    data.append(history);
    return write_file(path_, part_ ? chrome_trace(data, part_->from, part_->to) : chrome_trace(data));
  }

 private:
  std::string path_;
  std::optional<ReportPart> part_;
};

}  // namespace

std::unique_ptr<Report> make_trace() { return std::make_unique<Trace>(); }

}  // namespace leasescope::ctl
