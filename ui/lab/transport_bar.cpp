#include "ui/lab/transport_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>

#include "core/time/duration_text.h"
#include "core/time/wide.h"
#include "ui/models/words.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/look.h"
#include "ui/theme/style.h"
#include "ui/timeline/paint/fonts.h"

namespace leasescope {
namespace {

struct Speed {
  const char* text;
  int permille;
};
constexpr Speed kSpeeds[] = {{"0.1 ×", 100}, {"1 ×", 1000}, {"10 ×", 10000}, {"max", 0}};

}  // namespace

Progress::Progress(LabController& lab, QWidget* parent) : QWidget(parent), lab_(lab) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  const auto repaint = [this] { update(); };
  connect(&lab, &LabController::advanced, this, repaint);
  connect(&lab, &LabController::runReset, this, repaint);
  setAccessibleName(tr("Progress of the run"));
}

void Progress::paintEvent(QPaintEvent*) {
  const Colours& c = ink();
  QPainter painter(this);
  const int x0 = 6, room = width() - 12;
  painter.fillRect(x0, 17, room, 3, c.line);
  const std::int64_t length = lab_.length().count();
  if (length <= 0 || !lab_.history()) return;
  const auto x = [&](TrueTime t) {
    const std::int64_t ns = std::clamp<std::int64_t>(t.time_since_epoch().count(), 0, length);
    return x0 + static_cast<int>(static_cast<Int128>(ns) * room / length);
  };
  painter.fillRect(x0, 17, x(lab_.now()) - x0, 3, c.accent);
  const std::int64_t step = length / 12;
  for (int k = 0; k <= 12; ++k)
    painter.fillRect(x(TrueTime(Duration(step * k))), 21, 1, k % 2 == 0 ? 5 : 3, c.line_strong);
  const auto& incidents = lab_.history()->incidents;
  const Theme theme = Look::instance().theme();
  int free = 0;  // marks of moments do not pile up
  for (const bool bands : {false, true})
    for (const Incident& incident : incidents) {
      const bool tape = incident.kind == IncidentKind::kBeliefOverlap,
                 lattice = incident.kind == IncidentKind::kDoubleGrant;
      const int from = x(incident.start);
      if (bands != (tape || lattice)) continue;
      if (!bands) {
        if (from < free || severity(incident.kind) > 3) continue;
        paintGlyph(painter, QRect(from + 2, 1, 12, 12), glyphOf(incident.kind), theme);
        free = from + 13;
        continue;
      }
      const QRect box(from, 3, std::max(3, x(incident.end) - from), 8);
      if (tape) paintTile(painter, box, Tile::kOverlap, c.overlap_ink, c.overlap);
      if (lattice) paintTile(painter, box, Tile::kCritical, c.on_critical, c.critical);
      painter.setPen(tape ? c.text : c.critical);
      painter.drawRect(box.adjusted(0, 0, -1, -1));
    }
}

TransportBar::TransportBar(LabController& lab, const Actions& actions, QWidget* parent)
    : QWidget(parent), lab_(lab), runAction_(actions.run) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 0, 8, 1);
  row->setSpacing(6);
  row->addWidget(toolButton(actions.restart, this));
  run_ = new QPushButton;
  run_->setObjectName(QStringLiteral("run"));
  run_->setProperty(kPrimary, true);
  run_->setFocusPolicy(Qt::TabFocus);
  run_->setMinimumWidth(78);
  run_->setIconSize({14, 14});
  connect(run_, &QPushButton::clicked, actions.run, &QAction::trigger);
  row->addWidget(run_);
  row->addWidget(toolButton(actions.step, this));
  row->addWidget(toolButton(actions.toEnd, this));
  row->addWidget(toolButton(actions.stop, this));
  speed_ = new QComboBox;
  speed_->setObjectName(QStringLiteral("speed"));
  speed_->setAccessibleName(tr("Speed"));
  speed_->setFixedWidth(70);
  speed_->setToolTip(tr("Simulated time against real time"));
  for (const Speed& speed : kSpeeds) speed_->addItem(QString::fromUtf8(speed.text), speed.permille);
  row->addWidget(speed_);
  progress_ = new Progress(lab);
  row->addWidget(progress_, 1);
  time_ = label({}, 13, 600, Ink::kText, true);
  time_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row->addWidget(time_);
  row->addWidget(length_ = label({}, 11, 400, Ink::kMuted, true));
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
  row->addWidget(toolButton(actions.seed, this));
  row->addWidget(verticalLine());
  QLabel* storeName = label(tr("Store"), 12, 400, Ink::kMuted);
  row->addWidget(storeName);
  store_ = new QComboBox;
  store_->setObjectName(QStringLiteral("store"));
  store_->setAccessibleName(tr("Store"));
  store_->setEditable(true);
  store_->setInsertPolicy(QComboBox::NoInsert);
  store_->addItems({QStringLiteral("model"), QStringLiteral("redis"), QStringLiteral("postgres")});
  store_->setItemData(0, tr("Virtual time, modelled server"), Qt::ToolTipRole);
  store_->setItemData(1, tr("Real time, a private Redis started for the run"), Qt::ToolTipRole);
  store_->setItemData(2, tr("Real time, a private PostgreSQL started for the run"), Qt::ToolTipRole);
  store_->setToolTip(tr("model: virtual time. redis, postgres: a private server. Or a URL: redis://…, postgresql://…"));
  store_->setFont(leasescope::font(Face::kMono, measures().font_small));
  store_->lineEdit()->setFrame(false);
  store_->setFixedWidth(108);
  row->addWidget(store_);
  wideOnly_ = {length_};
  connect(store_, &QComboBox::activated, this, &TransportBar::commitStore);
  connect(store_->lineEdit(), &QLineEdit::editingFinished, this, &TransportBar::commitStore);
  connect(speed_, &QComboBox::activated, this, [this](int index) { lab_.setSpeed(speed_->itemData(index).toInt()); });
  connect(seed_, &QLineEdit::editingFinished, this, [this] {
    if (!lab_.hasScenario() || !seed_->isModified()) return;
    seed_->setModified(false);
    const auto done = lab_.edit("seed", seed_->text().trimmed().toStdString());
    setInvalid(seed_, !done);
    seed_->setToolTip(done ? QString() : done.error());
  });
  connect(runAction_, &QAction::changed, this, &TransportBar::load);
  connect(&lab, &LabController::stateChanged, this, &TransportBar::load);
  connect(&lab, &LabController::advanced, this, &TransportBar::loadTime);
  connect(&lab, &LabController::runReset, this, &TransportBar::loadTime);
  connect(&lab, &LabController::scenarioChanged, this, &TransportBar::loadSeed);
  connect(&lab, &LabController::valuesChanged, this, &TransportBar::loadSeed);
  load();
  loadSeed();
  loadTime();
}

void TransportBar::setCompact(bool compact) {
  for (QWidget* widget : wideOnly_) widget->setVisible(!compact);
  store_->setFixedWidth(compact ? 96 : 140);  // a URL wants room
}

void TransportBar::load() {
  const bool running = lab_.state() == RunState::kRunning && !lab_.live();
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
  if (store == withoutPassword(lab_.values().store)) return;
  const auto done = lab_.setStore(store);
  setInvalid(store_, !done);
  if (done) return loadSeed();
  Problem p;
  p.title = tr("\"%1\" is no store").arg(store_->currentText());
  p.message = done.error();
  emit lab_.problem(p);
}

void TransportBar::loadSeed() {
  setInvalid(store_, false);
  store_->setCurrentText(fromText(withoutPassword(lab_.values().store)));
  store_->lineEdit()->setCursorPosition(0);

  setInvalid(seed_, false);
  seed_->setToolTip(tr("All draws follow from it"));
  seed_->setEnabled(lab_.hasScenario());
  seed_->setText(lab_.hasScenario() ? QString::number(lab_.scenario().seed) : QString());
  seed_->setModified(false);
}

void TransportBar::loadTime() {
  const bool run = lab_.history() != nullptr;
  time_->setText(run ? QStringLiteral("%1 s").arg(secondsText(lab_.now())) : QString());
  length_->setText(run ? QStringLiteral("/ %1").arg(fromText(
                             format_seconds(lab_.length(), lab_.length().count() % 1'000'000'000 == 0 ? 0 : 1)))
                       : QString());
  time_->setMinimumWidth(time_->fontMetrics().horizontalAdvance(QStringLiteral("00.000 s")));
}

}  // namespace leasescope
