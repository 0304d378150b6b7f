#include "ui/learn/lesson_page.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <utility>

#include "ui/look/fonts.h"
#include "ui/panels/pane_layout.h"
#include "ui/theme/look.h"
#include "ui/theme/style.h"
#include "ui/window/action_table.h"

namespace leasescope {
namespace {

constexpr int kWidest = 760;  // of a text that is read
constexpr int kNames = 110;   // the column of what a key or a moment is called

QGridLayout* table() {
  auto* grid = new QGridLayout;
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(4);
  return grid;
}

}  // namespace

LessonPage::LessonPage(QAction* openInLab, QWidget* parent) : Pane(Ground::kChart, parent) {
  auto* strip = new Pane(Ground::kPanel);
  QHBoxLayout* row = stripRow(*strip);
  row->addWidget(head_ = new ElidedLabel, 1);
  head_->setFont(leasescope::font(Face::kText, measures().font_body));
  auto* open = new QPushButton(plainText(*openInLab));
  open->setObjectName(QStringLiteral("openInLab"));
  open->setProperty(kPrimary, true);
  open->setToolTip(withKey(*openInLab));
  connect(open, &QPushButton::clicked, openInLab, &QAction::trigger);
  row->addWidget(open);
  scroll_ = new QScrollArea;
  scroll_->setObjectName(QStringLiteral("lessonText"));
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::StrongFocus);  // so that keys scroll it
  scroll_->viewport()->setAutoFillBackground(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(strip);
  column->addWidget(scroll_, 1);
}

void LessonPage::show(const Lesson& lesson, const QString& place, const QString& expects, const QString& worlds) {
  lesson_ = lesson;
  place_ = place;
  expects_ = expects;
  worlds_ = worlds;
  write();
  scroll_->verticalScrollBar()->setValue(0);
}

void LessonPage::setLarger(bool larger) {
  if (std::exchange(larger_, larger) != larger && !lesson_.name.isEmpty()) write();
}

void LessonPage::write() {
  head_->setFullText(QStringLiteral("%1 · %2 · %3").arg(place_, lesson_.name, lesson_.system));
  scroll_->setAccessibleName(tr("Lesson: %1").arg(lesson_.title));
  scroll_->setAccessibleDescription(QStringList{lesson_.about, expects_, worlds_}.join(u'\n'));
  auto* content = new Pane(Ground::kChart);
  auto* across = new QHBoxLayout(content);
  across->setContentsMargins(24, 16, 24, 24);
  auto* text = new QWidget;
  text->setMaximumWidth(px(kWidest));
  across->addWidget(text, 1);
  across->addStretch(0);
  auto* column = new QVBoxLayout(text);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  writeHead(*column);
  writeSetUp(*column);
  writeFaults(*column);
  writeOutcomes(*column);
  writeFence(*column);
  addTitle(*column, tr("Where it runs"));
  column->addWidget(words(worlds_, 12));
  if (!lesson_.notLive.isEmpty()) column->addWidget(words(tr("Not live: %1.").arg(lesson_.notLive), 12, Ink::kMuted));
  column->addStretch();
  scroll_->setWidget(content);
}

// Plain text: there is much of it, and what is rich takes long to lay out.
QLabel* LessonPage::words(const QString& text, int usual, Ink ink, bool fixed) const {
  auto* out = new WrappedLabel(breakable(text), px(usual), ink, fixed);
  out->setTextFormat(Qt::PlainText);
  out->setAccessibleName(text);
  return out;
}

QLabel* LessonPage::strong(const QString& text, int usual) const {
  QLabel* out = words(text, usual);
  out->setFont(leasescope::font(Face::kText, px(usual), 600));
  return out;
}

void LessonPage::addTitle(QVBoxLayout& column, const QString& text) const {
  column.addSpacing(px(12));
  column.addWidget(strong(text, 13));
}

void LessonPage::writeHead(QVBoxLayout& column) const {
  QLabel* title = strong(lesson_.title, 20);
  title->setObjectName(QStringLiteral("lessonTitle"));
  column.addWidget(title);
  column.addWidget(words(lesson_.about, 14));
}

void LessonPage::writeSetUp(QVBoxLayout& column) const {
  addTitle(column, tr("How it is set up"));
  QGridLayout* grid = table();
  grid->setColumnMinimumWidth(0, px(kNames));
  grid->setColumnStretch(1, 2);
  grid->setColumnStretch(2, 3);
  int at = 0;
  for (const LessonTable& each : lesson_.setUp) {
    grid->addWidget(strong(each.title, 12), at++, 0, 1, 3);
    for (const LessonTable::Key& key : each.keys) {
      grid->addWidget(label(key.name, px(12), 400, Ink::kMuted), at, 0, Qt::AlignTop);
      grid->addWidget(words(key.value, 11, Ink::kText, true), at, 1);
      grid->addWidget(words(key.about, 11, Ink::kMuted), at++, 2);
    }
  }
  column.addLayout(grid);
  column.addWidget(words(tr("All else is as usual."), 11, Ink::kMuted));
}

void LessonPage::writeFaults(QVBoxLayout& column) const {
  addTitle(column, tr("What happens to it"));
  if (lesson_.faults.empty())
    column.addWidget(words(tr("Nothing: what follows, follows from the set-up alone."), 12, Ink::kMuted));
  QGridLayout* grid = table();
  grid->setColumnStretch(0, 2);
  grid->setColumnStretch(1, 5);
  int at = 0;
  for (const LessonFault& fault : lesson_.faults) {
    grid->addWidget(words(fault.when, 11, Ink::kText, true), at, 0);
    const QString what = fault.how.isEmpty() ? fault.what : QStringLiteral("%1, %2").arg(fault.what, fault.how);
    grid->addWidget(words(what, 12), at++, 1);
    grid->addWidget(words(fault.about, 11, Ink::kMuted), at++, 1);
  }
  column.addLayout(grid);
}

void LessonPage::writeOutcomes(QVBoxLayout& column) const {
  addTitle(column, tr("What to look for"));
  column.addWidget(words(expects_, 12));
  if (lesson_.outcomes.empty()) return;
  column.addSpacing(px(4));
  QGridLayout* grid = table();
  grid->setColumnStretch(1, 2);
  grid->setColumnStretch(2, 1);
  grid->setColumnStretch(3, 1);
  grid->addWidget(words(tr("What is counted"), 11, Ink::kMuted), 0, 1);
  grid->addWidget(words(tr("Without fence"), 11, Ink::kMuted), 0, 2);
  grid->addWidget(words(tr("With fence"), 11, Ink::kMuted), 0, 3);
  for (const LessonOutcome& outcome : lesson_.outcomes) addOutcome(*grid, outcome);
  column.addLayout(grid);
}

void LessonPage::addOutcome(QGridLayout& grid, const LessonOutcome& outcome) const {
  const int at = grid.rowCount();
  const Ink ink = outcome.mark == Glyph::kNone ? Ink::kMuted : Ink::kText;
  if (outcome.mark != Glyph::kNone) {
    auto* mark = new GlyphView;
    mark->setGlyph(outcome.mark);
    grid.addWidget(mark, at, 0, Qt::AlignTop);
  }
  QLabel* name = words(outcome.name, 12, ink);
  name->setAccessibleName(tr("%1: without fence %2, with fence %3").arg(outcome.name, outcome.without, outcome.with));
  grid.addWidget(name, at, 1);
  grid.addWidget(words(outcome.without, 11, ink, true), at, 2);
  grid.addWidget(words(outcome.with, 11, ink, true), at, 3);
}

void LessonPage::writeFence(QVBoxLayout& column) const {
  addTitle(column, tr("What would prevent it"));
  for (const QString& each : lesson_.fence) column.addWidget(words(each, 12));
  column.addWidget(words(tr("The fence is switched in the Lab, under Values. Which other settings would have "
                            "prevented an incident is told there of the one that is selected."),
                         11, Ink::kMuted));
}

}  // namespace leasescope
