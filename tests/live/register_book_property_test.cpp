// Whatever happens to questions and answers, what RegisterBook says contains what the model store did.
#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <vector>

#include <rapidcheck.h>

#include "core/history/recorder.h"
#include "simulator/live/register_book.h"
#include "simulator/model/cas/register_model.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

class RegisterBookProperties : public QObject {
  Q_OBJECT
 private slots:
  void whatIsSaidContainsWhatWasDoneByVersion();
  void whatIsSaidContainsWhatWasDoneByTheHoldersClock();
};

namespace {

constexpr Duration kLease = 1000ms;
constexpr Duration kTimeout = 300ms;
const std::vector<std::string> kPeople{"a", "b", "c", "foreign"};

enum class Fate { kAnswered, kReplyLost, kRequestLost, kArrivesLate, kProcessDies };
enum class What { kNatural, kGiveBack, kSteal, kLook, kFreeBlindly };

// One call of somebody, if nothing of his is on its way.
struct Move {
  int who = 0;
  int wait = 0;  // ms since the move before
  What what = What::kNatural;
  int there = 0;  // µs
  int back = 0;
  Fate fate = Fate::kAnswered;
  int late = 0;  // ms
};

std::ostream& operator<<(std::ostream& out, const Move& m) {
  return out << kPeople[static_cast<std::size_t>(m.who)] << " +" << m.wait << "ms what " << static_cast<int>(m.what)
             << " there " << m.there << " back " << m.back << " fate " << static_cast<int>(m.fate) << " late "
             << m.late;
}

rc::Gen<Move> a_move() {
  const auto waits = rc::gen::oneOf(rc::gen::inRange(0, 5), rc::gen::inRange(0, 300), rc::gen::inRange(0, 1500));
  const auto ways = rc::gen::oneOf(rc::gen::inRange(100, 1000), rc::gen::inRange(100, 100'000));
  const auto fates = rc::gen::weightedElement<Fate>({{12, Fate::kAnswered},
                                                     {3, Fate::kReplyLost},
                                                     {1, Fate::kRequestLost},
                                                     {2, Fate::kArrivesLate},
                                                     {1, Fate::kProcessDies}});
  const auto deeds = rc::gen::weightedElement<What>(
      {{8, What::kNatural}, {2, What::kGiveBack}, {1, What::kSteal}, {3, What::kLook}, {1, What::kFreeBlindly}});
  return rc::gen::build<Move>(rc::gen::set(&Move::who, rc::gen::inRange(0, static_cast<int>(kPeople.size()))),
                              rc::gen::set(&Move::wait, waits), rc::gen::set(&Move::what, deeds),
                              rc::gen::set(&Move::there, ways), rc::gen::set(&Move::back, ways),
                              rc::gen::set(&Move::fate, fates), rc::gen::set(&Move::late, rc::gen::inRange(0, 600)));
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

class Store {
 public:
  explicit Store(Stamp by) : by_(by), mutex_(names_.intern("m")), model_(ModelSetting{{mutex_}, kLease}) {
    for (const std::string& person : kPeople) people_.push_back({names_.intern(person), person != "foreign"});
    book_ = std::make_unique<RegisterBook>(
        LiveBook::Facts{mutex_, names_.intern("store"), kLease},
        [this](const Event& event) {
          said_.push_back(event);
          return static_cast<Sequence>(said_.size());
        },
        [this](Name who) { return is_ours(who); });
  }

  void play(const std::vector<Move>& moves) {
    TrueTime at = now_;
    for (const Move& move : moves) {
      at += std::chrono::milliseconds(move.wait);
      run_until(at);
      make(move);
    }
    run_until(at + 5s);
    // Somebody looks undisturbed, and again when what he has seen may be over: now it must be known who holds.
    Move last;
    last.what = What::kLook;
    last.there = last.back = 200;
    for (int i = 0; i < 2; ++i) {
      make(last);
      run_until(now_ + 5s);
    }
  }

  void judge() {
    if (book_->owner() != model_.owner(0)) RC_FAIL("another holds\n" + everything());
    for (const Event& event : said_) {
      if (event.kind == EventKind::kUnobservedBegan || event.kind == EventKind::kUnobservedEnded) continue;
      if (event.lo > event.hi || !is_true(event)) RC_FAIL("not true: " + words(event) + "\n" + everything());
    }
    if (said_doubles() > true_doubles()) RC_FAIL("a double grant that was none\n" + everything());
  }

 private:
  struct Somebody {
    Name name;
    bool ours = true;
    bool busy = false;
    Reply last;  // what it was told last
  };

  bool is_ours(Name who) const {
    return std::any_of(people_.begin(), people_.end(),
                       [&](const Somebody& each) { return each.name == who && each.ours; });
  }

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
  void note() {
    for (const ServerStep& step : steps_)
      if (step.fact != ServerStep::Fact::kNothing) did_.push_back({step.fact, step.owner, step.token, now_});
    steps_.clear();
  }

  // ---- calls

  Request request_of(const Somebody& who, What what) {
    Request request;
    request.id = ++requests_;
    request.mutex = mutex_;
    request.contender = who.name;
    request.timeout = kTimeout;
    request.cell = CellCall{};
    request.cell.by = by_;
    request.cell.version = who.last.number;
    request.cell.stamp = by_ == Stamp::kClient ? now_.time_since_epoch() + kLease : kLease;
    const bool is_free = static_cast<CellMode>(who.last.answer & ~kLeaseOver) == CellMode::kFree;
    const bool own = !is_free && who.last.owner == who.name;
    // What a foreign client takes before its time nobody need hear of.
    if (!who.ours && (what == What::kFreeBlindly || what == What::kSteal)) what = What::kNatural;
    const bool frees = what == What::kFreeBlindly || (what == What::kGiveBack && own);
    const bool renews = what == What::kNatural && own;
    const bool takes = what == What::kSteal || (what == What::kNatural && is_free);
    request.kind = frees || renews || takes ? RequestKind::kCompareAndSet : RequestKind::kRead;
    request.cell.mode = frees ? CellMode::kFree : CellMode::kHeld;
    request.cell.token = takes && !renews ? who.last.token + 1 : who.last.token;
    return request;
  }

  void make(const Move& move) {
    Somebody& who = people_[static_cast<std::size_t>(move.who)];
    if (who.busy) return;
    who.busy = true;
    const Request request = request_of(who, move.what);
    const TrueTime sent = now_;
    if (who.ours) book_->sending(who.name, request, now_, 0);
    if (move.fate != Fate::kRequestLost) {
      const Duration late = kTimeout + std::chrono::milliseconds(move.late);
      later(now_ + (move.fate == Fate::kArrivesLate ? late : us(move.there)), [this, &who, request, sent, move] {
        const Reply reply = take(request);
        if (move.fate == Fate::kAnswered)
          later(now_ + us(move.back), [this, &who, reply, sent] {
            who.busy = false;
            who.last = reply;
            if (who.ours) book_->replied(who.name, reply, sent, now_);
          });
      });
    }
    if (move.fate != Fate::kAnswered)
      later(now_ + (move.fate == Fate::kProcessDies ? us(move.back) : kTimeout),
            [this, &who, request, sent, dies = move.fate == Fate::kProcessDies] { give_up(who, request, sent, dies); });
  }
  void give_up(Somebody& who, const Request& request, TrueTime sent, bool dies) {
    who.busy = false;
    if (dies) who.last = {};
    if (!who.ours) return;
    if (dies) return book_->abandoned(who.name);
    Reply none;
    none.begin(request);
    none.ending = Ending::kUnknown;
    book_->replied(who.name, none, sent, now_);
  }

  static Duration us(int count) { return std::chrono::microseconds(count); }

  Reply take(const Request& request) {
    const ServerCall call{request, 0, 0, 0, 0};
    model_.take(call, moment(), steps_);
    Reply reply;
    for (const ServerStep& step : steps_)
      if (step.replies) reply = step.reply;
    note();
    return reply;
  }

  // ---- the judgement

  bool is_true(const Event& event) const {
    using Fact = ServerStep::Fact;
    return std::any_of(did_.begin(), did_.end(), [&](const Truth& truth) {
      if (truth.at < event.lo || truth.at > event.hi) return false;
      const bool of_it = truth.owner == event.node && truth.token == event.token;
      switch (event.kind) {
        case EventKind::kGranted:
          return of_it && truth.fact == Fact::kGranted;
        case EventKind::kRenewed:
          return of_it && truth.fact == Fact::kRenewed;
        case EventKind::kReleased:
          return of_it && ends(truth.fact);
        default:  // it ran out, or was taken before
          return of_it ? ends(truth.fact) : truth.fact == Fact::kGranted;
      }
    });
  }
  template <class Each>
  static int doubles(const std::vector<Each>& all) {
    int out = 0;
    Name holder;
    for (const auto& [granted, renewed, ended, who] : all) {
      if (granted && !holder.empty() && holder != who) ++out;
      if (granted || (renewed && holder.empty())) holder = who;
      if (ended && holder == who) holder = Name{};
    }
    return out;
  }
  struct Step {
    bool granted, renewed, ended;
    Name who;
  };
  int said_doubles() const {
    std::vector<Step> all;
    for (const Event& e : said_)
      all.push_back({e.kind == EventKind::kGranted, e.kind == EventKind::kRenewed,
                     e.kind == EventKind::kReleased || e.kind == EventKind::kExpired, e.node});
    return doubles(all);
  }
  int true_doubles() const {
    std::vector<Step> all;
    for (const Truth& t : did_)
      all.push_back(
          {t.fact == ServerStep::Fact::kGranted, t.fact == ServerStep::Fact::kRenewed, ends(t.fact), t.owner});
    return doubles(all);
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

  Stamp by_;
  NameTable names_;
  Name mutex_;
  RegisterModel model_;
  std::unique_ptr<RegisterBook> book_;
  std::vector<Somebody> people_;
  std::multimap<TrueTime, std::function<void()>> todo_;
  TrueTime now_{};
  ServerSteps steps_;
  std::uint64_t requests_ = 0;
  std::vector<Event> said_;
  std::vector<Truth> did_;
};

bool holds_for(Stamp by) {
  return rc::check("what is said contains what was done", [by] {
    Store store(by);
    store.play(*rc::gen::container<std::vector<Move>>(a_move()));
    store.judge();
  });
}

}  // namespace

void RegisterBookProperties::whatIsSaidContainsWhatWasDoneByVersion() { QVERIFY(holds_for(Stamp::kVersion)); }
void RegisterBookProperties::whatIsSaidContainsWhatWasDoneByTheHoldersClock() { QVERIFY(holds_for(Stamp::kClient)); }

LEASESCOPE_SUITE(RegisterBookProperties)
#include "register_book_property_test.moc"
