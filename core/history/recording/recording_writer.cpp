#include "core/history/recording/recording_writer.h"

#include <csignal>

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/history/recording/recording_file.h"

namespace leasescope {

tl::expected<std::unique_ptr<RecordingWriter>, std::string> RecordingWriter::create(const std::string& path,
                                                                                    const RecordingTerms& terms) {
  auto file = RecordingFile::create(path, terms.most_pages, terms.retention, terms.retained_every);
  if (!file) return tl::make_unexpected(file.error());
  return std::make_unique<RecordingWriter>(path, std::move(*file), terms);
}

RecordingWriter::RecordingWriter(std::string name, std::unique_ptr<RecordingSink> sink, const RecordingTerms& terms)
    : name_(std::move(name)), sink_(std::move(sink)), terms_(terms) {
  thread_ = std::thread([this] { work(); });
}

RecordingWriter::~RecordingWriter() { close(); }

void RecordingWriter::close() {
  if (!thread_.joinable()) return;
  sink_->hurry();
  {
    const std::lock_guard held(lock_);
    closing_ = true;
  }
  came_.notify_one();
  thread_.join();
}

std::string RecordingWriter::error() const {
  const std::lock_guard held(lock_);
  return error_;
}

std::string RecordingWriter::reason() const {
  const std::lock_guard held(lock_);
  return reason_.empty() ? error_ : reason_;
}

std::string RecordingWriter::away() const { return sink_->away(); }

std::uint64_t RecordingWriter::written() const {
  const std::lock_guard held(lock_);
  return written_;
}

// ---- what is taken

void RecordingWriter::head(const HistoryHeader& header) {
  {
    const std::lock_guard held(lock_);
    waiting_.header = header;
  }
  came_.notify_one();
}

void RecordingWriter::offer(const History& history, const std::optional<KnownUntil>& known) {
  {
    const std::lock_guard held(lock_);
    take_names(history);
    // Incidents and the summary are of all events: with some of them missing they would tell of what is not there.
    if (take_events(history)) {
      take_state(history);
      if (known) waiting_.known = known;
    }
  }
  came_.notify_one();
}

void RecordingWriter::note(const History& history, std::vector<AlertNote> alerts) {
  {
    const std::lock_guard held(lock_);
    take_names(history);
    if (!waiting_.alerts) waiting_.alerts.emplace();
    waiting_.alerts->insert(waiting_.alerts->end(), std::make_move_iterator(alerts.begin()),
                            std::make_move_iterator(alerts.end()));
  }
  came_.notify_one();
}

void RecordingWriter::append(const History& history) {
  {
    std::unique_lock held(lock_);
    take_names(history);
    while (!take_events(history)) {
      came_.notify_one();
      gone_.wait(held, [&] { return waiting_.events.size() < terms_.most_waiting || !error_.empty(); });
    }
    take_state(history);
  }
  came_.notify_one();
}

tl::expected<void, std::string> RecordingWriter::finish(const History& history, const RecordedOutcome& outcome) {
  sink_->hurry();  // before it is waited for room
  append(history);
  {
    const std::lock_guard held(lock_);
    waiting_.outcome = outcome;
  }
  close();
  if (!error_.empty()) return tl::make_unexpected(error_);
  return {};
}

// Whether all of them are taken; after an error they are let go.
bool RecordingWriter::take_events(const History& history) {
  if (!begun_) {
    begun_ = true;
    taken_ = history.forgotten;
    take_legend(history.legend);
  }
  const Legend& legend = history.legend;
  if (legend.faults.size() != faults_taken_ || legend.store.tells != tells_taken_) take_legend(legend);
  if (!error_.empty()) {
    taken_ = history.last();
    return true;
  }
  if (history.forgotten > taken_) {
    error_ = fmt::format("{}: the events {} to {} were forgotten before they were recorded", name_, taken_ + 1,
                         history.forgotten);
    return true;
  }
  const std::size_t left = history.last() - taken_;
  const std::size_t room = terms_.most_waiting - std::min(terms_.most_waiting, waiting_.events.size());
  const std::size_t count = std::min(left, room);
  if (waiting_.events.empty()) waiting_.first = std::uint64_t{taken_} + 1;
  const Event* const from = history.events.data() + (taken_ - history.forgotten);
  waiting_.events.insert(waiting_.events.end(), from, from + count);
  taken_ += static_cast<Sequence>(count);
  return count == left;
}

void RecordingWriter::take_legend(const Legend& legend) {
  waiting_.legend = legend;
  faults_taken_ = legend.faults.size();
  tells_taken_ = legend.store.tells;
}

void RecordingWriter::take_names(const History& history) {
  if (waiting_.names.empty()) waiting_.first_name = names_taken_;
  for (; names_taken_ < history.names.size(); ++names_taken_)
    waiting_.names.emplace_back(history.names.text({static_cast<std::uint32_t>(names_taken_)}));
}

void RecordingWriter::take_state(const History& history) {
  const IncidentList& now = history.incidents;
  for (std::size_t i = now.held_from(0); i < now.size(); i = now.held_from(now.end_of_piece(i))) {
    if (now.shares_piece(i, incidents_)) continue;
    for (std::size_t changed = i; changed < now.end_of_piece(i); ++changed) waiting_.incidents[changed] = now[changed];
  }
  incidents_ = now;
  waiting_.summary = history.summary;
  waiting_.now = history.now;
}

// ---- the thread

namespace {

// Who writes beyond the limit on the size of files is ended by a signal, with all the program. Where it is blocked the
// write fails, as on a full disk.
void block_size_limit() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

bool RecordingWriter::due() const { return closing_ || waiting_.events.size() >= terms_.written_at; }

void RecordingWriter::work() {
  block_size_limit();
  std::unique_lock held(lock_);
  while (true) {
    came_.wait(held, [&] { return closing_ || !waiting_.empty(); });
    came_.wait_for(held, terms_.written_after, [&] { return due(); });
    if (waiting_.empty() && closing_) break;
    RecordingBatch batch = std::exchange(waiting_, RecordingBatch{});
    waiting_.events = std::move(spare_);
    held.unlock();
    gone_.notify_one();
    sink_->write(batch);
    held.lock();
    batch.events.clear();
    spare_ = std::move(batch.events);
    written_ = sink_->written();
    if (error_.empty()) error_ = sink_->error();
    reason_ = sink_->reason();
    gone_.notify_one();
  }
  held.unlock();
  sink_->close();
}

}  // namespace leasescope
