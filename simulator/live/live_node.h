// One contender in the live world: its state machine, its clock over the real one, its timers, its store adapter, its
// work.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/contend/worker.h"
#include "core/history/event.h"
#include "core/loop/one_shot.h"
#include "core/simba/contender.h"
#include "core/store/store.h"
#include "core/time/skewed_clock.h"
#include "simulator/fault/port.h"

namespace leasescope {

class LiveNode;

// What a node tells the world it lives in.
class LiveNodeHost {
 public:
  virtual ~LiveNodeHost() = default;
  virtual Sequence record(const Event& event) = 0;
  virtual void dispatched() = 0;  // one input was handed to somebody
  virtual std::unique_ptr<Store> make_store(LiveNode& node, StoreListener& listener) = 0;
  // The store's side of its calls; the answer is the event the reply leads on from.
  virtual void sending(LiveNode& node, const Request& request, Sequence cause) = 0;
  virtual Sequence replied(LiveNode& node, const Reply& reply, TrueTime sent, TrueTime received) = 0;
  // What a store answered instead of doing what it was asked, to be kept in the history.
  virtual Name said(std::string_view error) = 0;
  virtual void abandoned(LiveNode& node) = 0;
  virtual void computing(LiveNode& node) = 0;
  // Answered by write_answered with that number, or never.
  virtual void write(LiveNode& node, std::uint32_t resource, std::uint32_t number, Token token, Sequence cause) = 0;
  virtual void handed(int row, bool taken) = 0;  // a step of that row of the plan; -1: of none
};

struct LiveNodeConfig {
  NodeIndex index = 0;
  std::uint32_t mutex = 0;  // its place in the run
  SimbaConfig contender;
  RandomStream jitter;
  ContenderClock clock;
  Duration callback{};
  std::vector<WorkTerms> work;  // by resource table
};

class LiveNode final : public StoreListener {
 public:
  LiveNode(Loop& loop, LiveNodeHost& host, const LiveNodeConfig& config);

  NodeIndex index() const { return config_.index; }
  Name name() const { return config_.contender.id; }
  Name mutex() const { return config_.contender.mutex; }
  std::uint32_t mutex_place() const { return config_.mutex; }
  const SimbaContender& contender() const { return contender_; }
  bool alive() const { return alive_; }
  bool connected() const { return store_ != nullptr && store_->connected(); }
  const std::string& trouble() const { return trouble_; }  // why it is not connected

  // Its process begins: the adapter connects; start() then hands in Start.
  void connect();
  // `row`: of the plan that asks for it; -1: none.
  void start(int row = -1);
  void stop(int row = -1);
  void crash();
  void restart();
  void pause() { ++pauses_; }
  void resume();
  // The end of the run: a pause is over, what it kept is forgotten, the contender is asked to stop.
  void wind_up();
  void step_wall_clock(Duration by);
  void write_answered(std::uint32_t resource, std::uint32_t number);

  Sequence note(EventKind kind, Sequence cause, std::uint8_t detail = 0, Token token = kNoToken, std::int64_t a = 0,
                std::int64_t b = 0);
  void led_by(Sequence cause) { cause_ = cause; }

  void on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) override;
  void on_store_event(const StoreEvent& event, TrueTime received) override;
  void on_connected() override;
  void on_disconnected(const std::string& reason) override;

 private:
  struct Alarm {
    explicit Alarm(Loop& loop) : timer(loop) {}
    OneShot timer;
    std::uint32_t generation = 0;
    bool armed = false;  // also while a pause holds it back
    Sequence cause = 0;
  };
  struct Work {
    Work(Loop& loop, const WorkTerms& of) : terms(of), alarm(loop) {}
    WorkTerms terms;
    Worker worker;
    Alarm alarm;
  };
  // What fell due during a pause.
  struct Kept {
    Input input;
    std::uint32_t generation = 0;  // of the timer, when it is one
    Sequence cause = 0;
    int row = -1;  // of the plan, when it is a step of that
  };
  struct WorkDue {
    std::uint32_t work = 0;
    std::uint32_t number = 0;  // the timer's generation, or the write's number
    bool answered = false;
  };

  void hand(const Input& input, Sequence cause, int row = -1);
  void deliver(const Input& input, std::uint32_t generation, Sequence cause, int row = -1);
  void apply(const Effects& effects, int row);
  void arm(Timer timer, Duration delay);
  bool on_notify(const MutexState& state);
  void run_work(std::uint32_t index, WorkInput input);
  void work_rests();
  void on_work_due(std::uint32_t index, std::uint32_t generation);
  void set(Alarm& alarm, Duration delay, std::function<void(std::uint32_t)> due);
  void drop_store();

  Loop* loop_;
  LiveNodeHost* host_;
  LiveNodeConfig config_;
  SimbaContender contender_;
  ContenderClock clock_;
  std::array<std::unique_ptr<Alarm>, kContenderTimers> alarms_;
  std::vector<std::unique_ptr<Work>> works_;
  OneShot callback_;
  std::unique_ptr<Store> store_;
  std::vector<Kept> inbox_;
  std::vector<WorkDue> work_due_;  // during a pause
  std::vector<std::unique_ptr<Store>> buried_;
  OneShot burial_;
  std::string trouble_;
  Sequence cause_ = 0;
  int pauses_ = 0;
  bool alive_ = false;
  bool subscribed_ = false;
  bool told_connected_ = false;
  bool start_when_connected_ = false;
};

}  // namespace leasescope
