// A leader latch: a node among the children of the mutex, of which the lowest leads; and under it the client of a
// session, of which the server keeps the time. A state machine without clock, socket, thread or callback.
#pragma once
#include "core/base/prefetch.h"
#include "core/contend/effect.h"
#include "core/contend/setting.h"
#include "core/history/operation.h"
#include "core/latch/latch_terms.h"

namespace leasescope {

struct LatchTimer {
  static constexpr Timer kLine{0};         // the connection: the next ping, silence, a try to connect
  static constexpr Timer kSession{1};      // without a connection for so long that the client gives its session up
  static constexpr Timer kApplication{2};  // it has led for long enough, or rested
};

class LatchContender {
 public:
  using Terms = LatchTerms;
  using Plan = LatchPlan;
  static LatchContender make(const ContenderSetting& setting, const Terms& terms, const Plan& plan) {
    return {setting, terms, plan};
  }

  LatchContender(const ContenderSetting& setting, const LatchTerms& terms, const LatchPlan& plan);

  Effects step(const Input& input, Clocks now);
  // Its session and its node stay at the server until that ends them.
  LatchContender reborn(Name id) const;

  Name id() const { return setting_.id; }
  Status status() const { return status_; }
  bool running() const { return status_ == Status::kRunning; }
  bool believes() const { return believes_; }
  // What it was told last: a latch compares no clock.
  bool owns(SteadyTime) const { return believes_; }
  // While it believes: when that ends unless its server is heard of again.
  SteadyTime owned_until() const { return heard_ + longest_silence(); }
  Token token() const { return believes_ ? token_ : kNoToken; }
  const RandomStream& draws() const { return setting_.draws; }

  void fetch_for_timer() const { prefetch(this, this + 1); }
  void fetch_for_reply() const { prefetch(this, this + 1); }

 private:
  // The connection, as the client sees it.
  enum class Line : std::uint8_t {
    kNone,    // before the start and after the end
    kOpens,   // it has asked for a session, a new one or the one it has
    kStands,  // it has a session, and is answered
    kBroken,  // it has noticed, and tells nobody before it has cleaned up
    kRests    // before it tries again
  };
  // What the application wants.
  enum class Wish : std::uint8_t {
    kNothing,
    kToLead,
    kToGiveBack,  // its node, once what it did under the lead has come to its end
  };

  void on_start(Effects& out, Clocks now);
  void on_stop(Effects& out, Clocks now);
  void on_timer(Timer timer, Effects& out, Clocks now);
  void on_work_done(Effects& out, Clocks now);
  void on_reply(const Reply& reply, Effects& out, Clocks now);
  void on_answer(const Reply& reply, Effects& out, Clocks now);
  void on_event(const StoreEvent& event, Effects& out, Clocks now);

  // The session.
  void connect(Effects& out, Clocks now);
  void on_connected(const Reply& reply, Effects& out, Clocks now);
  void on_session_ended(Effects& out, Clocks now);
  void break_line(Effects& out);
  void on_cleaned_up(Effects& out, Clocks now);
  void on_given_up(Effects& out, Clocks now);
  void keep_alive(Effects& out, Clocks now);
  void watch_line(Effects& out, Clocks now);
  Duration longest_silence() const { return session_length_ * 2 / 3; }
  Duration ping_after() const;

  // The node.
  void go_on(Effects& out, Clocks now);
  void happened(std::uint64_t events, Effects& out, Clocks now);
  void create(Effects& out, Clocks now);
  void look_at(std::uint32_t node, bool watch, Effects& out, Clocks now);
  void on_children(const Reply& reply, Effects& out, Clocks now);
  void on_looked(const Reply& reply, Effects& out, Clocks now);
  void begin_anew(Effects& out, Clocks now);
  void lose_node(Effects& out);
  void lead(Token token, Effects& out, Clocks now);
  void step_down(DisbeliefReason reason, Effects& out, Clocks now);

  // The application.
  void contend(Effects& out, Clocks now);
  void leave(Effects& out, Clocks now);
  void give_back(Effects& out, Clocks now);
  Ending given_back(bool done) const;
  void on_given_back(Ending ending, Effects& out, Clocks now);
  void settle_stop(Effects& out);
  void tell(bool leads, Effects& out, Clocks now);
  void invoke(Operation operation, Effects& out);
  void returned(Operation operation, Token token, Ending ending, Effects& out);

  NodeCall& send(RequestKind kind, Effects& out, Clocks now);
  NodeCall& call(RequestKind kind, Effects& out, Clocks now);  // of the latch: one at a time

  ContenderSetting setting_;
  LatchTerms terms_;
  LatchPlan plan_;
  Status status_ = Status::kInitial;
  Line line_ = Line::kNone;
  Wish wish_ = Wish::kNothing;
  bool connected_ = false;  // as it was told last: Connected and Reconnected, or Disconnected and Expired
  bool believes_ = false;
  bool works_ = false;       // what the application does under the lead has not come to its end
  bool creates_ = false;     // the call on its way makes a node
  bool doubtful_ = false;    // a node may have been made, and the answer has not come
  bool look_again_ = false;  // an event came while a call was on its way
  bool led_ = false;         // by the node there is: the application's call for the lead has returned

  std::uint64_t requests_ = 0;
  std::uint64_t connect_ = 0;     // the request that opened this connection: what was asked before it is of another
  std::uint64_t call_ = 0;        // of the latch, on its way; 0 = none
  std::uint64_t session_ = 0;     // 0: none, or given up
  std::uint64_t led_in_ = 0;      // the session in which it led last
  std::uint32_t asked_back_ = 0;  // how often the lead was given back, by one call of the application
  std::uint64_t events_ = 0;      // of this session, of which it knows
  std::uint64_t word_ = 0;        // that the name of the node begins with
  std::uint64_t uids_ = 0;        // of the application's calls
  std::uint32_t node_ = 0;        // its number, from 1; 0 = none that it knows of
  std::uint32_t made_ = 0;        // the number of the node whose making was answered last, in which session
  std::uint64_t made_in_ = 0;
  Token made_token_ = kNoToken;
  std::uint32_t looked_at_ = 0;
  Duration session_length_{};  // as it was agreed upon
  SteadyTime heard_{};
  SteadyTime sent_{};
  Token token_ = kNoToken;
};

}  // namespace leasescope
