#include "ui/lab/view_strip.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>

#include "ui/models/words.h"
#include "ui/theme/tokens.h"
#include "ui/timeline/paint/fonts.h"

namespace leasescope {

ViewStrip::ViewStrip(LabController& lab, const Actions& actions, QWidget* parent)
    : Pane(Ground::kHeader, parent), lab_(lab) {
  setEdges(Qt::BottomEdge);
  setFixedHeight(measures().view_strip);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 0, 8, 1);
  row->setSpacing(6);
  scenarios_ = new QToolButton;
  scenarios_->setDefaultAction(actions.scenarios);
  scenarios_->setIcon(icon(Icon::kChevronRight));
  scenarios_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  scenarios_->setAutoRaise(true);
  row->addWidget(scenarios_);
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
  exports->setToolTip(tr("Export the chart as PNG or SVG"));
  exports->setAccessibleName(tr("Export the chart"));
  exports->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(exports);
  menu->addActions({actions.exportPng, actions.exportSvg});
  connect(exports, &QToolButton::clicked, menu,
          [exports, menu] { menu->popup(exports->mapToGlobal(QPoint(0, exports->height()))); });
  row->addWidget(exports);
  connect(&lab, &LabController::runReset, this, &ViewStrip::load);
  setCompact(false);
  load();
}

void ViewStrip::setCompact(bool compact) {
  scenarios_->setVisible(compact);
  line_->setVisible(compact);
  layout()->setContentsMargins(compact ? 6 : 12, 0, 8, 1);
}

void ViewStrip::load() {
  const Scenario* scenario = lab_.runScenario();
  setVisible(scenario != nullptr);
  if (!scenario) return;
  const auto mutexes = scenario->mutex_names();
  mutex_->setFullText(mutexes.size() == 1 ? fromText(mutexes.front()) : tr("%1 mutexes").arg(mutexes.size()));
  const bool live = lab_.runStore() != "model";
  store_->setFullText(live ? tr("live %1").arg(fromText(shownStore(lab_.runStore())))
                           : tr("model %1").arg(fromText(scenario->store.model)));
}

void ViewStrip::setRange(TrueTime from, TrueTime to, int pixels) {
  QString scale;
  if (pixels > 0) scale = QStringLiteral(" · %1/px").arg(spanText((to - from) / pixels));
  range_->setFullText(QStringLiteral("%1 – %2 s%3").arg(secondsText(from), secondsText(to), scale));
}

}  // namespace leasescope
