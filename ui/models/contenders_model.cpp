#include "ui/models/contenders_model.h"

#include <algorithm>

#include "ui/models/words.h"

namespace leasescope {

ContendersModel::ContendersModel(QObject* parent) : QAbstractTableModel(parent) {}

void ContendersModel::setHistory(const History* history, const Cast* cast) {
  beginResetModel();
  history_ = history;
  cast_ = cast;
  tallies_.clear();
  standing_ = history_ != nullptr ? Standing(history_->legend) : Standing();
  read_ = 0;
  rows_ = history_ && cast_ ? cast_->size() : 0;
  tallies_.resize(static_cast<std::size_t>(rows_));
  endResetModel();
  sync();
}

void ContendersModel::sync() {
  if (!history_) return;
  const int count = cast_->size();
  if (count > rows_) {
    beginInsertRows({}, rows_, count - 1);
    rows_ = count;
    tallies_.resize(static_cast<std::size_t>(rows_));
    endInsertRows();
  }
  for (read_ = std::max(read_, history_->forgotten); read_ < history_->last(); ++read_)
    this->count(history_->event(read_ + 1));
  if (rows_ > 0) emit dataChanged(index(0, 0), index(rows_ - 1, kColumns - 1));
}

void ContendersModel::endHold(Tally& who, TrueTime at) {
  if (!who.holds) return;
  who.held += heldUntil(who, at) - who.heldSince;
  who.holds = false;
  who.unseen.reset();
}

// Up to when it is known to have held, at the moment `at`.
TrueTime ContendersModel::heldUntil(const Tally& who, TrueTime at) {
  return who.unseen ? std::max(who.heldSince, std::min(at, *who.unseen)) : at;
}

// The store does not answer: until it does, nobody is known to hold on.
void ContendersModel::loseSight(std::uint32_t mutex, TrueTime at) {
  if (mutex == Standing::kNone) return;
  for (const Standing::Hold& hold : standing_.mutex(mutex).holds)
    if (Tally* const who = tallyOf(hold.contender); who != nullptr && who->holds && !who->unseen) who->unseen = at;
}

void ContendersModel::countHeld(Tally& who, const Event& event) {
  ++(event.kind == EventKind::kGranted ? who.acquired : who.renewed);
  if (standing_.contender(who.place).holds == 0) return;
  if (!who.holds) who.heldSince = event.at();
  who.holds = true;
  who.unseen.reset();
  who.token = event.token;
}

ContendersModel::Tally* ContendersModel::tallyOf(std::uint32_t place) {
  const int row = cast_->indexOf(*history_, standing_.contender(place).name);
  return row >= 0 && row < rows_ ? &tallies_[static_cast<std::size_t>(row)] : nullptr;
}

void ContendersModel::count(const Event& event) {
  const Change change = standing_.append(event, history_->names);
  if (event.kind == EventKind::kUnobservedBegan) loseSight(change.mutex, event.lo);
  if (change.hold == Change::Hold::kGranted)
    for (const std::uint32_t other : standing_.displaced())
      if (Tally* const who = tallyOf(other); who != nullptr) endHold(*who, event.at());
  const int row = cast_->indexOf(*history_, event.node);
  if (row < 0 || row >= rows_) return;
  Tally& who = tallies_[static_cast<std::size_t>(row)];
  who.place = standing_.place_of(event.node);
  if (change.hold == Change::Hold::kEnded) endHold(who, event.at());
  if (change.belief == Change::Belief::kBegan) who.believedSince = event.at();
  if (change.belief == Change::Belief::kEnded) who.believed += event.at() - who.believedSince;
  switch (event.kind) {
    case EventKind::kStarted:
    case EventKind::kRestarted:
    case EventKind::kStopped:
    case EventKind::kCrashed:
      who.refused.reset();
      break;
    case EventKind::kRefused:
      who.refused = static_cast<LifecycleError>(event.detail);
      break;
    case EventKind::kGranted:
    case EventKind::kRenewed:
      countHeld(who, event);
      break;
    case EventKind::kAttempt:
      if (static_cast<AttemptResult>(event.detail) != AttemptResult::kWon) ++who.lost;
      break;
    case EventKind::kWriteAccepted:
    case EventKind::kWriteStaleAccepted:
      ++who.writes;
      break;
    case EventKind::kWriteRejected:
      ++who.rejected;
      break;
    default:
      break;
  }
}

QString ContendersModel::stateOf(const Tally& who) const {
  const QString standing = standingOf(who);
  return who.refused ? QStringLiteral("%1, was refused: %2").arg(standing, fromText(text(*who.refused))) : standing;
}

QString ContendersModel::standingOf(const Tally& tally) const {
  if (tally.place == Standing::kNone) return QStringLiteral("stopped");
  const Standing::Contender& who = standing_.contender(tally.place);
  if (who.is(Disturbs::kPauses))
    return who.believes ? QStringLiteral("paused, believes it owns") : QStringLiteral("paused");
  if (who.is(Disturbs::kCuts))
    return who.believes ? QStringLiteral("cut off, believes it owns") : QStringLiteral("cut off");
  const bool holds = standing_.seen_to_hold(who);
  if (who.believes && holds) return QStringLiteral("owns");
  if (who.believes) return QStringLiteral("believes it owns");
  if (holds) return QStringLiteral("holds without knowing");
  return who.up ? QStringLiteral("waits") : QStringLiteral("stopped");
}

int ContendersModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }
int ContendersModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant ContendersModel::textOf(int row, int column) const {
  const Tally& who = tallies_[static_cast<std::size_t>(row)];
  switch (column) {
    case kName:
      return fromText(cast_->name(row)) + (cast_->foreign(row) ? QStringLiteral(" (foreign)") : QString());
    case kState:
      return stateOf(who);
    case kToken:
      return who.acquired == 0 ? QStringLiteral("–") : tokenText(who.token);
    case kAcquired:
      return countText(who.acquired);
    case kRenewed:
      return countText(who.renewed);
    case kHeld:
      return spanText(heldBy(who));
    case kBelieved:
      return spanText(believedBy(who));
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

Duration ContendersModel::heldBy(const Tally& who) const {
  return who.held + (who.holds ? heldUntil(who, history_->now) - who.heldSince : Duration{});
}

Duration ContendersModel::believedBy(const Tally& who) const {
  const bool believes = who.place != Standing::kNone && standing_.contender(who.place).believes;
  return who.believed + (believes ? history_->now - who.believedSince : Duration{});
}

QVariant ContendersModel::sortOf(int row, int column) const {
  const Tally& who = tallies_[static_cast<std::size_t>(row)];
  switch (column) {
    case kWho:
      return row;
    case kToken:
      return who.token == kNoToken ? qulonglong(0) : qulonglong(who.token);
    case kAcquired:
      return qulonglong(who.acquired);
    case kRenewed:
      return qulonglong(who.renewed);
    case kHeld:
      return qint64(heldBy(who).count());
    case kBelieved:
      return qint64(believedBy(who).count());
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
      return column >= kAcquired;
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
  if (role == kNumericRole) return section >= kAcquired;
  if (role != Qt::DisplayRole) return {};
  static const char* const kTitles[kColumns] = {"",     "Contender", "Now",           "Token",  "Acquired", "Renewed",
                                                "Held", "Believed",  "Lost attempts", "Writes", "Rejected"};
  return section >= 0 && section < kColumns ? QVariant(QString::fromUtf8(kTitles[section])) : QVariant();
}

}  // namespace leasescope
