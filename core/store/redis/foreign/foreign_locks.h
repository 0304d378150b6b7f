// The locks of other makers on a Redis: of all keys those that are one, and each of them again and again while it is
// held. What is asked is small: of an ordinary key its type, of a string its first letters, of a small hash the names
// of its fields. A key that is none is not asked again for an hour.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/observe/observer.h"
#include "core/store/redis/foreign/key_forms.h"
#include "core/store/redis/foreign/key_set.h"

namespace leasescope::redis {

class ForeignLocks {
 public:
  using Answer = std::function<void(const RespValue&)>;
  struct Ends {
    // Sends; the answers come in order, unless the line is lost.
    std::function<void(const Words& words, Answer then)> ask;
    std::function<void(const Sighting& seen)> seen;
    std::function<void(const std::string& mutex, std::string_view maker, TrueTime since)> hidden;
    std::function<void()> all_seen;  // each that was found has been
    std::function<void(const std::string& remark)> remark;
    // A lock was found whose maker tells of releases there: patterns of channels, the same ones each time.
    std::function<void(const KeyForm& form)> follow;
  };

  ForeignLocks(Loop& loop, const ObserverTerms& terms, Ends ends);

  // All keys are gone through: from here on, in batches, until then.
  void begin_round();
  // `done` is called when it is known of each of them whether it is one.
  void consider(const std::vector<std::string>& keys, std::function<void()> done);
  void end_round();
  // Each that was found has been seen.
  bool all_seen() const { return first_looks_ == 0; }
  // A message, which anybody may send: what it may be about is looked at, now and a few times soon after, as whoever
  // was woken by it says nothing when he has got it.
  void heard(const std::string& channel);
  // What was asked is not answered any more; it broke while the answer to one of these questions was awaited first.
  void lose_line(bool while_answering);
  // Of locks in other keys nothing is known any more, and nothing told.
  void keep_to(const std::function<bool(std::string_view key)>& keeps);
  // Of all nothing is known since then; they are looked at as before.
  void hide_all(TrueTime since);

 private:
  struct Lock {
    std::string key;
    const KeyForm* form;
    std::multimap<TrueTime, Lock*>::iterator due;
    bool waits = false;    // for its turn, at `due`
    bool known = false;    // it has been seen
    int open = 0;          // questions
    int in_vain = 0;       // looks that fell between two changes
    bool heard = false;    // of its release, since it was asked
    bool dropped = false;  // it is to be told of no more
    int soon = 0;          // looks that are to follow closely, as long as nobody holds it
    TrueTime asked{}, answered{};
    // What was left before the rest was asked, what there was, what there was behind what lies beside, what was left.
    RespValue before, content, again, after;
    std::vector<RespValue> besides;
    TrueTime held{};                   // when it was last seen to be
    std::string_view system = "lock";  // as it was told best
  };
  // Keys of one batch whose answers are still to come.
  struct Batch {
    std::size_t open = 0;
    std::function<void()> done;
  };
  using BatchPlace = std::shared_ptr<Batch>;

  enum class Judged : std::uint8_t { kOrdinary, kNotKnown, kLock };
  struct Probe {
    std::string key, type;
    BatchPlace batch;
  };

  void ask(const std::string& key, const Words& words, Answer then);
  void probe(const Probe& of);
  void on_type(Probe of, const RespValue& answer);
  void on_size(const Probe& of, const RespValue& answer);
  void on_fields(const Probe& of, const RespValue& answer);
  void read(const Probe& of);
  void judge(const Probe& of, Judged judged, const KeyForm* form = nullptr);
  bool may_be(const Probe& of, const std::vector<std::string>& fields) const;
  // The answer is an error; that the login may not ask that is said once.
  bool is_refused(const RespValue& answer);

  void look_at(Lock& of, TrueTime at);
  void look(Lock& of);
  void looked(Lock& of);
  void tell(Lock& of, bool held);
  void tell_absent(const Lock& of);
  void pump();
  void rest(Lock& of, bool held);
  void hide(Lock& of);
  void drop(Lock& of);
  bool is_between_changes(const Lock& of, bool held) const;
  bool asks_for(const KeyForm& form, std::string_view type) const;
  const KeyForm* form_of(const std::string& type, const KeyContent& content) const;
  Sighting sighting_of(const Lock& of) const;

  Loop* loop_;
  const ObserverTerms terms_;
  Ends ends_;
  std::unordered_map<std::string, std::unique_ptr<Lock>> locks_;
  std::multimap<TrueTime, Lock*> due_;
  KeySet ordinary_;  // keys that are none
  TrueTime forgot_ordinary_{};
  int refusals_ = 0;                               // in a row, of questions about keys
  std::unordered_set<std::string> probed_;         // asked about just now
  std::deque<std::string> asked_;                  // keys of the questions under way, in order
  std::unordered_map<std::string, int> suspects_;  // at whose answer the line broke: how often in a row
  int first_looks_ = 0;
  int open_ = 0;
  bool lost_ = true;
  TrueTime slot_{};  // of the next look, where they are many
  TrueTime round_began_{};
  bool round_is_whole_ = true;  // as far as it has come
  // The last whole one: what was not met in it was not there at some moment in it.
  TrueTime whole_began_{}, whole_ended_ = TrueTime::min();
  OneShot next_;
};

}  // namespace leasescope::redis
