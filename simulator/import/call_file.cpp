#include "simulator/import/call_file.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "core/check/call_reader.h"
#include "simulator/campaign/replay.h"
#include "simulator/import/call_events.h"
#include "simulator/import/imported_history.h"
#include "simulator/scenario/text_file.h"

namespace leasescope {
namespace {

constexpr std::size_t kEventsInPage = 4096;

class CallFile final : public ImportedHistory {
 public:
  explicit CallFile(const std::string& path) : ImportedHistory(path) {}

  std::string open() {
    const auto text = read_text_file(path(), "a history of calls");
    if (!text) return fmt::format("{}: {}", path(), text.error());
    const auto calls = check::read_calls(*text, false);
    if (!calls) {
      const check::ReadError& error = calls.error();
      return fmt::format("{}:{}:{}: {}", path(), error.place.line, error.place.column, error.what);
    }
    if (calls->calls.empty()) return path() + " has no calls: expected a history of calls, in EDN or JSON";
    CallEvents told = events_of_calls(*calls);
    frame_ = std::move(told.history);
    remarks_ = std::move(told.remarks);
    events_ = std::exchange(frame_.events, {});
    describe();
    return begin(std::exchange(frame_.legend, {}));
  }

  int permille() const override { return static_cast<int>(given_ * 1000 / events_.size()); }

 private:
  bool next_page(std::vector<Event>& events) override {
    const std::size_t count = std::min(kEventsInPage, events_.size() - given_);
    const auto from = events_.begin() + static_cast<std::ptrdiff_t>(given_);
    events.insert(events.end(), from, from + static_cast<std::ptrdiff_t>(count));
    given_ += count;
    return given_ < events_.size();
  }

  // Nobody has told what it was run by: a scenario that says no more than the calls do.
  void describe() {
    const TrueTime end = events_.back().hi;
    header_.program = program_version();
    header_.scenario = std::filesystem::path(path()).stem().string();
    header_.title = "A history of calls";
    header_.world = kToldCalls;
    header_.store = "a store not told of";
    header_.toml = fmt::format(
        "schema = 1\ntitle = \"A history of calls\"\nduration = \"{}ns\"\n\n[mutex]\nname = \"calls\"\nttl = "
        "\"{}ns\"\ntransition = "
        "\"0s\"\n\n[[contender]]\ncount = {}\n",
        std::max<std::int64_t>(1, end.time_since_epoch().count()), lease_of_events().count(),
        std::clamp<std::size_t>(frame_.legend.contenders.size(), 1, 1000));
  }
  // As the first was told: what the chart draws is as long as each event says.
  Duration lease_of_events() const {
    for (const Event& event : events_)
      if (event.kind == EventKind::kGranted) return std::max(Duration(event.a), Duration(std::chrono::milliseconds(1)));
    return std::chrono::seconds(1);
  }

  std::vector<Event> events_;
  std::size_t given_ = 0;
};

}  // namespace

bool begins_calls(std::string_view begin) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of UTF-8
  if (begin.substr(0, kMark.size()) == kMark) begin.remove_prefix(kMark.size());
  const std::size_t sign = begin.find_first_not_of(" \t\r\n");
  if (sign == std::string_view::npos) return false;
  if (begin[sign] == '{' || begin[sign] == ';') return true;
  // A table of TOML begins with a bracket, too.
  const std::size_t next = begin.find_first_not_of(" \t\r\n", sign + 1);
  return begin[sign] == '[' && next != std::string_view::npos && begin[next] == '{';
}

tl::expected<std::unique_ptr<HistorySource>, std::string> open_calls(const std::string& path) {
  auto out = std::make_unique<CallFile>(path);
  if (std::string reason = out->open(); !reason.empty()) return tl::make_unexpected(std::move(reason));
  return out;
}

}  // namespace leasescope
