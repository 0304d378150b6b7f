#include "ui/panels/empty_page.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

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

EmptyPage::EmptyPage(const QString& title, const QString& text, QWidget* parent) : Pane(Ground::kChart, parent) {
  auto* column = new QVBoxLayout(this);
  column->setSpacing(4);
  column->addStretch();
  column->addWidget(new Picture, 0, Qt::AlignHCenter);
  column->addSpacing(10);
  column->addWidget(label(title, 15, 600), 0, Qt::AlignHCenter);
  QLabel* more = label(text, 12, 400, Ink::kMuted);
  more->setAlignment(Qt::AlignCenter);
  column->addWidget(more, 0, Qt::AlignHCenter);
  column->addSpacing(10);
  auto* row = new QHBoxLayout;
  row->addStretch();
  buttons_ = new QHBoxLayout;
  buttons_->setSpacing(8);
  row->addLayout(buttons_);
  row->addStretch();
  column->addLayout(row);
  column->addStretch();
}

QPushButton* EmptyPage::addButton(const QString& text) {
  auto* button = new QPushButton(text);
  button->setProperty(kPrimary, buttons_->isEmpty());
  buttons_->addWidget(button);
  return button;
}

void EmptyPage::addButton(const QString& text, QAction* action) {
  connect(addButton(text), &QPushButton::clicked, action, &QAction::trigger);
}

}  // namespace leasescope
