// Who writes a recording: one at a time. Whoever reads it is not concerned.
#pragma once
#include <optional>
#include <string>

namespace leasescope {

// Held until its end, also that of a program that is killed. Where the file's disk knows no locks it is had all the
// same.
class FileLock {
 public:
  // Nothing while another has it. The file is there.
  static std::optional<FileLock> take(const std::string& path);

  FileLock() = default;  // of nothing
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
};

}  // namespace leasescope
