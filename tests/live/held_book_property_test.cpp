// Whatever happens to requests and replies, and whoever sets the store's clock, what HeldBook says contains what the
// model store did.
#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <vector>

#include <rapidcheck.h>

#include "core/history/recorder.h"
#include "simulator/live/held_book.h"
#include "simulator/model/server_model.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

class HeldBookProperties : public QObject {
  Q_OBJECT
 private slots:
  void whatIsSaidContainsWhatRedisDid();
  void whatIsSaidContainsWhatADatabaseDid();
  void whatIsSaidContainsWhatRedisDidByAClockThatIsSet();
  void whatIsSaidContainsWhatADatabaseDidByAClockThatIsSet();
};

namespace {

constexpr Duration kLease = 1500ms;
constexpr Duration kTimeout = 300ms;

struct Person {
  std::string name;
  Wire wire;
  bool ours;
};
constexpr Wire kDefault = Wire::kTerm;
const std::vector<Person> kPeople{
    {"a", kDefault, true},       {"b", Wire::kFenced, true},     {"c", kDefault, true},        {"f", kDefault, false},
    {"g", Wire::kFenced, false}, {"h", Wire::kTokenless, false}, {"o", Wire::kTokenless, true}};

// Seen late: of a release that arrives late the answer is read by somebody else.
enum class Fate { kAnswered, kReplyLost, kRequestLost, kArrivesLate, kSeenLate, kProcessDies };
constexpr int kClock = -1;  // in the place of somebody: the store's clock is set

// One call of somebody, if nothing of his is on its way; or a step of the clock.
struct Move {
  int who = 0;
  int wait = 0;   // ms since the move before
  int what = 0;   // mostly what he would do; else any of the three
  int there = 0;  // µs
  int back = 0;
  Fate fate = Fate::kAnswered;
  int late = 0;  // ms
  int step = 0;  // ms
};

std::ostream& operator<<(std::ostream& out, const Move& m) {
  if (m.who == kClock)
    return out << "clock +" << m.wait << "ms by " << m.step << "ms after " << m.there << " told " << m.back;
  return out << kPeople[static_cast<std::size_t>(m.who)].name << " +" << m.wait << "ms what " << m.what << " there "
             << m.there << " back " << m.back << " fate " << static_cast<int>(m.fate) << " late " << m.late;
}

enum class Among { kAll, kForeignTokenless, kClocks };

// kClocks: some of them are steps of the clock, and nobody is without tokens: such an owner appears to have got that
// of the term before, when its key comes back by a clock set back. kForeignTokenless: of ours nobody is, as on a
// database.
rc::Gen<Move> a_move(Among among) {
  const int first = among == Among::kClocks ? kClock : 0;
  const int end = static_cast<int>(kPeople.size()) - static_cast<int>(among);
  const auto waits = rc::gen::oneOf(rc::gen::inRange(0, 5), rc::gen::inRange(0, 300), rc::gen::inRange(0, 2500));
  const auto ways = rc::gen::oneOf(rc::gen::inRange(100, 1000), rc::gen::inRange(100, 100'000));
  const auto fates = rc::gen::weightedElement<Fate>({{12, Fate::kAnswered},
                                                     {3, Fate::kReplyLost},
                                                     {1, Fate::kRequestLost},
                                                     {2, Fate::kArrivesLate},
                                                     {2, Fate::kSeenLate},
                                                     {1, Fate::kProcessDies}});
  return rc::gen::build<Move>(
      rc::gen::set(&Move::who, rc::gen::inRange(first, end)), rc::gen::set(&Move::wait, waits),
      rc::gen::set(&Move::what, rc::gen::inRange(0, 8)), rc::gen::set(&Move::there, ways),
      rc::gen::set(&Move::back, ways), rc::gen::set(&Move::fate, fates),
      rc::gen::set(&Move::late, rc::gen::oneOf(rc::gen::inRange(0, 600), rc::gen::inRange(0, 8000))),
      rc::gen::set(&Move::step, rc::gen::oneOf(rc::gen::inRange(-20, 20), rc::gen::inRange(-3000, 3000))));
}

struct Truth {
  ServerStep::Fact fact;
  Name owner;
  Token token;
  TrueTime at;
};

class Store {
 public:
  Store(ServerModel model, bool row)
      : model_(std::move(model)), row_(row), mutex_(names_.intern("m")), store_(names_.intern("store")) {
    for (const Person& person : kPeople) people_.push_back({names_.intern(person.name), person});
    book_ = std::make_unique<HeldBook>(
        HeldBook::Facts{mutex_, store_, kLease, row},
        [this](const Event& event) {
          said_.push_back(event);
          said_at_.push_back(now_);
          return static_cast<Sequence>(said_.size());
        },
        [this](Name who) {
          const auto* const found = somebody(who);
          return found != nullptr && found->person.ours;
        });
  }

  void play(const std::vector<Move>& moves) {
    TrueTime at = now_;
    for (const Move& move : moves) {
      at += std::chrono::milliseconds(move.wait);
      run_until(at);
      make(move);
    }
    run_until(at + 20s);
    // Somebody looks undisturbed: now it must be known who holds.
    Move last;
    last.what = 0;
    last.there = last.back = 200;
    make(last);
    run_until(now_ + 1s);
  }

  void judge() {
    if (!in_doubt() && text(book_->owner()) != text(owner()))
      RC_FAIL("it is held for " + text(owner()) + "\n" + everything());
    for (const Event& event : said_) {
      if (event.kind == EventKind::kUnobservedBegan || event.kind == EventKind::kUnobservedEnded) continue;
      if (!true_(event)) RC_FAIL("not true: " + words(event) + "\n" + everything());
    }
    if (clock_done_ > TrueTime::min()) return;  // which does make a store grant twice
    Checkers checkers({1000ms, 500ms, {}}, names_, {});
    for (const Event& event : said_) checkers.append(event);
    if (checkers.summary().double_grants > 0) RC_FAIL("a double grant\n" + everything());
  }

 private:
  struct Somebody {
    Name name;
    Person person;
    bool busy = false;
    bool owns = false;  // as far as it knows
    Token term = kNoToken;
    std::vector<std::pair<TrueTime, TrueTime>> releases;  // sent, and when it was answered
  };

  Somebody* somebody(Name name) {
    for (Somebody& who : people_)
      if (who.name == name) return &who;
    return nullptr;
  }
  std::string text(Name name) const { return std::string(names_.text(name)); }
  Name owner() const {
    return std::visit([](const auto& model) { return model.owner(0); }, model_);
  }
  bool in_doubt() const {
    return std::any_of(people_.begin(), people_.end(), [](const Somebody& who) { return who.busy; });
  }

  // ---- time

  void later(TrueTime at, std::function<void()> what) { todo_.emplace(at, std::move(what)); }
  void run_until(TrueTime end) {
    for (;;) {
      const TrueTime wakes = std::visit([&](const auto& model) { return model.deadline(0, clock_); }, model_);
      const TrueTime next = todo_.empty() ? TrueTime::max() : todo_.begin()->first;
      const TrueTime due = std::min({std::max(now_, wakes), next, std::max(now_, book_->due())});
      if (due > end) break;
      now_ = due;
      if (now_ >= wakes) {
        std::visit([&](auto& model) { model.wake(0, moment(), steps_); }, model_);
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
  ServerNow moment() const { return {clock_.at(now_), now_}; }
  void note() {
    for (const ServerStep& step : steps_)
      if (step.fact != ServerStep::Fact::kNothing) did_.push_back({step.fact, step.owner, step.token, now_});
    steps_.clear();
  }

  // ---- calls

  RequestKind kind_of(const Somebody& who, int what) const {
    if (what == 7) return RequestKind::kAcquire;
    if (what == 6) return RequestKind::kRelease;
    return who.owns ? RequestKind::kGuard : RequestKind::kAcquire;
  }

  // Set at some moment after it was asked for, and told of after that; one after the other.
  void set_clock(const Move& move) {
    const Duration by = std::chrono::milliseconds(move.step);
    book_->clock_asked(0, by, now_);
    clock_done_ = std::max(clock_done_, now_) + us(move.there);
    later(clock_done_, [this, by] {
      clock_.step(now_, by);
      std::visit([&](auto& model) { model.disturb(Disturbance::kClockChanged, moment(), steps_); }, model_);
      note();
    });
    clock_done_ += us(move.back);
    later(clock_done_, [this] { book_->clock_set(0, now_); });
  }

  void make(const Move& move) {
    if (move.who == kClock) return set_clock(move);
    Somebody& who = people_[static_cast<std::size_t>(move.who)];
    if (who.busy) return;
    who.busy = true;
    Request request;
    request.id = ++requests_;
    request.kind = kind_of(who, move.what);
    request.lease.wire = who.person.wire;
    request.mutex = mutex_;
    request.contender = who.name;
    request.lease.ttl = 1000ms;
    request.lease.length = kLease;
    request.timeout = kTimeout;
    if (request.lease.wire == Wire::kTerm && request.kind != RequestKind::kAcquire) request.lease.term = who.term;
    if (request.kind == RequestKind::kRelease) {
      who.owns = false;
      who.releases.emplace_back(now_, TrueTime::max());
    }
    const TrueTime sent = now_;
    const auto give_up = [this, &who, request, sent, move] {
      who.busy = false;
      if (move.fate == Fate::kProcessDies) {
        who.owns = false;
        if (who.person.ours) book_->abandoned(who.name);
        return;
      }
      Reply none;
      none.request = request.id;
      none.kind = request.kind;
      none.ending = Ending::kUnknown;
      if (who.person.ours) book_->replied(who.name, none, sent, now_);
    };
    if (who.person.ours) book_->sending(who.name, request, now_, 0);
    if (move.fate != Fate::kRequestLost) {
      const bool late = move.fate == Fate::kArrivesLate || move.fate == Fate::kSeenLate;
      const Duration way = late ? kTimeout + std::chrono::milliseconds(move.late) : us(move.there);
      later(now_ + way, [this, &who, request, sent, move] {
        const Reply reply = take(request);
        if (move.fate == Fate::kSeenLate && who.person.ours && reply.kind == RequestKind::kRelease)
          later(now_ + us(move.back),
                [this, &who, reply, arrived = now_] { book_->late_release(who.name, reply.done, arrived, now_); });
        if (move.fate != Fate::kAnswered) return;
        later(now_ + us(move.back), [this, &who, reply, sent] { answer(who, reply, sent); });
      });
    }
    if (move.fate != Fate::kAnswered)
      later(now_ + (move.fate == Fate::kProcessDies ? us(move.back) : kTimeout), give_up);
  }

  static Duration us(int count) { return std::chrono::microseconds(count); }

  Reply take(const Request& request) {
    const ServerCall call{request, 0, 0, 0, 0};
    std::visit([&](auto& model) { model.take(call, moment(), steps_); }, model_);
    Reply reply;
    for (const ServerStep& step : steps_)
      if (step.replies) reply = step.reply;
    note();
    if (request.lease.wire == Wire::kTokenless) reply.token = kNoToken;  // what is said there has no place for it
    return reply;
  }

  void answer(Somebody& who, const Reply& reply, TrueTime sent) {
    who.busy = false;
    if (reply.kind == RequestKind::kRelease) {
      who.releases.back().second = now_;
    } else {
      who.owns = reply.owner == who.name;
      if (who.owns) who.term = reply.token;
    }
    if (who.person.ours) book_->replied(who.name, reply, sent, now_);
  }

  // ---- the judgement

  bool did(const Event& event, ServerStep::Fact fact) const {
    return std::any_of(did_.begin(), did_.end(), [&](const Truth& truth) {
      return truth.fact == fact && truth.owner == event.node && of_term(event, truth.token) && event.lo <= truth.at &&
             truth.at <= event.hi;
    });
  }
  bool of_term(const Event& event, Token token) const {
    const bool ends = event.kind == EventKind::kReleased || event.kind == EventKind::kExpired;
    const Person& person = kPeople[place(event.node)];
    if (person.wire == Wire::kTokenless || token == event.token) return true;
    if (!person.ours && event.token == kNoToken) return true;  // whom only one up to 3.1 has seen
    return ends && token > event.token;  // a late acquire may have begun one more term, that nobody saw
  }
  // The term that goes on was told of without a token.
  bool untold(const Event& event) const {
    if (kPeople[place(event.node)].wire == Wire::kTokenless) return true;
    Token token = event.token;
    for (const Event& each : said_) {
      if (&each == &event) break;
      if (each.kind == EventKind::kGranted && each.node == event.node) token = each.token;
    }
    return token == kNoToken;
  }
  std::size_t place(Name name) const {
    for (std::size_t i = 0; i < people_.size(); ++i)
      if (people_[i].name == name) return i;
    return 0;
  }
  bool true_(const Event& event) const {
    using Fact = ServerStep::Fact;
    const Somebody& who = people_[place(event.node)];
    switch (event.kind) {
      case EventKind::kGranted:
        return did(event,
                   event.detail == static_cast<std::uint8_t>(GrantKind::kRestored) ? Fact::kRestored : Fact::kGranted);
      case EventKind::kRenewed:  // terms without tokens cannot be told apart
        return did(event, Fact::kRenewed) || (untold(event) && did(event, Fact::kGranted));
      case EventKind::kReleased:
        return did(event, Fact::kReleased);
      case EventKind::kReleaseRefused:
        return did(event, Fact::kReleaseRefused);
      case EventKind::kExpired: {
        const TrueTime said = said_at_[static_cast<std::size_t>(&event - said_.data())];
        const bool on_its_way = std::any_of(who.releases.begin(), who.releases.end(), [&](const auto& release) {
          return release.first <= said && said < release.second;
        });
        const bool may_be_released = !who.person.ours || on_its_way || row_;
        return did(event, Fact::kExpired) || (may_be_released && did(event, Fact::kReleased));
      }
      default:
        return false;
    }
  }
  std::string words(const Event& event) const {
    std::ostringstream out;
    out << leasescope::text(event.kind) << ' ' << text(event.node) << " #" << event.token << ' ' << ms(event.lo) << ".."
        << ms(event.hi);
    return out.str();
  }
  static double ms(TrueTime at) { return static_cast<double>(at.time_since_epoch().count()) / 1e6; }
  std::string everything() const {
    static const char* const kFacts[] = {"nothing",         "granted", "renewed",   "released",
                                         "release refused", "expired", "forgotten", "restored"};
    std::ostringstream out;
    out << "said:\n";
    for (const Event& event : said_) out << "  " << words(event) << '\n';
    out << "did:\n";
    for (const Truth& t : did_)
      out << "  " << kFacts[static_cast<int>(t.fact)] << ' ' << text(t.owner) << " #" << t.token << ' ' << ms(t.at)
          << '\n';
    return out.str();
  }

  NameTable names_;
  ServerModel model_;
  bool row_;
  Name mutex_;
  Name store_;
  std::vector<Somebody> people_;
  std::unique_ptr<HeldBook> book_;
  SkewedClock<ServerTime> clock_;
  TrueTime clock_done_ = TrueTime::min();
  ServerSteps steps_;
  TrueTime now_ = TrueTime{} + 1s;
  std::multimap<TrueTime, std::function<void()>> todo_;
  std::vector<Truth> did_;
  std::vector<Event> said_;
  std::vector<TrueTime> said_at_;
  std::uint64_t requests_ = 0;
};

std::vector<std::uint32_t> ranks() { return std::vector<std::uint32_t>(32, 1); }

template <class Make>
void whatever_happens(const Make& make, Among among = Among::kAll) {
  const bool held = rc::check([&make, among] {
    const auto moves = *rc::gen::container<std::vector<Move>>(a_move(among));
    Store store = make();
    store.play(moves);
    store.judge();
  });
  QVERIFY(held);
}

}  // namespace

void HeldBookProperties::whatIsSaidContainsWhatRedisDid() {
  whatever_happens([] { return Store(RedisModel({Name{1}}, RedisTerms{}, ranks()), false); });
}

void HeldBookProperties::whatIsSaidContainsWhatADatabaseDid() {
  whatever_happens([] { return Store(SqlModel({Name{1}}, SqlTerms{}), true); }, Among::kForeignTokenless);
}

void HeldBookProperties::whatIsSaidContainsWhatRedisDidByAClockThatIsSet() {
  whatever_happens([] { return Store(RedisModel({Name{1}}, RedisTerms{}, ranks()), false); }, Among::kClocks);
}

void HeldBookProperties::whatIsSaidContainsWhatADatabaseDidByAClockThatIsSet() {
  whatever_happens([] { return Store(SqlModel({Name{1}}, SqlTerms{}), true); }, Among::kClocks);
}

LEASESCOPE_SUITE(HeldBookProperties)
#include "held_book_property_test.moc"
