// The live world, continued: what is between the contenders and the store, and what the plan does there; likewise
// between the store and its replica.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/store/owner_event.h"
#include "core/store/store_type.h"
#include "simulator/fault/kinds.h"
#include "simulator/live/link_toxic.h"
#include "simulator/live/live_world.h"

namespace leasescope {
namespace {

// Whether somebody in between is to read single messages.
bool needs_frames(const Scenario& scenario) {
  return std::any_of(scenario.faults.begin(), scenario.faults.end(), [](const FaultTable& row) {
    const FaultKind* const kind = find_fault_kind(row.kind);
    return kind != nullptr && (kind->reads_messages || kind->loses_messages);
  });
}

}  // namespace

// ---- setting up

tl::expected<void, std::string> LiveWorld::add_link(NodeIndex node) {
  Link link;
  for (const StoreUrl& server : servers_) {
    if (!needs_proxies(scenario_)) {
      link.push_back({nullptr, nullptr, {server.endpoint, server.endpoint}});
      continue;
    }
    auto lane = proxied_lane(node, server.endpoint);
    if (!lane) return tl::unexpected(lane.error());
    link.push_back(std::move(*lane));
  }
  links_.push_back(std::move(link));
  return {};
}

tl::expected<LiveWorld::Lane, std::string> LiveWorld::proxied_lane(NodeIndex node, const Endpoint& server) {
  Lane lane;
  const bool frames = !store_.sealed && needs_frames(scenario_);
  lane.requests = std::make_unique<FaultProxy>(*loop_, server, *store_.type, frames, resolver_);
  lane.messages = std::make_unique<FaultProxy>(*loop_, server, *store_.type, frames, resolver_);
  const auto requests = lane.requests->listen();
  const auto messages = lane.messages->listen();
  if (!requests) return tl::unexpected(requests.error());
  if (!messages) return tl::unexpected(messages.error());
  // By its address the server is meant, whoever that is by now.
  const auto towards = [this, server, requests = lane.requests.get(), messages = lane.messages.get(), from = *requests,
                        from_messages = *messages](bool of_messages, const Endpoint& to) {
    (of_messages ? messages : requests)->lead_to(to == server && leader_ ? *leader_ : to);
    return of_messages ? from_messages : from;
  };
  lane.route = {*requests, *messages, towards};
  lane.requests->on_late_release = [this, node](bool freed, TrueTime arrived) {
    if (nodes_.empty()) return;  // at the very end
    const std::uint32_t place = nodes_[node]->mutex_place();
    mutexes_[place]->book->late_release(nodes_[node]->name(), freed, arrived, loop_->now());
    watch(place);
  };
  for (FaultProxy* const proxy : {lane.requests.get(), lane.messages.get()})
    proxy->on_dropped = [this, node](std::string_view message) { on_lost(node, message); };
  return lane;
}

// A store of leases says who has taken or given back; one of nodes, which is gone.
void LiveWorld::on_lost(NodeIndex node, std::string_view message) {
  if (nodes_.empty()) return;  // at the very end
  const auto event = parse_owner_event(message);
  const bool of_nodes = scenario_.family() == Family::kNodes;
  if (!of_nodes && (!event || !event->kind())) return;
  const StoreEventKind kind = of_nodes ? StoreEventKind::kNodeDeleted : *event->kind();
  nodes_[node]->note(EventKind::kNotification, 0, static_cast<std::uint8_t>(NotificationStep::kLost), kNoToken,
                     static_cast<std::int64_t>(kind), of_nodes ? 0 : names_.intern(event->owner).handle);
}

tl::expected<void, std::string> LiveWorld::add_replication() {
  if (!needs_replica(scenario_)) return {};
  replication_ = std::make_unique<Replication>(*loop_, store_.endpoint, scenario_.store.redis().replication_lag);
  return replication_->open();
}

void LiveWorld::lead_to(const Endpoint& leader) {
  leader_ = leader;
  for (Link& link : links_)
    for (Lane& lane : link)
      for (FaultProxy* const proxy : {lane.requests.get(), lane.messages.get()}) proxy->lead_to(leader);
  replication_->lead_from(leader);
  server_->follow(replication_->endpoint());
}

// ---- what the plan does there

// By the names that the virtual world's ways have, so that the draws are the same. What a contender listens to is never
// asked for in vain: on the line for messages only these are disturbed.
void LiveWorld::trouble(NodeIndex node, LinkDirection direction, const LinkTrouble& by, std::uint64_t fault) {
  for (Lane& lane : proxied(node)) trouble(lane, node, direction, by, fault);
}

void LiveWorld::trouble(Lane& lane, NodeIndex node, LinkDirection direction, const LinkTrouble& by,
                        std::uint64_t fault) {
  const std::size_t place = static_cast<std::size_t>(&lane - links_[node].data());
  std::string name(recorder_.history().names.text(nodes_[node]->name()));
  if (place > 0) name += fmt::format(" {}", place + 1);
  const LinkEnd end{[this, node] { return !nodes_.empty() && nodes_[node]->connected(); },
                    [this, node](std::string_view message) { on_lost(node, message); }};
  const auto toxic = [&](LinkDirection way, std::string_view purpose) {
    return std::shared_ptr<Toxic>(make_link_toxic(++last_toxic_, way, by, RandomStream(fault, name, purpose), end));
  };
  LinkToxics toxics;
  if (direction != LinkDirection::kFromStore)
    toxics.of_requests.push_back(toxic(LinkDirection::kToStore, "trouble up"));
  if (direction != LinkDirection::kToStore) {
    toxics.of_requests.push_back(toxic(LinkDirection::kFromStore, "trouble down"));
    toxics.of_messages.push_back(toxic(LinkDirection::kFromStore, "trouble of messages"));
  }
  lane.requests->arm(toxics.of_requests);
  lane.messages->arm(toxics.of_messages);
  lane.troubles[fault].push_back(std::move(toxics));
}

void LiveWorld::untrouble(NodeIndex node, LinkDirection, std::uint64_t fault) {
  for (Lane& lane : proxied(node)) {
    for (const LinkToxics& toxics : lane.troubles[fault]) {
      lane.requests->disarm(toxics.of_requests);
      lane.messages->disarm(toxics.of_messages);
    }
    lane.troubles.erase(fault);
  }
}

void LiveWorld::half_open(NodeIndex node) {
  for_proxies(node, [](FaultProxy& proxy) { proxy.half_open(); });
}

void LiveWorld::close_half_open(NodeIndex node) {
  for_proxies(node, [](FaultProxy& proxy) { proxy.close_half_open(); });
}

LiveWorld::Link& LiveWorld::proxied(NodeIndex node) {
  for (const Lane& lane : links_[node])
    expect(lane.requests != nullptr, "a fault acts on the network, and its kind did not say so");
  return links_[node];
}

void LiveWorld::for_proxies(NodeIndex node, const std::function<void(FaultProxy&)>& act) {
  for (Lane& lane : proxied(node)) {
    act(*lane.requests);
    act(*lane.messages);
  }
}

void LiveWorld::cut(NodeIndex node, LinkDirection direction) {
  for_proxies(node, [&](FaultProxy& proxy) { proxy.stall(direction); });
}

void LiveWorld::heal(NodeIndex node, LinkDirection direction) {
  for_proxies(node, [&](FaultProxy& proxy) { proxy.resume(direction); });
}

// Where a store has one connection for all, messages come over that of the requests.
void LiveWorld::mute(NodeIndex node) {
  for_proxies(node, [](FaultProxy& proxy) { proxy.mute(); });
}

void LiveWorld::unmute(NodeIndex node) {
  for_proxies(node, [](FaultProxy& proxy) { proxy.unmute(); });
}

void LiveWorld::delay_messages(NodeIndex node, Duration by) {
  for_proxies(node, [&](FaultProxy& proxy) { proxy.add_message_delay(by); });
}

void LiveWorld::delay_requests(NodeIndex node, Duration by) {
  for (Lane& lane : links_[node]) lane.requests->add_delay(LinkDirection::kToStore, by);
}

void LiveWorld::clog(NodeIndex node, LinkDirection direction) {
  for_proxies(node, [&](FaultProxy& proxy) { proxy.clog(direction); });
}

void LiveWorld::unclog(NodeIndex node, LinkDirection direction) {
  for_proxies(node, [&](FaultProxy& proxy) { proxy.unclog(direction); });
}

}  // namespace leasescope
