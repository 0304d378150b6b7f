#include "ui/compare/distributions_panel.h"

#include <cmath>

#include <QHBoxLayout>

#include "ui/charts/measure_drawing.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr Sequence kPart = 100'000;  // events; some ten milliseconds

}  // namespace

DistributionsPanel::DistributionsPanel(QWidget* parent) : Pane(Ground::kPanel, parent) {
  setObjectName(QStringLiteral("distributions"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  const Statistics all;
  for (std::size_t i = 0; i < all.all().size(); ++i) {
    if (!std::holds_alternative<Lengths>(all.all()[i]->measured())) continue;
    charts_.push_back({i, new ChartView});
    row->addWidget(charts_.back().view, 1);
    connect(charts_.back().view, &ChartView::placeChosen, this,
            [this, chart = charts_.back()](double across) { choose(chart, across); });
  }
  work_.setInterval(0);
  connect(&work_, &QTimer::timeout, this, &DistributionsPanel::measure);
  connect(&Look::instance(), &Look::changed, this, [this] { draw(); });
  draw();
}

void DistributionsPanel::setHistories(const History* a, const History* b) {
  histories_ = {a, b};
  for (std::size_t side = 0; side < 2; ++side)
    statistics_[side] = histories_[side] != nullptr ? Statistics(histories_[side]->legend) : Statistics();
  draw();
  drawn_ = 0;
  if (a != nullptr && b != nullptr)
    work_.start();
  else
    work_.stop();
}

void DistributionsPanel::measure() {
  for (std::size_t side = 0; side < 2; ++side)
    if (!statistics_[side].append(*histories_[side], kPart)) return;
  // A chart at a time: of many lengths each takes a while.
  if (drawn_ < charts_.size()) return draw(charts_[drawn_++]);
  work_.stop();
  emit measured();
}

void DistributionsPanel::draw() {
  for (const Chart& chart : charts_) draw(chart);
}

void DistributionsPanel::draw(const Chart& chart) {
  chart.view->setDrawing(
      drawing_of_two(*statistics_[0].all()[chart.measure], *statistics_[1].all()[chart.measure], ink()));
}

void DistributionsPanel::choose(const Chart& chart, double across) {
  const Duration length(std::llround(across * chart.view->drawing().unit_ns));
  std::array<std::size_t, 2> places{};
  std::array<const Lengths*, 2> lengths{};
  for (std::size_t side = 0; side < 2; ++side) {
    lengths[side] = &std::get<Lengths>(statistics_[side].all()[chart.measure]->measured());
    if (lengths[side]->kept() == 0) return;
    places[side] = lengths[side]->nearest(length);
  }
  const auto away = [&](std::size_t side) { return std::chrono::abs(lengths[side]->value(places[side]) - length); };
  const std::size_t side = away(1) < away(0) ? 1 : 0;
  emit momentChosen(lengths[side]->known(places[side]));
}

}  // namespace leasescope
