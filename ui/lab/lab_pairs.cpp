// The Lab, continued: two runs at once, to be compared: in both worlds, with two seeds or settings, a fork and its
// origin.
#include <algorithm>

#include "core/store/types/types.h"
#include "simulator/scenario/text_edit.h"
#include "ui/lab/lab_perspective.h"
#include "ui/lab/paired_runs.h"
#include "ui/lab/text_panel.h"
#include "ui/models/words.h"
#include "ui/panels/preparation_box.h"
#include "ui/panels/timeline_page.h"

namespace leasescope {
namespace {

// A private server of the store that the scenario's model stands for, else of the first that can carry its requests;
// empty where none can.
std::string privateStoreFor(const Scenario& scenario) {
  const StoreType* found = nullptr;
  for (const StoreType* type : store_types()) {
    if (!type->carries(scenario.family()) || type->recipe == nullptr) continue;
    if (type->model == scenario.store.model) return std::string(type->name());
    if (found == nullptr) found = type;
  }
  return found == nullptr ? std::string() : std::string(found->name());
}

std::vector<Course> wholeRun(const QByteArray& toml, const std::string& store) {
  return {Course{TrueTime{}, LabValues{toml, store}}};
}

}  // namespace

void LabPerspective::connectPairs() {
  pairs_ = new PairedRuns(this);
  auto* cancel = new QAction(tr("Cancel both runs"), this);
  connect(cancel, &QAction::triggered, pairs_, &PairedRuns::cancel);
  connect(cancel, &QAction::triggered, this, [this] { emit lab_.told(tr("Cancelled: nothing is compared")); });
  pairsBox_ = new PreparationBox(
      {[this] { return pairs_->busy(); }, [this]() -> const Preparation& { return pairs_->progress(); }}, cancel,
      view()->place());
  pairsBox_->setObjectName(QStringLiteral("pairsProgress"));
  connect(pairs_, &PairedRuns::turned, pairsBox_, &PreparationBox::turn);
  connect(pairs_, &PairedRuns::moved, pairsBox_, &PreparationBox::load);
  connect(pairs_, &PairedRuns::done, this, &LabPerspective::openPair);
  const auto on = [this](LabAction which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  on(LabAction::kBothWorlds, [this] { runBothWorlds(); });
  on(LabAction::kTwoSeeds, [this] { runTwoSeeds(); });
  on(LabAction::kTwoSettings, [this] { runTwoSettings(); });
  on(LabAction::kForkAndOrigin, [this] { runForkAndOrigin(); });
}

// Without the first there is nothing to be compared with.
void LabPerspective::openPair(const QStringList& paths, const Problem& why) {
  if (paths.isEmpty()) return emit lab_.problem(why);
  emit opensTwoIn(QStringLiteral("compare"), paths.front(), paths.value(1), why);
}

void LabPerspective::beginPair(const QString& how, const PairOf& first, const PairOf& second) {
  const QString name = fromText(lab_.scenario().name);
  const auto run = [&](const PairOf& of) {
    return PairedRun{of.name, of.courses, pathToCompare(QStringLiteral("%1, %2").arg(name, of.name))};
  };
  const PairedRun one = run(first);
  pairs_->begin(tr("Running %1 %2").arg(name, how), lab_.source(), {one, run(second)});
}

// The store that is chosen, as for a live run; else a private one, as the word alone would ask for.
void LabPerspective::runBothWorlds() {
  if (!lab_.hasScenario()) return;
  text_->flush();
  std::string store = lab_.values().store;
  if (!lab_.values().live()) {
    store = privateStoreFor(lab_.scenario());
    if (store.empty()) {
      Problem p;
      p.title = tr("%1 was not run in both worlds").arg(fromText(lab_.scenario().name));
      p.message = tr("No store can carry its requests live: the model %1 stands for none.")
                      .arg(fromText(lab_.scenario().store.model));
      return emit lab_.problem(p);
    }
    emit lab_.told(
        tr("No store is chosen under Values: a private %1 is started for the live run").arg(fromText(store)));
  }
  const QByteArray& toml = lab_.values().toml;
  beginPair(tr("in both worlds"), {tr("virtual"), wholeRun(toml, "model")}, {tr("live"), wholeRun(toml, store)});
}

// This one and the next.
void LabPerspective::runTwoSeeds() {
  if (!lab_.hasScenario()) return;
  text_->flush();
  const std::uint64_t seed = lab_.scenario().seed, next = seed >= 999'999'999 ? 1 : seed + 1;
  const QByteArray& toml = lab_.values().toml;
  const EditedText other = set_in_text(toml.toStdString(), {"seed"}, std::to_string(next));
  if (!other) return emit lab_.told(tr("Not run with two seeds: %1").arg(fromText(other.error())));
  beginPair(tr("with two seeds"), {tr("seed %1").arg(seed), wholeRun(toml, "model")},
            {tr("seed %1").arg(next), wholeRun(QByteArray::fromStdString(*other), "model")});
}

// Those that the file has, and those that are edited.
void LabPerspective::runTwoSettings() {
  if (!lab_.hasScenario()) return;
  text_->flush();
  const LabValues saved{QByteArray::fromStdString(lab_.source().toml), "model"};
  if (saved.toml == lab_.values().toml)
    return emit lab_.told(tr("Change a value first: the run as it was is compared with the run as it is edited"));
  if (const auto read = readScenario(lab_.source(), saved); !read)
    return emit lab_.told(tr("Not run with two settings: %1").arg(fromText(read.error().message)));
  beginPair(tr("with two settings"), {tr("as it was"), wholeRun(saved.toml, "model")},
            {tr("as edited"), wholeRun(lab_.values().toml, "model")});
}

void LabPerspective::runForkAndOrigin() {
  const std::vector<Course>& courses = lab_.courses();
  if (!lab_.hasScenario() || courses.size() < 2) return emit lab_.told(tr("The run on the screen is no fork"));
  if (courses.size() > 2)
    return emit lab_.told(tr("A recording tells of one fork, and this run was forked more than once"));
  beginPair(tr("as forked and as it was"), {tr("origin"), {courses.front()}}, {tr("fork"), courses});
}

}  // namespace leasescope
