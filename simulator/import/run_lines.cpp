#include "simulator/import/run_lines.h"

#include <fmt/format.h>

#include "simulator/import/event_line.h"
#include "simulator/import/imported_history.h"
#include "simulator/import/line_file.h"

namespace leasescope {
namespace {

constexpr std::size_t kEventsInPage = 4096;

class RunLines final : public ImportedHistory {
 public:
  explicit RunLines(const std::string& path) : ImportedHistory(path) {}

  // Why not; empty: it is open.
  std::string open() {
    if (std::string reason = lines_.open(path()); !reason.empty()) return reason;
    std::string_view line;
    if (!lines_.next(line)) return path() + " is empty: expected a history, as run --history writes them";
    auto header = read_header_line(line);
    if (!header) return fmt::format("{}:1: {}", path(), header.error());
    header_ = std::move(*header);
    if (std::string reason = begin(std::nullopt); !reason.empty()) return reason;
    terms_.ttl = scenario_.terms().ttl;
    ahead_ = next();  // by its number the history begins
    if (!error().empty()) return error();
    if (ahead_) frame_.forgotten = static_cast<Sequence>(ahead_->number - 1);
    expected_ = std::int64_t{frame_.forgotten} + 1;
    return {};
  }

  int permille() const override { return lines_.permille(); }

 private:
  bool next_page(std::vector<Event>& events) override {
    for (std::size_t count = 0; ahead_ && count < kEventsInPage; ++count) {
      if (ahead_->number != expected_) {
        fail({{lines_.number(), 1},
              fmt::format("expected the event of \"seq\" {}, not {}: each has a line, in their order", expected_,
                          ahead_->number)});
        return false;
      }
      ++expected_;
      events.push_back(ahead_->event);
      ahead_ = next();
    }
    return ahead_.has_value();
  }

  // Nothing at the end, and of what is none.
  std::optional<NumberedEvent> next() {
    std::string_view line;
    while (lines_.next(line)) {
      check::ValueReader reader(line, check::Notation::kJson, {lines_.number(), 1});
      auto value = reader.next();
      if (value && !*value) continue;  // an empty line
      // Its writer was killed, or is about to write the rest.
      if (!value && !lines_.whole()) {
        remarks_.push_back(fmt::format("line {} is cut short and was left out", lines_.number()));
        return std::nullopt;
      }
      if (!value) return fail(value.error());
      if (const auto more = reader.next(); !more || *more)
        return fail({{lines_.number(), 1}, "expected one event a line"});
      auto event = event_of_line(**value, terms_, frame_);
      if (!event) return fail(event.error());
      return *event;
    }
    if (!lines_.error().empty()) ImportedHistory::fail(lines_.error());
    return std::nullopt;
  }

  std::nullopt_t fail(const check::ReadError& error) {
    ImportedHistory::fail(error.place.line, error.place.column, error.what);
    return std::nullopt;
  }

  LineFile lines_;
  LineTerms terms_;
  std::optional<NumberedEvent> ahead_;
  std::int64_t expected_ = 1;
};

}  // namespace

bool begins_run_lines(std::string_view begin) {
  constexpr std::string_view kSign = R"({"format":"leasescopehistory")";
  std::string signs;  // another program may have written it anew, with blanks
  for (std::size_t i = 0; i < begin.size() && signs.size() < kSign.size(); ++i)
    if (begin[i] > ' ') signs += begin[i];
  return signs == kSign;
}

tl::expected<std::unique_ptr<HistorySource>, std::string> open_run_lines(const std::string& path) {
  auto out = std::make_unique<RunLines>(path);
  if (std::string reason = out->open(); !reason.empty()) return tl::make_unexpected(std::move(reason));
  return out;
}

}  // namespace leasescope
