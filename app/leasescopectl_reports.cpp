#include "app/leasescopectl_reports.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/file_part.h"
#include "core/base/file_sink.h"
#include "core/check/call_writer.h"
#include "core/check/run_calls.h"
#include "core/history/history_file.h"
#include "core/history/recording/event_spool.h"
#include "core/history/recording/recording_file.h"
#include "core/history/recording/recording_writer.h"
#include "simulator/run/outcome_text.h"
#include "simulator/run/recorded_run.h"
#include "simulator/scenario/text_file.h"
#include "ui/report/evidence.h"
#include "ui/report/report_format.h"
#include "ui/report/run_account.h"

namespace leasescope::ctl {
namespace {

// What is made of the whole run when it is over. Of a long one the chart is folded while it runs, and its events are
// not held: what tells of them in words, or row by row, reads them once more from a spool, when everybody is known.
class AtTheEnd final : public Report {
 public:
  explicit AtTheEnd(const ReportFormat& format) : format_(format) {}

  std::string open(const std::string& path) override {
    path_ = path;
    return {};
  }
  std::string head(const HistoryHeader& header) override {
    world_ = header.world;
    store_ = header.store;
    epoch_ns_ = header.epoch_ns;
    settings_ = header.watch;
    return {};
  }
  void show(Progress& progress) override { progress_ = &progress; }
  void part(const ReportPart& part) override { part_ = {part.from, part.to}; }
  void choice(const ReportChoice& choice) override { choice_ = choice; }
  std::string fold(const History& history, const Scenario& scenario) override {
    begin(history, scenario);
    if (!is_rows()) data_.fold(history);
    return is_rows() || format_.tells ? spool(history) : std::string();
  }
  std::string finish(const History& history, const Scenario& scenario, const Outcome& outcome) override {
    world_ = outcome.world;
    store_ = outcome.store;
    begin(history, scenario);
    if (spool_)
      if (std::string why = fold(history, scenario); !why.empty()) return why;
    if (!spool_ || !is_rows()) data_.append(history);
    FileSink out(path_, [this](std::uint64_t done, std::uint64_t all) {
      if (progress_ != nullptr && all > 0)
        progress_->tell([&] { return fmt::format("{} % of {} written", done * 100 / all, path_); });
      return true;
    });
    ReportSubject subject{.history = history,
                          .data = data_,
                          .scenario = scenario,
                          .outcome = outcome,
                          .part = part_,
                          .mutexes = choice_.mutexes,
                          .rules = choice_.rules,
                          .watch = {settings_, choice_.fired},
                          .epoch_ns = epoch_ns_};
    const auto made = !spool_     ? format_.write(subject, out)
                      : is_rows() ? write_rows(subject, out)
                                  : write_told(subject, out);
    if (!made) return fmt::format("{}: {}", path_, made.error());
    const auto written = out.commit();
    return written ? std::string() : written.error();
  }

 private:
  bool is_rows() const { return format_.rows != nullptr; }

  // With the first that comes: who was there, and the words of the program that recorded it.
  void begin(const History& history, const Scenario& scenario) {
    if (begun_) return;
    begun_ = true;
    RunFacts facts = run_facts(scenario, world_, world_ == "virtual" ? "" : store_);
    facts.legend = history.legend;
    data_.reset(facts);
    cast_.reset(history.legend.contenders);
  }

  std::string spool(const History& history) {
    cast_.sync(history);
    if (!spool_) spool_.emplace(spool_folder());
    const std::string why = spool_->append(history);
    return why.empty() ? why : fmt::format("{}: {}", path_, why);
  }
  // Beside the report, where that is a file.
  std::filesystem::path spool_folder() const {
    const std::filesystem::path target = end_of_links(path_);
    std::error_code code;
    const bool other = std::filesystem::exists(target, code) && !std::filesystem::is_regular_file(target, code);
    return other ? std::filesystem::temp_directory_path(code) : folder_of(target);
  }

  // These read the events once more.
  tl::expected<void, std::string> write_rows(ReportSubject& subject, ByteSink& out) const {
    subject.cast = &cast_;
    const std::unique_ptr<RowReport> rows = format_.rows(subject);
    History page = frame_of(subject.history);
    const std::string why = spool_->each_page(page, [&] { return rows->append(page, out); });
    if (!why.empty()) return tl::make_unexpected(why);
    return {};
  }
  tl::expected<void, std::string> write_told(ReportSubject& subject, ByteSink& out) const {
    RunAccount account(
        {.frame = frame_of(subject.history), .cast = cast_, .rules = subject.rules, .watched = is_of_watch(subject)});
    History page = frame_of(subject.history);
    const std::string why = spool_->each_page(page, [&] {
      account.append(page);
      return true;
    });
    if (!why.empty()) return tl::make_unexpected(why);
    account.finish();
    subject.account = &account;
    return format_.write(subject, out);
  }

  const ReportFormat& format_;
  std::string path_;
  std::string world_, store_;
  std::optional<std::pair<TrueTime, TrueTime>> part_;
  ReportChoice choice_;
  std::optional<std::int64_t> epoch_ns_;
  std::optional<WatchSettings> settings_;
  Progress* progress_ = nullptr;
  bool begun_ = false;
  ChartData data_;
  Cast cast_;
  std::optional<EventSpool> spool_;  // none: the run was held to its end
};

class JsonLines final : public Report {
 public:
  std::string open(const std::string& path) override {
    auto opened = path == kStandardInput ? HistoryFile::standard_output() : HistoryFile::open(path);
    if (!opened) return opened.error();
    file_ = std::make_unique<HistoryFile>(std::move(*opened));
    return {};
  }
  std::string head(const HistoryHeader& header) override { return why_not(file_->head(header)); }
  void part(const ReportPart& part) override { file_->begin_after(part.before); }
  std::string append(const History& history) override { return why_not(file_->append(history)); }

 private:
  static std::string why_not(const tl::expected<void, std::string>& done) {
    return done ? std::string() : done.error();
  }

  std::unique_ptr<HistoryFile> file_;
};

// The calls of the run as Knossos reads them: of its applications, or where it has none of those, what its store did.
class KnossosCalls final : public Report {
 public:
  std::string open(const std::string& path) override {
    path_ = path;
    return {};
  }
  std::string head(const HistoryHeader& header) override {
    if (header.world == kToldCalls) applications_.take_as_told();
    return {};
  }
  void part(const ReportPart& part) override { next_ = part.before + 1; }
  std::string append(const History& history) override {
    for (; next_ <= history.last(); ++next_) {
      applications_.add(history, next_);
      grants_.add(history, next_);
    }
    return {};
  }
  std::string finish(const History& history, const Scenario& /*scenario*/, const Outcome& /*outcome*/) override {
    append(history);
    return write_file(path_, check::edn((applications_.called() ? applications_ : grants_).calls()));
  }

 private:
  std::string path_;
  Sequence next_ = 1;
  check::RunCalls applications_{false};
  check::RunCalls grants_{true};
};

// All of it, for another time. While the run goes on nothing waits for its disk.
class Recording final : public Report {
 public:
  std::string open(const std::string& path) override {
    auto created = RecordingWriter::create(path);
    if (!created) return created.error();
    writer_ = std::move(*created);
    return {};
  }
  std::string head(const HistoryHeader& header) override {
    writer_->head(header);
    return {};
  }
  std::string append(const History& history) override {
    writer_->offer(history);
    return writer_->error();
  }
  std::string catch_up(const History& history) override {
    writer_->append(history);
    return writer_->error();
  }
  std::string finish(const History& history, const Scenario& /*scenario*/, const Outcome& outcome) override {
    const auto done = writer_->finish(history, recorded(outcome));
    return done ? std::string() : done.error();
  }

 private:
  std::unique_ptr<RecordingWriter> writer_;
};

template <class Kind>
std::unique_ptr<Report> make() {
  return std::make_unique<Kind>();
}

// What is written while it comes, or of its calls.
std::vector<ReportKind> while_it_runs() {
  return {
      {.ending = ".jsonl",
       .option = "--history",
       .about = "the history as JSON lines, while it grows",
       .make = make<JsonLines>,
       .takes_standard_output = true},
      {.ending = ".edn",
       .option = "--history",
       .about = "its calls as EDN for Knossos, at the end",
       .make = make<KnossosCalls>},
      {.ending = "",
       .option = "--record",
       .about = "all of it as a recording, while it grows",
       .make = make<Recording>,
       .of_run_only = true,
       .why_not = why_not_recorded},
  };
}

}  // namespace

const std::vector<ReportKind>& report_kinds() {
  static const std::vector<ReportKind> kinds = [] {
    std::vector<ReportKind> all;
    for (const ReportFormat& format : report_formats()) {
      ReportKind kind{.ending = format.ending,
                      .option = "--report",
                      .about = format.about,
                      .make = [&format] { return std::make_unique<AtTheEnd>(format); },
                      .noun = format.noun,
                      .looks_back = kLookedBackAt,
                      .draws = format.draws};
      if (format.by_ending) all.push_back(kind);
      kind.option = format.option;
      if (!format.option.empty()) all.push_back(kind);
    }
    for (const ReportKind& kind : while_it_runs()) all.push_back(kind);
    return all;
  }();
  return kinds;
}

const ReportKind* report_kind_of(std::string_view option, const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  const ReportKind* found = nullptr;
  for (const ReportKind& kind : report_kinds()) {
    const bool standard = path == kStandardInput && kind.takes_standard_output;
    const bool ends = name.size() > kind.ending.size() && name.ends_with(kind.ending);
    if (kind.option != option || !(standard || (kind.ending.empty() ? path != kStandardInput : ends))) continue;
    // ".events.csv" is more than ".csv".
    if (found == nullptr || kind.ending.size() > found->ending.size()) found = &kind;
  }
  return found;
}

std::vector<std::string_view> report_options() {
  std::vector<std::string_view> out;
  for (const ReportKind& kind : report_kinds())
    if (std::find(out.begin(), out.end(), kind.option) == out.end()) out.push_back(kind.option);
  return out;
}

std::string report_help(std::string_view option) {
  std::string out;
  for (const ReportKind& kind : report_kinds()) {
    if (kind.option != option) continue;
    out += fmt::format("{}FILE{}: {}", out.empty() ? "" : ", ", kind.ending, kind.about);
    if (kind.takes_standard_output) out += "; - is standard output";
  }
  return out;
}

std::string wrong_report(std::string_view option, const std::string& path) {
  if (path.empty() || report_kind_of(option, path) != nullptr) return {};
  std::string known;
  for (const ReportKind& kind : report_kinds())
    if (kind.option == option) known += fmt::format("{}{}", known.empty() ? "" : " or ", kind.ending);
  if (known.empty()) return fmt::format("{} {}: expected the name of a file", option, path);
  return path == kStandardInput ? fmt::format("{} -: expected a file ending in {}", option, known)
                                : fmt::format("{}: expected a file ending in {}", path, known);
}

}  // namespace leasescope::ctl
