// The channels that whoever watches listens to, on a line of its own: those of the mutexes it knows, whose owners'
// changes are told there, and the one of beliefs. Nothing is written: LISTEN wants no right.
//
// A message may be lost with the line, and one may still be on its way when a later question has been answered: nobody
// may take silence for a proof that nothing has changed.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/store/postgres/postgres_line.h"

namespace leasescope::postgres {

// The server looks through all channels of a session for each message that anybody sends.
inline constexpr std::size_t kMostChannels = 1'000;

class MutexChannels {
 public:
  // All but `belief` are to be there. Called from the loop, never from within a call of this class, but for
  // `too_many`, which follow() may call.
  struct Ends {
    std::function<void(const std::string& mutex, std::string_view text)> told;  // a message of its channel
    std::function<void(const std::string& mutex)>
        begun;  // from now on it is listened to: what came before is not known
    std::function<void(const std::string& why)> unheard;     // LISTEN was refused, or there is no line
    std::function<void()> too_many;                          // once: some mutexes are not listened to
    std::function<void(std::string_view text)> belief;       // null: nobody wants to hear of them
    std::function<void(const std::string& why)> no_beliefs;  // LISTEN was refused to them, or there is no line
  };

  MutexChannels(Loop& loop, const StoreUrl& url, Ends ends);

  // No pooler is in between: until that is known nothing is listened to, for it would stay in a session that was lent.
  void open();
  // All that are known now; of more than kMostChannels those that came first.
  void follow(const std::set<std::string>& mutexes);
  std::uint64_t asked() const { return asked_; }  // statements sent

 private:
  bool listens() const { return open_ && !refused_ && line_.up(); }
  void on_up();
  void on_down(const std::string& why);
  void on_message(std::string_view channel, std::string_view text);
  void listen_for_beliefs();
  void listen_to_mutexes();
  void listen(const std::vector<std::string>& come, const std::vector<std::string>& gone);
  void on_listening(const std::vector<std::string>& come, const PGresult* result);
  void keep_asking();
  void tell_if_too_many();
  void ask(std::string sql, std::function<void(const PGresult*)> done);

  const Ends ends_;
  PostgresLine line_;
  std::unordered_map<std::string, std::string> mutexes_;  // by their channels
  bool open_ = false;
  bool stood_ = false;          // the line, before it broke
  bool refused_ = false;        // LISTEN, on this line
  bool hears_beliefs_ = false;  // on this line
  bool too_many_ = false;       // mutexes are known
  bool told_too_many_ = false;
  std::uint64_t asked_ = 0;
  OneShot beat_, silence_;
};

}  // namespace leasescope::postgres
