#include "core/store/etcd/observer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/etcd/advice.h"
#include "core/store/server_walk.h"

namespace leasescope::etcd {
namespace {

using std::chrono::seconds;

constexpr std::string_view kMaker = "etcd";
constexpr int kMostLooks = 4;  // at once
constexpr std::size_t kMostMoments = 16;
constexpr std::size_t kLongestName = 400;
constexpr int kPermissionDenied = 7;

// It was good for minutes only, or for the rights as they were before somebody changed them.
bool is_token_over(const Refusal& why) {
  return why.code == kUnauthenticated || why.words.find("revision of auth store is old") != std::string::npos;
}

std::vector<KeySpan> spans_of(const StoreUrl& url, const ObserverTerms& terms) {
  if (terms.mutexes.empty()) return {keys_with(url.database)};
  std::vector<KeySpan> out;
  for (const std::string& mutex : terms.mutexes) out.push_back(keys_with(mutex + "/"));
  return out;
}

}  // namespace

EtcdObserver::EtcdObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms, ObserverListener& listener)
    : loop_(&loop),
      url_(url),
      terms_(terms),
      listener_(&listener),
      servers_(servers_of(url)),
      gateway_(loop, url),
      quiet_(loop.now()),
      blind_since_(quiet_),
      again_(loop),
      beat_(loop),
      round_(loop),
      pace_(loop) {
  for (const KeySpan& span : spans_of(url, terms)) {
    const std::size_t place = spans_.size();
    SpanWatch::Ends ends;
    ends.answered = [this](TrueTime asked, std::int64_t revision) { reached(asked, revision); };
    ends.found = [this, place](const std::vector<KeyValue>& keys, TrueTime asked) {
      take_found(*spans_[place], keys, asked);
    };
    ends.stands = [this] { take_stand(); };
    ends.changed = [this](const WatchAnswer& answer) { take_changes(answer); };
    ends.torn = [this](const std::string& why) { tear(why); };
    ends.lost = [this](const Refusal& why) { lose(why); };
    spans_.push_back(std::make_unique<SpanWatch>(loop, gateway_, span, std::move(ends)));
  }
}

// ---- the line

void EtcdObserver::begin() {
  again_.arm(Duration::zero(), [this] { open(); });
}

void EtcdObserver::open() {
  gateway_.turn_to(servers_[at_]);
  url_.user.empty() ? start() : log_in();
}

// A server that asks nobody for a login answers that it does not, and lets everybody look.
void EtcdObserver::log_in() {
  const TrueTime asked = loop_->now();
  gateway_.ask(login_question(url_.user, url_.password), [this, asked](const Answer<std::string>& text) {
    const auto token = text.and_then([](const std::string& whole) { return read_login(whole); });
    if (token) {
      answered(asked);
      gateway_.be(*token);
      return start();
    }
    if (token.error().words.find("authentication is not enabled") == std::string::npos) return lose(token.error());
    listener_->on_remark("it asks for no login: the user of the URL is not looked at");
    start();
  });
}

// Whoever has another token goes on: its watch stands, and nothing was missed.
void EtcdObserver::ask(const Question& question, const Gateway::Heard& heard) {
  gateway_.ask(question, [this, question, heard](const Answer<std::string>& text) {
    if (text || url_.user.empty() || !is_token_over(text.error())) return heard(text);
    gateway_.ask(login_question(url_.user, url_.password), [this, question, heard](const Answer<std::string>& login) {
      const auto token = login.and_then([](const std::string& whole) { return read_login(whole); });
      if (!token) return heard(tl::unexpected(token.error()));
      gateway_.be(*token);
      gateway_.ask(question, heard);
    });
  });
}

void EtcdObserver::start() {
  begun_ = loop_->now();
  for (const auto& span : spans_) span->begin();
}

void EtcdObserver::take_stand() {
  if (!std::all_of(spans_.begin(), spans_.end(), [](const auto& span) { return span->stands(); })) return;
  quiet_ = std::max(quiet_, begun_);
  if (std::exchange(blind_, false)) listener_->on_sighted();
  if (terms_.foreign == Foreign::kNone)
    listener_->on_remark("of an etcd only locks of other makers are seen, and --foreign none leaves these out");
  beat_.arm(terms_.poll, [this] { beat(); });
  go_round();
  tell_if_all();
}

// Where nothing changes nothing is told: an answer says that this is why.
void EtcdObserver::beat() {
  const TrueTime asked = loop_->now();
  ask(sign_of_life_question(spans_.front()->span().from), [this, asked](const Answer<std::string>& text) {
    const auto answer = text.and_then([](const std::string& whole) { return read_range(whole); });
    if (!answer) return lose(answer.error());
    back_off_.reset();  // not before: one that serves for a moment again and again would be gone through as often
    // By now what had changed when the last one was asked has come; of what changed since that is not known.
    if (!moments_.empty()) quiet_ = std::max(quiet_, moments_.back().asked);
    reached(asked, answer->revision);
    beat_.arm(terms_.poll, [this] { beat(); });
  });
}

void EtcdObserver::answered(TrueTime asked) {
  ++answers_;
  latency_ = loop_->now() - asked;
}

void EtcdObserver::reached(TrueTime asked, std::int64_t revision) {
  answered(asked);
  moments_.push_back({asked, revision});
  if (moments_.size() > kMostMoments) moments_.pop_front();
}

// When that revision was not reached yet; min(): it may have been before anybody looked.
TrueTime EtcdObserver::before(std::int64_t revision) const {
  TrueTime out = TrueTime::min();
  for (const Moment& each : moments_)
    if (each.revision < revision) out = std::max(out, each.asked);
  return out;
}

void EtcdObserver::lose(const Refusal& why) {
  gateway_.forget();
  for (const auto& span : spans_) span->lose_line();
  at_ = (at_ + 1) % servers_.size();
  go_blind(advised(why));
  again_.arm(back_off_.next(), [this] { open(); });
}

void EtcdObserver::go_blind(const std::string& why) {
  for (OneShot* timer : {&beat_, &round_, &pace_}) timer->cancel();
  due_.clear();
  open_looks_ = 0;
  moments_.clear();
  for (auto& [lock, of] : told_) of.open = of.waits = of.again = of.changed = false;
  if (!std::exchange(blind_, true)) blind_since_ = quiet_;
  listener_->on_blind(blind_since_, why);
}

// The server answers; of what changed meanwhile it tells no more.
void EtcdObserver::tear(const std::string& why) {
  gateway_.forget();
  for (const auto& each : spans_) each->lose_line();
  go_blind(why);
  again_.arm(back_off_.next(), [this] { start(); });
}

// ---- what there is

EtcdObserver::Place& EtcdObserver::told_of(const std::string& lock) {
  const auto [place, is_new] = told_.try_emplace(lock);
  unknown_ += is_new;
  return *place;
}

void EtcdObserver::take_found(const SpanWatch& span, const std::vector<KeyValue>& keys, TrueTime asked) {
  if (terms_.foreign == Foreign::kNone) return;
  std::vector<KeyValue> wanted;
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(wanted),
               [&](const KeyValue& each) { return is_wanted(each.key); });
  for (const std::string& lock : locks_.replace(span.span(), wanted)) {
    Told& of = told_of(lock).second;
    of.changed = true;
    of.since = asked;
  }
  note_full();
}

// Behind a lock's name others may begin: "orders/" is that of "orders/late", too.
bool EtcdObserver::is_wanted(const std::string& key) const {
  if (terms_.mutexes.empty()) return true;
  const auto place = place_of(key);
  return place && std::find(terms_.mutexes.begin(), terms_.mutexes.end(), place->lock) != terms_.mutexes.end();
}

void EtcdObserver::note_full() {
  if (locks_.is_full() && !std::exchange(told_full_, true))
    listener_->on_remark(fmt::format("more than {} keys are places in the lines of locks: the others are not watched",
                                     Locks::kMostKeys));
}

void EtcdObserver::take_changes(const WatchAnswer& answer) {
  if (terms_.foreign == Foreign::kNone) return;
  for (const KeyChange& each : answer.changes)
    if (is_wanted(each.now.key)) take(each);
  note_full();
}

// Somebody may hold for less time than a question of his lease takes: he is told of without.
void EtcdObserver::take(const KeyChange& change) {
  const auto place = place_of(change.now.key);
  if (!place) return;
  const Candidate* const before_it = locks_.line(place->lock).holder();
  const std::int64_t held = before_it == nullptr ? 0 : before_it->created;
  const auto known = told_.find(place->lock);
  const bool is_new = known == told_.end();
  std::optional<Sighting> untold;
  if (!is_new && known->second.changed && !blind_)
    untold = sighting_of(*known, std::max(known->second.since, known->second.last.asked));
  const auto lock = change.deleted ? locks_.erase(change.now.key) : locks_.put(change.now);
  if (!lock) return;
  Place& of = told_of(*lock);
  const Candidate* const holder = locks_.line(*lock).holder();
  if ((holder == nullptr ? 0 : holder->created) != held) {
    if (untold) {
      listener_->on_seen(*untold);
      of.second.last = *untold;
    }
    note_change(of, change.now.modified, is_new);
  }
  if (blind_) return;  // all will be looked at when that is over
  if (!of.second.changed) return tell(of, std::max(of.second.last.asked, quiet_));  // who waits
  if (holder == nullptr) return tell(of, of.second.since);
  want(of, true);
}

// It was as it was told before until then at least; in the line of a new one, of which the watch would have told,
// nobody stood.
void EtcdObserver::note_change(Place& of, std::int64_t revision, bool is_new) {
  Told& told = of.second;
  told.changed = true;
  told.since = std::max(told.last.asked, before(revision));
  if ((!told.known && !is_new) || blind_ || told.since <= told.last.asked) return;
  Sighting was = is_new ? Sighting{} : told.last;
  if (is_new) {
    was.mutex = escaped(of.first, kLongestName);
    was.maker = kMaker;
    was.system = locks_.line(of.first).is_election() ? "election" : "mutex";
  }
  if (was.left) *was.left -= told.since - was.asked;
  was.left_grain += was.answered - was.asked;
  was.asked = was.answered = told.since;
  listener_->on_seen(was);
  told.last = was;
}

// ---- one of them

void EtcdObserver::go_round() {
  round_.arm(terms_.poll, [this] { go_round(); });
  for (Place& of : told_) {
    const Told& told = of.second;
    const bool rests = told.known && !told.changed && told.last.owner.empty();
    if (!rests || told.last.asked + terms_.sweep < quiet_) want(of, false);
  }
  go_on();
}

void EtcdObserver::want(Place& of, bool at_once) {
  of.second.again = of.second.again || (at_once && of.second.open);
  if (of.second.open || std::exchange(of.second.waits, true)) return;
  at_once ? due_.push_front(&of) : due_.push_back(&of);
  if (at_once) go_on();
}

void EtcdObserver::go_on() {
  if (pace_.armed() || due_.empty() || open_looks_ >= kMostLooks) return;
  Place& next = *due_.front();
  due_.pop_front();
  next.second.waits = false;
  pace_.arm(Duration(seconds(1)) / std::max<std::uint32_t>(1, terms_.looks), [this] { go_on(); });
  next.second.open = true;
  ++open_looks_;
  look(next);
}

void EtcdObserver::look(Place& of) {
  const Candidate* const holder = locks_.line(of.first).holder();
  if (holder == nullptr) return end_look(of);
  if (!holder->value) return read_value(of, holder->key);
  read_lease(of, holder->lease);
}

// What is not there any more the watch tells.
void EtcdObserver::read_value(Place& of, const std::string& key) {
  const TrueTime asked = loop_->now();
  ask(value_question(key), [this, &of, asked](const Answer<std::string>& text) {
    const auto answer = text.and_then([](const std::string& whole) { return read_range(whole); });
    if (!answer) return lose(answer.error());
    answered(asked);
    for (const KeyValue& each : answer->keys) locks_.read_value(each);
    const Candidate* const holder = locks_.line(of.first).holder();
    if (holder == nullptr || !holder->value) return end_look(of);
    read_lease(of, holder->lease);
  });
}

void EtcdObserver::read_lease(Place& of, std::int64_t lease) {
  const TrueTime asked = loop_->now();
  ask(lease_question(lease), [this, &of, lease, asked](const Answer<std::string>& text) {
    take_lease(of, lease, asked, text.and_then([](const std::string& whole) { return etcd::read_lease(whole); }));
  });
}

// Seconds are cut off: of one that is over by less, and not revoked yet, none is left. A lease that is no more takes
// its keys along, which the watch tells.
void EtcdObserver::take_lease(Place& of, std::int64_t lease, TrueTime asked, const Answer<LeaseAnswer>& answer) {
  Told& told = of.second;
  const int code = answer ? 0 : answer.error().code;
  // Where its cluster has just another leader, say, it is asked again: whether it serves the sign of life tells.
  if (code == Refusal::kNotEtcd || code == kUnauthenticated) return lose(answer.error());
  answered(asked);
  if (code == kPermissionDenied)
    listener_->on_remark(fmt::format("what is left of a lease is not known: {}", answer.error().words));
  const Candidate* const holder = locks_.line(of.first).holder();
  const bool is_its = answer && answer->left >= 0 && holder != nullptr && holder->lease == lease;
  if (is_its) {
    constexpr std::int64_t kLongest = 100LL * 365 * 24 * 3600;
    const seconds left(std::min(answer->left, kLongest));
    told.lease = lease;
    const TrueTime earliest = left > seconds(0) ? asked + left : asked - seconds(1);
    told.end = std::pair(earliest, loop_->now() + left + seconds(1));
  }
  end_look(of);
}

void EtcdObserver::end_look(Place& of) {
  Told& told = of.second;
  told.open = false;
  --open_looks_;
  if (std::exchange(told.again, false)) return want(of, true);
  tell(of, std::max(told.last.asked, told.changed ? told.since : quiet_));
  go_on();
}

Sighting EtcdObserver::sighting_of(const Place& of, TrueTime asked) const {
  const LockLine& line = locks_.line(of.first);
  Sighting seen;
  seen.mutex = escaped(of.first, kLongestName);
  seen.maker = kMaker;
  seen.system = line.is_election() ? "election" : "mutex";
  seen.asked = asked;
  seen.answered = loop_->now();
  seen.owner = line.owner();
  seen.waiters = static_cast<std::uint32_t>(line.places.empty() ? 0 : line.places.size() - 1);
  for (const Candidate& each : line.places) {
    const bool says = each.value && !each.value->empty();
    seen.raw.emplace_back(escaped(each.key, kLongestName), says ? escaped(*each.value) : "");
    if (&each != &line.places.front())
      seen.queue.push_back(says ? escaped(*each.value) : fmt::format("lease {:x}", each.lease));
  }
  const Candidate* const holder = line.holder();
  if (holder == nullptr) return seen;
  seen.token = static_cast<Token>(holder->created);
  if (!of.second.end || of.second.lease != holder->lease) return seen;
  const auto& [earliest, latest] = *of.second.end;
  seen.left = earliest - seen.asked;
  seen.left_grain = std::max<Duration>(std::chrono::milliseconds(1), latest - seen.answered - *seen.left);
  return seen;
}

void EtcdObserver::tell(Place& of, TrueTime asked) {
  Told& told = of.second;
  told.last = sighting_of(of, asked);
  told.changed = false;
  listener_->on_seen(told.last);
  if (std::exchange(told.known, true)) return;
  --unknown_;
  tell_if_all();
}

void EtcdObserver::tell_if_all() {
  if (!blind_ && unknown_ == 0 && !std::exchange(told_all_, true)) listener_->on_all_seen();
}

std::unique_ptr<Observer> observe(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                  ObserverListener& listener) {
  return std::make_unique<EtcdObserver>(loop, url, terms, listener);
}

}  // namespace leasescope::etcd
