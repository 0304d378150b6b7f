#include "ui/lab/transport_bar.h"

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>

#include "core/store/types/types.h"
#include "ui/look/fonts.h"
#include "ui/models/words.h"
#include "ui/theme/look.h"
#include "ui/theme/style.h"

namespace leasescope {
namespace {

struct Speed {
  const char* text;
  int permille;
};
constexpr Speed kSpeeds[] = {{"0.1 ×", 100}, {"1 ×", 1000}, {"10 ×", 10000}, {"max", 0}};

constexpr int kLeastStore = 60;  // px: of the field, where the time is as long as that of a day
constexpr int kCaptions = 900;   // from this width on the fields have names beside them

}  // namespace

TransportBar::TransportBar(LabController& lab, const Actions& actions, QWidget* parent)
    : QWidget(parent), lab_(lab), runAction_(actions.run) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 0, 8, 1);
  row->setSpacing(6);
  row->addWidget(toolButton(actions.restart, this));
  row->addWidget(toolButton(actions.back, this));
  run_ = new QPushButton;
  run_->setObjectName(QStringLiteral("run"));
  run_->setProperty(kPrimary, true);
  run_->setFocusPolicy(Qt::TabFocus);
  run_->setMinimumWidth(78);
  run_->setIconSize({14, 14});
  connect(run_, &QPushButton::clicked, actions.run, &QAction::trigger);
  row->addWidget(run_);
  QToolButton* step = toolButton(actions.step, this);
  row->addWidget(step);
  for (QAction* action : {actions.toEnd, actions.stop, actions.seed}) dear_.push_back(toolButton(action, this));
  row->addWidget(dear_[0]);
  row->addWidget(dear_[1]);
  speed_ = new QComboBox;
  speed_->setObjectName(QStringLiteral("speed"));
  speed_->setAccessibleName(tr("Speed"));
  speed_->setFixedWidth(70);
  speed_->setToolTip(tr("Simulated time against real time"));
  for (const Speed& speed : kSpeeds) speed_->addItem(QString::fromUtf8(speed.text), speed.permille);
  row->addWidget(speed_);
  scrubber_ = new Scrubber(lab);
  row->addWidget(scrubber_, 1);
  row->addWidget(time_ = new PlayheadText(lab));
  QWidget* line = verticalLine();
  row->addWidget(line);
  QLabel* seedName = label(tr("Seed"), 12, 400, Ink::kMuted);
  row->addWidget(seedName);
  seed_ = new QLineEdit;
  seed_->setObjectName(QStringLiteral("seed"));
  seed_->setAccessibleName(tr("Seed"));
  seed_->setFont(leasescope::font(Face::kMono, measures().font_small));
  seed_->setFixedWidth(70);
  seed_->setTextMargins(4, 0, 4, 0);
  row->addWidget(seed_);
  row->addWidget(dear_[2]);
  row->addWidget(makeForkButton(actions.fork));
  QWidget* lastLine = verticalLine();
  row->addWidget(lastLine);
  QLabel* storeName = label(tr("Store"), 12, 400, Ink::kMuted);
  row->addWidget(storeName);
  store_ = new QComboBox;
  store_->setObjectName(QStringLiteral("store"));
  store_->setAccessibleName(tr("Store"));
  store_->setEditable(true);
  store_->setInsertPolicy(QComboBox::NoInsert);
  const auto add = [this](const QString& word, const QString& tip) {
    store_->addItem(word);
    store_->setItemData(store_->count() - 1, tip, Qt::ToolTipRole);
  };
  add(QStringLiteral("model"), tr("Virtual time, modelled server"));
  for (const StoreType* type : store_types())
    add(fromText(type->name()), tr("Real time, a private %1 started for the run").arg(fromText(type->title)));
  store_->setToolTip(tr("model: virtual time. %1: a private server. Or a URL: %2")
                         .arg(QString::fromStdString(store_words()), QString::fromStdString(store_schemes())));
  store_->setFont(leasescope::font(Face::kMono, measures().font_small));
  store_->lineEdit()->setFrame(false);
  store_->setFixedWidth(108);
  row->addWidget(store_);
  captions_ = {seedName, storeName};
  dear_.insert(dear_.end(), {line, seed_, lastLine, step});  // a seed stands in the status line too
  connect(store_, &QComboBox::activated, this, &TransportBar::commitStore);
  connect(store_->lineEdit(), &QLineEdit::editingFinished, this, &TransportBar::commitStore);
  connect(speed_, &QComboBox::activated, this, [this](int index) { lab_.setSpeed(speed_->itemData(index).toInt()); });
  connect(seed_, &QLineEdit::editingFinished, this, [this] {
    if (!lab_.hasScenario() || !seed_->isModified()) return;
    seed_->setModified(false);
    keptSeed_ = lab_.scenario().seed;
    const auto done = lab_.edit("seed", seed_->text().trimmed().toStdString());
    setInvalid(seed_, !done);
    // A seed is chosen to see what it brings; the field that is only left keeps it for the next run.
    if (done && seed_->hasFocus() && !lab_.values().live()) lab_.restart();
    if (done) return;
    seed_->setToolTip(done.error());
    Problem p;
    p.title = tr("\"%1\" is no seed").arg(seed_->text());
    p.message = done.error();
    emit lab_.problem(p);
  });

  connect(runAction_, &QAction::changed, this, &TransportBar::load);
  connect(&lab, &LabController::stateChanged, this, &TransportBar::load);
  const auto loadAnew = [this] {
    setInvalid(store_, false);
    setInvalid(seed_, false);
    loadSeed();
  };
  connect(&lab, &LabController::scenarioChanged, this, loadAnew);
  connect(&lab, &LabController::valuesReset, this, loadAnew);
  connect(&lab, &LabController::valuesChanged, this, &TransportBar::loadSeed);
  load();
  loadSeed();
}

// Forks at the playhead; its menu leads to the other runs with the same beginning, also where there is nothing left to
// fork.
QToolButton* TransportBar::makeForkButton(QAction* fork) {
  fork_ = new QToolButton(this);
  fork_->setObjectName(QStringLiteral("fork"));
  fork_->setAutoRaise(true);
  fork_->setFocusPolicy(Qt::TabFocus);
  fork_->setText(tr("Fork here"));
  fork_->setAccessibleName(tr("Fork here"));
  fork_->setIcon(icon(Icon::kFork));
  fork_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fork_->setPopupMode(QToolButton::MenuButtonPopup);
  connect(fork_, &QToolButton::clicked, this,
          [this, fork] { fork->isEnabled() ? fork->trigger() : fork_->showMenu(); });
  const auto load = [this, fork] {
    fork_->setEnabled(fork->isEnabled() || lab_.relatives().size() > 1);
    fork_->setToolTip(fork->toolTip());
  };
  connect(fork, &QAction::changed, this, load);
  connect(&lab_, &LabController::stateChanged, this, load);
  connect(&lab_, &LabController::runReset, this, load);
  auto* menu = new QMenu(fork_);
  menu->setObjectName(QStringLiteral("runs"));
  connect(menu, &QMenu::aboutToShow, this, [this, menu, fork] {
    menu->clear();
    menu->addAction(fork);
    menu->addSeparator();
    auto* one = new QActionGroup(menu);
    for (const Shown& run : lab_.relatives()) {
      QString name = nameOf(run.courses);
      if (const QStringList changes = changesOf(lab_.source(), run.courses); !changes.isEmpty())
        name += QStringLiteral("  ·  ") + changes.join(QStringLiteral(", "));
      QAction* entry = menu->addAction(name);
      entry->setCheckable(true);
      one->addAction(entry);
      entry->setChecked(run.courses == lab_.courses());
      connect(entry, &QAction::triggered, this, [this, run] { lab_.goTo(run); });
    }
  });
  fork_->setMenu(menu);
  load();
  return fork_;
}

QString TransportBar::nameOf(const std::vector<Course>& courses) {
  if (courses.size() < 2) return tr("Original run");
  QStringList at;
  for (std::size_t i = 1; i < courses.size(); ++i) at << tr("%1 s").arg(secondsText(courses[i].from));
  return tr("Fork at %1").arg(at.join(tr(", then ")));
}

void TransportBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

// What stands in it grew, or has less to say.
bool TransportBar::event(QEvent* event) {
  const bool taken = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest) fit();
  return taken;
}

// A narrow window has no room for what the fields' own tips say, and the narrowest none for what the menus have.
// Nothing is shown to be hidden again, as that would ask for the next fit.
void TransportBar::fit() {
  const bool wide = width() >= kCaptions;
  run_->setMinimumWidth(wide ? 78 : 64);
  seed_->setFixedWidth(wide ? 70 : 60);
  for (QLabel* caption : captions_) caption->setVisible(wide);
  const auto room = [this](const QWidget& each) {
    return std::max(each.minimumWidth(), each.minimumSizeHint().width()) + layout()->spacing();
  };
  const int store = wide ? 140 : 82;  // a URL wants room
  int wanted = layout()->totalMinimumSize().width() + store - store_->minimumWidth();
  for (const QWidget* each : dear_)
    if (each->isHidden()) wanted += room(*each);
  for (QWidget* each : dear_) {
    const bool goes = wanted > width();
    if (goes) wanted -= room(*each);
    each->setVisible(!goes);
  }
  store_->setFixedWidth(std::max(kLeastStore, store - std::max(0, wanted - width())));
}

// It does with less than its layout asks for: buttons go.
QSize TransportBar::minimumSizeHint() const { return {0, QWidget::minimumSizeHint().height()}; }

void TransportBar::setCompact(bool compact) {
  fork_->setToolButtonStyle(compact ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  time_->setCompact(compact);
  fit();
}

void TransportBar::load() {
  const bool running = (lab_.state() == RunState::kRunning && !lab_.live()) || lab_.state() == RunState::kPlaying;
  run_->setText(lab_.state() == RunState::kPreparing                ? tr("Starting…")
                : lab_.state() == RunState::kRunning && lab_.live() ? tr("Live")
                : running                                           ? tr("Pause")
                                                                    : tr("Run"));
  run_->setIcon(icon(running ? Icon::kPause : Icon::kRun, true));
  run_->setToolTip(withKey(*runAction_));
  run_->setEnabled(runAction_->isEnabled());
  for (int i = 0; i < speed_->count(); ++i)
    if (speed_->itemData(i).toInt() == lab_.speed()) speed_->setCurrentIndex(i);
  speed_->setEnabled(!lab_.values().live());
}

void TransportBar::commitStore() {
  const std::string store = store_->currentText().trimmed().toStdString();
  if (store == shownStore(lab_.values().store)) return setInvalid(store_, false);
  const auto done = lab_.setStore(store);
  setInvalid(store_, !done);
  if (done) return loadSeed();
  Problem p;
  p.title = tr("What was typed is no store");  // and is not repeated: it may hold a password
  p.message = done.error();
  emit lab_.problem(p);
}

void TransportBar::loadSeed() {
  // What was refused stays, as it was typed, until it is mended.
  if (!flagged(store_, kInvalid)) {
    store_->setCurrentText(fromText(shownStore(lab_.values().store)));
    store_->lineEdit()->setCursorPosition(0);
  }
  seed_->setEnabled(lab_.hasScenario());
  if (flagged(seed_, kInvalid) && lab_.hasScenario() && lab_.scenario().seed == keptSeed_) return;
  setInvalid(seed_, false);
  seed_->setToolTip(tr("All draws follow from it"));
  seed_->setText(lab_.hasScenario() ? QString::number(lab_.scenario().seed) : QString());
  seed_->setModified(false);
}

}  // namespace leasescope
