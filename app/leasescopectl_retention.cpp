#include "app/leasescopectl_retention.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "app/leasescopectl.h"
#include "app/leasescopectl_team.h"
#include "core/history/recorded_clock.h"
#include "core/history/recording/recording_reader.h"
#include "core/observe/watch_record.h"

namespace leasescope::ctl {
namespace {

constexpr std::uint64_t kLeastBytes = 1'000'000;  // in less there is hardly a block

tl::expected<std::uint64_t, std::string> parse_size(const std::string& text) {
  constexpr std::pair<std::string_view, std::uint64_t> kUnits[]{
      {"kB", 1'000}, {"MB", 1'000'000}, {"GB", 1'000'000'000}};
  constexpr std::uint64_t kMost = 1'000'000;  // GB
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const auto* const found =
      std::find_if(std::begin(kUnits), std::end(kUnits), [&](const auto& each) { return each.first == unit; });
  const bool sound = error == std::errc() && found != std::end(kUnits) && number <= kMost * 1'000'000;
  if (!sound || number * found->second < kLeastBytes || number * found->second > kMost * 1'000'000'000)
    return tl::unexpected(fmt::format("--keep-size {}: expected a size such as 2GB (kB, MB, GB), 1MB at least", text));
  return number * found->second;
}

}  // namespace

tl::expected<Retention, std::string> read_retention(const std::string& keep, const std::string& keep_size) {
  Retention out;
  if (!keep.empty()) {
    const auto length = parse_keep(keep);
    if (!length) return tl::unexpected(length.error());
    out.keep = *length;
  }
  if (!keep_size.empty()) {
    const auto size = parse_size(keep_size);
    if (!size) return tl::unexpected(size.error());
    out.most_bytes = *size;
  }
  return out;
}

int retain_file(const std::string& path, const Retention& retention) {
  TrueTime now{};
  std::optional<std::int64_t> epoch;
  {
    const auto recording = RecordingReader::open(path);
    if (!recording) return bad_input(recording.error());
    if (recording->header().scenario != kWatchName)
      return bad_input(fmt::format("{} is of a run, which is kept whole: expected what watch --record wrote", path));
    epoch = recording->header().epoch_ns;
    now = recording->frame().now;
  }
  if (epoch) now = std::max(now, TrueTime(Duration(wall_clock_ns() - *epoch)));
  auto opened = Database::open(path, Database::Mode::kChange);
  if (!opened) return bad_input(opened.error());
  Database& database = **opened;
  database.run("PRAGMA journal_mode = DELETE");  // which fails while anybody else has it open
  const bool shrinks = database.number("PRAGMA auto_vacuum") == 2;
  std::uint64_t events = 0;
  TrueTime kept_from{};
  for (Dropped dropped = drop_older(database, retention, now); dropped.events > 0;
       dropped = drop_older(database, retention, now)) {
    events += dropped.events;
    kept_from = dropped.kept_from;
  }
  if (database.failed()) return bad_input(database.error());
  say("{}: {} dropped", path, counted(events, "event"));
  if (events > 0) say("; not kept before {}", RecordedClock(epoch).zoned(kept_from));
  if (events > 0 && !shrinks)
    say("; it is of an older version: leasescopectl recording compact {} frees the room", path);
  say("\n");
  return kAsExpected;
}

}  // namespace leasescope::ctl
