// Times and tokens as the chart writes them: seconds with milliseconds, a proper minus, a unit on every length.
#pragma once
#include <QString>

#include "core/lease/mutex_owner.h"
#include "core/time/clock.h"

namespace leasescope {

QString seconds_text(TrueTime at, int decimals = 3);  // "17.189"
QString length_text(Duration length);                 // "3.811 s", "188 ms", "0.5 ms"
QString signed_ms_text(Duration length);              // "+321 ms", "−5 ms"
QString token_text(Token token);                      // "#33", "" when there is none

}  // namespace leasescope
