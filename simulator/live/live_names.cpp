#include "simulator/live/live_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/simba/contender_id.h"

namespace leasescope {

tl::expected<Name, std::string> LiveNames::add_contender(const std::string& name) {
  const std::string host = make_host_id();  // "0:4242@10.0.0.7"
  const std::string id = fmt::format("{}.{}{}", name, make_uuid_id().substr(0, 8), host.substr(host.find(':')));
  if (auto valid = validate_contender_id(id); !valid) return tl::unexpected(valid.error());
  const Name handle = recorder_->intern(name);
  wire_[handle.handle] = id;
  ours_[id] = handle;
  return handle;
}

tl::expected<Name, std::string> LiveNames::add_mutex(const std::string& name, const std::string& on_wire) {
  if (auto valid = validate_mutex_name(on_wire); !valid) return tl::unexpected(valid.error());
  const Name handle = recorder_->intern(name);
  wire_[handle.handle] = on_wire;
  return handle;
}

std::string LiveNames::text(Name name) const {
  const auto found = wire_.find(name.handle);
  return found != wire_.end() ? found->second : std::string(recorder_->history().names.text(name));
}

Name LiveNames::intern(std::string_view text) {
  const auto found = ours_.find(std::string(text));
  if (found != ours_.end()) return found->second;
  return text.empty() ? Name{} : intern_foreign(std::string(text));
}

Name LiveNames::intern_foreign(const std::string& id) {
  if (const auto known = foreign_.find(id); known != foreign_.end()) return known->second;
  if (foreign_.size() >= kMostForeign) return recorder_->intern("others");
  std::string shown = escaped(id);
  // Two ids may look alike, and one may be called as a contender or a mutex of ours is.
  const auto taken = [&](const std::string& name) {
    return wire_.count(recorder_->intern(name).handle) != 0 ||
           std::any_of(foreign_.begin(), foreign_.end(),
                       [&](const auto& other) { return other.second == recorder_->intern(name); });
  };
  if (shown != id || id.find(':') == std::string::npos)
    for (int copy = 2; taken(shown); ++copy) shown = fmt::format("{} ({})", escaped(id), copy);
  const Name name = recorder_->intern(shown);
  foreign_[id] = name;
  wire_.emplace(name.handle, id);
  return name;
}

std::string wire_name(const Scenario& scenario, const std::string& mutex, bool given_store) {
  if (!given_store || scenario.mutex.named) return mutex;
  return fmt::format("leasescope:{}:{}", scenario.name, mutex);
}

}  // namespace leasescope
