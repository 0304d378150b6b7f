// One way to look at things, under a text tab of the window: what stands in the middle, docks around it, tools beside
// the tabs, actions in the menus, and how it was left. It is a window within the window, so that its docks and keys are
// its own and go with it.
#pragma once
#include <QByteArray>
#include <QList>
#include <QMainWindow>
#include <QSettings>
#include <vector>

#include "ui/models/problem.h"
#include "ui/window/action_table.h"

class QDockWidget;

namespace leasescope {

class Perspective : public QMainWindow {
  Q_OBJECT
 public:
  // `word` in settings and on the command line, `name` on the tab.
  Perspective(const QString& word, const QString& name, QWidget* parent);

  const QString& word() const { return word_; }
  const QString& name() const { return name_; }
  virtual QWidget* tools() = 0;   // in the tool bar
  virtual QWidget* status() = 0;  // in the status bar
  virtual std::vector<ActionTable*> actionTables() = 0;
  // More entries of the menu Go, made as they are needed; entriesChanged() tells of others.
  virtual std::vector<QAction*> entries() const { return {}; }
  // What is open, "gc-pause · virtual world"; empty: nothing.
  virtual QString document() const = 0;
  // It has changes that lie in no file.
  virtual bool modified() const { return false; }
  // The window is about to be closed; whoever has something to save asks.
  virtual bool mayClose() { return true; }

  // Whether a file of that name and beginning is one that it opens, and the filters for it in dialogs.
  virtual bool takes(const QString& path, const QByteArray& begin) const = 0;
  virtual QStringList fileFilters() const = 0;
  virtual void open(const QString& path) = 0;
  // Two that belong together; without the second, or of both, there is something to be told.
  virtual void openTwo(const QString& first, const QString& /*second*/, const Problem& /*why*/) { open(first); }
  // Such a file was written elsewhere in the window.
  virtual void note(const QString& /*path*/) {}

  // How it was left, and how it is again; a layout of another version, or one with panels that nobody can come by, is
  // left aside.
  virtual void remember(QSettings& settings) const;
  virtual void restore(const QSettings& settings);
  // As it was made.
  virtual void layOut() = 0;
  // What stands in the middle alone, and larger, for those who sit far from it; and everything again as it was.
  virtual void present(bool on);
  bool presents() const { return presents_; }
  // The window is closed: whatever is under way ends.
  virtual void letGo() {}

  QList<QDockWidget*> docks() const { return docks_; }
  bool compact() const { return compact_; }
  QMenu* createPopupMenu() override;

 signals:
  void documentChanged();
  void entriesChanged();
  void showsItself();               // it has something new to be looked at: it is to be turned to
  void wrote(const QString& path);  // a file that another perspective may open
  // To be opened there, which is turned to: `word` is the other perspective's.
  void opensIn(const QString& word, const QString& path);
  // Likewise two at once, as its openTwo() takes them.
  void opensTwoIn(const QString& word, const QString& first, const QString& second, const leasescope::Problem& why);

 protected:
  QDockWidget* addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
  // Narrow or low windows have tabs where others have docks one above another.
  virtual void setCompact(bool compact);
  bool wouldBeCompact() const;  // at the window's size
  // So that everything has its room; sizes of docks hold only once the window has its own.
  virtual void sizeDocks() = 0;
  // Whether the chart, or what else stands in the middle, has room to be seen.
  bool squeezed() const;

  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

  bool laidOut_ = false;  // by the reader, or for what is on the screen

 private:
  bool everyPanelIsReachable() const;
  QString key(const char* what) const { return word_ + u'/' + QLatin1String(what); }

  QString word_, name_;
  QList<QDockWidget*> docks_;
  bool compact_ = false;
  bool presents_ = false;
  QByteArray beside_;  // how it was laid out before it presented
};

}  // namespace leasescope
