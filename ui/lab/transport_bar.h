// The tool bar's content: run, step, stop, speed, how far the run is, seed, store.
#pragma once
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>

#include "ui/lab/lab_controller.h"
#include "ui/lab/parts.h"

class QAction;

namespace leasescope {

// How far the run is, with the incidents met so far. It shows and does not pretend to seek.
class Progress : public QWidget {
  Q_OBJECT
 public:
  explicit Progress(LabController& lab, QWidget* parent = nullptr);
  QSize sizeHint() const override { return {470, 28}; }
  QSize minimumSizeHint() const override { return {90, 28}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  LabController& lab_;
};

class TransportBar : public QWidget {
  Q_OBJECT
 public:
  struct Actions {
    QAction *restart, *run, *step, *toEnd, *stop, *seed;
  };
  TransportBar(LabController& lab, const Actions& actions, QWidget* parent = nullptr);
  void setCompact(bool compact);

 private:
  void load();
  void loadSeed();
  void loadTime();
  void commitStore();

  LabController& lab_;
  QAction* runAction_;
  QPushButton* run_;
  QComboBox *speed_, *store_;
  Progress* progress_;
  QLabel *time_, *length_;
  QLineEdit* seed_;
  std::vector<QWidget*> wideOnly_;
};

}  // namespace leasescope
