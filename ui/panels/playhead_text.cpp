#include "ui/panels/playhead_text.h"

#include <QHBoxLayout>
#include <algorithm>

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
  for (const auto changed : {&Session::runReset, &Session::timeCounted})
    connect(&session, changed, this, &PlayheadText::loadLength);
  loadLength();
}

void PlayheadText::loadTime() {
  time_->setText(session_.history() ? session_.time().text(session_.playhead()) : QString());
}

// By another clock than the run's a length of the run says nothing of how far it is.
void PlayheadText::loadLength() {
  const CountedTime& time = session_.time();
  const Duration length = session_.length();
  const int places = length.count() % 1'000'000'000 == 0 ? 0 : 1;
  const bool told = session_.history() != nullptr && time.counts == Counts::kRun;
  length_->setText(told ? QStringLiteral("/ %1").arg(fromText(format_seconds(length, places))) : QString());
  // As wide as the run will need: a label that grows lays the whole bar out anew, with every frame.
  const QFontMetrics metrics = time_->fontMetrics();
  const Duration longest = std::max(length, Duration(10'000'000'000));
  const int widest = std::max(metrics.horizontalAdvance(time.text(TrueTime{})),
                              metrics.horizontalAdvance(time.text(TrueTime(longest))));
  time_->setFixedSize(widest + 2, metrics.height() + 2);
  loadTime();
}

}  // namespace leasescope
