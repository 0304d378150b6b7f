// What an entry of the event queue stands for. The trace hash takes the number: new ones go to the end.
#pragma once
#include <cstdint>

namespace leasescope {

enum class Due : std::uint8_t {
  kStart,
  kStop,
  kTimer0,  // of a contender, by its number
  kTimer1,
  kCallbackDone,
  kWork,
  kRequestTimeout,
  kRequestArrives,
  kReplyArrives,
  kStoreEventArrives,
  kWriteArrives,
  kLeaseEnds,
  kFaultDue,
  kFaultEnds,
  kFaultActs,
  kRequestServed,  // a slow server comes to it
  kResubscribed,   // the store sends its messages again
  kTimer2,
  kWriteAnswered,  // the resource's answer reaches the worker
  kProbeArrives,   // a server asks the kernel of a contender whether a connection stands
  kClocksTold,     // at time 0, where a contender's clocks are not right
};

// A protocol or server input; the others are the work, its writes and the faults.
inline bool is_protocol(Due due) {
  switch (due) {
    case Due::kWork:
    case Due::kWriteArrives:
    case Due::kWriteAnswered:
    case Due::kFaultDue:
    case Due::kFaultEnds:
    case Due::kFaultActs:
    case Due::kClocksTold:
      return false;
    default:
      return true;
  }
}

// What the work of a contender is handed by time or by its resource; a starved contender's work goes on.
inline bool is_work(Due due) { return due == Due::kWork || due == Due::kWriteAnswered; }

}  // namespace leasescope
