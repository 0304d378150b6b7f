#include "simulator/live/live_names.h"

#include <fmt/format.h>

#include "core/contend/contender_id.h"

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
  return found != ours_.end() ? found->second : recorder_->intern(text);
}

std::string wire_name(const Scenario& scenario, const std::string& mutex, bool given_store) {
  if (!given_store || scenario.mutex.named) return mutex;
  return fmt::format("leasescope:{}:{}", scenario.name, mutex);
}

}  // namespace leasescope
