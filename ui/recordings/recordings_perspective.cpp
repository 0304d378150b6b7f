#include "ui/recordings/recordings_perspective.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QHBoxLayout>

#include "core/store/password.h"
#include "simulator/import/history_formats.h"
#include "ui/keyring/kept_passwords.h"
#include "ui/models/words.h"
#include "ui/panels/cursor_panel.h"
#include "ui/panels/empty_page.h"
#include "ui/panels/playhead_text.h"
#include "ui/panels/preparation_box.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/scrubber.h"
#include "ui/panels/summary_bar.h"
#include "ui/panels/timeline_page.h"
#include "ui/recordings/recent_recordings.h"
#include "ui/recordings/recordings_panel.h"
#include "ui/recordings/team_dialog.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {

RecordingsPerspective::RecordingsPerspective(WindowActions& frame, QWidget* parent)
    : SessionPerspective(recording_, QStringLiteral("recordings"), tr("Recordings"), parent) {
  actions_ = new RecordingActions(recordingActionSpecs(), this);
  recent_ = new RecentRecordings(this);
  list_ = new RecordingsPanel(recent_);
  kept_ = new KeptPasswords(QStringLiteral("recordings/kept"), this);
  teamDialog_ = new TeamDialog(*kept_, this);
  auto* empty = new EmptyPage(tr("No recording is open"),
                              tr("Pick one from the list, or drop one here. Whatever runs can be recorded: in the Lab, "
                                 "or by leasescopectl run --record."));
  empty->addButton(tr("Open file…"), frame[WindowAction::kOpenFile]);
  empty->addButton(tr("Open team history…"), frame[WindowAction::kOpenTeam]);
  build({tr("Recordings"), tr("Open a recording at the left."), list_, empty, {}, {}, nullptr});
  tools_ = makeTools();
  new PreparationBox(recording_, action(RecordingAction::kStop), view()->place());

  connect(list_, &RecordingsPanel::chosen, this, [this](const QString& path) {
    open(path);
    if (compact()) listDock()->hide();
  });
  connect(&recording_, &RecordedSession::opened, this, [this](const QString& path) {
    recent_->note(path, {});
    if (unproven_) kept_->keep(*unproven_);
    unproven_.reset();
    notebook().turnTo(path, recording_.place().isTeam() ? QString() : path);
  });
  connect(&recording_, &RecordedSession::refused, this, &RecordingsPerspective::onRefused);
  connect(frame[WindowAction::kOpenTeam], &QAction::triggered, this, [this] { askTeam({}, {}); });
  connect(kept_, &KeptPasswords::said, this, [this](const QString& words) { summary()->tell(words); });
  connect(teamDialog_, &TeamDialog::chosen, this, [this](const QString& address, const QString& password, bool keep) {
    emit showsItself();
    openTeamAs(address, password, keep);
  });
  connect(&recording_, &RecordedSession::folded, this, [this](FoldedHistory& history) {
    view()->timeline()->take(std::move(history.chart));
    cursor()->take(std::move(history.moments));
    results()->contenders()->take(std::move(history.contenders));
  });
  connect(&recording_, &RecordedSession::finished, this, [this] {
    recent_->note(recording_.path(), about());
    list_->setCurrent(recording_.path());
  });
  const auto on = [this](RecordingAction which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  on(RecordingAction::kClose, [this] {
    recording_.close();
    notebook().turnTo({});
    list_->setCurrent({});
  });
  on(RecordingAction::kReadAgain, [this] { recording_.open(recording_.place()); });
  on(RecordingAction::kCompare, [this] { emit opensIn(QStringLiteral("compare"), recording_.path()); });
  on(RecordingAction::kStop, [this] { recording_.stopReading(); });
  on(RecordingAction::kStep, [this] { recording_.stepForward(1); });
  on(RecordingAction::kStepBack, [this] { recording_.stepBack(); });
  offerUndo(*action(RecordingAction::kUndo), *action(RecordingAction::kRedo));
  loadActions();
}

RecordingsPerspective::~RecordingsPerspective() { recording_.disconnect(); }

QWidget* RecordingsPerspective::makeTools() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 0, 8, 1);
  row->setSpacing(6);
  for (const RecordingAction which :
       {RecordingAction::kReadAgain, RecordingAction::kStepBack, RecordingAction::kStep, RecordingAction::kStop})
    row->addWidget(toolButton(action(which), bar));
  auto* scrubber = new Scrubber(recording_);
  connect(scrubber, &Scrubber::incidentWanted, view()->timeline(), &TimelineView::goToIncident);
  row->addWidget(scrubber, 1);
  row->addWidget(time_ = new PlayheadText(recording_));
  return bar;
}

std::vector<ActionTable*> RecordingsPerspective::actionTables() {
  std::vector<ActionTable*> out = SessionPerspective::actionTables();
  out.push_back(actions_);
  return out;
}

QString RecordingsPerspective::document() const {
  if (recording_.history() == nullptr) return {};
  return QStringLiteral("%1 · %2").arg(recording_.place().name(), fromText(recording_.runScenario()->name));
}

// "gc-pause, live redis, 3 incidents, 12 s"
QString RecordingsPerspective::about() const {
  const HistoryHeader& header = recording_.header();
  const QString world = header.world == "live"       ? tr("live %1").arg(fromText(header.store))
                        : header.world == kToldCalls ? tr("calls")
                                                     : tr("virtual");
  const std::size_t count = recording_.history()->incidents.size();
  const QString incidents = tr("%1 incident(s)", nullptr, howMany(count)).arg(countText(count));
  return QStringLiteral("%1, %2, %3, %4 s")
      .arg(fromText(header.scenario), world, incidents, secondsText(recording_.now(), 0));
}

bool RecordingsPerspective::takes(const QString& path, const QByteArray& begin) const {
  const std::string_view text(begin.constData(), static_cast<std::size_t>(begin.size()));
  return history_format(text) != nullptr || path.endsWith(QLatin1String(".recording"));
}

QStringList RecordingsPerspective::fileFilters() const {
  QStringList recordings, words;
  for (const HistoryFormat& format : history_formats())
    (format.in_words ? words : recordings) << fromText(format.endings);
  const QString blank = QStringLiteral(" ");
  return {tr("Recordings (%1)").arg(recordings.join(blank)), tr("Histories in words (%1)").arg(words.join(blank))};
}

void RecordingsPerspective::open(const QString& path) {
  if (HistoryPlace::namesTeam(path)) return openTeam(path);
  awaited_.clear();
  unproven_.reset();
  recording_.open(QFileInfo(path).absoluteFilePath());
}

void RecordingsPerspective::openTeam(const QString& address) {
  if (recording_.path() == address) return recording_.open(recording_.place());  // whose password is known
  openTeamAs(address, {}, kept_->has(address));
}

void RecordingsPerspective::openTeamAs(const QString& address, const QString& password, bool keep) {
  const QString given = password.isEmpty() ? KeptPasswords::passwordIn(address) : password;
  awaited_.clear();
  unproven_.reset();
  if (!given.isEmpty() || !keep || !kept_->has(address)) {
    if (keep && !given.isEmpty())
      unproven_ = {address, given};
    else
      kept_->settle(address, given, keep);
    return openPlace(address, password);
  }
  awaited_ = address;
  summary()->tell(tr("The system's keyring is asked for the password…"));
  kept_->find(address, [this, address](const QString& found, const QString& why) {
    if (awaited_ != address) return;
    awaited_.clear();
    if (!why.isEmpty()) return askTeam(address, why);
    openPlace(address, found);
  });
}

void RecordingsPerspective::openPlace(const QString& address, const QString& password) {
  const auto place = HistoryPlace::team(address, password);
  if (!place) return askTeam(address, place.error());
  recording_.open(*place);
}

void RecordingsPerspective::askTeam(const QString& address, const QString& why) {
  teamDialog_->ask(address, recent_->teams(), why);
}

// What a password would mend is asked for one.
void RecordingsPerspective::onRefused(const HistoryPlace& place, const QString& why) {
  const bool mended =
      why.contains(QLatin1String(kWantsPassword)) || why.contains(QLatin1String("password authentication failed"));
  if (place.isTeam() && mended) askTeam(place.word(), why);
}

void RecordingsPerspective::note(const QString& path) { recent_->note(QFileInfo(path).absoluteFilePath(), {}); }

void RecordingsPerspective::remember(QSettings& settings) const {
  SessionPerspective::remember(settings);
  recent_->remember(settings);
  kept_->remember(settings);
}

void RecordingsPerspective::restore(const QSettings& settings) {
  SessionPerspective::restore(settings);
  recent_->restore(settings);
  kept_->restore(settings);
}

void RecordingsPerspective::setCompact(bool compact) {
  SessionPerspective::setCompact(compact);
  if (time_ != nullptr) time_->setCompact(compact);
}

void RecordingsPerspective::searchList() { list_->focusSearch(); }

void RecordingsPerspective::showEvent(QShowEvent* event) {
  SessionPerspective::showEvent(event);
  recent_->look();
}

void RecordingsPerspective::loadActions() {
  SessionPerspective::loadActions();
  const bool open = recording_.history() != nullptr, reading = recording_.state() == RunState::kPreparing;
  const bool travels = recording_.whyNoTravel().isEmpty();
  action(RecordingAction::kClose)->setEnabled(open);
  action(RecordingAction::kCompare)->setEnabled(open && !reading && !recording_.place().isTeam());
  action(RecordingAction::kReadAgain)->setEnabled(open && !reading);
  action(RecordingAction::kStop)->setEnabled(reading);
  action(RecordingAction::kStep)->setEnabled(travels);
  action(RecordingAction::kStepBack)->setEnabled(travels);
}

}  // namespace leasescope
