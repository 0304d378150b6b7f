// A node is deleted by one session; another one, which watches it, is told and has its parent's children listed.
#include <poll.h>

#include <stdexcept>
#include <string>

#include "core/store/zookeeper/session.h"
#include "tests/bench/handoff/floor.h"

namespace leasescope::bench {
namespace {

using zookeeper::Outcome;
using zookeeper::Session;

class ZooKeeperFloor final : public Floor {
 public:
  explicit ZooKeeperFloor(const StoreUrl& url)
      : owner_(url, url.endpoint, std::chrono::seconds(30), {}, of(owner_state_)),
        waiter_(url, url.endpoint, std::chrono::seconds(30), {}, of(waiter_state_)) {
    drive([this] { return owner_state_ == Session::State::kStands && waiter_state_ == Session::State::kStands; });
    bool made = false;
    owner_.create(kParent, "", Session::Kind::kContainer,
                  [&](Outcome, const auto&, auto, const auto&) { made = true; });
    drive([&] { return made; });
  }

  void prepare() override {
    bool watched = false;
    node_.clear();
    gone_ = listed_ = false;
    owner_.create(std::string(kParent) + "/node-", "", Session::Kind::kNumbered,
                  [&](Outcome outcome, const std::string& path, auto, const std::string& error) {
                    if (outcome != Outcome::kOk) throw std::runtime_error(error);
                    node_ = path;
                  });
    drive([&] { return !node_.empty(); });
    waiter_.look(
        node_, [&](Outcome, const auto&, const auto&) { watched = true; },
        [this] {
          gone_ = true;
          waiter_.list(kParent, [this](Outcome, const auto&, const auto&) { listed_ = true; });
        });
    drive([&] { return watched; });
  }

  Watch::duration sample() override {
    bool removed = false;
    const auto begin = Watch::now();
    owner_.remove(node_, [&](Outcome, const auto&) { removed = true; });
    drive([&] { return listed_; });
    const auto took = Watch::now() - begin;
    drive([&] { return removed && gone_; });
    return took;
  }

 private:
  static constexpr const char* kParent = "/leasescope-floor";

  static Session::OnState of(Session::State& state) {
    return [&state](Session::State now) { state = now; };
  }

  template <typename Condition>
  void drive(Condition&& so) {
    while (!so()) {
      Session* both[] = {&owner_, &waiter_};
      pollfd descriptors[2] = {};
      Duration at_most = std::chrono::seconds(1);
      for (int i = 0; i < 2; ++i) {
        const Session::Waits waits = both[i]->waits();
        descriptors[i] = {waits.descriptor, static_cast<short>((waits.read ? POLLIN : 0) | (waits.write ? POLLOUT : 0)),
                          0};
        at_most = std::min(at_most, waits.at_most);
      }
      ::poll(descriptors, 2, static_cast<int>(at_most / std::chrono::milliseconds(1)) + 1);
      for (int i = 0; i < 2; ++i)
        both[i]->process((descriptors[i].revents & ~POLLOUT) != 0, (descriptors[i].revents & POLLOUT) != 0);
      if (owner_state_ == Session::State::kLost || waiter_state_ == Session::State::kLost)
        throw std::runtime_error(owner_.trouble());
    }
  }

  Session::State owner_state_{Session::State::kOver}, waiter_state_{Session::State::kOver};
  Session owner_, waiter_;
  std::string node_;
  bool gone_ = false, listed_ = false;  // to the waiter
};

}  // namespace

std::unique_ptr<Floor> zookeeper_floor(const StoreUrl& url) { return std::make_unique<ZooKeeperFloor>(url); }

}  // namespace leasescope::bench
