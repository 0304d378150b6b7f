#include "ui/panels/statistics_page.h"

#include <cmath>

#include <QHBoxLayout>

#include "ui/charts/measure_drawing.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr int kLeastChart = 250;  // px
constexpr int kTable = 476, kCompactTable = 330;

}  // namespace

StatisticsPage::StatisticsPage(Session& session, QWidget* parent) : Pane(Ground::kPanel, parent), session_(session) {
  model_ = new StatisticsModel(this);
  table_ = new Table;
  table_->setObjectName(QStringLiteral("statistics"));
  table_->setModel(model_);
  table_->setAccessibleName(tr("Statistics"));
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* const row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(table_);
  for (int i = 0; i < model_->rowCount(); ++i) {
    charts_.push_back(new ChartView);
    row->addWidget(charts_.back(), 1);
    connect(charts_.back(), &ChartView::barChosen, this, [this, i](int bar) { chooseBar(i, bar); });
    connect(charts_.back(), &ChartView::placeChosen, this,
            [this](double seconds) { emit timeChosen(TrueTime(Duration(std::llround(seconds * 1e9)))); });
  }
  setCompact(false);
  table_->selectRow(0);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &StatisticsPage::arrange);
  more_.setSingleShot(true);
  connect(&more_, &QTimer::timeout, this, &StatisticsPage::sync);
  connect(&Look::instance(), &Look::changed, this, &StatisticsPage::draw);
}

void StatisticsPage::setCompact(bool compact) {
  table_->setFixedWidth(compact ? kCompactTable : kTable);
  table_->setWidths(compact ? std::vector<int>{84, 66, 80, 0, 0, -1} : std::vector<int>{88, 70, 76, 76, 76, -1});
  arrange();
}

void StatisticsPage::reset() {
  more_.stop();
  chosen_ = {};
  const int row = std::max(0, table_->currentIndex().row());
  model_->setHistory(session_.history());
  table_->selectRow(row);
  draw();
  sync();
}

void StatisticsPage::sync() {
  if (!isVisible()) return;
  if (!model_->sync()) return more_.start(0);
  draw();
}

// Those in view alone.
void StatisticsPage::draw() {
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    if (charts_[i]->isHidden()) continue;
    ChartDrawing drawing;
    if (const History* const history = session_.history())
      drawing = drawing_of(model_->measure(static_cast<int>(i)), *history, session_.cast(), ink());
    else
      drawing.empty = tr("What is measured of a run is drawn here.");
    charts_[i]->setDrawing(std::move(drawing));
  }
}

void StatisticsPage::arrange() {
  const int count = static_cast<int>(charts_.size()), current = std::max(0, table_->currentIndex().row());
  const int room = std::clamp((width() - table_->width()) / kLeastChart, 1, count);
  first_ = std::clamp(first_, std::max(0, current - room + 1), std::min(current, count - room));
  for (int i = 0; i < count; ++i) charts_[static_cast<std::size_t>(i)]->setVisible(i >= first_ && i < first_ + room);
  draw();
}

void StatisticsPage::chooseBar(int measure, int bar) {
  const bool again = chosen_.measure == measure && chosen_.bar == bar;
  const ChartDrawing& drawing = charts_[static_cast<std::size_t>(measure)]->drawing();
  const auto at = moment_in(model_->measure(measure), drawing, bar, again ? chosen_.at : TrueTime::min());
  if (!at) return;
  chosen_ = {measure, bar, *at};
  emit timeChosen(*at);
}

void StatisticsPage::resizeEvent(QResizeEvent* event) {
  Pane::resizeEvent(event);
  arrange();
}

void StatisticsPage::showEvent(QShowEvent* event) {
  Pane::showEvent(event);
  sync();
}

}  // namespace leasescope
