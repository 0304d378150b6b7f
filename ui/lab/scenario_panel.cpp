#include "ui/lab/scenario_panel.h"

#include <QVBoxLayout>

namespace leasescope {

ScenarioPanel::ScenarioPanel(ScenarioListModel* model, QWidget* parent) : Pane(Ground::kPanel, parent), model_(model) {
  rows_ = new ScenarioList(model);
  search()->setObjectName(QStringLiteral("scenarioSearch"));
  search()->setAccessibleName(tr("Search scenarios"));
  list()->setObjectName(QStringLiteral("scenarios"));
  list()->setAccessibleName(tr("Scenarios"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(rows_, 1);
  auto* about = new Pane(Ground::kPanel);
  about->setEdges(Qt::TopEdge);
  auto* texts = new QVBoxLayout(about);
  texts->setContentsMargins(12, 8, 12, 8);
  texts->setSpacing(4);
  for (QLabel** text : {&aboutText_, &aboutMore_}) {
    *text = label({}, 11, 400, text == &aboutText_ ? Ink::kText : Ink::kMuted);
    (*text)->setWordWrap(true);
    (*text)->setTextFormat(Qt::PlainText);
    texts->addWidget(*text);
  }
  aboutText_->setObjectName(QStringLiteral("scenarioAbout"));
  texts->addStretch();
  about_ = new QScrollArea;
  about_->setFrameShape(QFrame::NoFrame);
  about_->setWidgetResizable(true);
  about_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  about_->viewport()->setBackgroundRole(QPalette::Button);
  about_->setFixedHeight(148);
  about_->setWidget(about);
  about_->hide();
  column->addWidget(about_);

  connect(rows_, &SearchList::searched, this, [this] { setCurrent(current_); });
  connect(rows_, &SearchList::chosen, this,
          [this](const QModelIndex& row) { emit chosen(row.data(ScenarioListModel::kSourceRole).toString()); });
}

void ScenarioPanel::setCurrent(const QString& source) {
  current_ = source;
  rows_->setCurrentRow(model_->rowOf(source));
  loadAbout();
}

// What the scenario is about, in full and without pointing at it.
void ScenarioPanel::loadAbout() {
  const int row = model_->rowOf(current_);
  about_->setVisible(row >= 0);
  if (row < 0) return;
  const QModelIndex index = model_->index(row);
  aboutText_->setText(index.data(ScenarioListModel::kAboutRole).toString());
  aboutMore_->setText(index.data(ScenarioListModel::kExpectsRole).toString() + u'\n' +
                      index.data(ScenarioListModel::kWorldsRole).toString());
}

}  // namespace leasescope
