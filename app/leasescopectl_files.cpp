#include "app/leasescopectl_files.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "app/leasescopectl.h"
#include "core/base/escaped.h"
#include "core/base/whole_file.h"
#include "simulator/scenario/text_file.h"

namespace leasescope::ctl {

std::string unwritable(const std::string& path) {
  if (path.empty() || path == kStandardInput) return {};
  return why_unwritable(path);
}

std::string write_file(const std::string& path, const std::string& text) {
  if (path == kStandardInput) {  // there: standard output
    put(text);
    return {};
  }
  const auto written = write_whole(path, text);
  return written ? std::string() : written.error();
}

void put(std::string_view text, std::FILE* out) { std::fwrite(text.data(), 1, text.size(), out); }

void complain(const std::string& message) {
  constexpr std::size_t kPart = 1500;
  std::string told = message;
  if (told.size() > 2 * kPart) told.replace(kPart, told.size() - 2 * kPart, " … ");
  put(fmt::format("leasescopectl: {}\n", escaped_lines(told)), stderr);  // whether it arrives or not
}

int finish(int code) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return code;
  const int reason = errno;
  if (reason == EPIPE) return kFailed;  // whoever read it has gone
  return failed(fmt::format("standard output could not be written: {}",
                            reason == 0 ? "what was said before did not arrive" : std::strerror(reason)));
}

}  // namespace leasescope::ctl
