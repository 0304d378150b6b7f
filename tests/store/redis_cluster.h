// A private cluster of three masters, each of which keeps a third of the slots, for suites that derive from this.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tests/store/redis_fleet.h"
#include "tests/support/suite.h"

namespace leasescope::tests {

class RedisCluster {
 protected:
  static constexpr int kSlotsOfAll = 16384;

  std::string ask(std::size_t node, const std::string& line) const {
    std::vector<std::string> words;
    for (const QString& word : QString::fromStdString(line).split(' ')) words.push_back(word.toStdString());
    return fleet_->ask(node, words);
  }
  std::string id(std::size_t node) const { return ask(node, "CLUSTER MYID"); }
  std::string slot(const std::string& mutex) const { return ask(0, "CLUSTER KEYSLOT simba:{" + mutex + "}"); }
  std::size_t home(const std::string& mutex) const {
    return static_cast<std::size_t>(std::stoi(slot(mutex)) * 3 / kSlotsOfAll);
  }
  // One that the node keeps; the number makes it another one.
  std::string mutex_of(std::size_t node, int number = 0) const {
    for (int i = 0;; ++i)
      if (const std::string name = QTest::currentTestFunction() + std::to_string(i);
          home(name) == node && number-- == 0)
        return name;
  }
  void begin_move(const std::string& mutex, std::size_t from, std::size_t to) const {
    QCOMPARE(ask(to, "CLUSTER SETSLOT " + slot(mutex) + " IMPORTING " + id(from)), std::string("OK"));
    QCOMPARE(ask(from, "CLUSTER SETSLOT " + slot(mutex) + " MIGRATING " + id(to)), std::string("OK"));
  }
  void move_key(const std::string& key, std::size_t from, std::size_t to) const {
    const std::string port = std::to_string(fleet_->port(to));
    QCOMPARE(fleet_->ask(from, {"MIGRATE", "127.0.0.1", port, "", "0", "5000", "KEYS", key}), std::string("OK"));
  }
  void end_move(const std::string& mutex, std::size_t to) const {
    for (const std::size_t node : {to, std::size_t{0}, std::size_t{1}, std::size_t{2}})
      QCOMPARE(ask(node, "CLUSTER SETSLOT " + slot(mutex) + " NODE " + id(to)), std::string("OK"));
  }
  StoreUrl url(std::initializer_list<std::size_t> nodes) const {
    std::string text = "redis://";
    for (const std::size_t node : nodes)
      text += (text.back() == '/' ? "127.0.0.1:" : ",127.0.0.1:") + std::to_string(fleet_->port(node));
    return *parse_store_url(text);
  }
  // That follows this master, and has what it has.
  std::size_t add_replica(std::size_t master) {
    const std::size_t replica = fleet_->add({}, lines_of(free_port()));
    ask(replica, "CLUSTER MEET 127.0.0.1 " + std::to_string(fleet_->port(0)) + " " + buses_.front());
    [&] {
      QVERIFY(fleet_->comes_to_say(replica, {"CLUSTER", "INFO"}, "cluster_known_nodes:4", milliseconds(15'000)));
      QVERIFY(wait_until([&] { return ask(replica, "CLUSTER REPLICATE " + id(master)) == "OK"; }, milliseconds(5000)));
      QVERIFY(fleet_->comes_to_say(replica, {"INFO", "replication"}, "master_link_status:up", milliseconds(10'000)));
    }();
    return replica;
  }
  // "master 183 127.0.0.1 6380 183": its offset, and its replica's.
  bool is_replicated(std::size_t master) const {
    const QStringList role = QString::fromStdString(ask(master, "ROLE")).split(' ');
    return role.size() == 5 && role[1] == role[4];
  }
  static RedisFleet::Words lines_of(int bus) {
    return {"cluster-enabled yes", "cluster-port " + std::to_string(bus), "cluster-node-timeout 1000"};
  }

  void set_up() {
    if (fleet_ != nullptr) return;
    fleet_ = std::make_unique<RedisFleet>();
    buses_.clear();
    for (int i = 0; i < 3; ++i) {
      const int bus = free_port();
      buses_.push_back(std::to_string(bus));
      fleet_->add({}, lines_of(bus));
    }
    QVERIFY(fleet_->started());
    for (int i = 0; i < 3; ++i) {
      const std::string first = std::to_string((kSlotsOfAll * i + 2) / 3),
                        last = std::to_string((kSlotsOfAll * (i + 1) + 2) / 3 - 1);
      QCOMPARE(ask(static_cast<std::size_t>(i), "CLUSTER ADDSLOTSRANGE " + first + " " + last), std::string("OK"));
      if (i > 0)
        ask(0, "CLUSTER MEET 127.0.0.1 " + std::to_string(fleet_->port(static_cast<std::size_t>(i))) + " " +
                   buses_[static_cast<std::size_t>(i)]);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      QVERIFY(fleet_->comes_to_say(i, {"CLUSTER", "INFO"}, "cluster_state:ok", milliseconds(15'000)));
      QVERIFY(fleet_->comes_to_say(i, {"CLUSTER", "INFO"}, "cluster_known_nodes:3", milliseconds(15'000)));
    }
  }

  std::unique_ptr<RedisFleet> fleet_;
  std::vector<std::string> buses_;  // the nodes' other ports
};

}  // namespace leasescope::tests
