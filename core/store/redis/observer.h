// Watches the mutexes of a Redis: what there is by SCAN, each by its own keys, changes by messages. Nothing is written,
// no script is run, and rights to read are enough (core/observe).
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/observe/observer.h"
#include "core/store/redis/cluster_map.h"
#include "core/store/redis/foreign/foreign_locks.h"
#include "core/store/redis/keys.h"
#include "core/store/redis/redis_line.h"
#include "core/store/redis/server_role.h"

namespace leasescope::redis {

// Of a key of ours, whose mutex it is; empty: of none.
std::string mutex_of(std::string_view key);

// Whoever watches a cluster, each of its masters by an observer of its own. Called from within an answer.
class ClusterListener {
 public:
  virtual ~ClusterListener() = default;
  // Of the node that is watched, as it has it now: asked at each round.
  virtual void on_cluster(ClusterMap map) = 0;
  // What that node is taken to keep lies on another one.
  virtual void on_led_on() = 0;
};

class RedisObserver final : public Observer {
 public:
  // `cluster`: null, nobody watches the other nodes where this is one of a cluster, and that is said.
  RedisObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms, ObserverListener& listener,
                ClusterListener* cluster = nullptr);

  void begin() override;
  ObserverFigures figures() const override;
  std::string server() const override { return role_.server; }
  TrueTime quiet_until(const std::string& mutex) const override;

  // ---- of a node of a cluster
  // Nothing is told of other keys from now on. Returns which of our mutexes it looked for among them, and says that
  // those that it told of are hidden.
  std::vector<std::string> keep_to(const SlotSet& kept);
  // They are looked at now, whether or not they are among its keys.
  void look_for(const std::vector<std::string>& mutexes);
  // Of all that was seen there nothing is known since then. Returns our mutexes that it looked for.
  std::vector<std::string> hide_all(TrueTime since);
  void ask_for_cluster();
  TrueTime last_answer() const { return last_answer_; }

 private:
  inline static const std::string kStart{"0"};  // of a SCAN, and its end

  // Of our own mutexes, of beliefs, and of other makers' locks.
  enum class To : std::uint8_t { kOurs, kBeliefs, kForeign };
  enum class Asked : std::uint8_t {
    kRole,
    kOlderRole,
    kCluster,
    kScan,
    kBefore,
    kState,
    kLeft,
    kListeners,
    kQueue,
    kLine,
    kForeign,
    kTime
  };
  struct Watched {
    explicit Watched(const std::string& name) : mutex(name), keys(name) {}
    std::string mutex;
    Keys keys;
    std::multimap<TrueTime, Watched*>::iterator due;
    bool waits = false;                      // for its turn, at `due`
    int open = 0;                            // questions
    bool again = false;                      // something changed since it was asked
    bool known = false;                      // it has been seen
    bool refused = false;                    // the server did not tell
    bool elsewhere = false;                  // on another node of its cluster, it says
    bool dropped = false;                    // it is to be told of no more
    int in_vain = 0;                         // looks that fell between two changes
    TrueTime count_due = TrueTime::min();    // when its waiters are to be counted
    bool counts = false;                     // the look that goes on counts them
    std::optional<TrueTime> counted_by;      // when that was answered last
    std::optional<std::uint32_t> listeners;  // as they were counted then; none: the server does not tell
    bool awaited = false;                    // somebody waited then
    bool newly_awaited = false;              // ... and had not before
    std::vector<std::string> queue;
    std::string owner;        // as seen last
    std::int64_t before = 0;  // what was left, in ms, before the rest was asked
    std::int64_t left = 0;
    Sighting seen;
  };
  struct Question {
    Asked what = Asked::kScan;
    Watched* of = nullptr;
    TrueTime asked{};
    ForeignLocks::Answer then;  // of kForeign
  };

  // ---- the line of questions
  void on_requests_up();
  void on_requests_down(const std::string& why);
  void on_answer(const RespValue& answer);
  void ask(Asked what, Watched* of, const std::vector<std::string>& words);
  void on_time(const RespValue& answer, TrueTime asked);
  void on_role(const RespValue& answer, Asked what);
  void say_role();
  void on_cluster(const RespValue& answer);
  void await_no_cluster();
  void rescan();
  void scan();
  void on_scanned(const RespValue& answer, TrueTime asked);
  void on_batch(const std::string& cursor, TrueTime asked);
  void ask_of_foreign(const Words& words, ForeignLocks::Answer then);
  void look(Watched& of);
  void on_looked(Watched& of, Asked what, const RespValue& answer);
  void over(Watched& of);
  void note_waiters(Watched& of);
  void hide(Watched& of);
  void drop(Watched& of);
  bool keeps(std::string_view key) const { return !slots_ || slots_->test(slot_of(key)); }
  void tell_if_all();
  bool is_between_changes(const Watched& of) const;
  void on_refused(const RespValue& answer, const Question& question);
  std::string advised(const RespValue& error) const;

  // ---- whose turn it is
  Watched& watched(const std::string& mutex);
  void look_at(Watched& of, TrueTime at);
  void pump();
  TrueTime next_look(const Watched& of) const;
  void check_silence();

  // ---- the line of messages
  void on_messages_up();
  void on_messages_down();
  void on_message(const RespValue& value);
  void on_subscribed(const RespValue& value);
  void follow(const KeyForm& form);
  void subscribe(To to, const std::string& pattern);
  void heard(const std::string& channel, const std::string& text);
  void keep_asking();

  Loop* loop_;
  const StoreUrl url_;
  ObserverTerms terms_;
  ObserverListener* listener_;
  ClusterListener* cluster_;
  std::unique_ptr<RedisLine> requests_, messages_;
  ForeignLocks foreign_;
  std::unordered_map<std::string, std::unique_ptr<Watched>> watched_;
  std::multimap<TrueTime, Watched*> due_;
  std::deque<Question> questions_;
  int looks_open_ = 0;
  int first_looks_ = 0;  // of those that were found, not seen yet
  std::string cursor_{"0"};
  int batch_ = 500;  // keys of one SCAN, about
  bool scanned_ = false, told_all_ = false;
  ServerRole role_;               // as the server said last
  std::optional<SlotSet> slots_;  // that it is asked about; none: all
  bool rescans_ = false;          // the batch under way is the last of its round
  bool awaits_cluster_ = false;   // which nodes there are is asked, and not known yet
  bool may_ask_for_cluster_ = true;
  bool blind_ = true;
  bool follows_ = false;  // messages come
  bool may_follow_ = true;
  bool may_hear_beliefs_;  // they are asked for, and it was not refused
  bool may_follow_foreign_ = true;
  std::vector<std::string> foreign_channels_;  // patterns that are asked for, as there are such locks
  std::deque<To> subscribes_;                  // what is asked for, not answered yet
  TrueTime last_answer_{}, blind_since_{};
  Duration scan_cost_{}, quickest_ = Duration::max();  // of this round; of all answers
  double budget_ = 0;                                  // of looks
  TrueTime budgeted_{};
  TrueTime ping_sent_{}, nothing_until_ = TrueTime::min();
  TrueTime followed_ = TrueTime::max();  // when messages began to come
  bool ping_open_ = false;
  ObserverFigures figures_;
  ClockOffset clock_;
  bool may_ask_time_ = true;  // it was not refused
  OneShot next_, scan_next_, silence_, ping_;
};

}  // namespace leasescope::redis
