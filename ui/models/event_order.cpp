#include "ui/models/event_order.h"

#include <QPromise>
#include <QThreadPool>
#include <algorithm>
#include <tuple>
#include <utility>

#include "ui/models/aside.h"

namespace leasescope {
namespace {

// Nobody asks meanwhile whether they are wanted still: some milliseconds.
constexpr std::size_t kRun = 1 << 16;

bool before(const EventOrder::Row& a, const EventOrder::Row& b) {
  return std::tie(a.high, a.low, a.event) < std::tie(b.high, b.low, b.event);
}

// Of orders alone: what others have begun beside the window may wait for a disk, and no table for that.
QThreadPool& orderThreads() {
  static QThreadPool threads;
  return threads;
}

}  // namespace

EventOrder::EventOrder(QObject* parent) : QObject(parent) {
  slices_.setInterval(0);
  connect(&slices_, &QTimer::timeout, this, &EventOrder::read);
  connect(&watcher_, &QFutureWatcher<void>::finished, this, &EventOrder::take);
}

// Runs first, then two of them into one, so that it can be left in between. An event's place is part of what is
// compared: equal keys are in the order of time whatever order they came in.
void EventOrder::arrange(Job& job) {
  std::vector<Row>& rows = job.rows;
  const std::size_t count = rows.size();
  const auto at = [&](std::size_t place) { return rows.begin() + static_cast<std::ptrdiff_t>(std::min(place, count)); };
  for (std::size_t from = 0; from < count && job.wanted; from += kRun) std::sort(at(from), at(from + kRun), before);
  for (std::size_t size = kRun; size < count; size *= 2)
    for (std::size_t from = 0; from + size < count && job.wanted; from += 2 * size)
      std::inplace_merge(at(from), at(from + size), at(from + 2 * size), before);
  if (!job.wanted) return;
  job.events.reserve(count + count / 16);  // some may have come meanwhile
  for (const Row& row : rows) job.events.push_back(row.event);
  if (job.backwards) std::reverse(job.events.begin(), job.events.end());
  std::vector<Row>().swap(rows);  // giving back so much takes a while too
}

std::vector<std::uint32_t> EventOrder::here(std::size_t rows, const Fill& fill, bool backwards) {
  Job job;
  job.backwards = backwards;
  job.rows.reserve(rows);
  if (!fill(job.rows, 0, rows)) return {};
  arrange(job);
  return std::move(job.events);
}

void EventOrder::begin(std::size_t rows, Fill fill, bool backwards) {
  cancel();
  rows_ = rows;
  fill_ = std::move(fill);
  job_ = std::make_shared<Job>();
  job_->backwards = backwards;
  job_->rows.reserve(rows);  // no memory is touched by that
  slices_.start();
}

void EventOrder::cancel() {
  slices_.stop();
  watcher_.setFuture(QFuture<void>());
  if (!job_) return;
  job_->wanted = false;
  letGoAside(std::move(job_));
  job_.reset();
}

// The keys of the next slice.
void EventOrder::read() {
  std::vector<Row>& rows = job_->rows;
  if (!fill_(rows, rows.size(), std::min(rows.size() + kSlice, rows_))) return cancel();
  if (rows.size() == rows_) hand();
}

// The thread knows nothing of this object; until it has ended the job is its alone.
void EventOrder::hand() {
  slices_.stop();
  auto promise = std::make_shared<QPromise<void>>();
  promise->start();
  watcher_.setFuture(promise->future());
  orderThreads().start([promise, job = job_] {
    arrange(*job);
    promise->finish();
  });
}

void EventOrder::take() {
  if (!job_ || slices_.isActive() || !watcher_.future().isFinished()) return;
  const std::shared_ptr<Job> job = std::move(job_);
  job_.reset();
  emit ready(job->events);
}

}  // namespace leasescope
