#include "ui/panels/view_strip.h"

#include <QAction>
#include <QMenu>

#include "ui/look/fonts.h"
#include "ui/look/tokens.h"
#include "ui/models/words.h"
#include "ui/panels/pane_layout.h"

namespace leasescope {

ViewStrip::ViewStrip(Session& session, const Actions& actions, QWidget* parent)
    : Pane(Ground::kHeader, parent), session_(session) {
  QHBoxLayout* row = stripRow(*this);
  list_ = new QToolButton;
  list_->setDefaultAction(actions.list);
  list_->setIcon(icon(Icon::kChevronRight));
  list_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  list_->setAutoRaise(true);
  row->addWidget(list_);
  line_ = verticalLine();
  row->addWidget(line_);
  mutex_ = new ElidedLabel;
  mutex_->setFont(leasescope::font(Face::kText, 12, 600));
  mutex_->setElideMode(Qt::ElideMiddle);
  store_ = new ElidedLabel;
  store_->setFont(leasescope::font(Face::kText, 12));
  store_->setForegroundRole(QPalette::PlaceholderText);
  store_->setElideMode(Qt::ElideMiddle);
  for (ElidedLabel* name : {mutex_, store_}) {
    name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    name->setMaximumWidth(260);
    row->addWidget(name);
  }
  row->addWidget(verticalLine());
  range_ = new ElidedLabel;
  range_->setFont(leasescope::font(Face::kMono, measures().font_small));
  range_->setForegroundRole(QPalette::PlaceholderText);
  row->addWidget(range_, 1);
  for (QAction* action : {actions.fitAll, actions.undoZoom, actions.follow}) {
    QToolButton* button = toolButton(action, this);
    button->setFixedSize(26, 22);
    row->addWidget(button);
  }
  auto* exports = new QToolButton;
  exports->setIcon(icon(Icon::kExport));
  exports->setAutoRaise(true);
  exports->setFixedSize(26, 22);
  exports->setToolTip(tr("Export the chart, or the run as a report"));
  exports->setAccessibleName(tr("Export"));
  exports->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(exports);
  menu->addActions(actions.exports);
  connect(exports, &QToolButton::clicked, menu,
          [exports, menu] { menu->popup(exports->mapToGlobal(QPoint(0, exports->height()))); });
  row->addWidget(exports);
  connect(&session, &Session::runReset, this, &ViewStrip::load);
  setCompact(false);
  load();
}

void ViewStrip::setCompact(bool compact) {
  list_->setVisible(compact);
  line_->setVisible(compact);
  layout()->setContentsMargins(compact ? 6 : 12, 0, 8, 1);
}

void ViewStrip::load() {
  setVisible(session_.runScenario() != nullptr);
  if (session_.runScenario() == nullptr) return;
  mutex_->setFullText(session_.whatText());
  store_->setFullText(session_.whereText());
}

void ViewStrip::setRange(const QString& range, Duration pixel) {
  range_->setFullText(pixel > Duration{} ? QStringLiteral("%1 · %2/px").arg(range, spanText(pixel)) : range);
}

}  // namespace leasescope
