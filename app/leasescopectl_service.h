// What a service manager is told: sd_notify(3)'s protocol, a datagram of NAME=value lines to the socket of
// $NOTIFY_SOCKET. Where there is none, nothing is said.
#pragma once
#include <optional>
#include <string>

#include "core/time/clock.h"

namespace leasescope::ctl {

class ServiceNotice {
 public:
  // Takes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID out of the environment: what is started later is not the
  // service.
  ServiceNotice();
  ~ServiceNotice();
  ServiceNotice(const ServiceNotice&) = delete;
  ServiceNotice& operator=(const ServiceNotice&) = delete;

  bool is_heard() const { return socket_ >= 0; }
  // How long it may hear nothing of us before it starts us anew; none: it does not mind.
  std::optional<Duration> patience() const { return patience_; }

  // "READY=1\nSTATUS=2 stores". False: it cannot be heard now, as the manager has not taken what was said before.
  bool say(const std::string& lines) const;

 private:
  int socket_ = -1;
  std::optional<Duration> patience_;
};

// Whether a terminal may hang up on us: without one SIGHUP comes from whoever wants the rules to be read anew.
bool has_terminal();

}  // namespace leasescope::ctl
