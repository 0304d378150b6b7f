#include "ui/lab/prospects.h"

#include <QElapsedTimer>

#include "ui/lab/lab_controller.h"

namespace leasescope {
namespace {

constexpr int kEveryMs = 30;
constexpr qint64 kBudgetNs = 4'000'000;
constexpr std::uint64_t kInputsAtOnce = 2'000;
constexpr std::size_t kMostEvents = 200'000;  // a run that is longer has shown its worst by then

}  // namespace

Prospects::Prospects(LabController& lab, ScenarioListModel* list, QObject* parent)
    : QObject(parent), lab_(lab), list_(list) {
  timer_.setInterval(kEveryMs);
  connect(&timer_, &QTimer::timeout, this, &Prospects::work);
  connect(list, &ScenarioListModel::rowsInserted, this, [this] {
    if (row_ > 0) timer_.start();
  });
}

void Prospects::begin() {
  if (row_ == 0) timer_.start();
}

// The next run to make; false when every row is known.
bool Prospects::next() {
  while (row_ < list_->rowCount()) {
    const auto source = findSource(list_->index(row_).data(ScenarioListModel::kSourceRole).toString().toStdString());
    LabValues values;
    if (!fenced_) values.overrides["resource.fencing"] = "false";
    auto scenario = source ? readScenario(*source, values) : tl::make_unexpected(InputError{});
    // Without a resource there is nothing to fence.
    if (!scenario && source && !fenced_) scenario = readScenario(*source, {});
    if (scenario) {
      run_ = std::make_unique<VirtualRun>(*scenario);
      return true;
    }
    ++row_;
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
  Glyph& mark = fenced_ ? met_.with : met_.without;
  int worst = 0;
  for (const Incident& incident : run_->history().incidents) {
    const QString name = QString::fromStdString(std::string(title(incident.kind)));
    if (!met_.incidents.contains(name)) met_.incidents << name;
    if (mark != Glyph::kNone && severity(incident.kind) >= worst) continue;
    mark = glyphOf(incident.kind);
    worst = severity(incident.kind);
  }
  run_.reset();
  fenced_ = !fenced_;
  if (fenced_) return;
  list_->setMet(row_++, met_);
}

}  // namespace leasescope
