// What somebody is told who looks elsewhere: the desktop's own notices, where it has any.
#pragma once
#include <QPointer>
#include <QString>
#include <QWidget>

class QSystemTrayIcon;

namespace leasescope {

class DesktopNotice {
 public:
  explicit DesktopNotice(QWidget& of) : of_(of) {}
  // The window asks for attention; a notice tells of it where there is a place for one. Who looks at the window sees it
  // there.
  void tell(const QString& title, const QString& words);

  // What others wrote, as a desktop may show it: many read a notice's words as HTML, with links and pictures, others as
  // they are. Control characters are spelled, and it is cut where it is too long.
  static QString plain(const QString& words);

 private:
  QWidget& of_;
  QPointer<QSystemTrayIcon> tray_;  // once there was something to tell
};

}  // namespace leasescope
