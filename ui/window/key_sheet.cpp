#include "ui/window/key_sheet.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>
#include <utility>

#include "ui/panels/parts.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr QMargins kAround{20, 16, 20, 18};
constexpr int kMostColumns = 5;
constexpr int kToWindow = 30;  // px: from its edges, at least

QGridLayout* columnIn(QHBoxLayout& row) {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(4);
  row.addLayout(grid);
  row.setAlignment(grid, Qt::AlignTop);
  return grid;
}

void addTitle(QGridLayout& grid, int at, const QString& title) {
  QLabel* made = label(title, 12, 600);
  if (at > 0) made->setContentsMargins(0, 8, 0, 0);
  grid.addWidget(made, at, 0, 1, 2);
}

}  // namespace

KeySheet::KeySheet(std::vector<KeyLine> keys, QWidget* window) : QWidget(window), keys_(std::move(keys)) {
  setObjectName(QStringLiteral("keySheet"));
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Keys"));
  const QStringList order{ActionTable::tr("Run"), ActionTable::tr("View"), ActionTable::tr("Chart"),
                          ActionTable::tr("Go"),  ActionTable::tr("Edit"), ActionTable::tr("File"),
                          ActionTable::tr("Help")};
  std::stable_sort(keys_.begin(), keys_.end(),
                   [&](const KeyLine& a, const KeyLine& b) { return order.indexOf(a.menu) < order.indexOf(b.menu); });
  area_ = new QScrollArea;
  area_->setFrameShape(QFrame::NoFrame);
  area_->setFocusPolicy(Qt::NoFocus);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->viewport()->setAutoFillBackground(false);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(1, 1, 1, 1);
  whole->addWidget(area_);
  hide();
}

// As long as each other, as far as lines are; a menu that goes on in the next column is named there again.
QWidget* KeySheet::columns(int number) const {
  auto* made = new QWidget;
  auto* row = new QHBoxLayout(made);
  row->setContentsMargins(kAround);
  row->setSpacing(28);
  const int menus = static_cast<int>(std::count_if(keys_.begin(), keys_.end(), [before = QString()](auto& key) mutable {
    return std::exchange(before, key.menu) != key.menu;
  }));
  const int lines = static_cast<int>(keys_.size()) + menus + number - 1, longest = (lines + number - 1) / number;
  QGridLayout* grid = columnIn(*row);
  QString menu;
  int at = 0;
  for (const KeyLine& key : keys_) {
    if (const bool begins = key.menu != menu; at + (begins ? 1 : 0) >= longest) {
      grid = columnIn(*row);
      at = 0;
    }
    if (at == 0 || key.menu != menu) addTitle(*grid, at++, key.menu);
    menu = key.menu;
    grid->addWidget(new KeyCap(key.keys), at, 0, Qt::AlignRight);
    grid->addWidget(label(key.text, 12), at++, 1);
  }
  return made;
}

void KeySheet::appear() {
  const QWidget* window = parentWidget();
  const QSize room = window->size() - QSize(2 * kToWindow, 2 * kToWindow);
  QWidget* shown = nullptr;
  for (int number = kMostColumns; number >= 1; --number) {
    delete std::exchange(shown, columns(number));
    if (shown->sizeHint().width() + area_->verticalScrollBar()->sizeHint().width() <= room.width()) break;
  }
  area_->setWidget(shown);
  shown->setAutoFillBackground(false);  // the sheet's own ground is behind it
  QSize size = shown->sizeHint();
  if (size.height() + 2 > room.height()) size.rwidth() += area_->verticalScrollBar()->sizeHint().width();
  resize((size + QSize(2, 2)).boundedTo(room));
  move((window->width() - width()) / 2, (window->height() - height()) / 2);
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

bool KeySheet::scroll(int key) {
  QScrollBar& bar = *area_->verticalScrollBar();
  using Action = QAbstractSlider::SliderAction;
  const std::pair<int, Action> moves[]{{Qt::Key_Up, Action::SliderSingleStepSub},
                                       {Qt::Key_Down, Action::SliderSingleStepAdd},
                                       {Qt::Key_PageUp, Action::SliderPageStepSub},
                                       {Qt::Key_PageDown, Action::SliderPageStepAdd}};
  for (const auto& [pressed, action] : moves)
    if (pressed == key) return bar.triggerAction(action), true;
  return false;
}

void KeySheet::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return hide();
  if (!scroll(event->key())) QWidget::keyPressEvent(event);
}

void KeySheet::mousePressEvent(QMouseEvent*) { hide(); }

}  // namespace leasescope
