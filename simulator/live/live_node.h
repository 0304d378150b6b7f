// One contender's process in the live world: on the loop's time, with a store adapter of its own.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/contend/any_contender.h"
#include "core/contend/host.h"
#include "core/loop/one_shot.h"
#include "core/store/store.h"
#include "simulator/engine/processes.h"

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

class LiveNode final : public StoreListener {
 public:
  // `mutex`: the name of its mutex; `terms`: of its work, by resource table. Who `connects_itself` tells of its
  // connections too.
  LiveNode(Loop& loop, LiveNodeHost& host, const Process& process, Name mutex, std::vector<WorkTerms> terms,
           bool connects_itself = false);

  NodeIndex index() const { return index_; }
  Name name() const { return process_.name; }
  Name mutex() const { return mutex_; }
  std::uint32_t mutex_place() const { return process_.mutex; }
  bool running() const;
  bool believes() const;
  Status status() const;
  bool alive() const { return process_.alive; }
  bool connected() const { return store_ != nullptr && store_->connected(); }
  const std::string& trouble() const { return trouble_; }  // why it is not connected

  // Its process begins: the adapter connects; start() then hands in Start.
  void connect();
  // `row`: of the plan that asks for it; -1: none.
  void start(int row = -1);
  void stop(int row = -1);
  void crash();
  void restart();
  void pause();
  void resume();
  // The end of the run: a pause is over, what it kept is forgotten, the contender is asked to stop.
  void wind_up();
  void step_wall_clock(Duration by);
  void write_answered(std::uint32_t resource, std::uint32_t number);
  RandomStream& write_delays(std::uint32_t resource) { return works_[resource].delays; }

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
    int row = -1;              // kInput: of the plan, when it is a step of that
    Sequence cause = 0;        // kInput: what it leads on from
    Input input{};
  };

  void take(const Entry& entry);
  void take_input(const Entry& entry);
  void arm(OneShot& alarm, TrueTime at, const Entry& entry);
  void drop_store();

  Loop* loop_;
  LiveNodeHost* world_;
  NodeIndex index_;
  Name mutex_;
  AnyContender contender_;
  Host<Entry> process_;
  std::vector<Work> works_;
  std::vector<WorkTerms> terms_;  // by resource table, as the works
  Duration callback_;             // its application's, of on_acquired
  std::array<std::unique_ptr<OneShot>, kHostTimers> alarms_;
  std::vector<std::unique_ptr<OneShot>> work_alarms_;
  std::unique_ptr<Store> store_;
  std::vector<std::unique_ptr<Store>> buried_;
  OneShot burial_;
  std::string trouble_;
  bool connects_itself_;
  bool told_connected_ = false;
  bool start_when_connected_ = false;
};

}  // namespace leasescope
