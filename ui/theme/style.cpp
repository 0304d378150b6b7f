#include "ui/theme/style.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QDialog>
#include <QFrame>
#include <QLineEdit>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

#include "ui/look/fonts.h"
#include "ui/models/glyph.h"
#include "ui/theme/icons.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

// A rounded box: `width` px of outline drawn inside.
void box(QPainter* painter, const QRect& rect, const QColor& fill, const QColor& line, qreal width = 1) {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
  painter->setPen(line.isValid() ? QPen(line, width) : QPen(Qt::NoPen));
  const qreal inset = line.isValid() ? width / 2 : 0;
  const int radius = measures().radius_control;
  painter->drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius);
  painter->restore();
}

void field(QPainter* painter, const QRect& rect, const QStyleOption* option, const QWidget* widget) {
  const Colours& c = ink();
  const bool enabled = option->state & QStyle::State_Enabled;
  const bool focus = option->state & QStyle::State_HasFocus;
  const bool invalid = flagged(widget, kInvalid);
  const QColor line = invalid ? c.crit_text : focus ? c.focus : enabled ? c.line_strong : c.line;
  box(painter, rect, enabled ? c.input : c.panel, line, focus || invalid ? 2 : 1);
}

void commandButton(QPainter* painter, const QStyleOption* option, const QWidget* widget) {
  const Colours& c = ink();
  const bool enabled = option->state & QStyle::State_Enabled;
  const bool pressed = option->state & (QStyle::State_Sunken | QStyle::State_On);
  const bool hover = option->state & QStyle::State_MouseOver;
  if (flagged(widget, kPrimary) && enabled) {
    box(painter, option->rect, pressed || hover ? c.muted : c.accent, QColor());
  } else {
    const QColor fill = !enabled ? c.panel : pressed ? c.selection : hover ? c.hover : c.input;
    box(painter, option->rect, fill, enabled ? c.line_strong : c.line);
  }
  if (option->state & QStyle::State_HasFocus && option->state & QStyle::State_KeyboardFocusChange) {
    const bool primary = flagged(widget, kPrimary);
    box(painter, option->rect.adjusted(2, 2, -2, -2), QColor(), primary ? c.on_accent : c.focus, 1);
    if (!primary) box(painter, option->rect, QColor(), c.focus, 2);
  }
}

void checkBox(QPainter* painter, const QStyleOption* option, const QWidget* widget) {
  const Colours& c = ink();
  const bool on = option->state & QStyle::State_On;
  const bool enabled = option->state & QStyle::State_Enabled;
  const bool focus = option->state & QStyle::State_HasFocus;
  const bool invalid = flagged(widget, kInvalid);
  const QColor line = invalid ? c.crit_text : !enabled ? c.line : on || focus ? c.accent : c.line_strong;
  box(painter, option->rect, on ? (enabled ? c.accent : c.faint) : c.input, line, invalid || (focus && !on) ? 2 : 1);
  if (on) paintIcon(*painter, option->rect.adjusted(1, 1, -1, -1), Icon::kCheck, c.on_accent);
}

void radioButton(QPainter* painter, const QStyleOption* option) {
  const Colours& c = ink();
  const bool on = option->state & QStyle::State_On;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setBrush(c.input);
  painter->setPen(option->state & QStyle::State_Enabled ? c.line_strong : c.line);
  const QRectF ring = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
  painter->drawEllipse(ring);
  painter->setBrush(option->state & QStyle::State_Enabled ? c.accent : c.faint);
  painter->setPen(Qt::NoPen);
  if (on) painter->drawEllipse(ring.adjusted(3, 3, -3, -3));
  painter->restore();
}

bool inDialog(const QWidget* widget) { return widget && qobject_cast<const QDialog*>(widget->window()); }

void tabShape(QPainter* painter, const QStyleOptionTab* tab) {
  const Colours& c = ink();
  const QRect r = tab->rect;
  if (tab->state & QStyle::State_MouseOver && !(tab->state & QStyle::State_Selected)) painter->fillRect(r, c.hover);
  if (tab->state & QStyle::State_Selected) painter->fillRect(QRect(r.left(), r.bottom() - 1, r.width(), 2), c.accent);
}

void tabLabel(QPainter* painter, const QStyleOptionTab* tab, const QWidget* bar) {
  const Colours& c = ink();
  const bool selected = tab->state & QStyle::State_Selected;
  painter->save();
  const int size = flagged(bar, kTall) ? bar->font().pixelSize() : measures().font_body;
  painter->setFont(font(Face::kText, size, selected ? 600 : 400));
  painter->setPen(selected ? c.text : c.muted);
  painter->drawText(tab->rect.adjusted(0, 0, 0, -1), Qt::AlignCenter | Qt::TextShowMnemonic, tab->text);
  if (tab->state & QStyle::State_HasFocus && selected) {
    painter->setPen(QPen(c.focus, 1));
    painter->drawRect(tab->rect.adjusted(3, 3, -4, -5));
  }
  painter->restore();
}

void headerLabel(QPainter* painter, const QStyleOptionHeader* header, const QWidget* widget) {
  const Colours& c = ink();
  painter->save();
  painter->setFont(font(Face::kText, measures().font_small, 500));
  painter->setPen(c.muted);
  const auto* view = qobject_cast<const QAbstractItemView*>(widget);
  const bool right =
      view && view->model() && view->model()->headerData(header->section, Qt::Horizontal, kNumericRole).toBool();
  const QRect room = header->rect.adjusted(8, 0, -8, 0);
  const QString text = painter->fontMetrics().elidedText(header->text, Qt::ElideRight, room.width());
  painter->drawText(room, static_cast<int>((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter), text);
  if (header->sortIndicator != QStyleOptionHeader::None) {
    const bool up = header->sortIndicator == QStyleOptionHeader::SortDown;
    const int used = painter->fontMetrics().horizontalAdvance(text);
    const QPoint at(right ? room.right() - used - 10 : room.left() + used + 4, header->rect.center().y() - 1);
    const QPoint tip = up ? QPoint(3, 4) : QPoint(3, -2), base(0, 1);
    painter->setBrush(c.muted);
    painter->drawPolygon(QPolygon({at + base, at + QPoint(6, 1), at + tip}));
  }
  painter->restore();
}

void scrollBar(QPainter* painter, const QStyleOptionSlider* bar, const QRect& handle) {
  const Colours& c = ink();
  painter->fillRect(bar->rect, c.panel);
  if (bar->minimum == bar->maximum) return;
  const bool active = bar->state & (QStyle::State_MouseOver | QStyle::State_Sunken);
  painter->fillRect(handle.adjusted(3, 1, -3, -1).united(handle.adjusted(1, 3, -1, -3)).adjusted(1, 1, -1, -1),
                    active ? c.muted : c.line_strong);
}

void menuBarItem(QPainter* painter, const QStyleOptionMenuItem* item) {
  const Colours& c = ink();
  painter->fillRect(item->rect, c.window);
  if (item->state & QStyle::State_Selected && item->state & QStyle::State_Enabled)
    box(painter, item->rect.adjusted(0, 3, 0, -3), item->state & QStyle::State_Sunken ? c.selection : c.hover,
        QColor());
  painter->setPen(c.text);
  painter->drawText(item->rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextHideMnemonic, item->text);
}

}  // namespace

bool flagged(const QWidget* widget, const char* property) { return widget && widget->property(property).toBool(); }

void setInvalid(QWidget* widget, bool invalid) {
  widget->setProperty(kInvalid, invalid);
  widget->update();
}

Style::Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
  const Colours& c = ink();
  switch (element) {
    case PE_PanelLineEdit:
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame && frame->lineWidth > 0)
        field(painter, option->rect, option, widget);
      return;
    case PE_FrameLineEdit:
      return;
    case PE_PanelButtonCommand:
      commandButton(painter, option, widget);
      return;
    case PE_FrameDefaultButton:
    case PE_FrameStatusBarItem:
    case PE_IndicatorTabClose:
    case PE_FrameButtonTool:
      return;
    case PE_PanelButtonTool: {
      const bool on = option->state & (State_Sunken | State_On);
      const bool hover = option->state & State_MouseOver && option->state & State_Enabled;
      if (on || hover) box(painter, option->rect, on ? c.selection : c.hover, QColor());
      if (option->state & State_HasFocus) box(painter, option->rect, QColor(), c.focus, 2);
      return;
    }
    case PE_FrameFocusRect:
      return;  // every control shows its own
    case PE_IndicatorCheckBox:
      checkBox(painter, option, widget);
      return;
    case PE_IndicatorRadioButton:
      radioButton(painter, option);
      return;
    case PE_FrameTabBarBase:
    case PE_FrameTabWidget:
      painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), c.line);
      return;
    case PE_IndicatorDockWidgetResizeHandle:
      painter->fillRect(option->rect, c.line);
      return;
    case PE_FrameMenu:
      painter->setPen(c.line_strong);
      painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
      return;
    case PE_PanelMenu:
      painter->fillRect(option->rect, c.panel);
      return;
    case PE_PanelTipLabel:
      painter->fillRect(option->rect, c.input);
      painter->setPen(c.text);
      painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
      return;
    case PE_PanelStatusBar:
      painter->fillRect(option->rect, c.window);
      painter->fillRect(QRect(option->rect.left(), option->rect.top(), option->rect.width(), 1), c.line);
      return;
    case PE_PanelToolBar:
      painter->fillRect(option->rect, c.window);
      return;
    case PE_Frame:
      // Panels have no frame; what lies over the window or in a dialog has one.
      if (qobject_cast<const QAbstractScrollArea*>(widget) && !inDialog(widget)) return;
      painter->setPen(c.line_strong);
      painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
      return;
    default:
      break;
  }
  QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
  const Colours& c = ink();
  switch (element) {
    case CE_PushButtonLabel:
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
          button && flagged(widget, kPrimary)) {
        QStyleOptionButton copy(*button);
        copy.palette.setColor(QPalette::ButtonText, c.on_accent);
        if (!(copy.state & State_Enabled)) copy.palette.setColor(QPalette::Disabled, QPalette::ButtonText, c.faint);
        QProxyStyle::drawControl(element, &copy, painter, widget);
        return;
      }
      break;
    case CE_TabBarTabShape:
      if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) return tabShape(painter, tab);
      break;
    case CE_TabBarTabLabel:
      if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) return tabLabel(painter, tab, widget);
      break;
    case CE_Header:
      // The arrow stands beside the label and takes no room of its own.
      if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
        drawControl(CE_HeaderSection, option, painter, widget);
        return headerLabel(painter, header, widget);
      }
      break;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
      painter->fillRect(option->rect, c.panel);
      painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), c.line);
      return;
    case CE_Splitter:
      painter->fillRect(option->rect, c.line);
      return;
    case CE_MenuBarItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) return menuBarItem(painter, item);
      break;
    case CE_MenuBarEmptyArea:
      painter->fillRect(option->rect, c.window);
      return;
    case CE_ToolBar:
      painter->fillRect(option->rect, c.window);
      painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), c.line);
      return;
    default:
      break;
  }
  QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
  const Colours& c = ink();
  if (control == CC_ScrollBar) {
    if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option))
      return scrollBar(painter, bar, subControlRect(CC_ScrollBar, bar, SC_ScrollBarSlider, widget));
  }
  if (control == CC_ComboBox) {
    field(painter, option->rect, option, widget);
    const QRect arrow = subControlRect(control, option, SC_ComboBoxArrow, widget);
    const bool enabled = option->state & State_Enabled;
    paintIcon(*painter, QRect(arrow.center() - QPoint(6, 5), QSize(12, 12)), Icon::kChevronDown,
              enabled ? c.text : c.faint);
    return;
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl sub,
                            const QWidget* widget) const {
  if (control == CC_ComboBox) {
    const QRect r = option->rect;
    if (sub == SC_ComboBoxArrow) return QRect(r.right() - 20, r.top(), 20, r.height());
    if (sub == SC_ComboBoxEditField) return r.adjusted(6, 2, -22, -2);
  }
  return QProxyStyle::subControlRect(control, option, sub, widget);
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                              const QWidget* widget) const {
  const Measures& m = measures();
  QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
  switch (type) {
    case CT_PushButton:
      return {std::max(26, size.width() + 18), m.button};
    case CT_ComboBox:
      return {size.width() + 32, m.field};
    case CT_LineEdit:
      return {result.width(), m.field};
    case CT_ToolButton:
      return {std::max(26, size.width() + 10), m.button};
    case CT_MenuItem: {
      const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
      const bool line = item && item->menuItemType == QStyleOptionMenuItem::Separator;
      return line ? result : QSize(result.width() + 8, std::max(result.height(), 24));
    }
    case CT_ItemViewItem:
      return {result.width(), std::max(result.height(), 24)};
    case CT_MenuBarItem:
      return {size.width() + 16, m.menu_bar};
    case CT_HeaderSection:
      return {result.width(), m.table_header};
    case CT_TabBarTab:
      return {size.width(), flagged(widget, kTall) ? widget->height() : m.tab};
    default:
      return result;
  }
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_DefaultFrameWidth:
      if (qobject_cast<const QAbstractScrollArea*>(widget) && !inDialog(widget)) return 0;
      return 1;
    case PM_MenuPanelWidth:
      return 1;
    case PM_MenuVMargin:
      return 3;
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
      return 14;
    case PM_DockWidgetSeparatorExtent:
    case PM_SplitterWidth:
      return 1;
    case PM_MenuHMargin:
    case PM_DockWidgetFrameWidth:
    case PM_ToolBarFrameWidth:
    case PM_ToolBarItemMargin:
      return 0;
    case PM_ToolBarItemSpacing:
      return 4;
    case PM_ScrollBarExtent:
      return 12;
    case PM_ScrollBarSliderMin:
      return 24;
    case PM_MenuBarPanelWidth:
    case PM_MenuBarVMargin:
      return 0;
    case PM_MenuBarHMargin:
      return 8;
    case PM_MenuBarItemSpacing:
      return 0;
    case PM_TabBarTabHSpace:
      return 20;
    case PM_TabBarTabVSpace:
    case PM_TabBarTabOverlap:
    case PM_TabBarBaseOverlap:
    case PM_TabBarBaseHeight:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
      return 0;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
      return 14;
    case PM_CheckBoxLabelSpacing:
      return 8;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
      return 0;
    case PM_SmallIconSize:
    case PM_ToolBarIconSize:
    case PM_ButtonIconSize:
      return 16;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* data) const {
  switch (hint) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ScrollBar_Transient:
    case SH_MenuBar_AltKeyNavigation:
    case SH_DialogButtonBox_ButtonsHaveIcons:
      return 0;
    case SH_ItemView_ShowDecorationSelected:
      return 1;
    case SH_ComboBox_Popup:
      return 0;
    case SH_ComboBox_PopupFrameStyle:
      return static_cast<int>(QFrame::Box) | static_cast<int>(QFrame::Plain);
    case SH_UnderlineShortcut:
      return 0;
    case SH_ToolTip_WakeUpDelay:
      return 300;
    default:
      return QProxyStyle::styleHint(hint, option, widget, data);
  }
}

void Style::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  if (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget)) widget->setAttribute(Qt::WA_Hover);
}

}  // namespace leasescope
