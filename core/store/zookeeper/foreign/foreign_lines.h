// The locks of other makers on a ZooKeeper: of all folders those that are one, and each of them as soon as it changes.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/observe/observer.h"
#include "core/store/zookeeper/foreign/line_forms.h"
#include "core/store/zookeeper/kept_session.h"

namespace leasescope::zookeeper {

class ForeignLines {
 public:
  struct Ends {
    std::function<void(const Sighting& seen)> seen;
    std::function<void(const std::string& mutex, std::string_view maker, TrueTime since)> hidden;
    std::function<void()> all_seen;  // each that was found has been
    std::function<void(TrueTime asked)> answered;
    std::function<void(const std::string& remark)> remark;
    // Of that folder the server refuses to tell.
    std::function<void(const std::string& folder, const std::string& error)> refused;
  };

  ForeignLines(Loop& loop, const ObserverTerms& terms, KeptSession& session, Ends ends);

  // Goes through all folders once, and looks at each lock that is known already.
  void go_round();
  // All folders were gone through, and each lock among them has been seen.
  bool all_seen() const { return whole_ && first_looks_ == 0; }
  std::uint64_t asked() const { return asked_; }
  // The watches are gone with their connection, and nothing is answered any more.
  void lose_line();

 private:
  struct Folder {
    std::string path;      // empty: there is none
    bool exists = true;    // when it was listed last
    bool watched = false;  // the server tells when a child of it comes or goes
    bool large = false;    // it may be too long a list
  };
  struct Lock {
    const LineForm* form = nullptr;
    Folder nodes, queue;  // where its line stands, and who waits where that is not the same
    bool known = false;   // it has been seen
    bool open = false;    // it is being looked at
    bool again = false;   // something changed since it was asked
    bool none = false;    // it has turned out to be another's queue
    TrueTime asked{}, read{};
    NodeLine line, waiting;           // `waiting`: those of its queue
    NodeFacts first;                  // of these
    bool shows_waiters = false;       // nobody waits unseen
    bool last_waits = false;          // the last of its line stands there for the first of its queue
    NodeLine held;                    // of its line, when it was last seen
    std::vector<std::string> owners;  // of those of it that hold, as far as they were read
    Token token = kNoToken;
    std::uint64_t changed = 0;  // NodeList::changed, of its line's folder
  };
  using Place = std::map<std::string, Lock>::value_type;
  using Nodes = std::vector<std::string>;

  // ---- which folders are one
  void walk();
  void measure(const std::string& folder);
  void list(const std::string& folder);
  void remark_refused(const std::string& folder, const std::string& error);
  void compare(const std::string& folder, Outcome outcome, const Nodes& nodes);
  void judge(const std::string& folder, const Nodes& nodes);
  void go_deeper(const std::string& folder, const Nodes& nodes);
  void tell_apart(const std::string& folder, const LineForm& form, const LineForm& whose);
  void take(const std::string& folder, const LineForm& form, bool large = false);
  void retire(Place& of);
  bool is_named(const std::string& folder) const;
  Place* standing_in(const std::string& folder);
  void leave();

  // ---- one of them
  void look(Place& of);
  void look_into(Place& of, Folder& in);
  void list(Place& of, Folder& in);
  void on_listed(Place& of, Folder& in, Outcome outcome, const Nodes& nodes, const std::string& error);
  void on_too_many(Place& of, Folder& in);
  void on_line(Place& of, const Nodes& nodes);
  void on_queue(Place& of, const Nodes& nodes);
  void on_first_waiter(Place& of, const NodeFacts& first);
  void on_last(Place& of, const NodeFacts& last);
  using OnFacts = void (ForeignLines::*)(Place& of, const NodeFacts& facts);
  void read(Place& of, const std::string& node, OnFacts then);
  void read_next(Place& of);
  void on_owner(Place& of, const NodeFacts& facts);
  void see(Place& of);
  void refuse(Place& of, const std::string& error);
  void hide(Place& of);
  void tell_if_first(Place& of);
  std::size_t holders(const Lock& of) const;

  Loop* loop_;
  const ObserverTerms terms_;
  KeptSession* session_;
  Ends ends_;
  std::map<std::string, Lock> locks_;  // by the folder that their makers name them by
  std::deque<std::string> to_walk_;
  std::size_t walked_ = 0;  // folders of this round
  bool more_ = false;       // there are, that are not walked
  int walks_ = 0;           // under way
  bool whole_ = false;
  int first_looks_ = 0;
  std::uint64_t asked_ = 0;
  OneShot next_;
};

}  // namespace leasescope::zookeeper
