#include "ui/models/contenders_model.h"

#include "ui/models/words.h"

namespace leasescope {

ContendersModel::ContendersModel(QObject* parent) : QAbstractTableModel(parent) {}

void ContendersModel::setHistory(const History* history, const Cast* cast) {
  beginResetModel();
  history_ = history;
  cast_ = cast;
  tallies_ = history_ != nullptr ? ContenderTallies(history_->legend) : ContenderTallies();
  rows_ = 0;
  endResetModel();
  sync();
}

void ContendersModel::take(ContenderTallies tallies) {
  tallies_ = std::move(tallies);
  sync();
}

void ContendersModel::sync() {
  if (!history_) return;
  tallies_.sync(*history_, *cast_);
  const int count = cast_->size();
  if (count > rows_) {
    beginInsertRows({}, rows_, count - 1);
    rows_ = count;
    endInsertRows();
  }
  if (rows_ > 0) emit dataChanged(index(0, 0), index(rows_ - 1, kColumns - 1));
}

QString ContendersModel::stateOf(const ContenderTally& who) const {
  const QString standing = standingOf(who);
  return who.refused ? tr("%1, was refused: %2").arg(standing, fromText(text(*who.refused))) : standing;
}

QString ContendersModel::standingOf(const ContenderTally& tally) const {
  if (tally.place == Standing::kNone) return tr("stopped");
  const Standing::Contender& who = tallies_.standing().contender(tally.place);
  if (who.is(Disturbs::kPauses)) return who.believes ? tr("paused, believes it owns") : tr("paused");
  if (who.is(Disturbs::kCuts)) return who.believes ? tr("cut off, believes it owns") : tr("cut off");
  const bool holds = tallies_.standing().seen_to_hold(who);
  // Who was seen at the store alone may do whatever it likes elsewhere.
  if (!who.ours && !who.believes) return holds ? tr("holds") : tr("not seen to hold");
  if (who.believes && holds) return tr("owns");
  if (who.believes) return tr("believes it owns");
  if (holds) return tr("holds without knowing");
  return who.up ? tr("waits") : tr("stopped");
}

std::optional<Duration> ContendersModel::leftOf(const ContenderTally& tally) const {
  constexpr Duration kEndless = std::chrono::hours(24 * 365 * 10);
  if (tally.place == Standing::kNone) return std::nullopt;
  const Standing::Contender& who = tallies_.standing().contender(tally.place);
  if (!tallies_.standing().seen_to_hold(who) || who.lease_end <= history_->now) return std::nullopt;
  const Duration left = who.lease_end - history_->now;
  return left < kEndless ? std::optional(left) : std::nullopt;
}

int ContendersModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }
int ContendersModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant ContendersModel::textOf(int row, int column) const {
  const ContenderTally& who = tallies_[row];
  switch (column) {
    case kName:
      return cast_->foreign(row) ? tr("%1 (foreign)").arg(fromText(cast_->name(row))) : fromText(cast_->name(row));
    case kState:
      return stateOf(who);
    case kToken:
      return who.acquired == 0 ? QStringLiteral("–") : tokenText(who.token);
    case kLeft: {
      const std::optional<Duration> left = leftOf(who);
      return left ? spanText(*left) : QStringLiteral("–");
    }
    case kAcquired:
      return countText(who.acquired);
    case kRenewed:
      return countText(who.renewed);
    case kHeld:
      return spanText(tallies_.held(row, history_->now));
    case kBelieved:
      return spanText(tallies_.believed(row, history_->now));
    case kLost:
      return countText(who.lost);
    case kWrites:
      return countText(who.writes);
    case kRejected:
      return countText(who.rejected);
    default:
      return {};
  }
}

QVariant ContendersModel::sortOf(int row, int column) const {
  const ContenderTally& who = tallies_[row];
  switch (column) {
    case kWho:
      return row;
    case kToken:
      return who.token == kNoToken ? qulonglong(0) : qulonglong(who.token);
    case kLeft:
      return qint64(leftOf(who).value_or(Duration(-1)).count());
    case kAcquired:
      return qulonglong(who.acquired);
    case kRenewed:
      return qulonglong(who.renewed);
    case kHeld:
      return qint64(tallies_.held(row, history_->now).count());
    case kBelieved:
      return qint64(tallies_.believed(row, history_->now).count());
    case kLost:
      return qulonglong(who.lost);
    case kWrites:
      return qulonglong(who.writes);
    case kRejected:
      return qulonglong(who.rejected);
    default:
      return textOf(row, column);
  }
}

QVariant ContendersModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows_) return {};
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return textOf(index.row(), column);
    case Qt::AccessibleTextRole:
      return column == kWho ? QVariant(Cast::letter(index.row())) : textOf(index.row(), column);
    case kWhoRole:
      return column == kWho ? QVariant(QVariantList{index.row()}) : QVariant();
    case kNumericRole:
      return column >= kLeft;
    case kFixedRole:
      return column == kName || column == kToken;
    case kSortRole:
      return sortOf(index.row(), column);
    default:
      return {};
  }
}

QVariant ContendersModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kNumericRole) return section >= kLeft;
  if (role != Qt::DisplayRole) return {};
  static const char* const kTitles[kColumns] = {
      "",
      QT_TR_NOOP("Contender"),
      QT_TR_NOOP("Now"),
      QT_TR_NOOP("Token"),
      QT_TR_NOOP("Lease left"),
      QT_TR_NOOP("Acquired"),
      QT_TR_NOOP("Renewed"),
      QT_TR_NOOP("Held"),
      QT_TR_NOOP("Believed"),
      QT_TR_NOOP("Lost attempts"),
      QT_TR_NOOP("Writes"),
      QT_TR_NOOP("Rejected"),
  };
  return section >= 0 && section < kColumns ? QVariant(tr(kTitles[section])) : QVariant();
}

}  // namespace leasescope
