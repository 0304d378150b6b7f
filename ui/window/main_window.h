// The window: a frame with menus, the perspectives as tabs, their tools beside these, and a status bar; remembers how
// it was left.
#pragma once
#include <QMainWindow>
#include <vector>

#include "ui/window/perspective.h"
#include "ui/window/window_actions.h"

class QLabel;
class QMessageBox;
class QStackedWidget;
class QTabBar;

namespace leasescope {

class CommandPalette;
class KeySheet;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;

  const std::vector<Perspective*>& perspectives() const { return perspectives_; }
  Perspective& current() const;
  void turnTo(Perspective& perspective);
  // Null when there is none of that word.
  Perspective* perspective(const QString& word) const;
  QAction* action(WindowAction which) const { return (*actions_)[which]; }
  // Of the frame and of what is shown.
  std::vector<ActionTable*> actionTables() const;
  std::vector<KeyLine> keys() const;
  CommandPalette* commandPalette() const { return palette_; }

  // In the perspective whose it is: a file, or the name of a built-in scenario.
  void open(const QString& nameOrPath);
  // On the whole screen, without menus, tools and panels: for a lecture.
  void present(bool on);
  // Geometry, theme, the perspective, and what each keeps of itself.
  void remember() const;
  void restore();
  static QString rememberedTheme();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildBars();
  void buildMenus();
  void addPanels(QMenu* view);
  void showPalette();
  void connectActions();
  void scaleBy(int steps);
  void load();
  void loadTitle();
  void fitTabs();
  void placeDocument();
  Perspective& ownerOf(const QString& path) const;
  void openFile();
  void about();
  void tellWayBack(bool on);
  void placeWayBack();

  WindowActions* actions_;
  std::vector<Perspective*> perspectives_;
  QTabBar* tabs_;
  QStackedWidget *pages_, *tools_, *status_;
  QLabel* document_ = nullptr;
  QLabel* wayBack_ = nullptr;         // says how a presentation ends
  Perspective* presented_ = nullptr;  // null: it is no presentation
  QByteArray geometryBefore_;
  Qt::WindowStates before_{};  // the window's, before it was one
  KeySheet* keys_ = nullptr;
  QMessageBox* scaled_ = nullptr;  // tells of the size that was chosen
  CommandPalette* palette_;
  std::vector<QAction*> turns_;  // to each perspective
};

}  // namespace leasescope
