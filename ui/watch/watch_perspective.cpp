#include "ui/watch/watch_perspective.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSaveFile>
#include <QSplitter>

#include "core/store/types/types.h"
#include "ui/models/words.h"
#include "ui/panels/empty_page.h"
#include "ui/panels/summary_bar.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/timeline_view.h"
#include "ui/watch/alerts_strip.h"
#include "ui/watch/event_feed.h"
#include "ui/watch/mutex_detail.h"
#include "ui/watch/mutexes_panel.h"
#include "ui/watch/past_bar.h"
#include "ui/watch/stores_panel.h"

namespace leasescope {
namespace {

constexpr int kChartShare = 3, kTableShare = 4;
constexpr int kStoresShare = 3, kFeedShare = 4;
constexpr const char* kKnownKey = "watch/stores";
constexpr const char* kFavouritesKey = "watch/favourites";
constexpr const char* kGroupingKey = "watch/grouping";
constexpr const char* kColumnsKey = "watch/columns";

}  // namespace

WatchPerspective::WatchPerspective(WindowActions& /*frame*/, QWidget* parent)
    : SessionPerspective(watch_, QStringLiteral("watch"), tr("Watch"), parent) {
  actions_ = new WatchActions(watchActionSpecs(), this);
  stores_ = new StoresPanel(watch_);
  feed_ = new EventFeed(watch_);
  mutexes_ = new MutexesPanel(watch_);
  detail_ = new MutexDetail(watch_, *mutexes_);
  auto* empty = new EmptyPage(tr("No store is watched"),
                              tr("Name a store that is in use: its mutexes, who owns them and for how long are shown, "
                                 "live, without writing a byte."));
  empty->addButton(tr("Watch a store…"), action(WatchAction::kAddStore));
  countByDefault(Counts::kLocal);
  build({tr("Stores"), tr("Name a store at the left and choose a mutex in the table."), makeLeft(), empty,
         tr("The chosen mutex"), tr("Mutex"), detail_});
  middle_ = new QSplitter(Qt::Vertical);
  middle_->setObjectName(QStringLiteral("watchMiddle"));
  middle_->setHandleWidth(1);
  middle_->setChildrenCollapsible(false);
  past_ = new PastBar(watch_, action(WatchAction::kLive));
  mutexes_->addAbove(past_);
  alerts_ = new AlertsStrip(watch_);
  mutexes_->addAbove(alerts_);
  middle_->addWidget(mutexes_);
  middle_->addWidget(view());  // taken from where it stood alone
  setCentralWidget(middle_);
  middle_->setStretchFactor(0, kTableShare);
  middle_->setStretchFactor(1, kChartShare);
  tools_ = makeTools();
  connectActions();
  connect(mutexes_, &MutexesPanel::chosenChanged, this, &WatchPerspective::showChosen);
  connect(&watch_, &WatchSession::storesChanged, this, [this] {
    loadActions();
    if (watch_.watch() != nullptr) view()->timeline()->setStore(watch_.facts().store);
    emit documentChanged();
  });
  connect(&watch_, &WatchSession::lookedAt, this, &WatchPerspective::tellTime);
  connect(&watch_, &WatchSession::alertBegan, this,
          [this](const QString& rule, const QString& words) { notice_.tell(rule, words); });
  connect(&watch_, &WatchSession::recordingChanged, this, &WatchPerspective::loadActions);
  connect(&watch_, &WatchSession::beliefSocketChanged, this, &WatchPerspective::loadActions);
  connect(&watch_, &Session::playheadMoved, this, &WatchPerspective::tellTime);
  connect(&watch_, &Session::runReset, this, [this] {
    showMutexes();
    if (watch_.watch() != nullptr) view()->timeline()->setFollow(true);
  });
  connect(feed_, &EventFeed::chosen, this, &WatchPerspective::leadTo);
  connect(detail_, &MutexDetail::timeChosen, this, &WatchPerspective::goTo);
  connect(past_, &PastBar::wanted, this, &WatchPerspective::goTo);
  connect(past_, &PastBar::left, this, [this] { mutexes_->table()->setFocus(); });
  choosePath_ = [this] {
    return QFileDialog::getSaveFileName(this, tr("Record what is seen"), tr("watch.recording"),
                                        tr("Recordings (*.recording)"));
  };
  chooseScenario_ = [this](const QString& proposed) {
    return QFileDialog::getSaveFileName(this, tr("Simulate this: the scenario"), proposed, tr("Scenarios (*.toml)"));
  };
  chooseRules_ = [this] {
    return QFileDialog::getOpenFileName(this, tr("Rules of alerts"), {}, tr("Rules (*.toml);;All files (*)"));
  };
  chooseSocket_ = [this] {
    return QFileDialog::getSaveFileName(this, tr("A socket at which processes tell what they believe"),
                                        tr("beliefs.socket"), tr("Sockets (*.socket);;All files (*)"), nullptr,
                                        QFileDialog::DontConfirmOverwrite);
  };
  connect(alerts_, &AlertsStrip::mutexWanted, this, [this](const std::string& shown) {
    for (const auto& each : watch_.watch()->mutexes())
      if (each->shown == shown) mutexes_->choose(each.get());
  });
  offerUndo(*action(WatchAction::kUndo), *action(WatchAction::kRedo));
  showMutexes();
  layOut();
  loadActions();
}

WatchPerspective::~WatchPerspective() { watch_.disconnect(); }

// The stores over what happens at them.
QWidget* WatchPerspective::makeLeft() {
  auto* left = new QSplitter(Qt::Vertical);
  left->setObjectName(QStringLiteral("watchLeft"));
  left->setHandleWidth(1);
  left->setChildrenCollapsible(false);
  left->addWidget(stores_);
  left->addWidget(feed_);
  left->setStretchFactor(0, kStoresShare);
  left->setStretchFactor(1, kFeedShare);
  return left;
}

QWidget* WatchPerspective::makeTools() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 0, 8, 1);
  row->setSpacing(6);
  for (const WatchAction which : {WatchAction::kStepBack, WatchAction::kStep, WatchAction::kLive})
    row->addWidget(toolButton(action(which), bar));
  row->addStretch(1);
  row->addWidget(time_ = label({}, 13, 600, Ink::kText, true));
  return bar;
}

void WatchPerspective::connectActions() {
  const auto on = [this](WatchAction which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  on(WatchAction::kAddStore, [this] {
    listDock()->show();
    listDock()->raise();
    stores_->focusField();
  });
  on(WatchAction::kStoreForm, [this] { stores_->openForm(); });
  on(WatchAction::kFeed, [this] {
    listDock()->show();
    listDock()->raise();
    feed_->focusList();
  });
  on(WatchAction::kRecord, [this] { record(); });
  on(WatchAction::kRules, [this] { takeRules(); });
  on(WatchAction::kBeliefs, [this] { hearBeliefs(); });
  on(WatchAction::kClose, [this] {
    watch_.close();
    notebook().turnTo({});
  });
  mutexes_->offerGrouping({action(WatchAction::kGroupByNothing), action(WatchAction::kGroupByStore),
                           action(WatchAction::kGroupBySystem), action(WatchAction::kGroupByState)});
  actions_->tell(
      {ActionTable::tr("View"), QStringLiteral("Left Right Enter"), tr("In the table: fold, unfold a group")});
  mutexes_->table()->setAccessibleDescription(tr("Left and Right fold and unfold a group"));
  on(WatchAction::kColumns, [this] { mutexes_->askForColumns(); });
  on(WatchAction::kFindMutex, [this] { mutexes_->focusSearch(); });
  on(WatchAction::kFavourite, [this] {
    if (const WatchedMutex* const chosen = mutexes_->chosen())
      mutexes_->model()->setFavourite(chosen, !mutexes_->model()->isFavourite(chosen));
    loadActions();
  });
  on(WatchAction::kSimulate, [this] { simulate(); });
  on(WatchAction::kGoToMoment, [this] { past_->ask(); });
  on(WatchAction::kStepBack, [this] {
    watch_.stepBack();
    goTo(watch_.playhead());
  });
  on(WatchAction::kStep, [this] {
    watch_.stepForward(1);
    if (!watch_.follows()) goTo(watch_.playhead());
  });
  on(WatchAction::kLive, [this] {
    watch_.goLive();
    view()->timeline()->setFollow(true);
  });
}

// Without a store there is neither a table nor a chart.
void WatchPerspective::showMutexes() { mutexes_->setVisible(watch_.watch() != nullptr && !presents()); }

// Its rows alone are on the chart; others by the bar over them.
void WatchPerspective::showChosen() {
  const WatchedMutex* const chosen = mutexes_->chosen();
  action(WatchAction::kFavourite)->setChecked(mutexes_->model()->isFavourite(chosen));
  if (chosen == nullptr) return;
  view()->rows()->setMutexes({fromText(chosen->shown)});
  RowChoice rows = notebook().rows();
  if (rows.filter.mutex == chosen->shown) return;
  rows.filter.mutex = chosen->shown;
  notebook().arrange(rows, tr("choose a mutex"), Notebook::Typed::kYes);
}

void WatchPerspective::tellTime() {
  const Axis& axis = view()->timeline()->axis();
  detail_->setAxis(axis);
  const TrueTime at = watch_.playhead();
  time_->setText(watch_.watch() == nullptr ? QString() : axis.isWallClock() ? axis.tickText(at, 0) : axis.text(at));
  time_->setToolTip(watch_.follows() ? tr("Now") : tr("The moment that is looked at"));
}

// Chart and table alike.
void WatchPerspective::goTo(TrueTime at) {
  view()->timeline()->goToMoment(at);
  watch_.seek(at);
}

// Its mutex in the table, and its moment in both.
void WatchPerspective::leadTo(TrueTime at, const QString& mutex) {
  if (watch_.watch() == nullptr) return;
  for (const auto& each : watch_.watch()->mutexes())
    if (fromText(each->shown) == mutex) mutexes_->choose(each.get());
  goTo(at);
}

void WatchPerspective::record() {
  if (!watch_.recordingPath().isEmpty()) return watch_.stopRecording();
  const QString path = choosePath_();
  if (!path.isEmpty()) {
    if (const auto begun = watch_.record(path); !begun) {
      Problem p;
      p.title = tr("Nothing is recorded");
      p.message = begun.error();
      emit watch_.problem(p);
    } else {
      emit wrote(path);
    }
  }
  loadActions();
}

// A file of its reader's, in the Lab, where its values can be turned and faults be added.
void WatchPerspective::simulate() {
  const WatchedMutex* const of = mutexes_->chosen();
  if (of == nullptr) return;
  QString name;
  for (const QChar c : fromText(of->name)) name += c.isLetterOrNumber() || c == u'-' || c == u'_' ? c : QChar(u'-');
  const QString path = chooseScenario_(name.left(60) + QStringLiteral(".toml"));
  if (path.isEmpty()) return;
  QSaveFile file(path);
  const std::string text = watch_.scenarioAfter(*of);
  const bool written = file.open(QIODevice::WriteOnly) &&
                       file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size());
  if (written && file.commit()) return emit opensIn(QStringLiteral("lab"), path);
  Problem p;
  p.title = tr("The scenario was not written");
  p.message = QStringLiteral("%1: %2").arg(path, file.errorString());
  emit watch_.problem(p);
}

void WatchPerspective::takeRules() {
  const QString path = chooseRules_();
  if (path.isEmpty()) return;
  const auto taken = watch_.setRules(path);
  Problem p;
  if (!taken) {
    p.title = tr("The rules were not taken");
    p.message = taken.error();
    p.remains = tr("Those of before go on, where there were any.");
  } else {
    summary()->tell(tr("The rules of %1 are watched").arg(QFileInfo(path).fileName()));
  }
  emit watch_.problem(p);
}

void WatchPerspective::hearBeliefs() {
  if (!watch_.beliefSocket().isEmpty()) {
    const QString was = watch_.beliefSocket();
    watch_.hearBeliefsNoMore();
    return summary()->tell(tr("%1 is heard no more").arg(was));
  }
  const QString path = chooseSocket_();
  if (!path.isEmpty()) {
    if (const auto heard = watch_.hearBeliefsAt(path); !heard) {
      Problem p;
      p.title = tr("Nothing is heard");
      p.message = heard.error();
      p.remains = tr("A process tells it by --beliefs unix:PATH, or by the client's library.");
      emit watch_.problem(p);
    } else {
      summary()->tell(tr("Heard at %1: processes tell it by --beliefs unix:%1").arg(path));
    }
  }
  loadActions();
}

std::vector<ActionTable*> WatchPerspective::actionTables() {
  std::vector<ActionTable*> out = SessionPerspective::actionTables();
  out.push_back(actions_);
  return out;
}

QString WatchPerspective::document() const {
  if (watch_.watch() == nullptr) return {};
  return tr("%n store(s) · read only", nullptr, watch_.watched());
}

bool WatchPerspective::takes(const QString& path, const QByteArray& /*begin*/) const {
  const auto url = parse_store_url(path.toStdString());
  return url && url->given;
}

void WatchPerspective::open(const QString& path) { stores_->add(path); }

void WatchPerspective::remember(QSettings& settings) const {
  SessionPerspective::remember(settings);
  settings.setValue(QLatin1String(kKnownKey), stores_->known());
  stores_->kept().remember(settings);
  settings.setValue(QLatin1String(kFavouritesKey), mutexes_->model()->favourites());
  settings.setValue(QLatin1String(kGroupingKey), leasescope::word(mutexes_->model()->grouping()));
  settings.setValue(QLatin1String(kColumnsKey), mutexes_->columns().words());
}

void WatchPerspective::restore(const QSettings& settings) {
  SessionPerspective::restore(settings);
  stores_->setKnown(settings.value(QLatin1String(kKnownKey)).toStringList());
  stores_->kept().restore(settings);
  mutexes_->model()->setFavourites(settings.value(QLatin1String(kFavouritesKey)).toStringList());
  MutexColumns columns;
  columns.take(settings.value(QLatin1String(kColumnsKey)).toStringList());
  mutexes_->setColumns(columns);
  mutexes_->setGrouping(groupingOf(settings.value(QLatin1String(kGroupingKey)).toString()).value_or(Grouping::kNone));
}

// What is about incidents of a run stays away until it is asked for: the table and the mutex have the room.
void WatchPerspective::layOut() {
  SessionPerspective::layOut();
  for (QDockWidget* dock : docks())
    for (const char* name : {"resultsDock", "selectionDock", "cursorDock"})
      if (dock->objectName() == QLatin1String(name)) dock->hide();
  showLegendWhereThereIsRoom();
}

void WatchPerspective::sizeDocks() {
  SessionPerspective::sizeDocks();
  if (middle_ == nullptr) return;
  const int whole = middle_->height();
  middle_->setSizes(
      {whole * kTableShare / (kTableShare + kChartShare), whole * kChartShare / (kTableShare + kChartShare)});
}

void WatchPerspective::present(bool on) {
  SessionPerspective::present(on);
  showMutexes();
}

void WatchPerspective::searchList() { mutexes_->focusSearch(); }

void WatchPerspective::loadActions() {
  SessionPerspective::loadActions();
  const bool open = watch_.watch() != nullptr;
  for (const WatchAction which :
       {WatchAction::kRecord, WatchAction::kBeliefs, WatchAction::kClose, WatchAction::kColumns,
        WatchAction::kFindMutex, WatchAction::kFavourite, WatchAction::kSimulate, WatchAction::kGoToMoment,
        WatchAction::kFeed, WatchAction::kStepBack, WatchAction::kStep, WatchAction::kLive})
    action(which)->setEnabled(open);
  action(WatchAction::kRecord)->setChecked(!watch_.recordingPath().isEmpty());
  action(WatchAction::kBeliefs)->setChecked(!watch_.beliefSocket().isEmpty());
  action(WatchAction::kFavourite)->setChecked(open && mutexes_->model()->isFavourite(mutexes_->chosen()));
  tellTime();
}

}  // namespace leasescope
