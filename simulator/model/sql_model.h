// What a database does with Simba's lease calls: a row a mutex, its lock and who waits for it, times by its own clock.
#pragma once
#include <vector>

#include "core/base/prefetch.h"
#include "simulator/model/server_step.h"
#include "simulator/model/store_terms.h"
#include "simulator/model/subscribers.h"

namespace leasescope {

class SqlModel {
 public:
  static constexpr bool kActs = false;
  using Terms = SqlTerms;
  static SqlModel make(const ModelSetting& setting, const Terms& terms) { return {setting.mutexes, terms}; }

  SqlModel(const std::vector<Name>& mutexes, const SqlTerms& terms);

  // Each lease call is a transaction of its own. While another one holds the row, it waits (false).
  bool take(const ServerCall& call, ServerNow now, ServerSteps& out);
  TrueTime deadline(std::uint32_t mutex, const SkewedClock<ServerTime>& clock) const;
  void wake(std::uint32_t mutex, ServerNow now, ServerSteps& out);
  void disturb(Disturbance what, ServerNow now, ServerSteps& out);
  bool listen(const ServerCall& call) { return subscribers_.take(call); }
  const Subscribers& subscribers() const { return subscribers_; }

  // Whose lease the row says lasts; empty = nobody's.
  Name owner(std::uint32_t mutex) const { return rows_[mutex].held ? rows_[mutex].owner_id : Name{}; }
  void fetch(std::uint32_t mutex) const { prefetch(&rows_[mutex]); }

 private:
  struct Waiting {
    ServerCall call;
    ServerTime begun{};   // its transaction
    TrueTime gives_up{};  // the server's own limit for a wait
  };
  struct Row {
    Name owner_id;
    ServerTime transition_at = kLongAgo;  // whole ms
    Token fencing_token = kNoToken;
    bool held = false;  // the history has been told that the lease lasts
    bool to_be_erased = false;
    std::uint32_t stalls = 0;      // transactions that hold the row and do not go on
    std::vector<Waiting> waiting;  // for it, in order
  };

  // The columns hold 0, the year 1970: before anything a server's clock shows here.
  static constexpr ServerTime kLongAgo = ServerTime::min();

  bool for_update() const { return terms_.statement == SqlTerms::Statement::kForUpdate; }
  Duration longest_wait(const Request& request) const;
  void run(const ServerCall& call, ServerTime begun, ServerNow now, ServerSteps& out);
  void contend(Row& row, const Request& request, ServerTime begun, ServerTime now, ServerStep& out);
  bool update(Row& row, const Request& request, ServerTime now, ServerStep& out);
  void release(Row& row, const Request& request, ServerStep& out);
  void look(std::uint32_t mutex, ServerTime now, ServerSteps& out);
  void give_up(std::uint32_t mutex, TrueTime now, ServerSteps& out);
  void go_on(std::uint32_t mutex, ServerNow now, ServerSteps& out);
  void erase(std::uint32_t mutex, ServerSteps& out);

  SqlTerms terms_;
  std::vector<Row> rows_;
  Subscribers subscribers_;
};

}  // namespace leasescope
