// Standard error while a picture stands on the terminal: what is written there, by us or by a library, is kept, and
// comes out when the picture is gone. Where standard error is a file or a pipe it is handed on meanwhile.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace leasescope::ctl {

class KeptErrors {
 public:
  KeptErrors() = default;
  ~KeptErrors() { end(); }
  KeptErrors(const KeptErrors&) = delete;
  KeptErrors& operator=(const KeptErrors&) = delete;

  // Where the system has no room for it, what is written goes where it went.
  void begin();
  // The whole lines that have come since it was asked last.
  std::vector<std::string> take();
  // Standard error is what it was before, and has all that it had not yet.
  void end();
  // The same of a program that dies by a signal: nothing is called that must not be called then.
  void give_up() const;

 private:
  void hand_on() const;

  int before_ = -1;           // a copy of what standard error was; -1: it is not kept
  int kept_ = -1;             // a file in memory
  bool hands_on_ = false;     // at each take()
  mutable off_t handed_ = 0;  // bytes of it that it has
  off_t taken_ = 0;
};

}  // namespace leasescope::ctl
