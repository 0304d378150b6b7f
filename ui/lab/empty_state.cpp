#include "ui/lab/empty_state.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>

#include "ui/theme/glyphs.h"
#include "ui/theme/look.h"
#include "ui/theme/style.h"

namespace leasescope {
namespace {

// Two bars and a cursor: a chart with nothing in it.
class Picture : public QWidget {
 public:
  Picture() { setFixedSize(120, 56); }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Colours& c = ink();
    QPainter painter(this);
    painter.setPen(c.line_strong);
    painter.drawRect(8, 6, 84, 15);
    painter.fillRect(8, 26, 64, 16, c.grid_strong);
    paintTile(painter, QRect(72, 26, 20, 16), Tile::kVeil, c.veil_line, c.veil_fill);
    painter.drawRect(72, 26, 20, 15);
    painter.setPen(c.text);
    painter.drawLine(108, 0, 108, 48);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(c.text);
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(QPolygonF({{103.5, 0}, {113.5, 0}, {108.5, 5}}));
  }
};

}  // namespace

EmptyState::EmptyState(int scenarios, QAction* openFile, QWidget* parent) : Pane(Ground::kChart, parent) {
  auto* column = new QVBoxLayout(this);
  column->setSpacing(4);
  column->addStretch();
  column->addWidget(new Picture, 0, Qt::AlignHCenter);
  column->addSpacing(10);
  column->addWidget(label(tr("No scenario is open"), 15, 600), 0, Qt::AlignHCenter);
  column->addWidget(
      label(tr("Pick one of %1 from the list, or drop a TOML file here.").arg(scenarios), 12, 400, Ink::kMuted), 0,
      Qt::AlignHCenter);
  column->addSpacing(10);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addStretch();
  auto* first = new QPushButton(tr("Open gc-pause"));
  first->setProperty(kPrimary, true);
  connect(first, &QPushButton::clicked, this, [this] { emit wanted(QStringLiteral("gc-pause")); });
  buttons->addWidget(first);
  auto* file = new QPushButton(tr("Open file…"));
  connect(file, &QPushButton::clicked, openFile, &QAction::trigger);
  buttons->addWidget(file);
  buttons->addStretch();
  column->addLayout(buttons);
  column->addStretch();
}

}  // namespace leasescope
