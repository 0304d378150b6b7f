// What must hold however often the program was tested. It stays in release builds: to go on would write past a buffer,
// or show what did not happen.
#pragma once

namespace leasescope {

// Says on standard error what did not hold, and where; ends the program with SIGABRT.
[[noreturn]] void end_for(const char* what, const char* file, int line);

// `what` is the mistake in words: "more effects than a step has room for".
inline void expect(bool holds, const char* what, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (!holds) [[unlikely]]
    end_for(what, file, line);
}

}  // namespace leasescope
