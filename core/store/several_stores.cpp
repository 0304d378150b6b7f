#include "core/store/several_stores.h"

#include <algorithm>

#include "core/base/expect.h"

namespace leasescope {
namespace {

// Those that answer at all do within that.
constexpr Duration kForTheOthers = std::chrono::milliseconds(100);

}  // namespace

std::vector<StoreUrl> each_alone(const StoreUrl& url) {
  std::vector<StoreUrl> out(1 + url.others.size(), url);
  for (std::size_t i = 0; i < url.others.size(); ++i) out[i + 1].endpoint = url.others[i];
  for (StoreUrl& each : out) each.others.clear();
  return out;
}

class SeveralStores::One final : public StoreListener {
 public:
  One(SeveralStores& all, std::size_t place, const Make& make)
      : all_(&all), place_(static_cast<std::uint8_t>(place)), store_(make(place, *this)) {}

  Store& store() { return *store_; }
  bool connected() const { return store_->connected(); }

  void on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) override {
    all_->listener_->on_reply(reply, sent, received, error);
  }
  void on_store_event(const StoreEvent& event, TrueTime received) override {
    StoreEvent from = event;
    from.server = place_;
    all_->listener_->on_store_event(from, received);
  }
  void on_connected() override { all_->line_up(); }
  void on_disconnected(const std::string& reason) override { all_->line_down(reason); }

 private:
  SeveralStores* all_;
  std::uint8_t place_;
  std::unique_ptr<Store> store_;
};

SeveralStores::SeveralStores(Loop& loop, std::size_t servers, const Make& make, StoreListener& listener)
    : listener_(&listener), patience_(loop) {
  for (std::size_t place = 0; place < servers; ++place) servers_.push_back(std::make_unique<One>(*this, place, make));
}

SeveralStores::~SeveralStores() = default;

void SeveralStores::connect() {
  for (const auto& server : servers_) server->store().connect();
}

void SeveralStores::send(const Request& request) {
  expect(request.store < servers_.size(), "a request names a server that there is");
  servers_[request.store]->store().send(request);
}

void SeveralStores::stand_still(bool still) {
  for (const auto& server : servers_) server->store().stand_still(still);
}

std::size_t SeveralStores::up() const {
  return static_cast<std::size_t>(
      std::count_if(servers_.begin(), servers_.end(), [](const auto& server) { return server->connected(); }));
}

void SeveralStores::line_up() {
  if (connected_ || up() <= servers_.size() / 2) return;
  if (up() == servers_.size()) return tell_connected();
  patience_.arm(kForTheOthers, [this] { tell_connected(); });
}

void SeveralStores::tell_connected() {
  patience_.cancel();
  connected_ = up() > servers_.size() / 2;
  if (connected_) listener_->on_connected();
}

void SeveralStores::line_down(const std::string& reason) {
  if (up() > servers_.size() / 2) return;
  connected_ = false;
  patience_.cancel();
  listener_->on_disconnected(reason);
}

}  // namespace leasescope
