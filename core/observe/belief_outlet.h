// What the contenders of one process believe, as it is told to whoever listens. Nobody waits for it: what cannot be
// sent is lost, and the last of each contender is told again when it can, as it is then.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/loop/loop.h"
#include "core/loop/one_shot.h"
#include "core/observe/belief.h"
#include "core/observe/belief_sender.h"

namespace leasescope {

// In the thread of its loop.
class BeliefOutlet {
 public:
  // Null: nothing can be sent; then it has said why.
  using Make = std::function<std::unique_ptr<BeliefSender>(BeliefSender::Events)>;
  // The server lets us tell nothing, in its words. Once.
  using Refused = std::function<void(const std::string&)>;

  // `store`: as the messages name it, printable.
  BeliefOutlet(Loop& loop, std::string store, const Make& make, Refused refused);

  void owns(const std::string& mutex, const std::string& owner, Token fence, TrueTime until);
  void not_owner(const std::string& mutex, const std::string& owner) { tell(mutex, owner, Belief::What::kNotOwner); }
  void waits(const std::string& mutex, const std::string& owner) { tell(mutex, owner, Belief::What::kWaits); }
  // The last that is said of that contender.
  void stopped(const std::string& mutex, const std::string& owner);

 private:
  struct Latest {
    Belief belief;
    TrueTime until = TrueTime::max();
    int in_vain = 0;  // so often it could not be sent; 0: it was
  };
  using Who = std::pair<std::string, std::string>;  // mutex, owner

  void tell(const std::string& mutex, const std::string& owner, Belief::What what, Token fence = kNoToken,
            TrueTime until = TrueTime::max());
  void send(Latest& latest);
  void repeat(bool all);

  Loop* loop_;
  Refused refused_;
  Belief first_;  // what is alike in all messages
  std::map<Who, Latest> latest_;
  OneShot again_;
  std::unique_ptr<BeliefSender> sender_;
};

}  // namespace leasescope
