// What it takes to write a file whole: where its name leads, whether it may be written, and a file beside it that will
// take its name.
#pragma once
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace leasescope {

// A file of its own, under a name that nobody has.
struct FilePart {
  std::filesystem::path path;
  int descriptor = -1;  // -1: it could not be made
};

// Where the links lead, also to a file that is not there yet.
std::filesystem::path end_of_links(std::filesystem::path path);
std::filesystem::path folder_of(const std::filesystem::path& path);
FilePart make_part(const std::filesystem::path& folder, mode_t mode);
// As the file that it will replace; whether it could be made so.
bool take_after(const FilePart& part, const struct stat& old);
// These give 0, or the error's number (errno): writing all of it, and why a file may not be written.
int write_all(int descriptor, std::string_view bytes);
int refusal(const std::filesystem::path& target);
// "PATH cannot be written: No space left on device"
std::string cannot_write(const std::string& path, int error);

}  // namespace leasescope
