#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "simulator/engine/processes.h"
#include "simulator/engine/world.h"

namespace leasescope {

namespace {

constexpr std::size_t kAtHand = std::size_t{6} << 20;  // bytes: up to there asking costs more than it saves, measured

// The place of each name among all of them as texts.
std::vector<std::uint32_t> ranks_of(const NameTable& names) {
  std::vector<std::uint32_t> sorted(names.size()), ranks(names.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::sort(sorted.begin(), sorted.end(),
            [&](std::uint32_t a, std::uint32_t b) { return names.text(Name{a}) < names.text(Name{b}); });
  for (std::uint32_t rank = 0; rank < sorted.size(); ++rank) ranks[sorted[rank]] = rank;
  return ranks;
}

ServerModel make_model(const Scenario& scenario, const WorldFacts& facts, std::uint8_t place) {
  const bool queues =
      scenario.mutex.wake_up == WakeUp::kQueue ||
      std::any_of(scenario.contenders.begin(), scenario.contenders.end(),
                  [](const ContenderTable& table) { return generation(table.behaviour).wire == Wire::kTokenless; });
  const ModelSetting setting{facts.mutexes,
                             scenario.terms().ttl,
                             scenario.capacity(),
                             queues ? ranks_of(facts.names) : std::vector<std::uint32_t>(),
                             place,
                             RandomStream(scenario.seed, facts.names.text(facts.stores[place]), "model")};
  std::optional<ServerModel> out;
  each_model([&]<class Terms>(std::type_identity<Terms>) {
    if (Terms::kName == scenario.store.model)
      out.emplace(Terms::Model::make(setting, std::get<Terms>(scenario.store.terms)));
  });
  expect(out.has_value(), "a scenario names a store model that there is");
  return std::move(*out);
}

Server make_server(const Scenario& scenario, const WorldFacts& facts, std::uint8_t place) {
  Server server{make_model(scenario, facts, place)};
  server.name = facts.stores[place];
  server.place = place;
  server.ppm = scenario.store.clock.drift_ppm;
  server.clock = SkewedClock<ServerTime>(scenario.store.clock.offset, server.ppm);
  server.wakes.resize(facts.mutexes.size());
  server.tells = RandomStream(scenario.seed, facts.names.text(server.name), "tells");
  return server;
}

}  // namespace

std::shared_ptr<const WorldFacts> make_facts(const Scenario& scenario) {
  auto facts = std::make_shared<WorldFacts>();
  for (const std::string& name : scenario.mutex_names()) facts->mutexes.push_back(facts->names.intern(name));
  for (const std::string& name : scenario.contender_names()) facts->contenders.push_back(facts->names.intern(name));
  for (const std::string& mutex : scenario.mutex_names())
    for (const ResourceTable& table : scenario.resources)
      facts->resources.push_back(
          facts->names.intern(facts->mutexes.size() == 1 ? table.name : table.name + "@" + mutex));
  for (int place = 1; place <= scenario.servers(); ++place) {
    const std::string number = scenario.servers() == 1 ? std::string() : fmt::format(" {}", place);
    facts->stores.push_back(facts->names.intern(fmt::format("{}{} (model)", scenario.store.model, number)));
  }
  facts->latencies.push_back(scenario.store.latency);
  for (const ContenderTable& table : scenario.contenders)
    if (table.latency) facts->latencies.push_back(*table.latency);
  facts->tells_after = scenario.store.tells_after;
  const auto takes_time = [](const ContenderTable& table) { return table.callback > Duration::zero(); };
  if (std::any_of(scenario.contenders.begin(), scenario.contenders.end(), takes_time))
    for (const ContenderTable& table : scenario.contenders)
      facts->callbacks.insert(facts->callbacks.end(), static_cast<std::size_t>(table.count), table.callback);
  facts->loss_ppm = scenario.store.loss_ppm;
  if (scenario.store.model == "sql") facts->pool = scenario.store.sql().pool;
  for (const ResourceTable& table : scenario.resources) {
    facts->write_latency.push_back(table.latency);
    facts->work_terms.push_back(table.work_terms());
    if (table.bank) facts->transfers.resize(scenario.resources.size(), TransferForm::kNone);
  }
  for (std::size_t i = 0; i < facts->transfers.size(); ++i) facts->transfers[i] = scenario.resources[i].form();
  facts->node_of_name.assign(facts->names.size(), kNobody);
  for (NodeIndex i = 0; i < facts->contenders.size(); ++i) facts->node_of_name[facts->contenders[i].handle] = i;
  return facts;
}

World::World(const Scenario& scenario, std::shared_ptr<const WorldFacts> facts)
    : facts_(std::move(facts)),
      plan_(scenario),
      firings_(all_fault_kinds().size()),
      works_each_(static_cast<std::uint32_t>(facts_->work_terms.size())),
      several_servers_(scenario.servers() > 1) {
  const auto mutexes = static_cast<std::uint32_t>(facts_->mutexes.size());
  for (std::uint8_t place = 0; place < scenario.servers(); ++place)
    servers_.push_back(make_server(scenario, *facts_, place));
  if (several_servers_) majority_ = Majority(servers_.size(), mutexes);
  last_grant_.resize(mutexes);
  for (std::uint32_t i = 0; i < mutexes; ++i)
    for (std::size_t k = 0; k < scenario.resources.size(); ++k)
      resources_.emplace_back(facts_->resources[i * scenario.resources.size() + k], scenario.resources[k].fencing,
                              scenario.resources[k].accepts_tokenless, scenario.capacity());

  if (!facts_->transfers.empty()) {
    for (std::uint32_t i = 0; i < resources_.size(); ++i)
      banks_.emplace_back(facts_->transfers[i % scenario.resources.size()]);
    bank_talks_.resize(facts_->contenders.size() * scenario.resources.size());
  }

  nodes_.reserve(facts_->contenders.size());
  works_.reserve(facts_->contenders.size() * scenario.resources.size());
  std::vector<std::uint16_t> latencies;  // by contender table; 0: the store's
  std::uint16_t own = 0;
  const auto is_off = [](const ContenderTable& table) { return !(table.clock == ClockTable{}); };
  if (std::any_of(scenario.contenders.begin(), scenario.contenders.end(), is_off))
    queue_.push(TrueTime{}, Due::kClocksTold, 0, 0);
  for (const ContenderTable& table : scenario.contenders) latencies.push_back(table.latency ? ++own : 0);
  each_process(scenario, facts_->contenders, facts_->mutexes, [&](const Process& process) {
    fleet_.add(process.contender, facts_->contenders.size());
    const std::string_view name = facts_->names.text(process.name);
    Node node;
    node.name = process.name;
    node.name_hash = facts_->names.text_hash(process.name);
    node.mutex = process.mutex;
    node.clock = process.clock;
    node.latency = latencies[static_cast<std::size_t>(process.table - scenario.contenders.data())];
    node.delay(Way::kUp) = RandomStream(scenario.seed, name, "link up");
    node.delay(Way::kDown) = RandomStream(scenario.seed, name, "link down");
    node.delay(Way::kMessages) = RandomStream(scenario.seed, name, "messages");
    nodes_.push_back(std::move(node));
    works_.insert(works_.end(), process.works.begin(), process.works.end());
    queue_.push(TrueTime{} + process.table->start.under(scenario.terms()), Due::kStart, process.index, 0);
  });
  if (several_servers_) {
    constexpr std::size_t kRounds = 6;  // of calls to all of them that may be out together
    more_outstanding_.resize(nodes_.size());
    for (std::vector<Outstanding>& places : more_outstanding_) places.resize(servers_.size() * kRounds);
    more_arrivals_.resize(nodes_.size() * kWays * (servers_.size() - 1));
  }
  far_ = fleet_.bytes() + nodes_.size() * sizeof(Node) > kAtHand;
  faults_due_ = plan_.next();
}

}  // namespace leasescope
