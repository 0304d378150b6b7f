// What comes before a live run's time 0, step by step on Qt's event loop, which it never holds: refusals, a private
// server or a look at a given one, contenders that connect.
#pragma once
#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/loop/qt/qt_loop.h"
#include "core/store/store_look.h"
#include "simulator/live/live_world.h"
#include "simulator/live/preparation_step.h"
#include "simulator/live/store_thread.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

class Preparation : public QObject {
  Q_OBJECT

 public:
  using Ask = std::function<std::optional<std::string>(const std::string& store)>;

  // `store`: as a user named it.
  Preparation(QtLoop& loop, const Scenario& scenario, const std::string& store);
  ~Preparation() override;

  void use_password(const std::string& password) { password_ = password; }
  void ask_password_with(Ask ask) { ask_ = std::move(ask); }

  // Returns at once; ready, failed or cancelled follows. After the latter two it can begin again.
  void begin();
  // At any time, also after ready; when nothing has begun, or it ends already, nothing happens.
  void cancel();
  // Once ready: the private server ends, and its folder goes; `then` follows, later.
  void end_store(std::function<void()> then);

  const StoreUrl& store() const { return store_; }   // empty when it could not be read
  LiveWorld* world() const { return world_.get(); }  // from the first connection on
  const std::vector<std::string>& remarks() const { return remarks_; }

 signals:
  void stepped(const leasescope::PreparationStep& step);
  void ready();
  // Nothing is left of it by then.
  void failed(const std::string& message);
  void cancelled();
  // Once ready: a fault of the server could not be carried out.
  void troubled(const std::string& message);

 private:
  enum class State { kIdle, kBeginning, kServer, kLooking, kConnecting, kReady, kEnding };

  void leave_beginning();
  tl::expected<void, std::string> refuse_what_cannot_be();
  tl::expected<void, std::string> find_password();
  void start_server();
  void look();
  void take_look(const StoreLook& look);
  void take_refusal(const std::string& message);
  bool asks_password(const std::string& refusal);
  std::optional<std::string> held_by_another(const StoreLook& look) const;
  void connect_contenders();
  void take_new_leader(const StoreUrl& leader);
  void go_on_connecting();
  void fail(const std::string& message);
  void end(std::function<void()> then);
  void say(const std::string& words, int permille);

  QtLoop* loop_;
  Scenario scenario_;
  tl::expected<StoreUrl, std::string> parsed_;
  StoreUrl store_;
  StoreUrl reached_;      // where the server is
  std::string password_;  // given apart
  Ask ask_;
  State state_ = State::kIdle;
  QTimer begins_;
  QTimer connects_;
  bool in_step_ = false;  // the replica is, or there is none
  std::chrono::steady_clock::time_point give_up_{};
  std::vector<std::string> mutexes_;  // as the store knows them
  std::vector<std::string> remarks_;
  std::function<void()> after_store_;
  std::unique_ptr<StoreThread> thread_;
  std::unique_ptr<LiveWorld> world_;  // goes before the server does
};

}  // namespace leasescope
