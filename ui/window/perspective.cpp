#include "ui/window/perspective.h"

#include <QDockWidget>
#include <QGuiApplication>
#include <QScreen>
#include <QTimer>

#include "ui/look/tokens.h"

namespace leasescope {
namespace {

constexpr int kLayoutVersion = 3;
constexpr int kNarrow = 1200;  // below it the side docks become a button and tabs
constexpr int kLow = 700;      // below it three docks do not fit one above another

}  // namespace

Perspective::Perspective(const QString& word, const QString& name, QWidget* parent)
    : QMainWindow(parent, Qt::Widget), word_(word), name_(name) {
  setObjectName(word);
  setDockNestingEnabled(true);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
}

QMenu* Perspective::createPopupMenu() { return nullptr; }  // the View menu has it all, with keys

QDockWidget* Perspective::addDock(const QString& name, const QString& title, QWidget* content,
                                  Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setWidget(content);
  addDockWidget(area, dock);
  docks_ << dock;
  return dock;
}

void Perspective::setCompact(bool compact) { compact_ = compact; }

bool Perspective::wouldBeCompact() const { return window()->width() < kNarrow || window()->height() < kLow; }

// Whether a reader can come by every panel: one that is closed is opened from the View menu, one that is open lies in
// a place of the window or on a screen.
bool Perspective::everyPanelIsReachable() const {
  for (const QDockWidget* dock : docks_) {
    if (dock->isHidden()) continue;
    if (!dock->isFloating() && dockWidgetArea(const_cast<QDockWidget*>(dock)) == Qt::NoDockWidgetArea) return false;
    if (!dock->isFloating()) continue;
    // Its title has to be in reach of the mouse.
    const QRect title(dock->pos(), QSize(dock->width(), measures().dock_title));
    const QList<QScreen*> screens = QGuiApplication::screens();
    const bool seen = std::any_of(screens.begin(), screens.end(), [&](const QScreen* screen) {
      const QRect shown = screen->availableGeometry() & title;
      return shown.width() >= 60 && shown.height() >= 10;
    });
    if (!seen) return false;
  }
  return true;
}

// Known only when the window has its size: a layout may have squeezed the middle or a panel to nothing.
bool Perspective::squeezed() const {
  const QWidget* middle = centralWidget();
  bool squeezed = middle->width() < 200 || middle->height() < 120;
  for (const QDockWidget* dock : docks_)
    squeezed |= dock->isVisible() && !dock->isFloating() && (dock->width() < 80 || dock->height() < 40);
  return squeezed;
}

void Perspective::remember(QSettings& settings) const {
  settings.setValue(key("state"), saveState(kLayoutVersion));
  settings.setValue(key("compact"), compact_);
}

void Perspective::restore(const QSettings& settings) {
  setCompact(settings.value(key("compact"), wouldBeCompact()).toBool());
  const QByteArray sound = saveState(kLayoutVersion);  // a failed restore leaves Qt's own books half written
  laidOut_ = restoreState(settings.value(key("state")).toByteArray(), kLayoutVersion) && everyPanelIsReachable();
  if (laidOut_) return;
  restoreState(sound, kLayoutVersion);
  layOut();
}

void Perspective::present(bool on) {
  if (on == presents_) return;
  presents_ = on;
  if (!on) {
    restoreState(beside_, kLayoutVersion);
    return;
  }
  beside_ = saveState(kLayoutVersion);
  for (QDockWidget* dock : docks_) dock->hide();
}

void Perspective::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  if (presents_) return;
  const bool compact = wouldBeCompact();
  if (isVisible() && compact != compact_) setCompact(compact);
}

void Perspective::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (presents_) return;
  if (compact_ != wouldBeCompact())
    setCompact(!compact_);
  else if (!laidOut_)
    sizeDocks();
  if (laidOut_)
    QTimer::singleShot(0, this, [this] {
      if (squeezed()) layOut();
    });
}

}  // namespace leasescope
