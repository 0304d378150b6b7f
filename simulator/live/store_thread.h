// What a live run wants of its store that blocks, on a thread of its own: a private server or several, from their start
// to their end, and the look before the run.
#pragma once
#include <QObject>
#include <memory>
#include <string>
#include <vector>

#include "core/store/store_look.h"
#include "core/store/url.h"
#include "simulator/live/private_server.h"
#include "simulator/live/server_control.h"

namespace leasescope {

// Lives in the thread that makes it, and tells it by signals what came of an order; orders are carried out one after
// another. It never waits: destroyed at any moment it leaves its thread behind, which hears that within a moment, ends
// its server, removes the folder and goes. No process ends in good order before its store threads have.
class StoreThread : public QObject, public ServerControl {
  Q_OBJECT

 public:
  struct Shared;  // what it and its thread have in common

  explicit StoreThread(QObject* parent = nullptr);
  ~StoreThread() override;

  // So many, each as the options say. server_started or server_failed follows: the others are the URL's others.
  void start_servers(const StoreType& type, const PrivateServerOptions& options, std::size_t count);
  // Of several stores at each, where they are not one. looked or refused follows, also where two of them are one;
  // holders are those of more than half.
  void look(const std::vector<StoreUrl>& stores, Family family, const std::vector<std::string>& mutexes);
  // The server's replica, which finds it there. in_step, when it has all that its leader holds, or server_failed
  // follows.
  void start_replica(const Endpoint& leader);
  // ServerControl, once the server has started: control_failed follows where it cannot be done.
  void kill(std::size_t which) override;
  void start_again(std::size_t which) override;
  void freeze(std::size_t which) override;
  void thaw(std::size_t which) override;
  void follow(const Endpoint& leader) override;
  void promote() override;  // another_leads follows
  void erase(const std::string& mutex) override;
  void end_session(const std::string& mutex) override;
  void set_clock(std::size_t which, Duration ahead) override;
  void stall(const std::string& mutex, std::uint64_t fault) override;
  void let_go(std::uint64_t fault) override;
  // What is under way is given up, the server ends, its folder goes; then ended follows, and nothing else.
  void end();

 signals:
  void server_started(const leasescope::StoreUrl& reached);
  void server_failed(const std::string& message);
  void looked(const leasescope::StoreLook& found);
  void refused(const std::string& message);
  void in_step();
  void another_leads(const leasescope::StoreUrl& server);
  void control_failed(const std::string& message);
  void clock_set(std::size_t which);
  void ended();

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace leasescope
