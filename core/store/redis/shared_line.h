// One line to Redis that many stores of a loop share. Answers come in the order of the commands: each goes to the seat
// that asked, and one whose seat has been left goes to nobody. Messages go to the seats that follow their channel.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/store/redis/followers.h"
#include "core/store/redis/redis_line.h"

namespace leasescope::redis {

class LineShare;

class SharedLine {
 public:
  // What one share is known by from one of its connections to the next; never used again. 0: nobody's.
  using Seat = Followers::Seat;

  // What the line is for. A server pushes messages on the one alone that channels are followed on; on the other all it
  // says is an answer, whatever it looks like.
  enum class Use : std::uint8_t { kRequests, kMessages };

  SharedLine(Loop& loop, const StoreUrl& url, Use use, RedisLine::Way way);
  SharedLine(const SharedLine&) = delete;
  SharedLine& operator=(const SharedLine&) = delete;

  // From here on it is told when the line stands and breaks. The first one makes it connect.
  Seat join(LineShare& share);
  // What it asked and what it follows is its own no more. `given_up`: its calls were not answered in time. The line
  // goes with it when nobody else is on it, or when the server has been silent to all for as long as each of them waits
  // for an answer; else it stays. Whatever the seat has sent reaches the server before what the same share sends from
  // its next one, so that nothing that was given up arrives late.
  void leave(Seat seat, bool given_up);
  void forget(LineShare& share);  // before it is destroyed

  bool up() const { return line_.up(); }
  const Endpoint& server() const { return line_.server(); }
  const std::string& trouble() const { return trouble_; }  // why it did not stand the last time
  // False when it is not up.
  bool command(Seat seat, const std::vector<std::string>& words);
  bool command(Seat seat, const Command& commands);
  void look_elsewhere(const std::string& reason) { line_.look_elsewhere(reason); }
  void abandon(const std::string& reason) { line_.abandon(reason); }

  std::function<void()> on_silence;  // the server was silent to all, and the line has been given up

 private:
  // A command whose answer is to come.
  struct Place {
    Seat seat;
    std::size_t answers;  // of them, one a channel
    TrueTime sent;
    Followers::Number number;
    bool of_channels;
  };

  void on_up();
  void on_down(const std::string& reason);
  void on_said(const RespValue& value);
  void on_answer(const RespValue& answer);
  void tell(Seat seat, const RespValue& value);
  bool subscribe(Seat seat, const std::vector<std::string>& words);
  bool unsubscribe(Seat seat);
  bool say(Seat seat, const std::vector<std::string>& words, std::size_t answers, bool of_channels);
  bool is_silent() const;

  Loop* loop_;
  Use use_;
  RedisLine line_;
  std::unordered_set<LineShare*> sharers_;
  std::unordered_map<Seat, LineShare*> seated_;  // of them, who is connected by this, or waits to be
  Followers followers_;
  std::deque<Place> places_;
  TrueTime heard_{};  // when the server said something
  std::string trouble_;
  Seat last_seat_ = 0;
  Followers::Number last_number_ = 0;
};

}  // namespace leasescope::redis
