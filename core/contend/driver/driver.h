// One contender's process on real time: a host on a loop, with a store adapter of its own. The live world's contenders
// are such, and so is the one of a program that wants a mutex.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/contend/any_contender.h"
#include "core/contend/host.h"
#include "core/loop/one_shot.h"
#include "core/store/store.h"

namespace leasescope {

class Driver;

// What a driver tells whoever runs it. What nobody wants to know need not be taken.
class DriverHost {
 public:
  virtual ~DriverHost() = default;
  virtual std::unique_ptr<Store> make_store(Driver& driver, StoreListener& listener) = 0;

  // ---- for a history
  virtual Sequence record(const Event& /*event*/) { return 0; }
  virtual void dispatched() {}  // one input was handed to somebody
  // The store's side of its calls; the answer is the event the reply leads on from.
  virtual void sending(Driver& /*driver*/, const Request& /*request*/, Sequence /*cause*/) {}
  virtual Sequence replied(Driver& /*driver*/, const Reply& /*reply*/, TrueTime /*sent*/, TrueTime /*received*/) {
    return 0;
  }
  // A message of the store has come, which its contender may yet have to wait for.
  virtual void heard(Driver& /*driver*/, const StoreEvent& /*event*/, TrueTime /*received*/) {}
  // What a store answered instead of doing what it was asked, to be kept in the history.
  virtual Name said(std::string_view /*error*/) { return {}; }
  virtual void abandoned(Driver& /*driver*/) {}
  virtual void handed(int /*row*/, bool /*taken*/) {}  // a step that was asked for by that number; -1: by none

  // ---- for modelled work under the mutex
  virtual void computing(Driver& /*driver*/) {}
  // Answered by write_answered with that number, or never.
  virtual void write(Driver& /*driver*/, std::uint32_t /*resource*/, std::uint32_t /*number*/, Token /*token*/,
                     Sequence /*cause*/) {}

  // ---- for an application
  // It owns from now on, or owns no more. Called in the midst of a step: what follows belongs into a later turn. True:
  // it has posted what tells the application, and whatever the step sends goes out behind that.
  virtual bool told(Driver& /*driver*/, bool /*owns*/) { return false; }
  // Nothing it does under the mutex is under way; where something is, work_done() follows.
  virtual bool rests(Driver& /*driver*/) { return true; }
  // Something may have changed: after each step.
  virtual void stepped(Driver& /*driver*/) {}
  virtual void connection_changed(Driver& /*driver*/) {}
};

struct DriverSetting {
  std::uint32_t place = 0;  // among those of its host
  Name name;
  Name mutex;
  std::uint32_t mutex_place = 0;
  AnyContender contender = SimbaContender({}, {});
  ContenderClock clock;
  std::vector<Work> works;       // by resource table
  std::vector<WorkTerms> terms;  // of each
  Duration callback{};           // its modelled application's, of on_acquired
  bool connects_itself = false;  // its contender tells of its connections too
};

class Driver final : public StoreListener {
 public:
  Driver(Loop& loop, DriverHost& host, const DriverSetting& setting);

  std::uint32_t place() const { return place_; }
  Name name() const { return process_.name; }
  Name mutex() const { return mutex_; }
  std::uint32_t mutex_place() const { return process_.mutex; }
  bool running() const;
  bool believes() const;
  Token token() const;
  // While it believes: when that ends unless the store is heard of again; max() where no clock ends it.
  SteadyTime owned_until() const;
  Clocks clocks() const { return process_.clock.at(loop_->now()); }
  Status status() const;
  bool alive() const { return process_.alive; }
  bool connected() const { return store_ != nullptr && store_->connected(); }
  const std::string& trouble() const { return trouble_; }  // why it is not connected, or what the store refused last

  // Its process begins: the adapter connects; start() then hands in Start.
  void connect();
  // The same, and starts once it is connected.
  void connect_and_start();
  // `row`: told to its host with what became of it; -1: it is not asked.
  void start(int row = -1);
  void stop(int row = -1);
  // A stop that does not complain; of one that has not begun, or is stopping, nothing comes.
  void close();
  void crash();
  void restart();
  void pause();
  void resume();
  // Timers, replies and messages wait while modelled work goes on.
  void starve() { process_.starve(); }
  void feed();
  // Its clocks run faster by so many millionths; kStandingPpm: they stand, which goes beside a pause.
  void set_rates(std::int32_t wall_ppm, std::int32_t steady_ppm);
  // By what its clocks are off, as events without a cause.
  void tell_clocks();
  // Its application's executor comes to what it is told later by so much.
  void set_late_callbacks(Duration by);
  // The end of a run: a pause is over, what it kept is forgotten, the contender is asked to stop.
  void wind_up();
  void step_wall_clock(Duration by);
  void write_answered(std::uint32_t resource, std::uint32_t number);
  RandomStream& write_delays(std::uint32_t resource) { return works_[resource].delays; }
  // Of its application: on_acquired has returned; what it did under the mutex has come to its end.
  void callback_done();
  void work_done();

  Sequence note(EventKind kind, Sequence cause, std::uint8_t detail = 0, Token token = kNoToken, std::int64_t a = 0,
                std::int64_t b = 0);
  void led_by(Sequence cause) { process_.cause = cause; }

  void on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) override;
  void on_store_event(const StoreEvent& event, TrueTime received) override;
  void on_connected() override;
  void on_disconnected(const std::string& reason) override;

 private:
  class Port;
  // Something that falls due, also after a pause.
  struct Entry {
    enum class What : std::uint8_t { kInput, kTimer, kWork, kAnswered };
    What what = What::kInput;
    std::uint32_t place = 0;   // which timer, or which work
    std::uint32_t number = 0;  // the timer's generation, or the write's
    int row = -1;              // kInput: as start() has it
    Sequence cause = 0;        // kInput: what it leads on from
    Input input{};
  };

  void take(const Entry& entry);
  void hand(const Entry& entry);
  void take_input(const Entry& entry);
  void arm(OneShot& alarm, TrueTime at, Entry::What what, std::uint32_t place, std::uint32_t number);
  void drop_store();
  void send(const Request& request);
  void send_behind();
  void tell_clocks(const ContenderClock& before, TrueTime at, Sequence cause);

  Loop* loop_;
  DriverHost* host_;
  std::uint32_t place_;
  Name mutex_;
  AnyContender contender_;
  Host<Entry> process_;
  std::vector<Work> works_;
  std::vector<WorkTerms> terms_;
  Duration callback_;
  Duration late_callbacks_{};
  std::array<std::unique_ptr<OneShot>, kHostTimers> alarms_;
  std::vector<std::unique_ptr<OneShot>> work_alarms_;
  std::unique_ptr<Store> store_;
  std::vector<std::unique_ptr<Store>> buried_;
  OneShot burial_;
  std::vector<Request> behind_;  // what is sent once the application has been told that it owns
  OneShot soon_;                 // when that is
  std::string trouble_;
  bool connects_itself_;
  bool told_connected_ = false;
  bool start_when_connected_ = false;
};

}  // namespace leasescope
