#include "ui/panels/playhead_text.h"

#include <QHBoxLayout>

#include "core/time/duration_text.h"
#include "ui/models/words.h"

namespace leasescope {

PlayheadText::PlayheadText(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(time_ = label({}, 13, 600, Ink::kText, true));
  time_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row->addWidget(length_ = label({}, 11, 400, Ink::kMuted, true));
  connect(&session, &Session::advanced, this, &PlayheadText::loadTime);
  connect(&session, &Session::playheadMoved, this, &PlayheadText::loadTime);
  connect(&session, &Session::runReset, this, &PlayheadText::loadLength);
  loadLength();
}

void PlayheadText::loadTime() {
  time_->setText(session_.history() ? QStringLiteral("%1 s").arg(secondsText(session_.playhead())) : QString());
}

void PlayheadText::loadLength() {
  const Duration length = session_.length();
  const int places = length.count() % 1'000'000'000 == 0 ? 0 : 1;
  length_->setText(session_.history() ? QStringLiteral("/ %1").arg(fromText(format_seconds(length, places)))
                                      : QString());
  // As wide as the run will need: a label that grows lays the whole bar out anew, with every frame.
  const QString widest = QStringLiteral("%1 s").arg(secondsText(std::max(length, Duration(10'000'000'000))));
  time_->setFixedSize(time_->fontMetrics().horizontalAdvance(widest) + 2, time_->fontMetrics().height() + 2);
  loadTime();
}

}  // namespace leasescope
