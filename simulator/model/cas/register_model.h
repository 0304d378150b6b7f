// Registers that can be read and compared-and-set, linearizable, each with a version. What the values mean, and so who
// holds, it tells the history; to those who call it says no more than what stands there.
#pragma once
#include <vector>

#include "core/base/prefetch.h"
#include "simulator/model/cas/register_terms.h"
#include "simulator/model/server_step.h"
#include "simulator/model/subscribers.h"

namespace leasescope {

class RegisterModel {
 public:
  static constexpr bool kActs = false;
  using Terms = RegisterTerms;
  static RegisterModel make(const ModelSetting& setting, const Terms&) { return RegisterModel(setting); }

  explicit RegisterModel(const ModelSetting& setting);

  // Its tags are registers: so many a mutex.
  bool take(const ServerCall& call, ServerNow now, ServerSteps& out);
  TrueTime deadline(std::uint32_t tag, const SkewedClock<ServerTime>& clock) const;
  void wake(std::uint32_t tag, ServerNow now, ServerSteps& out);
  void disturb(Disturbance /*what*/, ServerNow /*now*/, ServerSteps& /*out*/) {}
  bool listen(const ServerCall& /*call*/) { return false; }
  const Subscribers& subscribers() const { return subscribers_; }

  // Who holds, as the first register says in which somebody does; empty = nobody.
  Name owner(std::uint32_t mutex) const;
  void fetch(std::uint32_t mutex) const { prefetch(&registers_[mutex]); }

 private:
  struct Register {
    Name owner;
    CellMode mode = CellMode::kFree;
    Stamp by = Stamp::kVersion;
    bool promised = false;  // it is held, and the history has not heard that it is over
    std::uint64_t version = 0;
    Token token = kNoToken;
    Duration stamp{};           // as its writer, or for kServer the store's clock, has put it
    TrueTime promised_until{};  // but for kServer, where the stamp says it

    bool held() const { return mode == CellMode::kHeld || mode == CellMode::kShared; }
    bool over(ServerNow now) const {
      return by == Stamp::kServer ? now.clock.time_since_epoch() >= stamp : now.elapsed >= promised_until;
    }
  };

  Register& at(std::uint32_t mutex, std::uint8_t cell);
  static void tell(const Register& of, const CellCall& asked, ServerNow now, Reply& reply);
  static bool begins_anew(const Register& of, const Request& request);
  static void end_former(const Register& of, const ServerCall& call, ServerSteps& out);
  void set(Register& of, const Request& request, ServerNow now, ServerStep& out) const;

  Duration ttl_;
  std::vector<std::vector<Register>> registers_;  // by mutex, then as many as were asked for
  Subscribers subscribers_;
};

}  // namespace leasescope
