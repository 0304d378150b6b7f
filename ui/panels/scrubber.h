// The playhead over the whole run: how far it has come, the incidents met, its forks. Dragged, it seeks; a live run
// only shows how far it is.
#pragma once
#include <QColor>
#include <QWidget>

#include "ui/look/tokens.h"
#include "ui/models/session.h"

namespace leasescope {

class Scrubber : public QWidget {
  Q_OBJECT
 public:
  explicit Scrubber(Session& session, QWidget* parent = nullptr);
  QSize sizeHint() const override { return {470, 28}; }
  QSize minimumSizeHint() const override { return {90, 28}; }

  // Where a moment lies, and back; for tests too.
  int pixelOf(TrueTime at) const;
  TrueTime timeAt(int x) const;

 signals:
  void incidentWanted(int step);  // +1 next, -1 previous

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void load();
  bool travels() const { return session_.whyNoTravel().isEmpty(); }
  void drag(int x);
  void paintIncidents(QPainter& painter) const;
  struct BandStyle {
    Tile tile;
    QColor line, ground, border;
  };
  void paintBands(QPainter& painter, IncidentKind kind, const BandStyle& style) const;

  Session& session_;
  bool dragging_ = false;
};

}  // namespace leasescope
