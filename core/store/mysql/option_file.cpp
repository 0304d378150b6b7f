#include "core/store/mysql/option_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace leasescope::mysql {
namespace {

namespace fs = std::filesystem;

// Files that include each other have no end.
constexpr int kDeepest = 10;
constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

char unescaped(char c) {
  constexpr std::string_view kNames = "btnrs", kMeanings = "\b\t\n\r ";
  const std::size_t at = kNames.find(c);
  return at == std::string_view::npos ? c : kMeanings[at];
}

// A quoted text ends with its quote, any other with the line or before a blank and a '#'.
std::string value_of(std::string_view text) {
  const bool quoted = !text.empty() && (text.front() == '"' || text.front() == '\'');
  const char end = quoted ? text.front() : '#';
  std::string out;
  for (std::size_t i = quoted ? 1 : 0; i < text.size(); ++i) {
    const bool ends = text[i] == end && (quoted || i == 0 || kBlanks.find(text[i - 1]) != std::string_view::npos);
    if (ends) break;
    const bool escape = text[i] == '\\' && i + 1 < text.size();
    out += escape ? unescaped(text[++i]) : text[i];
  }
  return quoted ? out : std::string(trimmed(out));
}

std::string name_of(std::string_view text) {
  std::string out(trimmed(text));
  std::replace(out.begin(), out.end(), '_', '-');
  constexpr std::string_view kLoose = "loose-";
  return out.rfind(kLoose, 0) == 0 ? out.substr(kLoose.size()) : out;
}

class Reader {
 public:
  // False when it cannot be read.
  bool read(const fs::path& path, int depth = 0) {
    std::ifstream file(path);
    std::error_code error;
    if (depth > kDeepest || !file || fs::is_directory(path, error)) return false;
    bool ours = false;
    for (std::string line; std::getline(file, line);) take(trimmed(line), ours, depth);
    return true;
  }
  OptionsOfFile taken;

 private:
  void take(std::string_view line, bool& ours, int depth) {
    if (line.empty() || line.front() == '#' || line.front() == ';') return;
    if (line.front() == '!') return include(line, depth);
    if (line.front() == '[') {
      const std::string_view group = line.substr(1, line.find(']') - 1);
      ours = group == "client" || group == "client-server" || group == "client-mariadb";
      return;
    }
    if (!ours) return;
    const std::size_t equals = line.find('=');
    const std::string_view value = equals == std::string_view::npos ? std::string_view() : line.substr(equals + 1);
    taken[name_of(line.substr(0, equals))] = value_of(trimmed(value));
  }
  // Of a folder, its *.cnf by their names.
  void include(std::string_view line, int depth) {
    const std::size_t blank = line.find_first_of(kBlanks);
    if (blank == std::string_view::npos) return;
    const fs::path path(trimmed(line.substr(blank)));
    if (line.substr(0, blank) == "!include") read(path, depth + 1);
    if (line.substr(0, blank) != "!includedir") return;
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& each : fs::directory_iterator(path, error))
      if (each.path().extension() == ".cnf") files.push_back(each.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& each : files) read(each, depth + 1);
  }
};

const char* from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

tl::expected<OptionsOfFile, std::string> options_of_file(const StoreUrl& url) {
  Reader reader;
  if (const auto named = url.options.find("option-file"); named != url.options.end()) {
    if (!named->second.empty() && !reader.read(named->second))
      return tl::unexpected(fmt::format("{}: cannot be read: expected an option file of MySQL", named->second));
    return reader.taken;
  }
  reader.read("/etc/my.cnf");
  reader.read("/etc/mysql/my.cnf");
  const char* home = from_environment("MARIADB_HOME");
  if (home == nullptr) home = from_environment("MYSQL_HOME");
  if (home != nullptr) reader.read(fs::path(home) / "my.cnf");
  if (const char* const own = from_environment("HOME")) reader.read(fs::path(own) / ".my.cnf");
  return reader.taken;
}

}  // namespace leasescope::mysql
