#include "core/observe/watch.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

constexpr Duration kHour = std::chrono::hours(1);
constexpr std::size_t kMostRemarks = 20;  // of a store

}  // namespace

bool is_like(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*') {
      ++p, ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

// What one store's observer tells.
class Watch::Source final : public ObserverListener {
 public:
  Source(Watch& watch, std::size_t place) : watch_(watch), place_(place) {}

  void on_seen(const Sighting& seen) override { watch_.seen(place_, seen); }
  void on_heard(const HeardChange& heard) override { watch_.heard(place_, heard); }
  void on_all_seen() override {
    store().known = true;
    store().known_at = watch_.loop_->now();
    watch_.changed();
  }
  void on_blind(TrueTime since, const std::string& why) override { watch_.blind(place_, since, why); }
  void on_sighted() override {
    store().blind = false;
    store().why.clear();
    watch_.changed();
  }
  void on_hidden(const std::string& mutex, TrueTime since) override {
    if (WatchedMutex* const of = watch_.mutex(place_, mutex, false)) of->book.blind(since);
    watch_.changed();
  }
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

Watch::Watch(Loop& loop, const WatchTerms& terms) : loop_(&loop), terms_(terms), recorder_({}, terms.lease) {}
Watch::~Watch() = default;

const std::vector<std::unique_ptr<WatchedStore>>& Watch::stores() const { return stores_; }

void Watch::add(const std::string& store, const Make& make) {
  auto& of = *stores_.emplace_back(std::make_unique<WatchedStore>());
  of.name = store;
  by_name_.emplace_back();
  of.observer = make(*sources_.emplace_back(std::make_unique<Source>(*this, stores_.size() - 1)));
}

void Watch::begin() {
  for (const auto& store : stores_) store->observer->begin();
}

bool Watch::complete() const {
  return std::all_of(stores_.begin(), stores_.end(), [](const auto& store) { return store->known; });
}

const History& Watch::history() {
  recorder_.advance(loop_->now());
  return recorder_.history();
}

bool Watch::is_wanted(const std::string& name) const { return terms_.glob.empty() || is_like(terms_.glob, name); }

WatchedMutex* Watch::mutex(std::size_t source, const std::string& name, bool make) {
  auto& known = by_name_[source];
  if (const auto found = known.find(name); found != known.end()) return found->second;
  if (!make || !is_wanted(name)) return nullptr;
  const std::string title = stores_.size() == 1 ? name : name + " @ " + stores_[source]->name;
  SeenMutex book(
      {recorder_.intern(title), recorder_.intern(stores_[source]->name)},
      [this](const Event& event) { return record(event); },
      [this](std::string_view text) { return recorder_.intern(text); });
  mutexes_.push_back(std::make_unique<WatchedMutex>(name, source, std::move(book)));
  if (stores_[source]->known) mutexes_.back()->book.was_free(stores_[source]->known_at);
  return known[name] = mutexes_.back().get();
}

// Of all mutexes and stores in the order in which they became known.
Sequence Watch::record(Event event) {
  event.hi = told_ = std::max(event.hi, told_);
  return recorder_.append(event);
}

void Watch::seen(std::size_t source, const Sighting& sighting) {
  WatchedMutex* const of = mutex(source, sighting.mutex, true);
  if (of == nullptr) return;
  const std::uint64_t before = of->book.handoffs();
  of->book.see(sighting);
  if (of->book.handoffs() > before) of->handoffs.push_back(sighting.answered);
  while (!of->handoffs.empty() && of->handoffs.front() < sighting.answered - kHour) of->handoffs.pop_front();
  changed();
}

void Watch::heard(std::size_t source, const HeardChange& heard) {
  WatchedMutex* const of = mutex(source, heard.mutex, false);
  if (of == nullptr) return;
  if (heard.released)
    of->book.heard_release(heard.owner, heard.earliest);
  else
    of->book.heard_grant(heard.owner, heard.earliest);
}

void Watch::blind(std::size_t source, TrueTime since, const std::string& why) {
  WatchedStore& store = *stores_[source];
  store.blind = true;
  store.blind_since = since;
  store.why = why;
  for (const auto& [name, of] : by_name_[source]) of->book.blind(since);
  changed();
}

}  // namespace leasescope
