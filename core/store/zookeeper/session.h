// A session at ZooKeeper through libzookeeper, which never waits: it says what of its descriptor it waits for and for
// how long, and goes on when that has come. Whoever holds one drives it, from a loop or by poll.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/store/url.h"
#include "core/store/zookeeper/look_ahead.h"
#include "core/time/clock.h"

typedef struct _zhandle zhandle_t;  // NOLINT(bugprone-reserved-identifier): the library's own name

namespace leasescope::zookeeper {

// How a call ended, as far as something follows from it.
enum class Outcome { kOk, kNoNode, kNodeExists, kRefused, kLineLost };

struct NodeFacts {
  std::int64_t owner = 0;  // the session that it goes with; 0: it stays
  std::int64_t czxid = 0;  // of the change that made it
  std::string data;
};

struct NodeSize {
  std::int32_t children = 0;
  std::int32_t bytes = 0;  // of its data
};

struct NodeList {
  std::vector<std::string> names;  // of the children, in no order
  std::uint64_t changed = 0;  // the number of the change by which a child came or went last; 0: there never was one
};

class Session {
 public:
  // What a client needs to come back to a session.
  struct Identity {
    std::int64_t id = 0;  // 0: a new one
    std::array<char, 16> password{};
  };
  enum class State {
    kStands,   // it has a session, and is answered
    kLost,     // the connection broke, or could not be made: the session may last
    kOver,     // the server's word: it has expired
    kRefused,  // the login was refused
  };
  enum class Kind { kContainer, kNumbered };  // goes when it is empty; goes with its session, and has a number

  using OnState = std::function<void(State)>;
  using Done = std::function<void(Outcome, const std::string& error)>;
  using Made = std::function<void(Outcome, const std::string& path, std::int64_t czxid, const std::string& error)>;
  using Listed = std::function<void(Outcome, const NodeList& list, const std::string& error)>;
  using Looked = std::function<void(Outcome, const NodeFacts& facts, const std::string& error)>;
  using Measured = std::function<void(Outcome, const NodeSize& size, const std::string& error)>;
  using Gone = std::function<void()>;

  // Begins to connect to that address. Whatever is told is told from within process(). After kLost, kOver or kRefused
  // nothing more comes, and it is to be destroyed.
  Session(const StoreUrl& url, const Endpoint& address, Duration span, const Identity& from, OnState on_state);
  // The session stays at the server: what is not sent yet never will be.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  struct Waits {
    int descriptor = -1;  // none: only time is waited for
    bool read = false, write = false;
    Duration at_most{};
  };
  Waits waits();
  void process(bool can_read, bool can_write);
  // Why it is lost.
  const std::string& trouble() const { return trouble_; }

  Identity identity() const;
  Duration length() const;  // as it was agreed upon
  // Nothing of its state is told any more.
  void forget() {
    on_state_ = [](State) {};
  }
  // The server is asked to end it, and not waited for.
  void close();

  void create(const std::string& path, const std::string& data, Kind kind, Made made);
  // With `changed` it is told once when a child comes or goes, or the node itself goes.
  void list(const std::string& path, Listed listed, Gone changed = {});
  // With `gone` it is told once when the node goes, or goes and comes.
  void look(const std::string& path, Looked looked, Gone gone = {});
  // What a list of it, or a look at it, would bring.
  void measure(const std::string& path, Measured measured);
  void remove(const std::string& path, Done done);

 private:
  struct Callbacks;  // what the library calls

  // Whether the library may read what has come; it is no session's where not.
  bool may_read(bool& can_read);
  void tell(State state);
  void* watch(Gone gone);
  void catch_up();
  void follow();

  struct Watch {
    Session* session = nullptr;
    Gone gone;
  };

  zhandle_t* handle_ = nullptr;
  OnState on_state_;
  std::map<void*, std::unique_ptr<Watch>> watches_;  // that have not been called
  std::optional<State> told_;
  bool failed_ = false;  // what waits() had to say
  int descriptor_ = -1;
  LookAhead look_ahead_;
  std::size_t asked_ = 0;  // calls on their way
  std::string trouble_;
  bool with_login_ = false;
  bool comes_back_ = false;  // to a session it had, maybe at another server of an ensemble
};

}  // namespace leasescope::zookeeper
