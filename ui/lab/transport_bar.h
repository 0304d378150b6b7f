// The tool bar's content: run, step back and forth, stop, speed, the scrubber, seed, fork, store.
#pragma once
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>

#include "ui/lab/lab_controller.h"
#include "ui/panels/parts.h"
#include "ui/panels/playhead_text.h"
#include "ui/panels/scrubber.h"

class QAction;

namespace leasescope {

class TransportBar : public QWidget {
  Q_OBJECT
 public:
  struct Actions {
    QAction *restart, *back, *run, *step, *toEnd, *stop, *seed, *fork;
  };
  TransportBar(LabController& lab, const Actions& actions, QWidget* parent = nullptr);
  void setCompact(bool compact);
  QSize minimumSizeHint() const override;
  Scrubber* scrubber() const { return scrubber_; }
  // "Original run", "Fork at 20.640 s".
  static QString nameOf(const std::vector<Course>& courses);

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();
  QToolButton* makeForkButton(QAction* fork);
  void load();
  void loadSeed();
  void commitStore();

  LabController& lab_;
  QAction* runAction_;
  QToolButton* fork_ = nullptr;
  QPushButton* run_;
  QComboBox *speed_, *store_;
  Scrubber* scrubber_;
  PlayheadText* time_;
  QLineEdit* seed_;
  std::vector<QLabel*> captions_;
  std::vector<QWidget*> dear_;  // go one after another where room is dear
  std::uint64_t keptSeed_ = 0;  // that what was refused did not replace
};

}  // namespace leasescope
