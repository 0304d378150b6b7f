#include "ui/lab/prospects.h"

#include <algorithm>

#include <QElapsedTimer>

#include "ui/lab/lab_controller.h"
#include "ui/models/foretold.h"

namespace leasescope {
namespace {

constexpr int kEveryMs = 30;
constexpr qint64 kBudgetNs = 4'000'000;
constexpr std::uint64_t kInputsAtOnce = 200;  // far less than the budget, on a slow machine too
constexpr std::size_t kMostEvents = 200'000;  // a run that is longer has shown its worst by then
constexpr int kMostContenders = 1'000;        // a world is made in one piece, which takes longer the more there are

}  // namespace

Prospects::Prospects(LabController& lab, ScenarioListModel* list, QObject* parent)
    : QObject(parent), lab_(lab), list_(list) {
  timer_.setInterval(kEveryMs);
  connect(&timer_, &QTimer::timeout, this, &Prospects::work);
  connect(list, &ScenarioListModel::rowsInserted, this, [this](const QModelIndex&, int first, int last) {
    for (int row = first; row <= last; ++row) await(row);
  });
  connect(list, &ScenarioListModel::rowWrittenAnew, this, &Prospects::await);
  for (int row = 0; row < list->rowCount(); ++row) await(row);
}

void Prospects::begin() {
  begun_ = true;
  if (!waiting_.empty()) timer_.start();
}

// What was found out of it, or half of it, is of another text.
void Prospects::await(int row) {
  if (!waiting_.empty() && waiting_.front() == row) {
    run_.reset();
    fenced_ = false;
  } else if (std::find(waiting_.begin(), waiting_.end(), row) == waiting_.end()) {
    waiting_.push_back(row);
  }
  if (begun_) timer_.start();
}

// The next run to make; false when every row is known.
bool Prospects::next() {
  while (!waiting_.empty()) {
    const auto source =
        findSource(list_->index(waiting_.front()).data(ScenarioListModel::kSourceRole).toString().toStdString());
    std::vector<std::string> settings;
    if (!fenced_) settings.emplace_back("resource.fencing=false");
    auto scenario = source ? read_scenario(source->toml, source->name, settings) : tl::make_unexpected(InputError{});
    // Without a resource there is nothing to fence.
    if (!scenario && source && !fenced_) scenario = read_scenario(source->toml, source->name);
    if (scenario && scenario->contender_count() <= kMostContenders) {
      run_ = std::make_unique<VirtualRun>(*scenario);
      return true;
    }
    waiting_.pop_front();
    fenced_ = false;
  }
  return false;
}

void Prospects::work() {
  if (lab_.state() == RunState::kRunning || lab_.state() == RunState::kPreparing) return;
  QElapsedTimer spent;
  spent.start();
  while (spent.nsecsElapsed() < kBudgetNs) {
    if (!run_ && !next()) return timer_.stop();
    const bool more = run_->advance(TrueTime::max(), kInputsAtOnce);
    if (!more || run_->history().events.size() > kMostEvents) take();
  }
}

void Prospects::take() {
  if (!fenced_) met_ = {};
  const IncidentList& incidents = run_->history().incidents;
  (fenced_ ? met_.with : met_.without) = telling(incidents);
  for (const Incident& incident : incidents) {
    const QString name = QString::fromStdString(std::string(title(incident.kind)));
    if (!met_.incidents.contains(name)) met_.incidents << name;
  }
  run_.reset();
  fenced_ = !fenced_;
  if (fenced_) return;
  list_->setMet(waiting_.front(), met_);
  waiting_.pop_front();
}

}  // namespace leasescope
