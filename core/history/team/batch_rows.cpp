#include "core/history/team/batch_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/history/mutex_title.h"
#include "core/history/recording/event_block.h"
#include "core/history/recording/event_words.h"
#include "core/history/recording/recorded_header.h"
#include "core/history/recording/recorded_legend.h"
#include "core/history/recording/recorded_outcome.h"
#include "core/history/summary_fields.h"
#include "core/history/team/days.h"

namespace leasescope::team {
namespace {

// A block of fewer is written anew with what comes next; of more it would be a heap of dead rows that the server has to
// clear away.
constexpr std::size_t kGrown = 256;
constexpr std::int64_t kEver = std::numeric_limits<std::int64_t>::max();

constexpr const char* kAdvance =
    "update leasescope_history.recording set batch = $2::bigint, events = $3::bigint, "
    "now_ns = greatest(now_ns, $4::bigint), names_sum = $5::bigint, epoch_ns = coalesce($6::bigint, epoch_ns), "
    "ended = ended or $7::boolean, mutexes = $8::bigint where id = $1::bigint and batch = $2::bigint - 1";
constexpr const char* kPutWords =
    "insert into leasescope_history.word (recording, kind, detail, word) "
    "select $1::bigint, * from unnest($2::integer[], $3::integer[], $4::text[])";
constexpr const char* kPutNames =
    "insert into leasescope_history.name (recording, handle, text) "
    "select $1::bigint, * from unnest($2::bigint[], $3::bytea[])";
constexpr const char* kPutMutexes =
    "insert into leasescope_history.mutex (recording, handle, met_ns, title, name) "
    "select $1::bigint, * from unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[])";
constexpr const char* kPutFacts =
    "insert into leasescope_history.fact (recording, key, number, text) "
    "select $1::bigint, * from unnest($2::text[], $3::bigint[], $4::bytea[]) "
    "on conflict (recording, key) do update set number = excluded.number, text = excluded.text";
constexpr const char* kPutBlock =
    "insert into leasescope_history.block (recording, day, first, last, from_ns, to_ns, sum, events) "
    "values ($1::bigint, $2::integer, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::bigint, $8::bytea) "
    "on conflict (recording, first, day) do update set last = excluded.last, from_ns = excluded.from_ns, "
    "to_ns = excluded.to_ns, sum = excluded.sum, events = excluded.events";
// Lists in lists have to be of one length each; as texts they need not.
constexpr const char* kPutIncidents =
    "insert into leasescope_history.incident "
    "(recording, number, kind, mutex, start_ns, end_ns, open, cause, contenders, tokens) "
    "select $1::bigint, u.number, u.kind, u.mutex, u.start_ns, u.end_ns, u.open, u.cause, u.contenders::bigint[], "
    "u.tokens::bigint[] from unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::boolean[], "
    "$8::bytea[], $9::text[], $10::text[]) "
    "as u (number, kind, mutex, start_ns, end_ns, open, cause, contenders, tokens) "
    "on conflict (recording, number) do update set kind = excluded.kind, mutex = excluded.mutex, "
    "start_ns = excluded.start_ns, end_ns = excluded.end_ns, open = excluded.open, cause = excluded.cause, "
    "contenders = excluded.contenders, tokens = excluded.tokens";
constexpr const char* kPutSummary =
    "insert into leasescope_history.summary (recording, field, value) "
    "select $1::bigint, * from unnest($2::text[], $3::bigint[]) "
    "on conflict (recording, field) do update set value = excluded.value";
constexpr const char* kPutAlerts =
    "insert into leasescope_history.alert (recording, number, alert, what, at_ns, until_ns, rule, kind, mutex, words) "
    "select $1::bigint, * from unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bytea[], "
    "$8::text[], $9::bigint[], $10::bytea[])";
constexpr const char* kPutTerms =
    "insert into leasescope_history.term (recording, day, mutex, observed, number, owner, token, begin_lo, begin_hi, "
    "end_lo, end_hi, ended, begin_least, before_until) "
    "select $1::bigint, * from unnest($2::integer[], $3::bigint[], $4::boolean[], $5::bigint[], $6::bigint[], "
    "$7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::text[], $13::bigint[], "
    "$14::bigint[])";
constexpr const char* kEndTerms =
    "update leasescope_history.term t set end_lo = u.end_lo, end_hi = u.end_hi, ended = u.ended "
    "from unnest($2::integer[], $3::bigint[], $4::boolean[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[]) "
    "as u (day, mutex, observed, number, end_lo, end_hi, ended) "
    "where t.recording = $1::bigint and t.day = any($2::integer[]) and t.day = u.day and t.mutex = u.mutex "
    "and t.observed = u.observed and t.number = u.number";
// Those that were moved when the day of their begin was dropped.
constexpr const char* kEndMovedTerms =
    "update leasescope_history.term t set end_lo = u.end_lo, end_hi = u.end_hi, ended = u.ended "
    "from unnest($2::integer[], $3::bigint[], $4::boolean[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[]) "
    "as u (day, mutex, observed, number, end_lo, end_hi, ended) "
    "where t.recording = $1::bigint and t.mutex = u.mutex and t.observed = u.observed and t.number = u.number";
constexpr const char* kLowerTerms =
    "update leasescope_history.term set begin_least = $5::bigint where recording = $1::bigint and mutex = $2::bigint "
    "and observed = $3::boolean and number < $4::bigint and begin_least > $5::bigint";

std::int64_t ns(TrueTime at) { return at.time_since_epoch().count(); }

// What a recording says in single words and numbers, as rows.
class FactRows final : public FactWriter {
 public:
  void put(std::string_view key, std::int64_t value) override {
    keys.add_text(key);
    numbers.add(value);
    texts.add_nothing();
  }
  void put(std::string_view key, std::string_view value) override {
    keys.add_text(key);
    numbers.add_nothing();
    texts.add_bytes(value);
  }

  SqlArray keys, numbers, texts;
};

bool is_of_a_watch(const Legend& legend) {
  return legend.faults.empty() && legend.mutexes.empty() && legend.contenders.empty() && legend.resources.empty();
}

}  // namespace

std::int64_t BatchRows::wall(TrueTime at) const {
  if (at == TrueTime::max()) return kEver;
  if (at == TrueTime::min()) return std::numeric_limits<std::int64_t>::min();
  return *epoch_ns_ + ns(at);
}

tl::expected<BatchOfRows, std::string> BatchRows::next(const RecordingBatch& batch) {
  if (batch.legend && !is_of_a_watch(*batch.legend))
    return tl::unexpected<std::string>("a team's history is of what is watched, not of a run: record that in a file");
  if (batch.header && batch.header->epoch_ns) epoch_ns_ = batch.header->epoch_ns;
  if (!epoch_ns_) return tl::unexpected<std::string>("a team's history is kept by the wall clock, and this has none");
  BatchOfRows out;
  out.number = ++number_;
  out.events = batch.events.size();
  if (batch.summary) now_ = std::max(now_, batch.now);
  put_words(out);
  put_names(batch, out);
  put_events(batch, out);
  put_terms(out);
  put_facts(batch, out);
  put_incidents(batch, out);
  put_alerts(batch, out);
  put_summary(batch, out);
  events_ += batch.events.size();
  out.calls.insert(out.calls.begin(), advance(batch, out));
  return out;
}

// First of all: that it finds the batch before says that nobody has done this one.
SqlCall BatchRows::advance(const RecordingBatch& batch, const BatchOfRows& out) {
  return {kAdvance,
          {SqlValue(recording_), SqlValue(out.number), SqlValue(static_cast<std::int64_t>(events_)), SqlValue(ns(now_)),
           SqlValue(names_sum_), SqlValue(batch.header ? epoch_ns_ : std::nullopt),
           SqlValue::of(batch.outcome.has_value()), SqlValue(mutexes_)},
          1};
}

void BatchRows::put_words(BatchOfRows& out) {
  if (std::exchange(worded_, true)) return;
  SqlArray kinds, details, words;
  for (const EventWord& each : event_words()) {
    kinds.add(each.kind);
    details.add(each.detail);
    words.add_text(each.word);
  }
  out.calls.push_back({kPutWords, {SqlValue(recording_), kinds.value(), details.value(), words.value()}, std::nullopt});
}

void BatchRows::put_names(const RecordingBatch& batch, BatchOfRows& out) {
  if (batch.names.empty()) return;
  SqlArray handles, texts;
  auto handle = static_cast<std::int64_t>(batch.first_name);
  for (const std::string& name : batch.names) {
    handles.add(handle++);
    texts.add_bytes(name);
    names_sum_ = sum_of(name, names_sum_);
    names_.intern(name);
  }
  out.calls.push_back({kPutNames, {SqlValue(recording_), handles.value(), texts.value()}, std::nullopt});
}

// ---- events

// A block has events of one day alone, so that a day can go.
void BatchRows::put_events(const RecordingBatch& batch, BatchOfRows& out) {
  if (batch.events.empty()) return;
  if (last_.empty()) first_ = batch.first;
  const auto close = [&] {
    first_ += last_.size();
    last_.clear();
  };
  bool written = true;
  for (const Event& event : batch.events) {
    fold_.append(event, names_);
    const int day = day_of(wall(event.hi));
    if (!last_.empty() && (day != last_day_ || last_.size() >= kEventsInBlock)) {
      if (!written) put_block(last_day_, out);
      close();
    }
    last_day_ = day;
    last_.push_back(event);
    written = false;
  }
  put_block(last_day_, out);
  if (last_.size() >= kGrown) close();
}

void BatchRows::put_block(int day, BatchOfRows& out) {
  std::string packed;
  pack_events(last_.data(), last_.size(), first_, packed);
  TrueTime from = TrueTime::max(), to = TrueTime::min();
  for (const Event& event : last_) {
    from = std::min(from, event.hi);
    to = std::max(to, event.hi);
  }
  const auto first = static_cast<std::int64_t>(first_);
  out.days.insert(day);
  out.calls.push_back({kPutBlock,
                       {SqlValue(recording_), SqlValue(std::int64_t{day}), SqlValue(first),
                        SqlValue(first + static_cast<std::int64_t>(last_.size()) - 1), SqlValue(ns(from)),
                        SqlValue(ns(to)), SqlValue(sum_of(packed, first)), SqlValue::of_bytes(packed)},
                       std::nullopt});
}

// ---- terms

void BatchRows::put_terms(BatchOfRows& out) {
  const TermFold::Told told = fold_.take();
  put_mutexes(told, out);
  std::vector<TermRow> begun, ended;
  for (const TermRow& row : told.rows) (row.told_before ? ended : begun).push_back(row);
  if (!begun.empty()) put_new_terms(begun, out);
  for (const LowerLeast& lower : told.lower)
    out.calls.push_back({kLowerTerms,
                         {SqlValue(recording_), SqlValue(std::int64_t{lower.mutex.handle}),
                          SqlValue::of(lower.observed), SqlValue(std::int64_t{lower.before}), SqlValue(wall(lower.to))},
                         std::nullopt});
  if (!ended.empty()) put_ended_terms(ended, out);
}

void BatchRows::put_mutexes(const TermFold::Told& told, BatchOfRows& out) {
  if (told.met.empty()) return;
  mutexes_ += static_cast<std::int64_t>(told.met.size());
  SqlArray handles, met, titles, names;
  for (std::size_t i = 0; i < told.met.size(); ++i) {
    const std::string_view title = names_.text(told.met[i]);
    handles.add(told.met[i].handle);
    met.add(wall(told.met_at[i]));
    titles.add_bytes(title);
    names.add_bytes(name_in(title));
  }
  out.calls.push_back(
      {kPutMutexes, {SqlValue(recording_), handles.value(), met.value(), titles.value(), names.value()}, std::nullopt});
}

void BatchRows::put_new_terms(const std::vector<TermRow>& rows, BatchOfRows& out) {
  SqlArray days, mutexes, observed, numbers, owners, tokens, begin_lo, begin_hi, end_lo, end_hi, ended, least, before;
  for (const TermRow& row : rows) {
    const int day = day_of(wall(row.told));
    out.days.insert(day);
    days.add(day);
    mutexes.add(row.mutex.handle);
    observed.add_yes(row.observed);
    numbers.add(row.number);
    owners.add(row.is.owner.handle);
    tokens.add(static_cast<std::int64_t>(row.is.token));
    begin_lo.add(wall(row.is.begin_lo));
    begin_hi.add(wall(row.is.begin_hi));
    end_lo.add(wall(row.is.end_lo));
    end_hi.add(wall(row.is.end_hi));
    ended.add_text(text(row.is.end));
    least.add(wall(row.is.begin_lo));
    before.add(wall(row.before_until));
  }
  out.calls.push_back({kPutTerms,
                       {SqlValue(recording_), days.value(), mutexes.value(), observed.value(), numbers.value(),
                        owners.value(), tokens.value(), begin_lo.value(), begin_hi.value(), end_lo.value(),
                        end_hi.value(), ended.value(), least.value(), before.value()},
                       std::nullopt});
}

void BatchRows::put_ended_terms(const std::vector<TermRow>& rows, BatchOfRows& out) {
  SqlArray days, mutexes, observed, numbers, end_lo, end_hi, ended;
  for (const TermRow& row : rows) {
    days.add(day_of(wall(row.told)));
    mutexes.add(row.mutex.handle);
    observed.add_yes(row.observed);
    numbers.add(row.number);
    end_lo.add(wall(row.is.end_lo));
    end_hi.add(wall(row.is.end_hi));
    ended.add_text(text(row.is.end));
  }
  out.calls.push_back({kEndTerms,
                       {SqlValue(recording_), days.value(), mutexes.value(), observed.value(), numbers.value(),
                        end_lo.value(), end_hi.value(), ended.value()},
                       static_cast<std::int64_t>(rows.size()),
                       kEndMovedTerms});
}

// ---- the rest

void BatchRows::put_facts(const RecordingBatch& batch, BatchOfRows& out) {
  FactRows facts;
  if (batch.header) put_header(*batch.header, facts);
  if (batch.legend) put_store_legend(batch.legend->store, facts);
  if (batch.outcome) put_outcome(*batch.outcome, facts);
  if (batch.alerts && !std::exchange(keeps_alerts_, true)) facts.put("alerts.kept", std::int64_t{1});
  if (facts.keys.size() == 0) return;
  out.calls.push_back({kPutFacts,
                       {SqlValue(recording_), facts.keys.value(), facts.numbers.value(), facts.texts.value()},
                       std::nullopt});
}

void BatchRows::put_incidents(const RecordingBatch& batch, BatchOfRows& out) {
  if (batch.incidents.empty()) return;
  SqlArray numbers, kinds, mutexes, starts, ends, open, causes, contenders, tokens;
  for (const auto& [number, incident] : batch.incidents) {
    numbers.add(static_cast<std::int64_t>(number));
    kinds.add_text(text(incident.kind));
    mutexes.add(incident.mutex.handle);
    starts.add(ns(incident.start));
    ends.add(ns(incident.end));
    open.add_yes(incident.open);
    causes.add_bytes(incident.cause);
    SqlArray who, which;
    for (const Name name : incident.contenders) who.add(name.handle);
    for (const Token token : incident.tokens) which.add(static_cast<std::int64_t>(token));
    contenders.add_text(*who.value().text);
    tokens.add_text(*which.value().text);
  }
  out.calls.push_back({kPutIncidents,
                       {SqlValue(recording_), numbers.value(), kinds.value(), mutexes.value(), starts.value(),
                        ends.value(), open.value(), causes.value(), contenders.value(), tokens.value()},
                       std::nullopt});
}

void BatchRows::put_alerts(const RecordingBatch& batch, BatchOfRows& out) {
  if (!batch.alerts || batch.alerts->empty()) return;
  SqlArray numbers, alerts, deeds, at, until, rules, kinds, subjects, words;
  for (const AlertNote& note : *batch.alerts) {
    numbers.add(++alerts_);
    alerts.add(static_cast<std::int64_t>(note.alert));
    deeds.add_text(text(note.deed));
    at.add(ns(note.at));
    until.add(ns(note.until));
    rules.add_bytes(note.rule);
    kinds.add_text(note.kind);
    subjects.add(note.subject.handle);
    words.add_bytes(note.words);
  }
  out.calls.push_back({kPutAlerts,
                       {SqlValue(recording_), numbers.value(), alerts.value(), deeds.value(), at.value(), until.value(),
                        rules.value(), kinds.value(), subjects.value(), words.value()},
                       std::nullopt});
}

// Twice a second it comes, and seldom says anything new.
void BatchRows::put_summary(const RecordingBatch& batch, BatchOfRows& out) {
  if (!batch.summary) return;
  SqlArray fields, values;
  const auto put = [&](std::string_view field, std::int64_t value) {
    const auto [known, is_new] = summary_.emplace(field, value);
    if (!is_new && known->second == value) return;
    known->second = value;
    fields.add_text(field);
    values.add(value);
  };
  for (const SummaryCount& field : kSummaryCounts)
    put(field.name, static_cast<std::int64_t>((*batch.summary).*field.of));
  for (const SummaryLength& field : kSummaryLengths) put(field.name, ((*batch.summary).*field.of).count());
  if (fields.size() == 0) return;
  out.calls.push_back({kPutSummary, {SqlValue(recording_), fields.value(), values.value()}, std::nullopt});
}

}  // namespace leasescope::team
