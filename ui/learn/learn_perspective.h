// Learn: the built-in scenarios as lessons, each told in full, and opened in the Lab from there.
#pragma once
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>

#include "ui/learn/learn_actions.h"
#include "ui/window/perspective.h"
#include "ui/window/window_actions.h"

namespace leasescope {

class LessonPage;
class LessonsModel;
class ScenarioList;

class LearnPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit LearnPerspective(WindowActions& frame, QWidget* parent = nullptr);

  LessonsModel* lessons() const { return lessons_; }
  ScenarioList* list() const { return list_; }
  LessonPage* page() const { return page_; }
  QAction* action(LearnAction which) const { return (*actions_)[which]; }
  // The name of its scenario; empty: none is chosen.
  const QString& lesson() const { return lesson_; }

  QWidget* tools() override { return tools_; }
  QWidget* status() override { return status_; }
  std::vector<ActionTable*> actionTables() override { return {actions_}; }
  QString document() const override;
  // It shows what is built in.
  bool takes(const QString& /*path*/, const QByteArray& /*begin*/) const override { return false; }
  QStringList fileFilters() const override { return {}; }
  // The lesson of that scenario; of a name that has none, none.
  void open(const QString& name) override;
  void layOut() override;
  void present(bool on) override;
  void remember(QSettings& settings) const override;
  void restore(const QSettings& settings) override;

 protected:
  void setCompact(bool compact) override;
  void sizeDocks() override;
  void showEvent(QShowEvent* event) override;

 private:
  void connectActions();
  QWidget* makeTools();
  int row() const;
  void step(int by);

  LessonsModel* lessons_;
  LearnActions* actions_;
  ScenarioList* list_;
  LessonPage* page_;
  QStackedWidget* middle_;
  QWidget *empty_, *tools_;
  QLabel *place_ = nullptr, *status_;
  std::vector<QToolButton*> buttons_;
  QString lesson_;
};

}  // namespace leasescope
