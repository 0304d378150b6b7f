#include "ui/watch/past_bar.h"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>

#include "ui/panels/pane_layout.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr int kField = 170, kEdge = 4;  // px

// With its zone, and its day where that is not the watch's first.
QString momentText(const CountedTime& time, TrueTime at) {
  if (!time.isWallClock()) return time.text(at);
  const bool named = time.zoneOffset(at) != time.zoneOffset(TrueTime{});
  return named ? time.figure(at) : time.figure(at) + u' ' + time.unit();
}

}  // namespace

PastBar::PastBar(WatchSession& session, QAction* live, QWidget* parent)
    : Pane(Ground::kHeader, parent), session_(session) {
  setObjectName(QStringLiteral("pastBar"));
  QHBoxLayout* row = stripRow(*this);
  words_ = new ElidedLabel;
  words_->setFont(label({}, 12, 600)->font());
  row->addWidget(words_, 1);
  field_ = new QLineEdit;
  field_->setObjectName(QStringLiteral("moment"));
  field_->setPlaceholderText(tr("03:12, or 2026-11-27 03:12"));
  field_->setAccessibleName(tr("The moment to go to"));
  field_->setMaximumWidth(kField);
  field_->installEventFilter(this);
  row->addWidget(field_, 1);
  back_ = new QPushButton(tr("Back to now"));
  back_->setObjectName(QStringLiteral("backToNow"));
  back_->setToolTip(withKey(*live));
  row->addWidget(back_);
  row->addWidget(key_ = new KeyCap(live->shortcut().toString(QKeySequence::NativeText)));
  connect(back_, &QPushButton::clicked, live, &QAction::trigger);
  connect(field_, &QLineEdit::textEdited, this, [this] { say({}); });
  connect(&session, &WatchSession::lookedAt, this, &PastBar::load);
  connect(&session, &Session::timeCounted, this, &PastBar::load);
  connect(&session, &Session::runReset, this, &PastBar::load);
  load();
}

void PastBar::load() {
  const bool past = session_.past() != nullptr;
  said_ = past ? tr("As at %1").arg(momentText(session_.time(), session_.playhead())) : tr("Go to a moment");
  const QString shown = !error_.isEmpty() ? error_ : past ? tr("%1: who owned what then").arg(said_) : said_;
  if (words_->text() != shown) words_->setFullText(shown);
  setInk(words_, error_.isEmpty() ? Ink::kText : Ink::kWarn);
  back_->setVisible(past);
  key_->setVisible(past);
  setVisible(session_.watch() != nullptr && (past || asked_));
}

void PastBar::ask() {
  asked_ = true;
  load();
  field_->setFocus(Qt::ShortcutFocusReason);
  field_->selectAll();
}

void PastBar::say(const QString& error) {
  error_ = error;
  load();
}

void PastBar::go() {
  const auto at = session_.momentOf(field_->text());
  if (!at) return say(at.error());
  asked_ = false;
  say({});
  emit wanted(*at);
  emit left();
}

bool PastBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched != field_ || event->type() != QEvent::KeyPress) return Pane::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    go();
    return true;
  }
  if (key != Qt::Key_Escape) return false;
  asked_ = false;
  say({});
  emit left();
  return true;
}

// An edge of ink, so that nobody takes the past for now.
void PastBar::paintEvent(QPaintEvent* event) {
  Pane::paintEvent(event);
  if (session_.past() == nullptr) return;
  QPainter painter(this);
  painter.fillRect(QRect(0, 0, kEdge, height()), ink().accent);
}

}  // namespace leasescope
