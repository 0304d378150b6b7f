#include "ui/lab/tables.h"

#include <QHeaderView>
#include <QPainter>

#include "ui/models/glyph.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/look.h"
#include "ui/timeline/paint/fonts.h"

namespace leasescope {
namespace {

void paintGround(QPainter* painter, const QStyleOptionViewItem& option) {
  const Colours& c = ink();
  const bool selected = option.state & QStyle::State_Selected;
  const bool hover = option.state & QStyle::State_MouseOver;
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

}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  painter->save();
  paintGround(painter, option);
  const QVariant glyph = index.data(kGlyphRole), who = index.data(kWhoRole);
  if (glyph.isValid()) {
    paintGlyph(*painter, option.rect.adjusted(8, 0, 0, -1), static_cast<Glyph>(glyph.toInt()),
               Look::instance().theme());
  } else if (who.isValid()) {
    paintWho(painter, option.rect, who.toList());
  } else {
    const bool numeric = index.data(kNumericRole).toBool();
    const bool fixed = numeric || index.data(kFixedRole).toBool();
    const bool selected = option.state & QStyle::State_Selected;
    const bool name = selected && index.column() == 1;
    painter->setFont(leasescope::font(fixed ? Face::kMono : Face::kText,
                                      fixed ? measures().font_small : measures().font_body, name ? 600 : 400));
    painter->setPen(index.data(kMutedRole).toBool() && !selected ? ink().muted : ink().text);
    const QRect room = option.rect.adjusted(8, 0, -8, -1);
    const QString text = painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, room.width());
    painter->drawText(room, static_cast<int>((numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter), text);
  }
  if (option.state & QStyle::State_HasFocus) {
    painter->setPen(ink().focus);
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
  }
  painter->restore();
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

void Table::setEmptyText(const QString& text) {
  empty_ = text;
  viewport()->update();
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
