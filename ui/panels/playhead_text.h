// Where the playhead is, and of how much: "20.514 s / 60".
#pragma once
#include "ui/models/session.h"
#include "ui/panels/parts.h"

namespace leasescope {

class PlayheadText : public QWidget {
  Q_OBJECT
 public:
  explicit PlayheadText(Session& session, QWidget* parent = nullptr);
  // Where there is no room the length goes.
  void setCompact(bool compact) { length_->setVisible(!compact); }

 private:
  void loadTime();
  void loadLength();

  Session& session_;
  QLabel *time_, *length_;
};

}  // namespace leasescope
