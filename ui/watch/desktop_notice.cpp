#include "ui/watch/desktop_notice.h"

#include <QApplication>
#include <QSystemTrayIcon>

#include "core/base/escaped.h"

namespace leasescope {
namespace {

constexpr std::size_t kMostBytes = 400;

}  // namespace

QString DesktopNotice::plain(const QString& words) {
  QString out = QString::fromStdString(escaped(words.toStdString(), kMostBytes));
  // Neither reading has another word for these.
  return out.replace(u'<', u'‹').replace(u'>', u'›').replace(u'&', u'＆');
}

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
  tray_->showMessage(plain(title), plain(words), QSystemTrayIcon::Warning);
}

}  // namespace leasescope
