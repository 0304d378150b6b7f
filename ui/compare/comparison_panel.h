// What comes of two runs side by side: whether they are the same, what each came to, and event by event where they
// part.
#pragma once
#include "core/history/comparison.h"
#include "ui/models/comparison_model.h"
#include "ui/panels/parts.h"
#include "ui/panels/tables.h"

class QPushButton;

namespace leasescope {

class ComparisonPanel : public Pane {
  Q_OBJECT
 public:
  explicit ComparisonPanel(QWidget* parent = nullptr);

  // What stands there instead of a comparison, and whether one is offered.
  enum class Offer { kNothing, kToCompare };
  void clear(const QString& why, Offer offer = Offer::kNothing);
  // `remark`: what a reader has to know of both.
  void show(ComparedHistories comparison, ComparedEventsModel::Side a, ComparedEventsModel::Side b,
            const ComparedOutcomes& outcomes, const QString& remark);
  // What the two are called, over the figures; empty: by their letters.
  void setNames(const ComparedNames& names) { figures_->setNames(names); }
  const ComparedHistories* comparison() const { return comparison_ ? &*comparison_ : nullptr; }
  // In one sentence.
  QString verdict() const;

  void showDifferencesOnly(bool only);
  // Chooses the next difference, or the one before.
  void goToDifference(int step);
  Table* events() const { return eventTable_; }
  ComparedEventsModel* eventsModel() const { return events_; }
  Table* figures() const { return figureTable_; }
  ComparedFiguresModel* figuresModel() const { return figures_; }

 signals:
  void eventChosen(const leasescope::ComparedEvent& event);
  // Where the chosen figure is seen, in one of the two at least.
  void figureChosen(const leasescope::ComparedPlaces& at);
  void comparisonWanted();

 private:
  QString detail() const;
  void fitFigures();

  std::optional<ComparedHistories> comparison_;
  QString remark_;
  ComparedFiguresModel* figures_;
  ComparedEventsModel* events_;
  Table *figureTable_, *eventTable_;
  QLabel *verdict_, *detail_;
  QPushButton* compare_;
};

}  // namespace leasescope
