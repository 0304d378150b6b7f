#include "core/history/recording/recording_reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/history/recording/event_block.h"
#include "core/history/recording/frame_sum.h"
#include "core/history/recording/recorded_alerts.h"
#include "core/history/recording/recorded_header.h"
#include "core/history/recording/recorded_incidents.h"
#include "core/history/recording/recorded_legend.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

constexpr const char* kFrameChanged =
    "what stands beside its events was changed: its incidents, summary, legend, settings or verdict are not what was "
    "recorded";
constexpr auto kMostEvents = static_cast<std::int64_t>(UINT32_MAX);  // a Sequence has no higher number

// A history in JSON lines, or one of calls as Knossos and Porcupine take it.
bool in_words(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(64, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t sign = begin.find_first_not_of(" \t\r\n");
  return sign != std::string::npos && std::string_view("{[;").find(begin[sign]) != std::string_view::npos;
}

// Empty, or why there is nothing to read.
std::string why_not(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return fmt::format("{}: {}", path, std::strerror(errno));
  if (!S_ISREG(found.st_mode)) return fmt::format("{} is no plain file: expected a recording", path);
  if (found.st_size == 0) return fmt::format("{} is empty: expected a recording, as run --record writes them", path);
  if (in_words(path))
    return fmt::format(
        "{} is a history in words, which leaves out what a recording keeps: expected what run --record wrote, and "
        "leasescopectl recording import makes a recording of this (check judges a history of calls as it is)",
        path);
  return {};
}

// A recording that is done is one file, and may lie where nothing can be written, not even what SQLite puts beside it.
tl::expected<std::unique_ptr<Database>, std::string> open_database(const std::string& path) {
  auto opened = Database::open(path, Database::Mode::kRead);
  if (opened) (*opened)->number("SELECT count(*) FROM sqlite_schema");
  if (opened && !(*opened)->failed()) return opened;
  std::error_code code;
  const auto log = std::filesystem::file_size(path + "-wal", code);
  if (code || log == 0) {
    auto frozen = Database::open(path, Database::Mode::kReadFrozen);
    if (frozen) (*frozen)->number("SELECT count(*) FROM sqlite_schema");
    if (frozen && !(*frozen)->failed()) return frozen;
  }
  return tl::make_unexpected(opened ? (*opened)->error() : opened.error());
}

}  // namespace

tl::expected<RecordingReader, std::string> RecordingReader::open(const std::string& path,
                                                                 const RecordingSchema& schema) {
  if (std::string reason = why_not(path); !reason.empty()) return tl::make_unexpected(std::move(reason));
  auto opened = open_database(path);
  if (!opened) return tl::make_unexpected(opened.error());
  Database& database = **opened;
  database.run("BEGIN");  // from the first read on it stays as it is
  schema.expect_readable(database);
  if (database.failed()) return tl::make_unexpected(database.error());
  RecordingReader out(std::move(*opened));
  out.read_frame();
  if (out.database_->failed()) return tl::make_unexpected(out.database_->error());
  return out;
}

RecordingReader::RecordingReader(std::unique_ptr<Database> database) : database_(std::move(database)) {}

void RecordingReader::read_frame() {
  form_ = database_->number("PRAGMA user_version");
  const Facts facts(*database_);
  header_ = header_of(facts);
  outcome_ = outcome_of(facts);
  read_words();
  read_names(facts);
  frame_.legend = read_legend(*database_, facts);
  RecordedIncidents incidents = read_incidents(*database_, frame_.names.size());
  for (const auto& [kind, count] : incidents.unknown)
    remarks_.push_back(fmt::format("{} of the kind {} left out, which leasescope {} knows and this program does not",
                                   count == 1 ? "1 incident" : fmt::format("{} incidents", count), kind,
                                   header_.program));
  frame_.incidents = std::move(incidents.list);
  if (form_ >= 2 && facts.has("alerts.kept")) alerts_ = read_alerts(*database_, frame_.names.size());
  frame_.summary = read_summary(*database_, frame_.incidents);
  frame_.now = TrueTime(Duration(facts.number("now_ns").value_or(0)));
  if (const auto ours = facts.number("known_ns"), foreign = facts.number("known_foreign_ns"); ours && foreign)
    known_ = KnownUntil{TrueTime(Duration(*ours)), TrueTime(Duration(*foreign))};
  if (const std::int64_t from = facts.number("kept_from_ns").value_or(0); from > 0)
    remarks_.push_back(fmt::format("what was before {} has been dropped and is not observed", moment_text(from)));
  count_events();
  if (facts.number_or("events", 0, kMostEvents, 0) != static_cast<std::int64_t>(events_))
    database_->fail("is damaged: not all of its events are there");
  frame_.forgotten = static_cast<Sequence>(first_ - 1);
  look_at_sum();
}

// Its events are good all the same: that it is damaged is said at once, and once more to whoever has read them all.
void RecordingReader::look_at_sum() {
  if (words_changed(*database_)) return database_->fail("is damaged: the words for its events were changed");
  frame_changed_ = frame_state(*database_) == FrameState::kChanged;
  if (frame_changed_) remarks_.insert(remarks_.begin(), fmt::format("it is damaged: {}", kFrameChanged));
}

// On the wall clock where that is known.
std::string RecordingReader::moment_text(std::int64_t ns) const {
  if (!header_.epoch_ns) return format_seconds(Duration(ns)) + " s";
  const auto second = static_cast<std::time_t>((*header_.epoch_ns + ns) / 1'000'000'000);
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(second));
}

void RecordingReader::read_words() {
  bool sound = true;
  Statement kinds(*database_, "SELECT kind, word FROM kind");
  while (kinds.step()) sound = words_.add_kind(kinds.integer(0), kinds.text(1)) && sound;
  Statement details(*database_, "SELECT kind, detail, word FROM detail");
  while (details.step()) sound = words_.add_detail(details.integer(0), details.integer(1), details.text(2)) && sound;
  if (!sound) database_->fail("is damaged: its words for kinds of event are not one for each");
}

void RecordingReader::read_names(const Facts& facts) {
  std::int64_t sum = 0;
  Statement names(*database_, "SELECT handle, text FROM name ORDER BY handle");
  for (std::uint32_t handle = 0; names.step(); ++handle) {
    const std::int64_t written = names.integer(0);
    const std::string text = names.text(1);
    const Name name = frame_.names.intern(text);
    sum = sum_of(text, sum);
    if (written == handle && name.handle == handle) continue;
    return database_->fail(fmt::format("is damaged: expected another name as number {}", handle));
  }
  if (sum != facts.number("names.sum").value_or(0)) database_->fail("is damaged: its names were changed");
}

void RecordingReader::count_events() {
  Statement blocks(*database_, "SELECT first, last FROM block ORDER BY first");
  bool any = false;
  while (blocks.step()) {
    const auto first = static_cast<std::uint64_t>(blocks.integer(0, 1, kMostEvents));
    const auto last = static_cast<std::uint64_t>(blocks.integer(1, static_cast<std::int64_t>(first), kMostEvents));
    if (!any) first_ = next_ = first;
    any = true;
    if (first != first_ + events_ || last - first >= kMostEventsInBlock)
      return database_->fail(fmt::format("is damaged: its events from {} on are missing", first_ + events_));
    events_ += last - first + 1;
  }
}

void RecordingReader::seek(TrueTime at) {
  Statement found(*database_, "SELECT min(first) FROM block WHERE to_ns >= ?");
  found.bind(at.time_since_epoch().count());
  const auto first = found.step() ? found.integer_or_nothing(0) : std::nullopt;
  blocks_.reset();
  skip_ = 0;
  next_ = first ? static_cast<std::uint64_t>(*first) : first_ + events_;
}

void RecordingReader::seek(std::uint64_t number) {
  blocks_.reset();
  skip_ = 0;
  next_ = std::clamp(number, first_, first_ + events_);
  Statement found(*database_, "SELECT first FROM block WHERE last >= ? ORDER BY first LIMIT 1");
  found.bind(static_cast<std::int64_t>(next_));
  if (!found.step()) return;
  const auto first = static_cast<std::uint64_t>(found.integer(0, 1, kMostEvents));
  skip_ = next_ - std::min(first, next_);
  next_ -= skip_;
}

int RecordingReader::permille() const {
  return events_ == 0 ? 1000 : static_cast<int>((next_ - first_) * 1000 / events_);
}

bool RecordingReader::read_page(std::vector<Event>& events) {
  if (database_->failed()) return false;
  if (next_ >= first_ + events_) {
    if (frame_changed_) database_->fail(fmt::format("is damaged: {}; its events can be read", kFrameChanged));
    return false;
  }
  if (!blocks_) {
    blocks_ = std::make_unique<Statement>(*database_,
                                          "SELECT first, last, sum, events FROM block WHERE first >= ? ORDER BY first");
    blocks_->bind(static_cast<std::int64_t>(next_));
  }
  return blocks_->step() && take_block(events);
}

bool RecordingReader::take_block(std::vector<Event>& events) {
  const std::int64_t first = blocks_->integer(0), last = blocks_->integer(1), sum = blocks_->integer(2);
  const std::string_view packed = blocks_->bytes(3);
  if (database_->failed()) return false;
  const auto wrong = [&](std::string_view why) {
    database_->fail(
        fmt::format("is damaged: its events {} to {} cannot be read ({}); those before can", first, last, why));
    return false;
  };
  if (static_cast<std::uint64_t>(first) != next_ || last < first ||
      last - first >= static_cast<std::int64_t>(kMostEventsInBlock))
    return wrong("others are in their place");
  if (sum_of(packed, static_cast<std::int64_t>(next_)) != sum) return wrong("they were changed");
  const std::size_t old = events.size();
  const auto count = static_cast<std::size_t>(last - first + 1);
  if (!unpack_events(packed, count, next_, events)) return wrong("they are cut short");
  const std::string strange = words_.translate(events.data() + old, count, frame_.names.size());
  if (!strange.empty()) {
    events.resize(old);
    return wrong(fmt::format("one is {}; leasescope {} wrote it", strange, header_.program));
  }
  next_ += count;
  const auto skipped = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(std::exchange(skip_, 0), count));
  events.erase(events.begin() + static_cast<std::ptrdiff_t>(old),
               events.begin() + static_cast<std::ptrdiff_t>(old) + skipped);
  return true;
}

tl::expected<History, std::string> RecordingReader::read() {
  History out = frame_;
  out.events.reserve(events_);
  seek(first_);
  while (read_page(out.events)) {
  }
  if (database_->failed()) return tl::make_unexpected(database_->error());
  return out;
}

}  // namespace leasescope
