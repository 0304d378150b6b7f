#include "ui/panels/report_export.h"

#include <fmt/format.h>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProgressDialog>
#include <QThread>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/file_sink.h"
#include "ui/models/aside.h"
#include "ui/models/words.h"
#include "ui/report/evidence.h"
#include "ui/report/report_format.h"
#include "ui/report/run_account.h"

namespace leasescope {
namespace {

constexpr int kShownAfterMs = 300;  // what is over by then is not shown
constexpr int kSteps = 1000;        // of the progress: the first half is what the chart is made of, the second the file
constexpr int kAtOnceMs = 5;        // then the window has its turn
constexpr std::size_t kPiece = 1 << 13;    // events that are brought in one go
constexpr std::size_t kWaiting = 1 << 16;  // so many may wait to be taken

}  // namespace

// Of its thread, which may outlive the export. Events come from the window, a piece at a time; all else is its own.
struct ReportExport::Job {
  ~Job() {
    give_up();
    if (thread) thread->wait();
  }

  void give_up() {
    {
      const std::lock_guard guard(lock);  // else it may be about to wait
      wanted = false;
    }
    more.notify_all();
  }
  // From now on it is too late to cancel it; false: it was cancelled before.
  bool may_end() {
    const std::lock_guard guard(lock);
    ends = wanted;
    return ends;
  }
  bool is_ending() {
    const std::lock_guard guard(lock);
    return ends;
  }
  void run();
  bool take();
  bool append();
  ReportSubject subject() const;
  void write();
  void forget();
  std::unique_ptr<RunAccount> told() const;

  ExportWish wish;
  Scenario scenario;
  Outcome outcome;
  WatchAccount watch;
  std::optional<std::int64_t> epoch_ns;
  Cast cast;
  IncidentList incidents;              // of the end
  History history;                     // what has been taken, of its events the last
  std::unique_ptr<ReportedPart> part;  // null: all of it is reported
  Sequence taken = 0;                  // events
  Sequence last = 0;
  TrueTime known{};  // of the end
  ChartData data;
  std::unique_ptr<FileSink> out;
  std::unique_ptr<RowReport> rows;      // where it is written while events come
  std::unique_ptr<RunAccount> account;  // where it tells of them in words
  std::string error;

  std::mutex lock;
  std::condition_variable more;
  std::vector<Event> waiting;  // under `lock`
  bool ends = false;           // likewise
  std::atomic<bool> wanted{true};
  std::atomic<bool> over{false};
  std::atomic<int> permille{0};
  std::unique_ptr<QThread> thread;  // one of Qt: what lays out a PDF has timers
};

void ReportExport::Job::run() {
  data.reset(wish.facts);
  data.setAxis(wish.axis);
  out = std::make_unique<FileSink>(wish.path.toStdString(), [this](std::uint64_t done, std::uint64_t all) {
    if (all > 0) permille = kSteps / 2 + static_cast<int>(std::min(done, all) * (kSteps / 2) / all);
    return wanted.load();
  });
  if (wish.format->rows != nullptr) rows = wish.format->rows(subject());
  // The incidents of a part are known when all of it is there: its account is made of the whole then.
  if (wish.format->tells && !part) account = told();
  while (wanted && taken < last)
    if (!take()) break;
  if (wanted) write();
  over = true;
}

// What came meanwhile goes into the chart, or into rows. False: nobody wants it any more, or there is no place for it.
bool ReportExport::Job::take() {
  std::vector<Event> came;
  {
    std::unique_lock guard(lock);
    more.wait(guard, [&] { return !waiting.empty() || !wanted; });
    came.swap(waiting);
  }
  for (std::size_t from = 0; from < came.size() && wanted; from += kPiece) {
    const auto begin = came.begin() + static_cast<std::ptrdiff_t>(from);
    const std::size_t count = std::min(kPiece, came.size() - from), before = history.events.size();
    history.events.insert(history.events.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    taken += static_cast<Sequence>(count);
    if (part) part->take(history, before);
    if (!append()) return false;
    if (!part || !wish.format->tells) forget();
    const int steps = rows ? kSteps : kSteps / 2;
    permille = static_cast<int>(std::uint64_t{taken} * static_cast<std::uint64_t>(steps) / last);
  }
  return wanted;
}

bool ReportExport::Job::append() {
  if (rows) return rows->append(history, *out);
  data.append(history);
  if (account) account->append(history);
  return true;
}

// What the chart and the account have already is needed no more, but for what is looked back at.
void ReportExport::Job::forget() {
  if (history.events.size() >= 2 * kLookedBackAt) history.forget_all_but(kLookedBackAt);
}

// In it are the incidents of the end, which the chart gets when all events are there.
std::unique_ptr<RunAccount> ReportExport::Job::told() const {
  RunAccount::Of of{.frame = frame_of(history), .cast = cast, .watched = is_of_watch(subject())};
  of.frame.incidents = incidents;
  of.frame.now = known;
  of.wanted = [this] { return wanted.load(); };
  return std::make_unique<RunAccount>(std::move(of));
}

ReportSubject ReportExport::Job::subject() const {
  return {.history = history,
          .data = data,
          .scenario = scenario,
          .outcome = outcome,
          .part = wish.part.stretch,
          .shown = wish.part.stretch ? std::nullopt : std::optional(wish.shown),
          .mutexes = wish.part.mutexes,
          .watch = watch,
          .epoch_ns = epoch_ns,
          .events = wish.events,
          .cast = &cast,
          .account = account.get(),
          .theme = wish.theme,
          .scale = wish.scale,
          .wanted = [this] { return wanted.load(); }};
}

void ReportExport::Job::write() {
  history.incidents = incidents;
  history.now = known;
  if (part) part->finish(history, outcome);
  (void)append();  // what stands over the rows also where there are none
  if (account) account->finish();
  if (!rows) {
    data.set_now(part ? history.now : wish.now);
    if (const auto made = wish.format->write(subject(), *out); !made) {
      error = fmt::format("{}: {}", wish.path.toStdString(), made.error());
      return;
    }
  }
  if (wanted) (void)out->settle();  // why it failed is told by the end
  if (out->unwanted() || !may_end()) return;
  if (const auto done = out->commit(); !done) error = done.error();
}

ReportExport::ReportExport(Session& session, QWidget* window) : QObject(window), session_(session), window_(window) {
  connect(&work_, &QTimer::timeout, this, &ReportExport::work);
  // Its history goes; what was brought of it is whole, or of no use.
  connect(&session, &Session::runReset, this, [this] {
    if (job_ && brought_ < last_) fail(tr("another run took its place meanwhile"));
  });
}

ReportExport::~ReportExport() {
  if (busy()) end();
}

void ReportExport::begin(const ExportWish& wish) {
  const History* history = session_.history();
  if (busy() || history == nullptr || session_.runScenario() == nullptr) return;
  job_ = std::make_unique<Job>();
  Job& job = *job_;
  job.wish = wish;
  job.scenario = *session_.runScenario();
  job.outcome = session_.outcome();
  job.watch = session_.watchAccount();
  job.epoch_ns = session_.epochNs();
  job.cast = session_.cast();
  job.cast.sync(*history);  // those of the last moment too
  job.incidents = history->incidents;
  incidents_ = history->incidents;
  job.history.names = history->names;
  job.history.legend = history->legend;
  job.history.summary = history->summary;
  job.history.forgotten = job.taken = history->forgotten;
  if (!wish.part.all()) {
    job.part = std::make_unique<ReportedPart>(wish.part, job.outcome.world, job.scenario, job.history);
    job.part->choose(job.watch, job.history.names);
  }
  job.last = last_ = history->last();
  job.known = history->now;
  brought_ = history->forgotten;
  progress_ = std::make_unique<QProgressDialog>(tr("Writing %1").arg(QFileInfo(wish.path).fileName()), tr("Cancel"), 0,
                                                kSteps, window_);
  progress_->setObjectName(QStringLiteral("export"));
  progress_->setMinimumDuration(kShownAfterMs);
  progress_->setAutoClose(false);
  progress_->setAutoReset(false);
  progress_->setValue(0);  // its time begins
  connect(progress_.get(), &QProgressDialog::canceled, this, &ReportExport::cancel);
  job.thread.reset(QThread::create([&job] { job.run(); }));
  job.thread->start();
  work_.start(1);
}

void ReportExport::work() {
  if (brought_ < last_) bring();
  if (!job_) return;
  progress_->setValue(job_->permille);
  if (!job_->over) return;
  const QString path = job_->wish.path;
  if (!job_->error.empty()) return fail(fromText(job_->error));
  end();
  emit written(path);
}

// The window's events into the thread's, as many as there is time for.
void ReportExport::bring() {
  const History* history = session_.history();
  if (history == nullptr || history->last() < last_ || history->forgotten > brought_)
    return fail(tr("another run took its place meanwhile"));
  QElapsedTimer spent;
  spent.start();
  while (brought_ < last_ && spent.elapsed() < kAtOnceMs) {
    const std::size_t count = std::min<std::size_t>(kPiece, last_ - brought_);
    const Event* const from = &history->event(brought_ + 1);
    {
      const std::lock_guard guard(job_->lock);
      if (job_->waiting.size() >= kWaiting) break;
      job_->waiting.insert(job_->waiting.end(), from, from + count);
    }
    brought_ += static_cast<Sequence>(count);
    job_->more.notify_one();
  }
  if (brought_ == last_) work_.setInterval(10);  // from now on there is only to be looked
}

void ReportExport::fail(const QString& why) {
  const QString path = job_->wish.path;
  end();
  emit failed(path, why);
}

void ReportExport::cancel() {
  if (busy() && !job_->is_ending()) end();
}

// What is still at work ends beside the window, with whatever it wrote so far.
void ReportExport::end() {
  work_.stop();
  job_->give_up();
  letGoAside(std::move(job_));
  incidents_.reset();
  if (progress_) progress_.release()->deleteLater();  // it may be the one that is telling
}

}  // namespace leasescope
