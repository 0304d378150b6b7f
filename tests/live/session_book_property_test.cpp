// Whatever happens to questions and answers, what SessionBook says contains what the model's group did.
#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <vector>

#include <rapidcheck.h>

#include "core/history/recorder.h"
#include "simulator/live/session_book.h"
#include "simulator/model/cp/cp_model.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

class SessionBookProperties : public QObject {
  Q_OBJECT
 private slots:
  void whatIsSaidContainsWhatWasDone();
};

namespace {

constexpr Duration kTtl = 1000ms;
constexpr Duration kTimeout = 300ms;
constexpr int kPeople = 3;

enum class Fate { kAnswered, kReplyLost, kRequestLost, kProcessDies };
enum class What { kNatural, kOnceMore, kBeat, kAsk, kTry, kClose };

// One call of somebody, if nothing of his is on its way.
struct Move {
  int who = 0;
  int wait = 0;  // ms since the move before
  What what = What::kNatural;
  int there = 0;  // µs
  int back = 0;
  Fate fate = Fate::kAnswered;
};

std::ostream& operator<<(std::ostream& out, const Move& m) {
  return out << m.who << " +" << m.wait << "ms what " << static_cast<int>(m.what) << " there " << m.there << " back "
             << m.back << " fate " << static_cast<int>(m.fate);
}

rc::Gen<Move> a_move() {
  const auto waits = rc::gen::oneOf(rc::gen::inRange(0, 5), rc::gen::inRange(0, 300), rc::gen::inRange(0, 1500));
  const auto ways = rc::gen::oneOf(rc::gen::inRange(100, 1000), rc::gen::inRange(100, 100'000));
  const auto fates = rc::gen::weightedElement<Fate>(
      {{12, Fate::kAnswered}, {3, Fate::kReplyLost}, {1, Fate::kRequestLost}, {1, Fate::kProcessDies}});
  const auto deeds = rc::gen::weightedElement<What>({{8, What::kNatural},
                                                     {2, What::kOnceMore},
                                                     {3, What::kBeat},
                                                     {3, What::kAsk},
                                                     {1, What::kTry},
                                                     {1, What::kClose}});
  return rc::gen::build<Move>(rc::gen::set(&Move::who, rc::gen::inRange(0, kPeople)), rc::gen::set(&Move::wait, waits),
                              rc::gen::set(&Move::what, deeds), rc::gen::set(&Move::there, ways),
                              rc::gen::set(&Move::back, ways), rc::gen::set(&Move::fate, fates));
}

struct Truth {
  ServerStep::Fact fact;
  Name owner;
  Token token;
  TrueTime at;
};

bool ends(ServerStep::Fact fact) {
  return fact == ServerStep::Fact::kReleased || fact == ServerStep::Fact::kExpired ||
         fact == ServerStep::Fact::kForgotten;
}

CpTerms at_once() {
  CpTerms terms;
  terms.commit = Duration::zero();
  terms.check = 1ms;
  return terms;
}

class Group {
 public:
  Group() : mutex_(names_.intern("m")), model_(ModelSetting{{mutex_}, kTtl}, at_once()) {
    for (int i = 0; i < kPeople; ++i) people_.push_back({names_.intern(std::string(1, static_cast<char>('a' + i)))});
    book_ = std::make_unique<SessionBook>(LiveBook::Facts{mutex_, names_.intern("store"), kTtl, true},
                                          [this](const Event& event) {
                                            said_.push_back(event);
                                            return static_cast<Sequence>(said_.size());
                                          });
  }

  void play(const std::vector<Move>& moves) {
    TrueTime at = now_;
    for (const Move& move : moves) {
      at += std::chrono::milliseconds(move.wait);
      run_until(at);
      make(move);
    }
    run_until(at + 5s);  // all sessions are over
    Move last;
    last.what = What::kAsk;
    last.there = last.back = 200;
    for (Somebody& each : people_) each.retry = 0;
    for (int i = 0; i < 2; ++i) {
      make(last);
      run_until(now_ + 5s);
    }
  }

  void judge() {
    for (const Event& event : said_) {
      const bool of_term = event.kind == EventKind::kGranted || event.kind == EventKind::kRenewed ||
                           event.kind == EventKind::kReleased || event.kind == EventKind::kExpired;
      const bool judged = of_term || event.kind == EventKind::kSessionEnded;
      if (judged && (event.lo > event.hi || !is_true(event)))
        RC_FAIL("not true: " + words(event) + "\n" + everything());
    }
    if (said_doubles() > 0) RC_FAIL("a double grant that was none\n" + everything());
    int known = 0;
    for (const Event& event : said_) known += event.kind == EventKind::kGranted;
    RC_CLASSIFY(known > 2);
  }

 private:
  struct Somebody {
    Name name;
    std::uint64_t busy = 0;  // the request that is on its way; 0: none
    std::uint64_t session = 0;
    std::uint64_t count = 0;
    std::uint64_t uids = 0;
    std::uint64_t retry = 0;  // the uid that is asked again, of that kind
    RequestKind kind = RequestKind::kLock;
    Duration wait{};
    TrueTime sent{};
    int back = 0;
    bool heard = true;
  };

  // ---- time

  void later(TrueTime at, std::function<void()> what) { todo_.emplace(at, std::move(what)); }
  void run_until(TrueTime end) {
    for (;;) {
      const TrueTime wakes = model_.deadline(0, {});
      const TrueTime next = todo_.empty() ? TrueTime::max() : todo_.begin()->first;
      const TrueTime due = std::min({std::max(now_, wakes), next, std::max(now_, book_->due())});
      if (due > end) break;
      now_ = due;
      if (now_ >= wakes) {
        model_.wake(0, moment(), steps_);
        note();
      } else if (now_ >= next) {
        const std::function<void()> what = std::move(todo_.begin()->second);
        todo_.erase(todo_.begin());
        what();
      } else {
        book_->tick(now_);
      }
    }
    now_ = std::max(now_, end);
  }
  ServerNow moment() const { return {ServerTime(now_.time_since_epoch()), now_}; }
  // What came of it, and who hears.
  void note() {
    for (const ServerStep& step : steps_) {
      const bool of_term = step.fact != ServerStep::Fact::kNothing && step.fact != ServerStep::Fact::kOther;
      if (of_term) did_.push_back({step.fact, step.owner, step.token, now_});
      if (step.fact == ServerStep::Fact::kOther && step.kind == EventKind::kSessionEnded)
        ended_.push_back({step.fact, step.owner, static_cast<Token>(step.b), now_});
      if (!step.replies) continue;
      Somebody& who = people_[step.node];
      if (who.busy != step.reply.request || !who.heard) continue;
      later(now_ + us(who.back), [this, &who, reply = step.reply] { hear(who, reply); });
    }
    steps_.clear();
  }

  // ---- calls

  Request request_of(Somebody& who, What what) {
    Request request;
    request.id = ++requests_;
    request.mutex = mutex_;
    request.contender = who.name;
    request.timeout = kTimeout;
    if (who.session == 0) {
      request.kind = RequestKind::kOpenSession;
      request.session = {0, 0, kTtl, 0};
      return request;
    }
    const bool again = who.retry != 0;
    if (!again && what <= What::kOnceMore) {
      const bool unlocks = who.count > 0 && what == What::kNatural;
      who.kind = unlocks ? RequestKind::kUnlock : RequestKind::kLock;
      who.wait = Duration::max();
    }
    if (!again && what == What::kTry) {
      who.kind = RequestKind::kLock;
      who.wait = Duration::zero();
    }
    const bool locks = what <= What::kOnceMore || what == What::kTry;
    request.kind = what == What::kBeat              ? RequestKind::kHeartbeat
                   : what == What::kAsk             ? RequestKind::kQuery
                   : what == What::kClose && !again ? RequestKind::kCloseSession
                                                    : who.kind;
    if (!locks && what == What::kClose && again) request.kind = RequestKind::kQuery;
    const std::uint64_t uid = locks ? (again ? who.retry : ++who.uids) : 0;
    request.session = {who.session, uid, locks ? who.wait : Duration::zero(), 1};
    return request;
  }

  void make(const Move& move) {
    Somebody& who = people_[static_cast<std::size_t>(move.who)];
    if (who.busy != 0) return;
    const Request request = request_of(who, move.what);
    who.busy = request.id;
    who.sent = now_;
    who.back = move.back;
    who.heard = move.fate == Fate::kAnswered;
    book_->sending(who.name, request, now_, 0);
    const auto node = static_cast<NodeIndex>(move.who);
    if (move.fate != Fate::kRequestLost)
      later(now_ + us(move.there), [this, request, node] {
        const ServerCall call{request, node, 0, 0, 0};
        model_.take(call, moment(), steps_);
        note();
      });
    const bool dies = move.fate == Fate::kProcessDies;
    later(now_ + (dies ? us(move.back) : kTimeout), [this, &who, request, dies] { give_up(who, request, dies); });
  }
  void give_up(Somebody& who, const Request& request, bool dies) {
    if (who.busy != request.id) return;
    who.busy = 0;
    if (dies) {
      who.session = who.count = who.retry = 0;
      return book_->abandoned(who.name);
    }
    if (request.kind == RequestKind::kLock || request.kind == RequestKind::kUnlock) who.retry = request.session.uid;
    if (request.kind == RequestKind::kCloseSession) who.session = who.count = who.retry = 0;
    Reply none;
    none.begin(request);
    none.ending = Ending::kUnknown;
    book_->replied(who.name, none, who.sent, now_);
  }
  void hear(Somebody& who, const Reply& reply) {
    if (who.busy != reply.request) return;
    who.busy = 0;
    const auto said = static_cast<SessionAnswer>(reply.answer);
    const bool calls = reply.kind == RequestKind::kLock || reply.kind == RequestKind::kUnlock;
    if (calls) who.retry = 0;
    if (calls) who.count = said == SessionAnswer::kDone ? reply.number : who.count;
    if (reply.kind == RequestKind::kOpenSession) who.session = reply.number;
    if (said == SessionAnswer::kSessionEnded || reply.kind == RequestKind::kCloseSession)
      who.session = who.count = who.retry = 0;
    book_->replied(who.name, reply, who.sent, now_);
  }

  static Duration us(int count) { return std::chrono::microseconds(count); }

  // ---- the judgement

  bool is_true(const Event& event) const {
    using Fact = ServerStep::Fact;
    if (event.kind == EventKind::kSessionEnded)
      return std::any_of(ended_.begin(), ended_.end(), [&](const Truth& truth) {
        return truth.at >= event.lo && truth.at <= event.hi && truth.owner == event.node &&
               truth.token == static_cast<Token>(event.b);
      });
    return std::any_of(did_.begin(), did_.end(), [&](const Truth& truth) {
      if (truth.at < event.lo || truth.at > event.hi || truth.owner != event.node || truth.token != event.token)
        return false;
      if (event.kind == EventKind::kGranted) return truth.fact == Fact::kGranted;
      if (event.kind == EventKind::kRenewed) return truth.fact == Fact::kRenewed;
      return ends(truth.fact);
    });
  }
  int said_doubles() const {
    int out = 0;
    Name holder;
    for (const Event& event : said_) {
      if (event.kind == EventKind::kGranted) {
        out += !holder.empty();
        holder = event.node;
      }
      if ((event.kind == EventKind::kReleased || event.kind == EventKind::kExpired) && holder == event.node)
        holder = Name{};
    }
    return out;
  }
  std::string words(const Event& event) const {
    std::ostringstream out;
    out << leasescope::text(event.kind) << " " << names_.text(event.node) << " #" << event.token << " "
        << event.lo.time_since_epoch().count() / 1000 << " … " << event.hi.time_since_epoch().count() / 1000 << " µs";
    return out.str();
  }
  std::string everything() const {
    std::ostringstream out;
    for (const Event& event : said_) out << "said " << words(event) << "\n";
    for (const Truth& truth : did_)
      out << "was " << static_cast<int>(truth.fact) << " " << names_.text(truth.owner) << " #" << truth.token << " at "
          << truth.at.time_since_epoch().count() / 1000 << " µs\n";
    return out.str();
  }

  NameTable names_;
  Name mutex_;
  CpModel model_;
  std::unique_ptr<SessionBook> book_;
  std::vector<Somebody> people_;
  std::multimap<TrueTime, std::function<void()>> todo_;
  TrueTime now_{};
  ServerSteps steps_;
  std::uint64_t requests_ = 0;
  std::vector<Event> said_;
  std::vector<Truth> did_;
  std::vector<Truth> ended_;  // sessions, by their numbers
};

}  // namespace

void SessionBookProperties::whatIsSaidContainsWhatWasDone() {
  QVERIFY(rc::check("what is said contains what was done", [] {
    Group group;
    group.play(*rc::gen::container<std::vector<Move>>(a_move()));
    group.judge();
  }));
}

LEASESCOPE_SUITE(SessionBookProperties)
#include "session_book_property_test.moc"
