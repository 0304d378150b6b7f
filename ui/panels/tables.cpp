#include "ui/panels/tables.h"

#include <cmath>
#include <utility>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QToolTip>

#include "ui/look/fonts.h"
#include "ui/models/glyph.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

void paintGround(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
  const Colours& c = ink();
  const bool selected = option.state & QStyle::State_Selected;
  const auto* table = qobject_cast<const Table*>(option.widget);
  const bool hover = table != nullptr && table->hoveredRow() == index.row();
  painter->fillRect(option.rect, selected ? c.selection : hover ? c.hover : c.panel);
  painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), c.line);
}

void paintWho(QPainter* painter, const QRect& rect, const QVariantList& who) {
  int x = rect.left() + 8;
  const int y = rect.top() + (rect.height() - 1 - kBadge) / 2;
  for (const QVariant& place : who) {
    if (x + badgeWidth(place.toInt()) > rect.right()) return;
    paintBadge(*painter, {x, y}, place.toInt(), Look::instance().theme());
    x += badgeWidth(place.toInt()) + 3;
  }
}

// The font and the room of a cell's text.
QFont fontOf(const QStyleOptionViewItem& option, const QModelIndex& index) {
  const bool fixed = index.data(kNumericRole).toBool() || index.data(kFixedRole).toBool();
  const bool name = option.state & QStyle::State_Selected && index.column() == 1;
  return leasescope::font(fixed ? Face::kMono : Face::kText, fixed ? measures().font_small : measures().font_body,
                          name ? 600 : 400);
}

QRect roomOf(const QStyleOptionViewItem& option, const QModelIndex& index) {
  return option.rect.adjusted(8 + index.data(kIndentRole).toInt(), 0, -8, -1);
}

// The row that has the focus, in one frame from its first cell to its last.
void paintFocus(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
  const auto* view = qobject_cast<const QTableView*>(option.widget);
  if (!view || !view->hasFocus() || view->currentIndex().row() != index.row()) return;
  const QRect r = option.rect.adjusted(0, 0, 0, -1);
  const QColor colour = ink().focus;
  painter->fillRect(r.left(), r.top(), r.width(), 2, colour);
  painter->fillRect(r.left(), r.bottom() - 1, r.width(), 2, colour);
  if (r.left() <= 0) painter->fillRect(r.left(), r.top(), 2, r.height(), colour);
  if (r.right() >= view->viewport()->width() - 1) painter->fillRect(r.right() - 1, r.top(), 2, r.height(), colour);
}

}  // namespace

QString CellDelegate::shownText(const QStyleOptionViewItem& option, const QModelIndex& index) {
  // In the middle: what a sentence ends with says most.
  return QFontMetrics(fontOf(option, index))
      .elidedText(index.data().toString(), Qt::ElideMiddle, roomOf(option, index).width());
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const qreal text = QFontMetricsF(fontOf(option, index)).horizontalAdvance(index.data().toString());
  return {static_cast<int>(std::ceil(text)) + option.rect.width() - roomOf(option, index).width(),
          measures().table_row};
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  painter->save();
  paintGround(painter, option, index);
  const QVariant glyph = index.data(kGlyphRole), who = index.data(kWhoRole);
  if (glyph.isValid()) {
    paintGlyph(*painter, option.rect.adjusted(8, 0, 0, -1), static_cast<Glyph>(glyph.toInt()),
               Look::instance().theme());
  } else if (who.isValid()) {
    paintWho(painter, option.rect, who.toList());
  } else {
    const bool selected = option.state & QStyle::State_Selected;
    painter->setFont(fontOf(option, index));
    painter->setPen(index.data(kMutedRole).toBool() && !selected ? ink().muted : ink().text);
    const auto side = index.data(kNumericRole).toBool() ? Qt::AlignRight : Qt::AlignLeft;
    painter->drawText(roomOf(option, index), static_cast<int>(side | Qt::AlignVCenter), shownText(option, index));
  }
  paintFocus(painter, option, index);
  painter->restore();
}

bool CellDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                             const QModelIndex& index) {
  if (!index.isValid()) return false;
  const QString whole = index.data().toString();
  const bool cut = !whole.isEmpty() && shownText(option, index) != whole;
  QToolTip::showText(event->globalPos(), cut ? whole : QString(), view);
  return true;
}

Table::Table(QWidget* parent) : QTableView(parent) {
  setItemDelegate(new CellDelegate(this));
  setShowGrid(false);
  setFrameShape(QFrame::NoFrame);
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setWordWrap(false);
  setMouseTracking(true);
  setTabKeyNavigation(false);
  setCornerButtonEnabled(false);
  setHorizontalScrollMode(ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setMinimumSectionSize(10);
  verticalHeader()->setDefaultSectionSize(measures().table_row);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setTextElideMode(Qt::ElideNone);  // the style does it, and knows the arrow's place
  horizontalHeader()->setMinimumSectionSize(20);
  horizontalHeader()->setFixedHeight(measures().table_header);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  viewport()->setBackgroundRole(QPalette::Button);
}

void Table::setWidths(const std::vector<int>& widths) {
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const int column = static_cast<int>(i);
    setColumnHidden(column, widths[i] == 0);
    const bool rest = widths[i] < 0;
    horizontalHeader()->setSectionResizeMode(column, rest ? QHeaderView::Stretch : QHeaderView::Interactive);
    if (!rest) setColumnWidth(column, widths[i]);
  }
}

// Columns that have a title; a mark says nothing that its row does not say in words.
QStringList Table::cells(int row) const {
  QStringList out;
  for (int column = 0; column < model()->columnCount(); ++column) {
    const QString title = model()->headerData(column, Qt::Horizontal).toString();
    if (title.isEmpty()) continue;
    if (row < 0) {
      out << title;
      continue;
    }
    const QModelIndex index = model()->index(row, column);
    const QString text = index.data().toString();
    out << (text.isEmpty() ? index.data(Qt::AccessibleTextRole).toString() : text);
  }
  return out;
}

QString Table::rowText(int row) const { return cells(row).join(u'\t'); }

QString Table::rowCsv(int row) const {
  QStringList out = cells(row);
  for (QString& cell : out)
    if (cell.contains(u',') || cell.contains(u'"') || cell.contains(u'\n'))
      cell = u'"' + cell.replace(u'"', QLatin1String("\"\"")) + u'"';
  return out.join(u',');
}

QString Table::csv() const {
  QStringList lines{rowCsv(-1)};
  const int rows = std::min(model()->rowCount(), kMostCopied);
  for (int row = 0; row < rows; ++row) lines << rowCsv(row);
  return lines.join(u'\n') + u'\n';
}

void Table::copyRow() const {
  if (!currentIndex().isValid()) return;
  auto* copied = new QMimeData;
  copied->setText(rowText(currentIndex().row()));
  copied->setData(QStringLiteral("text/csv"), (rowCsv(-1) + u'\n' + rowCsv(currentIndex().row()) + u'\n').toUtf8());
  QGuiApplication::clipboard()->setMimeData(copied);
}

void Table::copyRowAsCsv() const {
  if (currentIndex().isValid())
    QGuiApplication::clipboard()->setText(rowCsv(-1) + u'\n' + rowCsv(currentIndex().row()) + u'\n');
}

void Table::copyAllAsCsv() const { QGuiApplication::clipboard()->setText(csv()); }

void Table::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copyRow();
  QTableView::keyPressEvent(event);
}

void Table::contextMenuEvent(QContextMenuEvent* event) {
  const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
  const QModelIndex at = keyboard ? currentIndex() : indexAt(event->pos());
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("rowMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (at.isValid()) {
    setCurrentIndex(at);
    const QVariant alike = at.data(kAlikeRole);
    QString like = alike.isValid() ? alike.toString() : at.data().toString();
    if (like.isEmpty() && !alike.isValid()) like = at.data(Qt::AccessibleTextRole).toString();
    menu->addAction(tr("Copy row"), this, &Table::copyRow)->setShortcut(QKeySequence::Copy);
    menu->addAction(tr("Copy row as CSV"), this, &Table::copyRowAsCsv);
    if (!like.isEmpty() && !at.data(kNumericRole).toBool()) {
      menu->addSeparator();
      const QString shown = fontMetrics().elidedText(like, Qt::ElideMiddle, 240);
      menu->addAction(tr("Only rows with \"%1\"").arg(shown), this, [this, like] { emit filterWanted(like); });
    }
  }
  const int rows = model()->rowCount();
  menu->addAction(tr("Show all rows"), this, [this] { emit filterWanted({}); });
  menu->addSeparator();
  menu->addAction(
          rows > kMostCopied ? tr("Copy the first %1 rows as CSV").arg(kMostCopied) : tr("Copy all rows as CSV"), this,
          &Table::copyAllAsCsv)
      ->setEnabled(rows > 0);
  menu->popup(keyboard ? viewport()->mapToGlobal(visualRect(at).bottomLeft()) : event->globalPos());
}

void Table::setEmptyText(const QString& text) {
  empty_ = text;
  viewport()->update();
}

bool Table::viewportEvent(QEvent* event) {
  int row = hoveredRow_;
  if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverMove)
    row = indexAt(static_cast<QHoverEvent*>(event)->position().toPoint()).row();
  if (event->type() == QEvent::HoverLeave) row = -1;
  if (std::exchange(hoveredRow_, row) != row) viewport()->update();
  return QTableView::viewportEvent(event);
}

void Table::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (empty_.isEmpty() || (model() && model()->rowCount() > 0)) return;
  QPainter painter(viewport());
  painter.setPen(ink().muted);
  painter.drawText(viewport()->rect().adjusted(12, 12, -12, -12), Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                   empty_);
}

}  // namespace leasescope
