// The program is told to end: by ^C, by kill, by the end of a session or of its terminal.
#pragma once
#include <QObject>

class QSocketNotifier;

namespace leasescope {

// One at a time. What the program was started to ignore it goes on to ignore. Each signal ends the program at once when
// it comes again, as whoever closes may be asked something.
class ToldToEnd : public QObject {
  Q_OBJECT
 public:
  explicit ToldToEnd(QObject* parent = nullptr);
  ~ToldToEnd() override;

 signals:
  void told();

 private:
  QSocketNotifier* heard_ = nullptr;
};

}  // namespace leasescope
