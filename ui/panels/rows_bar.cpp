#include "ui/panels/rows_bar.h"

#include <QKeyEvent>

#include "ui/models/words.h"
#include "ui/panels/pane_layout.h"

namespace leasescope {

RowsBar::RowsBar(QAction* showAll, QWidget* parent) : Pane(Ground::kHeader, parent) {
  setObjectName(QStringLiteral("rowsBar"));
  QHBoxLayout* row = stripRow(*this);
  words_ = new QLineEdit;
  words_->setObjectName(QStringLiteral("rowWords"));
  words_->setPlaceholderText(tr("Rows with these words"));
  words_->setAccessibleName(tr("Rows with these words"));
  words_->setClearButtonEnabled(true);
  words_->setFixedWidth(180);
  words_->installEventFilter(this);
  row->addWidget(words_);
  mutex_ = new QComboBox;
  mutex_->setAccessibleName(tr("Rows of a mutex"));
  kind_ = new QComboBox;
  kind_->setAccessibleName(tr("Rows that are part of an incident"));
  kind_->addItem(tr("Any row"));
  for (const IncidentKind kind : kAllIncidentKinds) kind_->addItem(fromText(title(kind)), static_cast<int>(kind));
  for (QComboBox* choice : {mutex_, kind_}) {
    choice->setMaximumWidth(150);
    choice->setFocusPolicy(Qt::StrongFocus);
    row->addWidget(choice);
    connect(choice, &QComboBox::activated, this, [this] { emit filterWanted(filter(), false); });
  }
  text_ = new ElidedLabel;
  row->addWidget(text_, 1);
  auto* all = new QToolButton;
  all->setDefaultAction(showAll);
  all->setAutoRaise(true);
  row->addWidget(all);
  auto* shut = new QToolButton;
  shut->setIcon(icon(Icon::kClose));
  shut->setAutoRaise(true);
  shut->setFixedSize(22, 22);
  shut->setToolTip(tr("No filter"));
  shut->setAccessibleName(tr("No filter"));
  connect(shut, &QToolButton::clicked, this, &RowsBar::close);
  row->addWidget(shut);
  connect(words_, &QLineEdit::textEdited, this, [this] { emit filterWanted(filter(), true); });
  setMutexes({});
  hide();
}

void RowsBar::setMutexes(const QStringList& names) {
  const QString chosen = mutex_->currentData().toString();
  mutex_->clear();
  mutex_->addItem(tr("Every mutex"));
  for (const QString& name : names) mutex_->addItem(name, name);
  mutex_->setCurrentIndex(std::max(0, mutex_->findData(chosen)));
  mutex_->setVisible(names.size() > 1);
}

RowFilter RowsBar::filter() const {
  RowFilter filter;
  filter.words = words_->text().trimmed().toStdString();
  filter.mutex = mutex_->currentData().toString().toStdString();
  if (kind_->currentIndex() > 0) filter.kind = static_cast<IncidentKind>(kind_->currentData().toInt());
  return filter;
}

void RowsBar::load(const RowChoice& choice, int rows, int incidents) {
  // What is typed is not typed over: a space at its end is none of the filter's.
  if (filter().words != choice.filter.words) words_->setText(fromText(choice.filter.words));
  mutex_->setCurrentIndex(std::max(0, mutex_->findData(fromText(choice.filter.mutex))));
  kind_->setCurrentIndex(choice.filter.kind ? static_cast<int>(*choice.filter.kind) + 1 : 0);
  // Where there is one mutex to choose from the perspective has chosen it: rows of others are nothing that the reader
  // hides.
  RowFilter asked = choice.filter;
  const bool given = mutex_->count() <= 2 && !asked.mutex.empty();
  if (given) asked.mutex.clear();
  needed_ = asked.any() || !choice.hidden.empty() || (rows > 0 && !given);
  say(rows, incidents);
  setVisible(asked_ || needed_);
}

void RowsBar::say(int rows, int incidents) {
  said_ = rows == 0 ? tr("No row is hidden") : tr("%n row(s) hidden", nullptr, rows);
  if (rows > 0)
    said_ += QStringLiteral(", ") +
             (incidents == 0 ? tr("part of no incident") : tr("part of %n incident(s)", nullptr, incidents));
  text_->setFullText(said_);
  setInk(text_, incidents > 0 ? Ink::kWarn : Ink::kMuted);
}

void RowsBar::ask() {
  asked_ = true;
  show();
  words_->setFocus(Qt::ShortcutFocusReason);
  words_->selectAll();
}

void RowsBar::close() {
  asked_ = false;
  emit filterWanted({}, false);
  emit left();
  setVisible(needed_);
}

bool RowsBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched != words_ || event->type() != QEvent::KeyPress) return Pane::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key == Qt::Key_Escape) close();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) emit left();
  return key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter;
}

}  // namespace leasescope
