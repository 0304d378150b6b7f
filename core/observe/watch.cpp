#include "core/observe/watch.h"

#include <algorithm>
#include <utility>

#include "core/base/glob.h"
#include "core/history/mutex_title.h"

namespace leasescope {
namespace {

constexpr Duration kHour = std::chrono::hours(1);
constexpr std::size_t kMostRemarks = 20;     // of a store
constexpr std::size_t kLookedForTerms = 64;  // mutexes, each time one more is noted than are kept
constexpr std::size_t kMostEarly = 100, kMostSenders = 1'000;

}  // namespace

// What one store's observer tells.
class Watch::Source final : public ObserverListener {
 public:
  Source(Watch& watch, std::size_t place) : watch_(watch), place_(place) {}

  void on_seen(const Sighting& seen) override { watch_.seen(place_, seen); }
  void on_heard(const HeardChange& heard) override { watch_.heard(place_, heard); }
  void on_all_seen() override {
    store().known = true;
    store().refused.clear();
    store().known_at = watch_.loop_->now();
    watch_.miss(place_);
    watch_.changed();
  }
  void on_rest_refused(const std::string& why) override {
    if (std::exchange(store().refused, why) != why) watch_.changed();
  }
  void on_blind(TrueTime since, const std::string& why) override { watch_.blind(place_, since, why); }
  void on_sighted() override {
    store().blind = false;
    store().why.clear();
    watch_.tell_parts(store(), watch_.loop_->now());
    if (std::exchange(store().told_away, false))
      watch_.tell_store(store().name, EventKind::kConnected, watch_.loop_->now());
    watch_.changed();
  }
  void on_part(const std::string& server, TrueTime since, const std::string& why) override {
    std::vector<BlindPart>& parts = store().parts;
    const auto known =
        std::find_if(parts.begin(), parts.end(), [&](const BlindPart& each) { return each.server == server; });
    if (why.empty()) {
      if (known != parts.end()) parts.erase(known);
    } else if (known != parts.end()) {
      known->why = why;
    } else {
      parts.push_back({server, since, why});
      ++store().gaps;
    }
    watch_.tell_parts(store(), since);
    watch_.changed();
  }
  void on_hidden(const std::string& mutex, std::string_view maker, TrueTime since) override {
    store().hidden.emplace(mutex, maker);
    if (WatchedMutex* const of = watch_.known(place_, {mutex, maker})) of->book.blind(since);
    watch_.changed();
  }
  void on_belief(std::string_view text, std::string_view mutex) override { watch_.hear_belief(text, place_, mutex); }
  void on_remark(const std::string& remark) override {
    std::vector<std::string>& said = store().remarks;
    const bool known = std::find(said.begin(), said.end(), remark) != said.end();
    if (!known && said.size() < kMostRemarks) said.push_back(remark);
  }

 private:
  WatchedStore& store() { return *watch_.stores_[place_]; }

  Watch& watch_;
  std::size_t place_;
};

std::string unobserved_text(const WatchedStore& store) {
  if (store.blind) return store.why;
  std::string out;
  for (const BlindPart& each : store.parts) out += (out.empty() ? "" : "; ") + each.server + ": " + each.why;
  return out;
}

TrueTime unobserved_since(const WatchedStore& store) {
  if (store.blind || store.parts.empty()) return store.blind_since;
  return std::min_element(store.parts.begin(), store.parts.end(),
                          [](const BlindPart& a, const BlindPart& b) { return a.since < b.since; })
      ->since;
}

std::string name_of_part(const WatchedStore& store) { return store.name + ", in part"; }

Watch::Watch(Loop& loop, const WatchTerms& terms) : loop_(&loop), terms_(terms), recorder_({}, terms.lease) {}
Watch::~Watch() = default;

const std::vector<std::unique_ptr<WatchedStore>>& Watch::stores() const { return stores_; }

std::size_t Watch::add(const std::string& store, const Make& make) {
  const auto known = std::find_if(stores_.begin(), stores_.end(),
                                  [&](const auto& each) { return each->name == store && each->observer == nullptr; });
  const auto place = static_cast<std::size_t>(known - stores_.begin());
  if (known == stores_.end()) {
    stores_.emplace_back(std::make_unique<WatchedStore>())->name = store;
    sources_.push_back(std::make_unique<Source>(*this, place));
    by_name_.emplace_back();
  }
  WatchedStore& of = *stores_[place];
  of.blind = true;
  of.why.clear();
  of.parts.clear();
  of.remarks.clear();
  of.hidden.clear();
  of.refused.clear();
  of.added = of.blind_since = loop_->now();
  of.observer = make(*sources_[place]);
  if (begun_) stores_[place]->observer->begin();
  return place;
}

void Watch::begin() {
  begun_ = true;
  for (const auto& store : stores_)
    if (store->observer != nullptr) store->observer->begin();
}

void Watch::remove(std::size_t store) {
  stores_[store]->observer.reset();
  blind(store, loop_->now(), "it is not watched any more");
  stores_[store]->known = false;
}

// From when on nothing would be known of it if nobody looked any more; none where nobody does.
std::optional<TrueTime> Watch::known_until(const WatchedMutex& of) const {
  const Observer* const observer = stores_[of.source]->observer.get();
  if (observer == nullptr) return {};
  const bool told = of.maker.empty() && !of.book.waits_for_look();  // nobody tells of other makers' changes
  const TrueTime seen = of.book.last().answered;
  if (!told) return seen;
  const TrueTime quiet = observer->quiet_until(of.name);
  // Nobody tells that a lease has run out; a look does, soon after.
  const bool held = of.book.known() == SeenMutex::Known::kHeld;
  return std::max(seen, held ? std::min(quiet, of.book.end_lo()) : quiet);
}

void Watch::end() {
  for (const auto& each : mutexes_)
    if (const auto until = known_until(*each)) each->book.blind(*until);
  for (const auto& store : stores_) store->observer.reset();
}

History Watch::ended() const {
  std::vector<Event> last;
  TrueTime told = told_;
  for (const auto& each : mutexes_) {
    const auto until = known_until(*each);
    std::optional<Event> event = until ? each->book.blinded(*until) : std::nullopt;
    if (!event) continue;
    event->hi = told = std::max(event->hi, told);
    last.push_back(*event);
  }
  return recorder_.with(last, loop_->now());
}

KnownUntil Watch::known_until() const {
  KnownUntil out{loop_->now(), loop_->now()};
  for (const auto& each : mutexes_) {
    if (each->book.known() == SeenMutex::Known::kNothing) continue;
    TrueTime& least = each->maker.empty() ? out.ours : out.foreign;
    if (const auto until = known_until(*each)) least = std::min(least, *until);
  }
  return out;
}

bool Watch::complete() const {
  return std::all_of(stores_.begin(), stores_.end(),
                     [](const auto& store) { return store->known || store->observer == nullptr; });
}

bool Watch::is_looked_through() const {
  return std::all_of(stores_.begin(), stores_.end(), [](const auto& store) {
    return store->known || !store->refused.empty() || store->observer == nullptr;
  });
}

const History& Watch::history() {
  advance_beliefs();
  recorder_.advance(loop_->now());
  return recorder_.history();
}

bool Watch::is_wanted(const std::string& name) const { return terms_.glob.empty() || is_like(terms_.glob, name); }

WatchedMutex* Watch::known(std::size_t source, const MutexIdentity& of) const {
  const auto found = by_name_[source].find(of);
  return found == by_name_[source].end() ? nullptr : found->second;
}

// Null: it is not asked for.
WatchedMutex* Watch::met(std::size_t source, const Sighting& sighting) {
  const std::string& name = sighting.mutex;
  if (WatchedMutex* const of = known(source, {name, sighting.maker})) return of;
  if (!is_wanted(name)) return nullptr;
  const std::string own = sighting.maker.empty() ? name : mutex_title_of_maker(name, sighting.maker, sighting.likely);
  const std::string title = stores_.size() == 1 ? own : mutex_title(own, stores_[source]->name);
  ++stores_[source]->mutexes;
  SeenMutex book(
      {recorder_.intern(title), recorder_.intern(stores_[source]->name)},
      [this](const Event& event) { return record(event); },
      [this](std::string_view text) { return recorder_.intern(text); });
  WatchedMutex* const made =
      mutexes_.emplace_back(std::make_unique<WatchedMutex>(title, name, sighting.maker, source, std::move(book))).get();
  // A new one of ours tells when it comes; one of another maker is met when its turn comes. Of one that was hidden
  // nothing was known.
  const bool was_hidden = stores_[source]->hidden.count({name, sighting.maker}) > 0;
  if (stores_[source]->known && sighting.maker.empty() && !was_hidden) made->book.was_free(stores_[source]->known_at);
  by_name_[source][{name, sighting.maker}] = made;
  made->number = mutexes_.size() - 1;
  return made;
}

// Of all mutexes and stores in the order in which they became known.
Sequence Watch::record(Event event) {
  event.hi = told_ = std::max(event.hi, told_);
  return recorder_.append(event);
}

// What was there before and was not met when all was looked at is no more. Of other makers' not all may have been.
void Watch::miss(std::size_t source) {
  const WatchedStore& store = *stores_[source];
  for (const auto& each : mutexes_) {
    if (each->source != source || !each->maker.empty() || each->book.known() != SeenMutex::Known::kNothing) continue;
    if (store.hidden.count({each->name, each->maker}) > 0) continue;
    Sighting gone;
    gone.mutex = each->name;
    gone.system = each->book.last().system;
    gone.asked = store.added;
    gone.answered = loop_->now();
    seen(source, gone);
  }
}

void Watch::seen(std::size_t source, const Sighting& sighting) {
  const bool is_new = known(source, {sighting.mutex, sighting.maker}) == nullptr;
  WatchedMutex* const of = met(source, sighting);
  stores_[source]->hidden.erase({sighting.mutex, sighting.maker});
  if (of == nullptr) return;
  const std::uint64_t before = of->book.handoffs();
  const Sighting last = of->book.last();
  const TrueTime since = of->book.since_hi();
  of->book.see(sighting);
  note_held(*of, last);
  note_terms(*of, last, since);
  if (is_new && sighting.maker.empty()) take_early_beliefs(*of);
  if (of->beliefs != nullptr) compare_clocks(*of);
  if (of->book.handoffs() > before) of->handoffs.push_back(sighting.answered);
  while (!of->handoffs.empty() && of->handoffs.front() < sighting.answered - kHour) of->handoffs.pop_front();
  changed();
}

// So that what else somebody owns is found without a look at all there is.
void Watch::note_held(const WatchedMutex& of, const Sighting& before) {
  const Sighting& now = of.book.last();
  if (before.owner == now.owner && before.holders == now.holders) return;
  const auto each_holder = [](const Sighting& seen, const auto& act) {
    if (seen.is_shared())
      for (const std::string& each : seen.holders) act(each);
    else if (!seen.owner.empty())
      act(seen.owner);
  };
  each_holder(before, [&](const std::string& who) {
    const auto found = held_.find(who);
    if (found == held_.end()) return;
    std::vector<std::size_t>& numbers = found->second;
    const auto at = std::lower_bound(numbers.begin(), numbers.end(), of.number);
    if (at != numbers.end() && *at == of.number) numbers.erase(at);
    if (numbers.empty()) held_.erase(found);
  });
  each_holder(now, [&](const std::string& who) {
    std::vector<std::size_t>& numbers = held_[who];
    numbers.insert(std::lower_bound(numbers.begin(), numbers.end(), of.number), of.number);
  });
}

std::vector<const WatchedMutex*> Watch::held_by(const std::vector<std::string>& holders) const {
  std::vector<std::size_t> numbers;
  for (const std::string& who : holders)
    if (const auto found = held_.find(who); found != held_.end())
      numbers.insert(numbers.end(), found->second.begin(), found->second.end());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<const WatchedMutex*> out;
  out.reserve(numbers.size());
  for (const std::size_t number : numbers) out.push_back(mutexes_[number].get());
  return out;
}

// The book tells since when it is as it is; one look may end a term and begin another.
void Watch::note_terms(WatchedMutex& of, const Sighting& before, TrueTime since) {
  const Sighting& now = of.book.last();
  std::vector<WatchedTerm>& terms = of.terms;
  if (now.is_shared()) {
    if (!before.is_shared() || since != of.book.since_hi()) {
      for (WatchedTerm& each : terms) each.end = std::min(each.end, of.book.since_hi());
      return note_holders(of, of.book.since_lo());
    }
    return note_holders(of, before.unread > 0 ? std::min(of.book.since_lo(), before.asked) : before.asked);
  }
  const bool tokens = now.token_is_of_term && now.token != kNoToken && before.token != kNoToken;
  const bool same = !terms.empty() && now.owner == before.owner && (!tokens || now.token == before.token) &&
                    terms.back().begin_hi == of.book.since_hi();
  if (same && terms.back().token == kNoToken) terms.back().token = now.token;
  if (same) return;
  for (WatchedTerm& each : terms) each.end = std::min(each.end, of.book.since_hi());
  add_term(of, {recorder_.intern(now.owner), now.token, of.book.since_lo(), of.book.since_hi(), TrueTime::max()});
}

// Of those who hold beside each other each has a term: it begins and ends beside those of the others.
void Watch::note_holders(WatchedMutex& of, TrueTime lo) {
  const Sighting& now = of.book.last();
  std::set<std::string> known;
  for (WatchedTerm& each : of.terms) {
    if (each.end != TrueTime::max()) continue;
    const std::string owner(recorder_.history().names.text(each.owner));
    if (!now.is_held_by(owner)) each.end = now.answered;
    known.insert(owner);
  }
  for (const std::string& each : now.holders)
    if (known.count(each) == 0) add_term(of, {recorder_.intern(each), kNoToken, lo, now.answered, TrueTime::max()});
}

// Where they are too many in all, those mutexes give that have more than their share of them: this one, and whichever
// others come next, so that a watch of weeks keeps no more of ten thousand mutexes than of a thousand.
void Watch::add_term(WatchedMutex& of, const WatchedTerm& term) {
  of.terms.push_back(term);
  ++terms_kept_;
  if (of.terms.size() > kMostTerms) drop_term(of, true);
  if (terms_kept_ <= kMostTermsOfAll) return;
  const std::size_t share = std::max<std::size_t>(1, kMostTermsOfAll / mutexes_.size());
  if (of.terms.size() > share) drop_term(of, false);
  for (std::size_t i = 0; i < kLookedForTerms && terms_kept_ > kMostTermsOfAll; ++i) {
    WatchedMutex& next = *mutexes_[term_hand_++ % mutexes_.size()];
    if (next.terms.size() > share) drop_term(next, false);
  }
}

// The first that is over; where none is, the first of all, or none.
void Watch::drop_term(WatchedMutex& of, bool also_lasting) {
  const auto over = [](const WatchedTerm& each) { return each.end != TrueTime::max(); };
  auto first = std::find_if(of.terms.begin(), of.terms.end(), over);
  if (first == of.terms.end() && !also_lasting) return;
  of.terms.erase(first == of.terms.end() ? of.terms.begin() : first);
  --terms_kept_;
  if (of.terms.capacity() > 2 * of.terms.size()) of.terms.shrink_to_fit();
}

void Watch::heard(std::size_t source, const HeardChange& heard) {
  WatchedMutex* const of = known(source, {heard.mutex, {}});
  if (of == nullptr) return;
  if (heard.released)
    of->book.heard_release(heard.owner, heard.earliest);
  else
    of->book.heard_grant(heard.owner, heard.earliest);
}

void Watch::blind(std::size_t source, TrueTime since, const std::string& why) {
  WatchedStore& store = *stores_[source];
  store.gaps += !std::exchange(store.blind, true);
  store.blind_since = since;
  store.why = why;
  // Where nothing was asked, it may have been told that nothing changed.
  for (const auto& [whose, of] : by_name_[source]) {
    const TrueTime until = std::max(since, known_until(*of).value_or(since));
    of->book.blind(until);
    store.blind_since = std::max(store.blind_since, until);
  }
  // Whom nobody watches any more may well answer.
  if (store.observer != nullptr && !std::exchange(store.told_away, true))
    tell_store(store.name, EventKind::kDisconnected, store.blind_since);
  changed();
}

// Once, of all that it has, and of one that has nothing or was never reached.
void Watch::tell_store(const std::string& name, EventKind kind, TrueTime at) {
  Event event;
  event.kind = kind;
  event.node = recorder_.intern(name);
  event.lo = event.hi = at;
  record(event);
}

// Once where a part of it cannot be seen, and once when all of it can.
void Watch::tell_parts(WatchedStore& store, TrueTime at) {
  if (store.parts.empty() == !store.told_parts || (store.parts.empty() && store.blind)) return;
  store.told_parts = !store.parts.empty();
  tell_store(name_of_part(store), store.told_parts ? EventKind::kDisconnected : EventKind::kConnected, at);
}

// ---- what processes say that they believe

void Watch::hear_belief(std::string_view text, std::optional<std::size_t> store, std::string_view channel) {
  const TrueTime now = loop_->now();
  const auto belief = parse_belief(text);
  if (!belief) return refuse_belief(belief.error());
  // A server may let somebody write to the channels of his own mutexes alone.
  if (!channel.empty() && belief->mutex != channel) return refuse_belief("it is of another mutex than its channel");
  ++belief_counts_.heard;
  clock_of(*belief, now).heard(belief->sent_ms, now);
  if (WatchedMutex* const of = meant(*belief, store)) return take_belief(*of, *belief, now);
  if (!is_wanted(belief->mutex)) return;
  early_.push_back({*belief, store, now});
  if (early_.size() > kMostEarly) early_.pop_front();
}

void Watch::refuse_belief(const std::string& why) {
  ++belief_counts_.refused;
  belief_counts_.why = why;
}

// Whether it was seen there to hold or to wait, or was taken to before.
bool Watch::knows(const WatchedMutex& of, const std::string& owner) const {
  const Sighting& last = of.book.last();
  const NameTable& names = recorder_.history().names;
  const auto held = [&](const WatchedTerm& each) { return names.text(each.owner) == owner; };
  const auto told = [&](const ToldBelief& each) { return each.said.owner == owner; };
  return last.is_held_by(owner) || std::find(last.queue.begin(), last.queue.end(), owner) != last.queue.end() ||
         std::any_of(of.terms.begin(), of.terms.end(), held) ||
         (of.beliefs != nullptr && std::any_of(of.beliefs->all().begin(), of.beliefs->all().end(), told));
}

// Null: it is not known, or nobody can tell which.
WatchedMutex* Watch::meant(const Belief& belief, std::optional<std::size_t> store) const {
  const MutexIdentity of{belief.mutex, {}};
  if (store) return known(*store, of);
  WatchedMutex* only = nullptr;
  std::size_t several = 0;
  for (std::size_t i = 0; i < stores_.size(); ++i) {
    WatchedMutex* const there = known(i, of);
    if (there == nullptr) continue;
    if (stores_[i]->name == belief.store) return there;
    // It may be named otherwise by its sender, or be another one altogether.
    if (!belief.store.empty() && !knows(*there, belief.owner)) continue;
    only = there;
    ++several;
  }
  return several == 1 ? only : nullptr;
}

BeliefClock& Watch::clock_of(const Belief& belief, TrueTime now) {
  const std::string process = std::to_string(belief.pid) + "@" + belief.host;
  if (senders_.size() >= kMostSenders && senders_.count(process) == 0)
    senders_.erase(std::min_element(senders_.begin(), senders_.end(),
                                    [](const auto& a, const auto& b) { return a.second.heard < b.second.heard; }));
  Sender& sender = senders_[process];
  sender.heard = now;
  return sender.clock;
}

void Watch::take_belief(WatchedMutex& of, const Belief& belief, TrueTime arrived) {
  if (of.beliefs == nullptr) {
    of.beliefs = std::make_unique<BeliefBook>(
        recorder_.intern(of.shown), [this](const Event& event) { return record(event); },
        [this](std::string_view text) { return recorder_.intern(text); });
    believed_.push_back(&of);
  }
  of.beliefs->advance(arrived);
  const BeliefBook::Taken taken = of.beliefs->take(belief, clock_of(belief, arrived), arrived);
  if (taken == BeliefBook::Taken::kNews) compare_clocks(of);
  if (taken == BeliefBook::Taken::kTooMany) refuse_belief("more is told of one mutex than is kept");
  changed();
}

void Watch::take_early_beliefs(const WatchedMutex& of) {
  std::deque<EarlyBelief> rest;
  for (EarlyBelief& each : std::exchange(early_, {})) {
    WatchedMutex* const there = each.belief.mutex == of.name ? meant(each.belief, each.store) : nullptr;
    there != nullptr ? take_belief(*there, each.belief, each.arrived) : rest.push_back(std::move(each));
  }
  early_ = std::move(rest);
}

// Who says that he owns, with the token that is seen there, has said so after he was granted it.
void Watch::compare_clocks(const WatchedMutex& of) {
  const Sighting& last = of.book.last();
  if (of.book.known() != SeenMutex::Known::kHeld || !last.token_is_of_term || last.token == kNoToken) return;
  if (of.book.since_lo() == TrueTime::min()) return;
  for (const ToldBelief& each : of.beliefs->all())
    if (each.said.what == Belief::What::kOwns && each.said.fence == last.token && each.said.owner == last.owner)
      clock_of(each.said, each.heard).was_sent_after(each.said.sent_ms, of.book.since_lo());
}

void Watch::advance_beliefs() {
  for (WatchedMutex* const each : believed_) each->beliefs->advance(loop_->now());
}

}  // namespace leasescope
