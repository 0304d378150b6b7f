#include "ui/panels/preparation_box.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QShortcut>
#include <QVBoxLayout>

#include "ui/panels/parts.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr int kDelayMs = 300;  // what is over by then is not shown
constexpr int kTickMs = 100;   // of the time that is shown
constexpr int kWidth = 448, kBar = 6;

// How far it is, in ink.
class Bar : public QWidget {
 public:
  explicit Bar(const PreparationBox::Prepared& prepared) : prepared_(prepared) { setFixedHeight(kBar); }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Colours& c = ink();
    QPainter painter(this);
    painter.fillRect(rect(), c.panel);
    painter.fillRect(0, 0, width() * prepared_.what().permille / 1000, height(), c.text);
    painter.setPen(c.text);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }

 private:
  const PreparationBox::Prepared& prepared_;
};

}  // namespace

PreparationBox::PreparationBox(Session& session, QAction* cancel, QWidget* parent)
    : PreparationBox({[&session] { return session.state() == RunState::kPreparing; },
                      [&session]() -> const Preparation& { return session.preparation(); }},
                     cancel, parent) {
  connect(&session, &Session::stateChanged, this, &PreparationBox::turn);
  connect(&session, &Session::preparationMoved, this, &PreparationBox::load);
}

PreparationBox::PreparationBox(Prepared prepared, QAction* cancel, QWidget* parent)
    : QWidget(parent), prepared_(std::move(prepared)) {
  setObjectName(QStringLiteral("preparation"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 12);
  column->setSpacing(9);
  auto* head = new QHBoxLayout;
  head->setSpacing(10);
  auto* title = new ElidedLabel;
  title->setFont(label({}, 12, 600)->font());
  title_ = title;
  head->addWidget(title, 1);
  head->addWidget(time_ = label({}, 11, 400, Ink::kMuted, true));
  column->addLayout(head);
  column->addWidget(bar_ = new Bar(prepared_));
  auto* foot = new QHBoxLayout;
  foot->setSpacing(6);
  foot->addWidget(step_ = label({}, 12, 400, Ink::kMuted), 1);
  cancel_ = new QPushButton(tr("Cancel"));
  cancel_->setFocusPolicy(Qt::TabFocus);
  foot->addWidget(new KeyCap(QStringLiteral("Esc")));
  foot->addWidget(cancel_);
  column->addLayout(foot);
  setFixedWidth(kWidth);
  connect(cancel_, &QPushButton::clicked, cancel, &QAction::trigger);
  escape_ = new QShortcut(Qt::Key_Escape, this);
  connect(escape_, &QShortcut::activated, cancel, &QAction::trigger);
  delay_.setSingleShot(true);
  delay_.setInterval(kDelayMs);
  tick_.setInterval(kTickMs);
  connect(&delay_, &QTimer::timeout, this, &PreparationBox::appear);
  connect(&tick_, &QTimer::timeout, this, &PreparationBox::load);
  parent->installEventFilter(this);
  hide();  // else it is shown with its parent
  turn();
}

void PreparationBox::turn() {
  const bool prepares = prepared_.now();
  escape_->setEnabled(prepares);
  // Shown, it may still lie on a page that is not: it goes from there too.
  if (prepares == (delay_.isActive() || !isHidden())) return;
  if (prepares) {
    since_.start();
    return delay_.start();
  }
  delay_.stop();
  tick_.stop();
  hide();
}

void PreparationBox::appear() {
  load();
  adjustSize();
  place();
  raise();
  show();
  tick_.start();
}

void PreparationBox::load() {
  if (!prepared_.now()) return;
  static_cast<ElidedLabel*>(title_)->setFullText(prepared_.what().title);
  QString step = prepared_.what().words;
  if (!step.isEmpty()) step[0] = step[0].toUpper();
  step_->setText(step);
  time_->setText(tr("%1 s").arg(static_cast<double>(since_.elapsed()) / 1000, 0, 'f', 1));
  setAccessibleName(text());
  bar_->update();
}

QString PreparationBox::text() const { return QStringLiteral("%1: %2").arg(prepared_.what().title, step_->text()); }

// In the upper part of what it lies on, where there is no run yet.
void PreparationBox::place() {
  const QWidget* on = parentWidget();
  move(std::max(0, (on->width() - width()) / 2), std::max(0, (on->height() - height()) / 3));
}

bool PreparationBox::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && isVisible()) place();
  return QWidget::eventFilter(watched, event);
}

void PreparationBox::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), ink().panel);
  painter.setPen(ink().line_strong);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace leasescope
