// A lesson to be read: its text, and over it the way into the Lab.
#pragma once
#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/learn/lesson.h"
#include "ui/panels/parts.h"

namespace leasescope {

class LessonPage : public Pane {
  Q_OBJECT
 public:
  explicit LessonPage(QAction* openInLab, QWidget* parent = nullptr);

  // `place`: "Lesson 3 of 77"; `expects` and `worlds`: what comes of it and where it can be run, as the list of
  // scenarios has them.
  void show(const Lesson& lesson, const QString& place, const QString& expects, const QString& worlds);
  // For those who sit far from it.
  void setLarger(bool larger);
  QScrollArea* text() const { return scroll_; }

 private:
  void write();
  QLabel* words(const QString& text, int px, Ink ink = Ink::kText, bool fixed = false) const;
  QLabel* strong(const QString& text, int px) const;
  void writeHead(QVBoxLayout& column) const;
  void writeSetUp(QVBoxLayout& column) const;
  void writeFaults(QVBoxLayout& column) const;
  void writeOutcomes(QVBoxLayout& column) const;
  void writeFence(QVBoxLayout& column) const;
  void addTitle(QVBoxLayout& column, const QString& text) const;
  void addOutcome(QGridLayout& grid, const LessonOutcome& outcome) const;
  int px(int usual) const { return larger_ ? usual * 3 / 2 : usual; }

  Lesson lesson_;
  QString place_, expects_, worlds_;
  bool larger_ = false;
  ElidedLabel* head_;
  QScrollArea* scroll_;
};

}  // namespace leasescope
