#include "core/store/zookeeper/lock_name.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/store/number_text.h"

namespace leasescope::zookeeper {
namespace {

constexpr std::string_view kMark = "-lock-";
constexpr std::string_view kFenced = ":fenced";
constexpr std::size_t kSession = 17;  // a session with the dash behind it

std::optional<std::uint64_t> read(std::string_view text) {
  std::uint64_t out = 0;
  if (!read_number(text, out)) return std::nullopt;
  return out;
}

std::optional<std::uint64_t> place_of(std::string_view name) {
  const std::size_t mark = name.rfind(kMark);
  return mark == std::string_view::npos ? std::nullopt : read(name.substr(mark + kMark.size()));
}

}  // namespace

std::string lock_folder_of(std::string_view mutex) { return fmt::format("/simba/{}{}", mutex, kFenced); }

std::optional<std::string_view> mutex_of_lock_folder(std::string_view name) {
  if (name.size() <= kFenced.size() || name.substr(name.size() - kFenced.size()) != kFenced) return std::nullopt;
  return name.substr(0, name.size() - kFenced.size());
}

std::string endpoint_text(std::string_view name, std::string_view data) {
  if (data.empty() || name.size() <= kSession) return std::string(data.empty() ? name : data);
  const auto thread = read(name.substr(kSession, name.find('-', kSession) - kSession));
  return !thread || *thread == 1 ? std::string(data) : fmt::format("{}, thread {}", data, *thread);
}

std::string beginning_of_session(std::uint64_t session) { return fmt::format("{:016x}-", session); }

std::string beginning_of_thread(std::uint64_t session, std::uint32_t thread) {
  return fmt::format("{}{}-", beginning_of_session(session), thread);
}

std::string beginning_of_call(std::uint64_t session, std::uint32_t thread, std::uint64_t uid) {
  return fmt::format("{}{}{}", beginning_of_thread(session, thread), uid, kMark);
}

std::optional<std::uint64_t> uid_of(std::string_view name, std::string_view beginning) {
  const std::size_t mark = name.rfind(kMark);
  if (mark == std::string_view::npos || name.substr(0, beginning.size()) != beginning || mark < beginning.size())
    return std::nullopt;
  return read(name.substr(beginning.size(), mark - beginning.size()));
}

std::vector<std::string> line_of(const std::vector<std::string>& names) {
  std::vector<std::pair<std::uint64_t, std::string>> places;
  for (const std::string& name : names)
    if (const auto place = place_of(name)) places.emplace_back(*place, name);
  std::sort(places.begin(), places.end());
  std::vector<std::string> out;
  out.reserve(places.size());
  for (auto& [place, name] : places) out.push_back(std::move(name));
  return out;
}

}  // namespace leasescope::zookeeper
