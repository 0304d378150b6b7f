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
constexpr int kBetween = 28, kToText = 8;  // px: of columns, and of a key to what it does
constexpr int kToWindow = 30;              // px: from its edges, at least

QGridLayout* columnIn(QHBoxLayout& row) {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(kToText);
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
KeySheet::Columns KeySheet::spread(int number) const {
  int menus = 0;
  for (std::size_t i = 0; i < keys_.size(); ++i) menus += i == 0 || keys_[i].menu != keys_[i - 1].menu ? 1 : 0;
  const int lines = static_cast<int>(keys_.size()) + menus + number - 1, longest = (lines + number - 1) / number;
  Columns out{{}};
  int at = 0;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const bool begins = i > 0 && keys_[i].menu != keys_[i - 1].menu;
    if (at + (begins ? 1 : 0) >= longest) {
      out.emplace_back();
      at = 0;
    }
    at += at == 0 || begins ? 2 : 1;
    out.back().push_back(i);
  }
  return out;
}

// As many as have room, one at least.
KeySheet::Columns KeySheet::fitting(const std::vector<Line>& lines, int room) const {
  for (int number = kMostColumns; number > 1; --number) {
    Columns out = spread(number);
    int wide = kAround.left() + kAround.right() + kBetween * static_cast<int>(out.size() - 1);
    for (const std::vector<std::size_t>& column : out) {
      int cap = 0, text = 0;
      for (const std::size_t i : column) {
        cap = std::max(cap, lines[i].cap->sizeHint().width());
        text = std::max(text, lines[i].text->sizeHint().width());
      }
      wide += cap + kToText + text;
    }
    if (wide <= room) return out;
  }
  return spread(1);
}

QWidget* KeySheet::inColumns(int room) const {
  auto* made = new QWidget;
  auto* row = new QHBoxLayout(made);
  row->setContentsMargins(kAround);
  row->setSpacing(kBetween);
  std::vector<Line> lines;
  for (const KeyLine& key : keys_) lines.push_back({new KeyCap(key.keys, made), label(key.text, 12)});
  for (const std::vector<std::size_t>& column : fitting(lines, room)) {
    QGridLayout* grid = columnIn(*row);
    QString menu;
    int at = 0;
    for (const std::size_t i : column) {
      if (keys_[i].menu != menu) addTitle(*grid, at++, menu = keys_[i].menu);
      grid->addWidget(lines[i].cap, at, 0, Qt::AlignRight);
      grid->addWidget(lines[i].text, at++, 1);
    }
  }
  return made;
}

void KeySheet::appear() {
  const QWidget* window = parentWidget();
  const QSize room = window->size() - QSize(2 * kToWindow, 2 * kToWindow);
  const int bar = area_->verticalScrollBar()->sizeHint().width();
  QWidget* shown = inColumns(room.width() - bar);
  area_->setWidget(shown);
  shown->setAutoFillBackground(false);  // the sheet's own ground is behind it
  QSize size = shown->sizeHint();
  if (size.height() + 2 > room.height()) size.rwidth() += bar;
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
