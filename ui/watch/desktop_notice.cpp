#include "ui/watch/desktop_notice.h"

#include <QApplication>
#include <QSystemTrayIcon>

namespace leasescope {

void DesktopNotice::tell(const QString& title, const QString& words) {
  QWidget* const window = of_.window();
  if (window->isActiveWindow()) return;
  QApplication::alert(window);
  if (!QSystemTrayIcon::isSystemTrayAvailable() || !QSystemTrayIcon::supportsMessages()) return;
  if (tray_ == nullptr) {
    tray_ =
        new QSystemTrayIcon(window->windowIcon().isNull() ? QApplication::windowIcon() : window->windowIcon(), &of_);
    tray_->setToolTip(QStringLiteral("Leasescope"));
    QObject::connect(tray_, &QSystemTrayIcon::messageClicked, window, [window] {
      window->raise();
      window->activateWindow();
    });
  }
  tray_->show();
  tray_->showMessage(title, words, QSystemTrayIcon::Warning);
}

}  // namespace leasescope
