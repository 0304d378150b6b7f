#include "core/history/team/team_reader.h"

#include <algorithm>
#include <ctime>
#include <map>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/history/recording/event_block.h"
#include "core/history/recording/recorded_header.h"
#include "core/history/recording/recorded_legend.h"
#include "core/history/summary_fields.h"

namespace leasescope::team {
namespace {

constexpr auto kMostEvents = static_cast<std::int64_t>(UINT32_MAX);
constexpr std::int64_t kMostAlerts = INT64_MAX / 1024;  // so that those of several recordings can be counted on

constexpr const char* kRecording =
    "select events, now_ns, names_sum from leasescope_history.recording where id = $1::bigint";
constexpr const char* kFacts = "select key, number, text from leasescope_history.fact where recording = $1::bigint";
constexpr const char* kWords =
    "select kind, detail, word from leasescope_history.word where recording = $1::bigint order by kind, detail";
constexpr const char* kNames =
    "select handle, text from leasescope_history.name where recording = $1::bigint order by handle";
constexpr const char* kMutexes =
    "select title from leasescope_history.mutex where recording = $1::bigint order by handle";
constexpr const char* kIncidents =
    "select kind, mutex, start_ns, end_ns, open, cause, contenders, tokens from leasescope_history.incident "
    "where recording = $1::bigint order by number";
constexpr const char* kAlerts =
    "select alert, what, at_ns, until_ns, rule, kind, mutex, words from leasescope_history.alert "
    "where recording = $1::bigint order by number";
constexpr const char* kSummary = "select field, value from leasescope_history.summary where recording = $1::bigint";
constexpr const char* kBlocks =
    "select min(first), max(last), sum(last - first + 1)::bigint, max(to_ns) from leasescope_history.block "
    "where recording = $1::bigint";
constexpr const char* kNextBlocks =
    "select first, last, sum, events from leasescope_history.block "
    "where recording = $1::bigint and first >= $2::bigint order by first limit 24";

TrueTime at(std::int64_t ns) { return TrueTime(Duration(ns)); }

std::optional<IncidentKind> kind_of(std::string_view word) {
  for (const IncidentKind kind : kAllIncidentKinds)
    if (text(kind) == word) return kind;
  return std::nullopt;
}

std::string path_of(const TeamReading& team, const TeamRecording& recording) {
  return fmt::format("{} ({}, {:%Y-%m-%d %H:%M:%S} UTC)", team.name(), recording.observer,
                     fmt::gmtime(static_cast<std::time_t>(recording.begin_ns / 1'000'000'000)));
}

}  // namespace

tl::expected<std::unique_ptr<TeamReader>, std::string> TeamReader::open(std::shared_ptr<TeamReading> team,
                                                                        const TeamRecording& recording) {
  std::unique_ptr<TeamReader> out(new TeamReader(std::move(team), recording));
  out->read_frame();
  if (!out->error_.empty()) return tl::unexpected(out->error_);
  return out;
}

TeamReader::TeamReader(std::shared_ptr<TeamReading> team, const TeamRecording& recording)
    : team_(std::move(team)), id_(recording.id), path_(path_of(*team_, recording)) {}

void TeamReader::fail(const std::string& why) {
  if (error_.empty()) error_ = fmt::format("{} {}", path_, why);
}

std::optional<SqlRows> TeamReader::ask(const char* sql, bool much) {
  if (!error_.empty()) return std::nullopt;
  const SqlCall call{sql, {SqlValue(id_)}, std::nullopt};
  auto rows = much ? team_->ask_much(call) : team_->ask(call);
  if (rows) return std::move(*rows);
  error_ = rows.error();
  return std::nullopt;
}

// ---- all but the events

void TeamReader::read_frame() {
  read_facts();
  read_words();
  read_names();
  read_mutexes();
  read_incidents();
  read_alerts();
  read_summary();
  count_events();
}

void TeamReader::read_facts() {
  const auto rows = ask(kFacts);
  if (!rows) return;
  std::map<std::string, FactValue> values;
  for (int row = 0; row < rows->size(); ++row) {
    FactValue& value = values[std::string(rows->text(row, 0))];
    if (rows->has(row, 1))
      value = rows->number(row, 1);
    else
      value = rows->bytes(row, 2);
  }
  const Facts facts(std::move(values), [this](const std::string& why) { fail(why); });
  header_ = header_of(facts);
  outcome_ = outcome_of(facts);
  frame_.legend.store = store_legend_of(facts);
  if (facts.has("alerts.kept")) alerts_.emplace();
}

void TeamReader::read_words() {
  const auto rows = ask(kWords);
  if (!rows) return;
  bool sound = true;
  for (int row = 0; row < rows->size(); ++row)
    if (rows->number(row, 1) == EventWord::kOfKind)
      sound = words_.add_kind(rows->number(row, 0), rows->text(row, 2)) && sound;
  for (int row = 0; row < rows->size(); ++row)
    if (rows->number(row, 1) != EventWord::kOfKind)
      sound = words_.add_detail(rows->number(row, 0), rows->number(row, 1), rows->text(row, 2)) && sound;
  if (!sound) fail("is damaged: its words for kinds of event are not one for each");
}

void TeamReader::read_names() {
  const auto told = ask(kRecording, false);
  const auto rows = ask(kNames);
  if (!told || !rows) return;
  if (told->size() != 1) return fail("is not there any more");
  frame_.now = at(told->number(0, 1));
  events_ = static_cast<std::uint64_t>(std::clamp<std::int64_t>(told->number(0, 0), 0, kMostEvents));
  std::int64_t sum = 0;
  for (int row = 0; row < rows->size(); ++row) {
    const std::string text = rows->bytes(row, 1);
    const Name name = frame_.names.intern(text);
    sum = sum_of(text, sum);
    if (rows->number(row, 0) != row || name.handle != static_cast<std::uint32_t>(row))
      return fail(fmt::format("is damaged: expected another name as number {}", row));
  }
  if (sum != told->number(0, 2)) fail("is damaged: its names were changed");
}

void TeamReader::read_mutexes() {
  const auto rows = ask(kMutexes);
  for (int row = 0; rows && row < rows->size(); ++row) mutexes_.push_back(rows->bytes(row, 0));
}

void TeamReader::read_incidents() {
  const auto rows = ask(kIncidents);
  const auto names = static_cast<std::int64_t>(frame_.names.size());
  const auto is_name = [&](std::int64_t handle) { return handle >= 0 && handle < names; };
  std::map<std::string, std::uint64_t> unknown;
  for (int row = 0; rows && row < rows->size(); ++row) {
    const std::string word(rows->text(row, 0));
    const auto kind = kind_of(word);
    if (!kind) ++unknown[word];
    if (!kind) continue;
    Incident incident;
    incident.kind = *kind;
    const std::vector<std::int64_t> contenders = rows->numbers(row, 6);
    const std::int64_t mutex = rows->number(row, 1);
    if (!is_name(mutex) || !std::all_of(contenders.begin(), contenders.end(), is_name))
      return fail("is damaged: an incident is of a name that is not there");
    incident.mutex = Name{static_cast<std::uint32_t>(mutex)};
    incident.start = at(rows->number(row, 2));
    incident.end = at(rows->number(row, 3));
    incident.open = rows->yes(row, 4);
    incident.cause = rows->bytes(row, 5);
    for (const std::int64_t who : contenders) incident.contenders.push_back(Name{static_cast<std::uint32_t>(who)});
    for (const std::int64_t token : rows->numbers(row, 7)) incident.tokens.push_back(static_cast<Token>(token));
    frame_.incidents.push_back(std::move(incident));
  }
  for (const auto& [kind, count] : unknown)
    remarks_.push_back(
        fmt::format("{} incidents of the kind {} left out, which leasescope {} knows and this program "
                    "does not",
                    count, escaped(kind, 60), escaped(header_.program, 40)));
}

// What another version may have noted otherwise is left out.
void TeamReader::read_alerts() {
  if (!alerts_) return;
  const auto rows = ask(kAlerts);
  for (int row = 0; rows && row < rows->size(); ++row) {
    const auto deed = alert_deed_of(rows->text(row, 1));
    if (!deed) continue;
    const std::int64_t number = rows->number(row, 0), subject = rows->number(row, 6);
    if (number < 0 || number > kMostAlerts || subject < 0 || subject >= static_cast<std::int64_t>(frame_.names.size()))
      return fail("is damaged: an alert is of a name that is not there");
    AlertNote note;
    note.alert = static_cast<std::uint64_t>(number);
    note.deed = *deed;
    note.at = at(rows->number(row, 2));
    note.until = at(rows->number(row, 3));
    note.rule = rows->bytes(row, 4);
    note.kind = rows->text(row, 5);
    note.subject = Name{static_cast<std::uint32_t>(subject)};
    note.words = rows->bytes(row, 7);
    alerts_->push_back(std::move(note));
  }
}

void TeamReader::read_summary() {
  const auto rows = ask(kSummary);
  for (int row = 0; rows && row < rows->size(); ++row) {
    for (const SummaryCount& field : kSummaryCounts)
      if (rows->text(row, 0) == field.name) frame_.summary.*field.of = static_cast<std::uint64_t>(rows->number(row, 1));
    for (const SummaryLength& field : kSummaryLengths)
      if (rows->text(row, 0) == field.name) frame_.summary.*field.of = Duration(rows->number(row, 1));
  }
  for (const Incident& incident : frame_.incidents) ++frame_.summary.incidents[static_cast<std::size_t>(incident.kind)];
}

// Of what is older the days may have been dropped.
void TeamReader::count_events() {
  const auto rows = ask(kBlocks, false);
  if (!rows) return;
  first_ = events_ + 1;
  if (rows->has(0, 0)) {
    const std::int64_t first = rows->number(0, 0), last = rows->number(0, 1), count = rows->number(0, 2);
    if (first < 1 || last != static_cast<std::int64_t>(events_) || count != last - first + 1)
      return fail("is damaged: not all of its events are there");
    first_ = static_cast<std::uint64_t>(first);
    frame_.now = std::max(frame_.now, at(rows->number(0, 3)));
  }
  next_ = first_;
  frame_.forgotten = static_cast<Sequence>(first_ - 1);
  events_ -= first_ - 1;
  if (frame_.forgotten > 0)
    remarks_.push_back(fmt::format("its first {} events are not kept any more", frame_.forgotten));
}

// ---- the events

int TeamReader::permille() const { return events_ == 0 ? 1000 : static_cast<int>((next_ - first_) * 1000 / events_); }

bool TeamReader::read_page(std::vector<Event>& events) {
  if (!error_.empty() || next_ >= first_ + events_) return false;
  const auto rows =
      team_->ask_much({kNextBlocks, {SqlValue(id_), SqlValue(static_cast<std::int64_t>(next_))}, std::nullopt});
  if (!rows) {
    error_ = rows.error();
    return false;
  }
  bool any = false;
  for (int row = 0; row < rows->size(); ++row) {
    if (!take_block(*rows, row, events)) return any;
    any = true;
  }
  if (!any) fail("is damaged: not all of its events are there");
  return any;
}

bool TeamReader::take_block(const SqlRows& rows, int row, std::vector<Event>& events) {
  const std::int64_t first = rows.number(row, 0), last = rows.number(row, 1);
  const auto wrong = [&](std::string_view why) {
    fail(fmt::format("is damaged: its events {} to {} cannot be read ({}); those before can", first, last, why));
    return false;
  };
  if (static_cast<std::uint64_t>(first) != next_ || last < first ||
      last - first >= static_cast<std::int64_t>(kMostEventsInBlock))
    return wrong("others are in their place");
  const std::string packed = rows.bytes(row, 3);
  if (sum_of(packed, first) != rows.number(row, 2)) return wrong("they were changed");
  const std::size_t old = events.size();
  const auto count = static_cast<std::size_t>(last - first + 1);
  if (!unpack_events(packed, count, next_, events)) return wrong("they are cut short");
  const std::string strange = words_.translate(events.data() + old, count, frame_.names.size());
  if (!strange.empty()) {
    events.resize(old);
    return wrong(fmt::format("one is {}; leasescope {} wrote it", strange, escaped(header_.program, 40)));
  }
  next_ += count;
  return true;
}

}  // namespace leasescope::team
