// What the adapters of lease stores do alike: a line for requests and, where the store tells of a release, one for
// messages, which come up and break together for their contender; every call opened, and ended once.
#pragma once
#include <string>
#include <string_view>

#include "core/store/calls.h"
#include "core/store/line.h"
#include "core/store/store.h"

namespace leasescope {

class LeaseStore : public Store {
 public:
  void connect() override;
  bool connected() const override { return requests_->up() && (messages_ == nullptr || messages_->up()); }
  void send(const Request& request) override;

 protected:
  LeaseStore(Loop& loop, WireNames& names, StoreListener& listener);
  // Before anything else, with members of the adapter's own.
  void lead_over(Line& requests, Line* messages = nullptr);
  Line::Events events_of_requests();
  Line::Events events_of_messages();

  // Lease calls of contenders up to 3.1 (Wire::kTokenless).
  virtual bool speaks_tokenless() const { return false; }
  // Of an open call: it is sent, or ends with calls_.fail_soon().
  virtual void send_lease_call(const Request& request) = 0;
  // Likewise, of a register's; where none are kept it fails.
  virtual void send_cell_call(const Request& request);
  virtual void send_session_call(const Request& request);  // of a session's, likewise
  virtual void send_quorum_call(const Request& request);   // to a server of a quorum lock, likewise
  // Its time is over, and nothing is wrong with the line: the store has answered it that it waits.
  virtual bool only_waited(const Request& /*request*/) { return false; }
  // Likewise. Without messages there is nothing to hear: both end well.
  virtual void subscribe(const Request& request);
  virtual void unsubscribe(const Request& request);
  // One of the lines stands, and nobody has been told; or the line broke, and its calls have not ended yet.
  virtual void line_stands() {}
  virtual void line_broke(bool /*messages*/) {}

  // The channel that is subscribed to from now on, also after a reconnect.
  void follow(const Request& request, std::string channel);
  Name mutex_followed() const { return mutex_; }
  void hear(std::string_view channel, std::string_view message);
  // On a channel of the contender's own.
  void hear_alone(Name contender, std::string_view message);

  WireNames* names_;
  Calls calls_;
  std::string channel_;  // empty = none

 private:
  void hand_on(const Request& request);
  void line_up();
  void line_down(bool messages, const std::string& reason);
  void leave(const Request& request);
  void leave_now();

  Loop* loop_;
  StoreListener* listener_;
  Line* requests_ = nullptr;
  Line* messages_ = nullptr;
  Name mutex_;  // of the channel
  bool told_connected_ = false;
  Request leaving_;   // the end of the subscription that
  OneShot courtesy_;  // waits
};

// The answer to that, as yet an empty one.
Reply answer_to(const Request& request);

}  // namespace leasescope
