// The pattern in which the chart draws a kind of fault.
#pragma once
#include <QWidget>
#include <string>

class QPainter;

namespace leasescope {

void paintFault(QPainter& painter, const QRect& room, const std::string& kind);

class FaultSwatch : public QWidget {
  Q_OBJECT
 public:
  explicit FaultSwatch(std::string kind, QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::string kind_;
};

}  // namespace leasescope
