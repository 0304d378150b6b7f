// One contender's way to several independent servers: an adapter for each, and a request names its own by its place.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/store/store.h"

namespace leasescope {

// Each of a URL's servers as if it were the only one.
std::vector<StoreUrl> each_alone(const StoreUrl& url);

class SeveralStores final : public Store {
 public:
  // An adapter to the server of that place, which tells that listener.
  using Make = std::function<std::unique_ptr<Store>(std::size_t place, StoreListener& listener)>;

  SeveralStores(Loop& loop, std::size_t servers, const Make& make, StoreListener& listener);
  ~SeveralStores() override;

  void connect() override;
  // More than half of them are: the others are not waited for, but for a moment at first.
  bool connected() const override { return connected_; }
  void send(const Request& request) override;
  void stand_still(bool still) override;

 private:
  class One;

  void line_up();
  void line_down(const std::string& reason);
  std::size_t up() const;
  void tell_connected();

  StoreListener* listener_;
  std::vector<std::unique_ptr<One>> servers_;
  OneShot patience_;
  bool connected_ = false;
};

}  // namespace leasescope
