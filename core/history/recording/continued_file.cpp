#include "core/history/recording/continued_file.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/history/mutex_title.h"
#include "core/history/recording/event_words.h"
#include "core/history/summary_fields.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

using namespace std::chrono_literals;

// So far a clock may have been set back, between the end of the one and the begin of the other.
constexpr Duration kSetBack = 2s;
constexpr std::uint64_t kMostEvents = UINT32_MAX / 2;
constexpr TrueTime kLatest = TrueTime(std::chrono::hours(24) * 36525);  // a hundred years

std::set<std::string> stores_of(const HistoryHeader& header) {
  std::set<std::string> out;
  constexpr std::string_view kBetween = ", ";
  for (std::size_t at = 0; at <= header.store.size();) {
    const std::size_t end = std::min(header.store.find(kBetween, at), header.store.size());
    out.insert(header.store.substr(at, end - at));
    at = end + kBetween.size();
  }
  return out;
}

// Why the one watch is not the other gone on; empty: it is.
std::string why_another(const RecordingReader& file, const HistoryHeader& header) {
  const HistoryHeader& its = file.header();
  const auto not_written_over = [&](const std::string& why) {
    return fmt::format("{} {}; it is not written over: take it away, or name another file", file.path(), why);
  };
  if (its.scenario != header.scenario || its.world != header.world)
    return not_written_over(fmt::format("is a recording of \"{}\", in which no watch goes on", its.scenario));
  if (stores_of(its) != stores_of(header))
    return not_written_over(fmt::format("is a watch of {}, and this one would be of {}", its.store, header.store));
  if (!its.epoch_ns || *its.epoch_ns < 0 || !header.epoch_ns || *header.epoch_ns < 0)
    return not_written_over("does not say what time it began at");
  if (file.frame().now < TrueTime{} || file.frame().now > kLatest)
    return not_written_over("does not say until when it is known");
  if (file.events() + file.frame().forgotten > kMostEvents)
    return not_written_over("has as many events as one recording may");
  return {};
}

// A program that was killed at once left a recording of nothing yet.
bool is_begun(const RecordingReader& file) { return !file.header().scenario.empty() || file.events() > 0; }

// What another maker's mutex is called; one of ours may be called so, too, which does no harm.
bool may_be_foreign(std::string_view title) {
  const std::string_view name = name_in(title);
  return !name.empty() && name.back() == ')' && name.find(" (") != std::string_view::npos;
}

}  // namespace

tl::expected<std::unique_ptr<ContinuedFile>, NotGoneOn> ContinuedFile::open(const std::string& path,
                                                                            const HistoryHeader& header, TrueTime now,
                                                                            const Retention& retention,
                                                                            std::chrono::milliseconds retained_every) {
  auto lock = FileLock::take(path);
  if (!lock)
    return tl::make_unexpected(NotGoneOn{
        fmt::format("{} is in use: another leasescope records there; end that one, or name another file", path)});
  std::unique_ptr<ContinuedFile> out(new ContinuedFile);
  {
    auto reader = RecordingReader::open(path);
    if (!reader)
      return tl::make_unexpected(
          NotGoneOn{fmt::format("{}; it is not written over: take it away, or name another file", reader.error())});
    if (auto begun = out->begin(*reader, header, now); !begun) return tl::make_unexpected(begun.error());
  }
  auto file = RecordingFile::go_on(path, std::move(*lock), retention, retained_every);
  if (!file) return tl::make_unexpected(file.error());
  out->file_ = std::move(*file);
  RecordingBatch gap;
  gap.header = out->header_;
  if (!out->over_.empty()) gap.alerts = std::move(out->over_);
  out->put_ready(gap);
  out->file_->write(gap);
  if (!out->file_->error().empty()) return tl::make_unexpected(NotGoneOn{out->file_->error()});
  return out;
}

tl::expected<void, NotGoneOn> ContinuedFile::begin(RecordingReader& reader, const HistoryHeader& header, TrueTime now) {
  header_ = header;
  table_ = reader.frame().names;
  if (!is_begun(reader)) return {};
  if (std::string why = why_another(reader, header); !why.empty())
    return tl::make_unexpected(NotGoneOn{std::move(why)});
  shift_ = Duration(*header.epoch_ns - *reader.header().epoch_ns);
  gap_ = now + shift_ - reader.frame().now;
  if (gap_ < -kSetBack)
    return tl::make_unexpected(
        NotGoneOn{fmt::format("{} goes on until {} s from now by this machine's clock: set the clock right, or name "
                              "another file",
                              reader.path(), format_seconds(-gap_)),
                  true});
  if (std::string why = read(reader); !why.empty()) return tl::make_unexpected(NotGoneOn{std::move(why)});
  return {};
}

// All that the file tells; empty, or why not.
std::string ContinuedFile::read(RecordingReader& reader) {
  header_.epoch_ns = reader.header().epoch_ns;
  header_.store = reader.header().store;
  header_.title = reader.header().title;
  take_alerts(reader);
  before_ = reader.frame().summary;
  end_ = reader.frame().now;
  known_ = reader.known().value_or(KnownUntil{end_, end_});
  events_before_ = reader.events();
  next_ = reader.frame().forgotten + events_before_ + 1;
  account_.call_teller(table_.intern(header_.store));
  std::vector<Event> page;
  while (reader.read_page(page)) {
    for (const Event& event : page) account_.tell(event);
    account_.ready().clear();
    page.clear();
  }
  if (!reader.error().empty()) return reader.error();
  account_.end_part(end_, false, [this](Name mutex) { return known_of(mutex); });
  return {};
}

// Nobody knows whether those went on that lasted when it broke off: the new watch tells of its own.
void ContinuedFile::take_alerts(const RecordingReader& reader) {
  if (reader.alerts() == nullptr) return;
  for (const AlertNote& note : *reader.alerts()) alerts_before_ = std::max(alerts_before_, note.alert);
  over_ = over_by(*reader.alerts(), reader.frame().now);
}

TrueTime ContinuedFile::known_of(Name mutex) const {
  return may_be_foreign(table_.text(mutex)) ? std::min(known_.ours, known_.foreign) : known_.ours;
}

// ---- what comes

// A mutex that was not met before was not observed from the file's end on, no more than the others.
Event ContinuedFile::joined(Event event) const {
  event.lo += shift_;
  event.hi += shift_;
  event.node = joined(event.node);
  event.mutex = joined(event.mutex);
  if (names_in_a(event)) event.a = joined(Name{static_cast<std::uint32_t>(event.a)}).handle;
  if (names_in_b(event)) event.b = joined(Name{static_cast<std::uint32_t>(event.b)}).handle;
  event.cause = 0;  // a watch sees none
  if (event.kind == EventKind::kUnobservedBegan && !account_.knows(event.mutex))
    event.lo = std::min(event.lo, known_of(event.mutex));
  return event;
}

Incident ContinuedFile::joined(Incident incident) const {
  incident.mutex = joined(incident.mutex);
  for (Name& contender : incident.contenders) contender = joined(contender);
  incident.start += shift_;
  incident.end += shift_;
  return incident;
}

AlertNote ContinuedFile::joined(AlertNote note) const {
  note.alert += alerts_before_;
  note.subject = joined(note.subject);
  note.at += shift_;
  note.until += shift_;
  return note;
}

void ContinuedFile::join_state(const RecordingBatch& batch, RecordingBatch& out) {
  const std::size_t first = file_->next_incident();
  for (const auto& [number, incident] : batch.incidents) out.incidents[first + number] = joined(incident);
  if (batch.summary) {
    out.now = std::max(end_, batch.now + shift_);
    account_.settle(out.now);
    out.summary = before_;
    add_up(*out.summary, *batch.summary);
    if (batch.known) out.known = KnownUntil{batch.known->ours + shift_, batch.known->foreign + shift_};
  }
  if (!batch.outcome) return;
  out.outcome = batch.outcome;
  out.outcome->simulated_ns += shift_.count();
  out.outcome->wall_ns += shift_.count();
}

void ContinuedFile::put_ready(RecordingBatch& out) {
  out.first = next_;
  out.events.assign(account_.ready().begin(), account_.ready().end());
  account_.ready().clear();
  next_ += out.events.size();
  put_names(out);
}

// Those that the file has not yet.
void ContinuedFile::put_names(RecordingBatch& out) {
  out.first_name = file_->names();
  for (std::size_t handle = out.first_name; handle < table_.size(); ++handle)
    out.names.emplace_back(table_.text({static_cast<std::uint32_t>(handle)}));
}

// Its header was written first, but for how it looks by now; its legend says nothing: a watch knows no mutex before it
// has met it.
void ContinuedFile::write(const RecordingBatch& batch) {
  RecordingBatch out;
  for (const std::string& name : batch.names) names_.push_back(table_.intern(name));
  for (const Event& event : batch.events) account_.tell(joined(event));
  if (batch.header) {
    header_.watch = batch.header->watch;
    out.header = header_;
  }
  if (batch.alerts) {
    out.alerts.emplace();
    for (const AlertNote& note : *batch.alerts) out.alerts->push_back(joined(note));
  }
  join_state(batch, out);
  put_ready(out);
  file_->write(out);
}

}  // namespace leasescope
