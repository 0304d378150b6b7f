// A contender by compare-and-set leases: lock, semaphore and read-write lock over registers that can be read and
// compared-and-set, and nothing else. README.md says why it is right.
#pragma once
#include <string_view>
#include <vector>

#include "core/base/prefetch.h"
#include "core/base/random_stream.h"
#include "core/cas/terms.h"
#include "core/contend/effect.h"
#include "core/contend/setting.h"
#include "core/history/operation.h"

namespace leasescope {

struct CasTimer {
  static constexpr Timer kNext{0};  // looks again, renews, tries again
  static constexpr Timer kWatchdog{1};
  static constexpr Timer kHold{2};  // the application has held, or rested, for long enough
};

class CasContender {
 public:
  using Terms = CasTerms;
  using Plan = CasPlan;
  static CasContender make(const ContenderSetting& setting, const Terms& terms, const Plan& plan) {
    return {setting, terms, plan};
  }

  CasContender(const ContenderSetting& setting, const Terms& terms, const Plan& plan);

  // One input with the contender's own clocks at this moment; changes the state and says what is to be done.
  Effects step(const Input& input, Clocks now);

  // After its process was lost: nothing is remembered but the stream of its draws.
  CasContender reborn(Name id) const;

  Name id() const { return setting_.id; }
  Status status() const { return status_; }
  bool running() const { return status_ == Status::kRunning; }
  bool believes() const { return believes_; }
  Token token() const { return believes_ ? mine_.token : kNoToken; }
  // After a pause the watchdog may not have run yet.
  bool owns(SteadyTime now) const { return believes_ && now < mine_.until; }
  const RandomStream& draws() const { return setting_.draws; }

  void fetch_for_timer() const { prefetch(this, this + 1); }
  void fetch_for_reply() const { prefetch(this, this + 1); }

 private:
  enum class Phase : std::uint8_t {
    kRests,
    kSeeks,
    kHolds,
    kLetsGo,  // the application has been told, and its last write is under way
    kFrees,
  };
  // Of one attempt, in this order. A lock and a semaphore end with kTake.
  enum class Stage : std::uint8_t {
    kWriter,   // a reader: nobody writes or is about to
    kTake,     // a register of its own
    kOthers,   // a writer: nobody reads; a reader: still nobody is about to write
    kConfirm,  // what it claimed it holds
  };
  enum class Purpose : std::uint8_t { kLook, kTake, kConfirm, kEvict, kRenew, kFree };

  // The request on its way; one at most.
  struct Flight {
    std::uint64_t id = 0;  // 0 = none
    SteadyTime sent{};
    Purpose purpose = Purpose::kLook;
    std::uint8_t cell = 0;
    Token token = kNoToken;  // that it writes

    bool active() const { return id != 0; }
  };
  // The register that it has, as far as it knows.
  struct Mine {
    bool any = false;
    CellMode mode = CellMode::kFree;
    std::uint8_t cell = 0;
    std::uint64_t version = 0;
    Token token = kNoToken;
    SteadyTime until{};  // counted from the sending of what was confirmed last, margin taken off
  };
  // A write of its own that may stand in a register without its knowing, or that it knows of and has given up.
  struct Trace {
    bool any = false;
    std::uint8_t cell = 0;
    std::uint64_t version = 0;  // 0 = unknown
    Token token = kNoToken;
  };
  // Since when a register has shown this version.
  struct Sight {
    std::uint64_t version = UINT64_MAX;
    SteadyTime since{};
  };
  struct Judged {
    enum class As : std::uint8_t { kFree, kOver, kBusy } as = As::kBusy;
    Duration wait{};  // kBusy: until it may be over
  };

  void on_start(Effects& out, Clocks now);
  void on_stop(Effects& out, Clocks now);
  void settle_stop(Effects& out);
  void on_timer(Timer timer, Effects& out, Clocks now);
  void on_work_done(Effects& out, Clocks now);
  void on_reply(const Reply& reply, Effects& out, Clocks now);
  void on_failure(const Reply& reply, const Flight& call, Effects& out, Clocks now);

  // attempt.cpp
  void seek(Effects& out, Clocks now);
  void begin_attempt(Effects& out, Clocks now);
  void look(std::uint8_t cell, Effects& out, Clocks now);
  void on_seen(const Reply& reply, std::uint8_t cell, Effects& out, Clocks now);
  void on_taken(const Reply& reply, const Flight& call, Effects& out, Clocks now);
  void on_others_seen(const Reply& reply, std::uint8_t cell, const Judged& judged, Effects& out, Clocks now);
  void take(const Reply& seen, std::uint8_t cell, Effects& out, Clocks now);
  void confirm(Token token, Effects& out, Clocks now);
  void evict(const Reply& seen, std::uint8_t cell, Effects& out, Clocks now);
  void next_cell(const Judged& busy, Effects& out, Clocks now);
  void wait(Duration delay, Effects& out, Clocks now);
  void give_up_claim(Effects& out, Clocks now);

  // lease.cpp
  Judged judge(const Reply& reply, std::uint8_t cell, Clocks now);
  bool is_own_trace(const Reply& reply, std::uint8_t cell) const;
  Duration margin() const;

  // hold.cpp
  void hold(Effects& out, Clocks now);
  void on_renewal(const Reply& reply, const Flight& call, Effects& out, Clocks now);
  void renew(Effects& out, Clocks now);
  void lose(DisbeliefReason reason, Effects& out, Clocks now);

  // release.cpp
  void let_go(Effects& out, Clocks now);
  void go_on_letting_go(Effects& out, Clocks now);
  void free_cell(Effects& out, Clocks now);
  void on_freed(const Reply& reply, const Flight& call, Effects& out, Clocks now);
  Ending freed_before(const Reply& reply) const;
  void freed(Ending ending, Effects& out, Clocks now);
  void rest(Effects& out, Clocks now);

  // What they share.
  Request& send(RequestKind kind, Purpose purpose, std::uint8_t cell, Effects& out, Clocks now);
  void set(Purpose purpose, std::uint8_t cell, std::uint64_t version, CellMode mode, Token token, Effects& out,
           Clocks now);
  void keep(const Reply& reply, const Flight& call, CellMode mode);
  void plan(Duration delay, Effects& out);
  void disown(Effects& out);

  // told.cpp
  void tell(bool owns, DisbeliefReason reason, Effects& out, Clocks now);
  void note_attempt(AttemptResult result, RequestKind meant, Duration left, Token token, Effects& out) const;
  void invoke(Operation operation, Effects& out);
  void end_call(Ending ending, Token token, Effects& out);

  // kind.cpp: what a lock, a semaphore and a read-write lock differ in.
  Operation acquire_operation() const;
  Operation release_operation() const;
  bool reads() const { return terms_.kind == CasTerms::Kind::kReadWrite && plan_.mode == CasPlan::Mode::kRead; }
  // The registers that one of its kind takes: [first, first + count).
  std::uint8_t first_cell() const { return reads() ? 1 : 0; }
  std::uint8_t cell_count() const;
  Token next_token(Token last, std::uint8_t cell) const;

  bool stopping() const { return status_ == Status::kStopping; }
  Duration heartbeat() const;
  Duration poll() const;

  ContenderSetting setting_;
  CasTerms terms_;
  CasPlan plan_;
  Status status_ = Status::kInitial;
  Phase phase_ = Phase::kRests;
  Stage stage_ = Stage::kTake;
  bool believes_ = false;
  bool works_ = false;        // what the application does under the mutex has not come to its end
  bool in_callback_ = false;  // its on_acquired
  bool calls_ = false;        // the application waits for an answer
  bool planned_ = false;
  bool may_be_free_ = false;                // it has asked to free what it holds, and heard nothing
  Operation operation_ = Operation::kLock;  // of that call
  Flight flight_;
  Mine mine_;
  Trace trace_;
  std::uint8_t cursor_ = 0;  // the register it looks at
  std::uint8_t looked_ = 0;  // so many in this round
  Duration shortest_{};      // wait of those
  SteadyTime renew_at_{};
  std::uint64_t requests_ = 0;
  std::uint64_t uid_ = 0;
  std::vector<Sight> sights_;  // Stamp::kVersion: by register
};

}  // namespace leasescope
