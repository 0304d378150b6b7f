// The Lab, continued: the playhead, steps back and forth, forks, and the way back from them.
#include <QUndoCommand>

#include "simulator/scenario/differences.h"
#include "ui/lab/lab_controller.h"
#include "ui/models/words.h"

namespace leasescope {

// Undo makes the run before again, as far as it had come; it is the same to the bit.
class ForkCommand : public QUndoCommand {
 public:
  ForkCommand(LabController& lab, Shown before, Shown after, bool goOn, const QString& text)
      : QUndoCommand(text), lab_(lab), before_(std::move(before)), after_(std::move(after)), goOn_(goOn) {}
  void undo() override {
    after_ = lab_.shown();
    lab_.show(before_, false);
  }
  void redo() override {
    if (done_) before_ = lab_.shown();
    lab_.show(after_, !done_ && goOn_);
    done_ = true;
  }

 private:
  LabController& lab_;
  Shown before_, after_;
  bool goOn_, done_ = false;
};

QStringList changesOf(const LabSource& source, const std::vector<Course>& courses) {
  if (courses.size() < 2) return {};
  const LabValues &was = courses[courses.size() - 2].values, &is = courses.back().values;
  if (was.toml == is.toml) return {};
  const auto before = readScenario(source, was), after = readScenario(source, is);
  if (!before || !after) return {};  // cannot be: they have been run
  QStringList out;
  for (const Difference& difference : differences(*before, *after)) {
    const QStringList path = fromText(difference.path).split(u'.');
    if (path.front() == QLatin1String("fault") && path.back() == QLatin1String("enabled"))
      out << (difference.value == "false" ? LabController::tr("fault %1 off") : LabController::tr("fault %1 on"))
                 .arg(path[1].toInt() + 1);
    else if (path.size() == 1 && difference.value.rfind('[', 0) == 0)
      out << LabController::tr("another list of %1s").arg(path.front());
    else if (path.front() == QLatin1String("expect"))
      out << LabController::tr("other expectations");
    else
      out << QStringLiteral("%1 = %2").arg(path.join(u'.'), shownText(difference.value).remove(u'"'));
  }
  return out;
}

QString LabController::whyNoTravel() const {
  if (!driver_) return tr("no scenario is open");
  if (live()) return tr("a live run cannot be gone back in: its servers and its time went on");
  return {};
}

QString LabController::whyNoFork() const {
  if (QString why = whyNoTravel(); !why.isEmpty()) return why;
  if (values().live()) return tr("a fork runs in virtual time: choose the store model");
  if (state_ == RunState::kReady || state_ == RunState::kPreparing) return tr("the run has not begun");
  if (playhead() >= TrueTime{} + scenario().length()) return tr("the playhead is at the end");
  return {};
}

QString LabController::whyNoStepBack() const {
  if (QString why = whyNoTravel(); !why.isEmpty()) return why;
  if (state_ == RunState::kReady) return tr("the run has not begun");
  return playhead() > TrueTime{} ? QString() : tr("the playhead is at the beginning");
}

QString LabController::whyNoStepForward() const {
  if (QString why = whyNoTravel(); !why.isEmpty()) return why;
  const bool newest = playhead() >= now();
  return state_ == RunState::kFinished && newest ? tr("the playhead is at the end") : QString();
}

void LabController::seek(TrueTime at) {
  if (!driver_ || live()) return;
  if (state_ == RunState::kRunning && at >= now()) return;  // it is the newest by itself
  if (played_ && at == *played_) return;                    // the chart follows what is played
  endPlaying();
  const TrueTime before = playhead();
  driver_->seek(at);
  if (playhead() == before) return;
  emit playheadMoved(playhead());
  settle_.start();  // what takes time is told only where the playhead rests: a drag passes hundreds of moments
}

void LabController::holdStill() {
  if (state_ == RunState::kRunning) runOrPause();
}

std::vector<TrueTime> LabController::forks() const {
  std::vector<TrueTime> out;
  for (std::size_t i = 1; i < courses_.size(); ++i) out.push_back(courses_[i].from);
  return out;
}

void LabController::stepBack(int inputs) {
  if (!whyNoStepBack().isEmpty()) return;
  endPlaying();
  if (state_ == RunState::kRunning) runOrPause();
  for (int i = 0; i < inputs && driver_->stepBack(); ++i) {
  }
  emit playheadMoved(playhead());
  emit settled();
}

void LabController::step() { stepForward(1); }

void LabController::stepForward(int inputs) {
  if (!whyNoStepForward().isEmpty()) return;
  endPlaying();
  if (waitsAtFork() && stale() && playhead() >= now()) return forkHere();
  for (int i = 0; i < inputs; ++i) driver_->step();
  if (state_ != RunState::kFinished) setState(RunState::kPaused);
  emit playheadMoved(playhead());
  emit settled();
}

// ---- forks

bool LabController::waitsAtFork() const {
  return state_ == RunState::kPaused && courses_.size() > 1 && now() + Duration(1) == courses_.back().from;
}

Shown LabController::shown() const { return {courses_, values(), now(), playhead(), driver_ && driver_->finished()}; }

void LabController::forkHere() {
  if (!whyNoFork().isEmpty()) return;
  endPlaying();
  if (state_ == RunState::kRunning) runOrPause();
  const TrueTime kept = playhead(), at = kept + Duration(1);
  const QString place = QStringLiteral("%1 s").arg(secondsText(kept));
  if (const auto may = driver_->mayFork(at, scenario()); !may) {
    Problem p;
    p.title = tr("The run cannot be forked at %1").arg(place);
    p.message = may.error();
    p.remains = tr("The run on the screen is as it was. Run again takes every value from the beginning.");
    emit problem(p);
    return;
  }
  emit problem({});
  const Shown before = shown();
  Shown after{before.courses, values(), kept, kept, false};
  while (after.courses.size() > 1 && after.courses.back().from >= at) after.courses.pop_back();
  const bool changed = !(after.courses.back().values == values());
  after.courses.push_back({at, values()});
  document_.undo().push(new ForkCommand(*this, before, after, changed, tr("fork at %1").arg(place)));
}

void LabController::show(const Shown& what, bool goOn) {
  if (!courses_.empty()) remember(shown());
  showing_ = true;
  document_.take(what.values);
  showing_ = false;
  startRun(what.courses);
  remember(what);
  emit valuesChanged();
  goesOn_ = goOn;
  if (what.reached <= TrueTime{} && !what.ended) return;
  comesTo_ = what.playhead;
  driver_->hurry(what.ended ? TrueTime::max() : what.reached);
  driver_->start();
}

void LabController::onArrived() {
  settle_.stop();
  const std::optional<TrueTime> playhead = comesTo_;
  comesTo_.reset();
  if (goesOn_) {
    goesOn_ = false;
    driver_->start();
    return;
  }
  setState(RunState::kPaused);
  emit settled();
  if (playhead) seek(*playhead);
}

// The latest of each; the oldest is forgotten first.
void LabController::remember(const Shown& what) {
  constexpr std::size_t kMost = 32;
  for (Shown& known : known_)
    if (known.courses == what.courses) {
      known = what;
      return;
    }
  known_.push_back(what);
  if (known_.size() > kMost) known_.erase(known_.begin());
}

std::vector<Shown> LabController::relatives() const {
  std::vector<Shown> out;
  if (courses_.empty()) return out;
  for (const Shown& known : known_) {
    // A fork that only waited for a change is the run it came from.
    const bool same = known.forked() && known.courses.back().values == known.courses[known.courses.size() - 2].values &&
                      !(known.courses == courses_);
    if (!same && (known.forked() || known.courses.front() == courses_.front())) out.push_back(known);
  }
  return out;
}

void LabController::goTo(const Shown& other) {
  if (other.courses == courses_) return;
  const QString text = other.forked() ? tr("go to the fork at %1 s").arg(secondsText(other.courses.back().from))
                                      : tr("go to the original run");
  document_.undo().push(new ForkCommand(*this, shown(), other, false, text));
}

}  // namespace leasescope
