#include "ui/window/key_sheet.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>

#include "ui/panels/parts.h"
#include "ui/theme/look.h"

namespace leasescope {

KeySheet::KeySheet(const std::vector<KeyLine>& keys, QWidget* window) : QWidget(window) {
  setObjectName(QStringLiteral("keySheet"));
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Keys"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(20, 16, 20, 18);
  row->setSpacing(28);
  row->addWidget(column({ActionTable::tr("Run")}, keys), 0, Qt::AlignTop);
  row->addWidget(column({ActionTable::tr("View"), ActionTable::tr("Chart")}, keys), 0, Qt::AlignTop);
  row->addWidget(
      column({ActionTable::tr("Go"), ActionTable::tr("Edit"), ActionTable::tr("File"), ActionTable::tr("Help")}, keys),
      0, Qt::AlignTop);
  hide();
}

QWidget* KeySheet::column(const QStringList& groups, const std::vector<KeyLine>& keys) {
  auto* made = new QWidget;
  auto* grid = new QGridLayout(made);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(4);
  int at = 0;
  for (const QString& group : groups) {
    QLabel* title = label(group, 12, 600);
    if (at > 0) title->setContentsMargins(0, 8, 0, 0);
    grid->addWidget(title, at++, 0, 1, 2);
    for (const KeyLine& key : keys) {
      if (key.menu != group) continue;
      grid->addWidget(new KeyCap(key.keys), at, 0, Qt::AlignRight);
      grid->addWidget(label(key.text, 12), at++, 1);
    }
  }
  return made;
}

void KeySheet::appear() {
  adjustSize();
  const QWidget* window = parentWidget();
  move((window->width() - width()) / 2, std::max(30, (window->height() - height()) / 2));
  raise();
  show();
  setFocus();
}

void KeySheet::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), ink().panel);
  painter.setPen(ink().text);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void KeySheet::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return hide();
  QWidget::keyPressEvent(event);
}

void KeySheet::mousePressEvent(QMouseEvent*) { hide(); }

}  // namespace leasescope
