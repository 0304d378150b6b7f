#include "ui/models/statistics_model.h"

#include <cmath>

#include "core/history/figures.h"
#include "ui/models/glyph.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr Sequence kAtOnce = 100'000;  // events; some ten milliseconds

// As lengths, so that their shares are found alike: of each whole stretch so many a second.
Percentiles a_second(const Rate& rate, TrueTime now) {
  const std::vector<Rate::Stretch>& stretches = rate.stretches();
  // A stretch at a time is too short where there are ten of them a second: of whole seconds.
  const auto each = std::max<std::size_t>(1, static_cast<std::size_t>(std::chrono::seconds(1) / rate.width()));
  const double length = std::chrono::duration<double>(rate.width() * static_cast<std::int64_t>(each)).count();
  const auto whole = static_cast<std::size_t>(now.time_since_epoch() / rate.width()) / each;
  std::vector<Duration> rates(whole);  // thousandths
  for (std::size_t i = 0; i < std::min(stretches.size(), whole * each); ++i)
    rates[i / each] += Duration(static_cast<std::int64_t>(stretches[i].all) * 1'000);
  for (Duration& of : rates) of = Duration(std::llround(static_cast<double>(of.count()) / length));
  return percentiles_of(std::move(rates));
}

QString rateWords(Duration thousandths) {
  return QStringLiteral("%1 /s").arg(static_cast<double>(thousandths.count()) / 1'000, 0, 'f', 1);
}

}  // namespace

StatisticsModel::StatisticsModel(QObject* parent) : QAbstractTableModel(parent) { load(); }

void StatisticsModel::setHistory(const History* history) {
  beginResetModel();
  history_ = history;
  measures_ = history_ != nullptr ? Statistics(history_->legend) : Statistics();
  load();
  endResetModel();
}

bool StatisticsModel::sync() {
  if (history_ == nullptr) return true;
  const bool all = measures_.append(*history_, kAtOnce);
  if (!all) return false;
  load();
  emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
  return true;
}

void StatisticsModel::load() {
  rows_.assign(measures_.all().size(), {});
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Measure& measure = *measures_.all()[i];
    Row& row = rows_[i];
    row[kMeasure] = fromText(measure.name());
    const auto fill = [&](const Percentiles& of, auto&& words) {
      if (of.count == 0) return;
      row[kMedian] = words(of.p50);
      row[kMost95] = words(of.p95);
      row[kMost99] = words(of.p99);
      row[kLongest] = words(of.longest);
    };
    if (const auto* const lengths = std::get_if<Lengths>(&measure.measured())) {
      row[kCount] = countText(lengths->count());
      fill(percentiles_of(lengths->values()), spanText);
      if (lengths->count() > 0) row[kLongest] = spanText(lengths->longest());
    }
    if (const auto* const rate = std::get_if<Rate>(&measure.measured())) {
      row[kCount] = countText(rate->count());
      if (history_ != nullptr) fill(a_second(*rate, history_->now), rateWords);
    }
    if (const auto* const courses = std::get_if<Courses>(&measure.measured())) {
      std::uint64_t changes = 0;
      Duration most{};
      for (const OffsetCourse& course : *courses) {
        changes += course.points.size();
        for (const OffsetCourse::Point& point : course.points) most = std::max(most, std::chrono::abs(point.off));
        if (history_ != nullptr) most = std::max(most, std::chrono::abs(course.off(history_->now)));
      }
      row[kCount] = countText(changes);
      if (changes > 0) row[kLongest] = spanText(most);
    }
  }
}

int StatisticsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int StatisticsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant StatisticsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::DisplayRole)
    return rows_[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
  if (role == kNumericRole) return index.column() > kMeasure;
  return {};
}

QVariant StatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kNumericRole) return section > kMeasure;
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kMeasure:
      return tr("Measure");
    case kCount:
      return tr("Count");
    case kMedian:
      return tr("Median");
    case kMost95:
      return tr("95 %");
    case kMost99:
      return tr("99 %");
    default:
      return tr("Most");
  }
}

}  // namespace leasescope
