#include "app/watch/mutex_page.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/watch/mutex_columns.h"
#include "app/watch/watch_words.h"
#include "core/observe/watched_row.h"

namespace leasescope::ctl {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kIndent = 2, kLabel = 20, kBar = 24;  // cells
constexpr std::size_t kMostLines = 4;                       // of one fact
constexpr std::size_t kMostWaiters = 50;

class Page {
 public:
  Page(const WatchedMutex& of, const WatchedStore& store, const NameTable& names, TrueTime now, std::int64_t epoch_ns,
       std::size_t cells, Letters letters, bool beliefs)
      : of_(of),
        store_(store),
        names_(names),
        last_(of.book.last()),
        row_(row_of(of, now)),
        now_(now),
        epoch_ns_(epoch_ns),
        cells_(cells),
        letters_(letters),
        beliefs_(beliefs),
        known_(row_.state != WatchState::kNotObserved) {}

  std::vector<TextLine> lines() {
    put_head();
    put_now();
    put_lease();
    put_looks();
    put_beliefs();
    put_owners();
    put_waiters();
    put_raw();
    return std::move(lines_);
  }

 private:
  LineMaker line() const { return {cells_, letters_}; }
  void blank() { lines_.emplace_back(); }
  void section(std::string_view title) {
    blank();
    lines_.push_back(line().put(title, Ink::kStrong).take());
  }
  void fact(std::string_view name, std::string_view value, Ink ink = Ink::kPlain) {
    const std::size_t before = std::min(kIndent + kLabel, cells_ / 2);
    bool first = true;
    for (const std::string& part : wrapped(value, cells_ - before, kMostLines, letters_)) {
      LineMaker made = line();
      made.space(kIndent).put_left(first ? name : "", before - kIndent - 1, Ink::kMuted).space(1);
      lines_.push_back(made.put(part, ink).take());
      first = false;
    }
  }
  std::string moment(TrueTime at) const { return moment_text(epoch_ns_, at, now_); }
  static std::string ago(Duration length) { return length_text(std::max(Duration::zero(), length)) + " ago"; }

  void put_head();
  void put_now();
  void put_lease();
  void put_looks();
  void put_beliefs();
  void put_owners();
  void put_owner(const WatchedTerm& term, std::size_t token_cells);
  void put_waiters();
  void put_raw();
  std::string why_unknown() const;
  std::string since() const;

  const WatchedMutex& of_;
  const WatchedStore& store_;
  const NameTable& names_;
  const Sighting& last_;
  const WatchedRow row_;
  const TrueTime now_;
  const std::int64_t epoch_ns_;
  const std::size_t cells_;
  const Letters letters_;
  const bool beliefs_;
  const bool known_;
  std::vector<TextLine> lines_;
};

void Page::put_head() {
  lines_.push_back(line().put(of_.name, Ink::kStrong).take());
  lines_.push_back(line().put(store_.name + " · " + system_text(last_), Ink::kMuted).take());
  blank();
}

std::string Page::why_unknown() const {
  if (!store_.why.empty()) return store_.why;
  if (store_.hidden.count({of_.name, of_.maker}) > 0) return "its store refuses to tell of it";
  return "it has not been seen again";
}

// Who was so when it was first seen was so before, for nobody knows how long.
std::string Page::since() const {
  const std::string least = (row_.lasts_most && known_ ? "" : "≥ ") + length_text(row_.lasts_least);
  std::string out = of_.book.since_lo() == TrueTime::min() ? "≤ " : "";
  out += moment(of_.book.since_hi()) + " · " + least;
  if (of_.book.since_lo() == TrueTime::min()) out += ": it was so when it was first seen";
  return out;
}

void Page::put_now() {
  const std::string state = std::string(text(row_.state)) + (row_.note.empty() ? "" : "; " + row_.note);
  fact("State", known_ ? state : "not observed: " + why_unknown(), known_ ? Ink::kStrong : Ink::kUnobserved);
  std::string owner = row_.owner.empty() ? "nobody" : row_.owner;
  if (!known_) owner += ", when it was last seen";
  fact(row_.held > 1 ? "Owners" : "Owner", owner);
  fact("Since", since());
  if (of_.book.since_lo() != TrueTime::min() && of_.book.since_hi() - of_.book.since_lo() >= 10ms)
    fact("Not before", moment(of_.book.since_lo()));
  fact("Token", row_.token == kNoToken ? "none is known" : std::to_string(row_.token));
}

void Page::put_lease() {
  if (row_.owner.empty()) return fact("Lease", "–");
  if (!known_) return fact("Lease", "not known: it may be over");
  LineMaker made = line();
  made.space(kIndent).put_left("Lease", std::min(kLabel, cells_ / 2) - 1, Ink::kMuted).space(1);
  made.put(bar_text(lease_shares(of_, row_), std::min(kBar, cells_ / 4), letters_), Ink::kHeld).space(1);
  made.put(row_.left ? left_text(row_) + " left" : "no clock ends it");
  lines_.push_back(made.take());
  if (!row_.left) return;
  fact("Granted or renewed", of_.book.whole()
                                 ? "for " + length_text(of_.book.length())
                                 : "for more than " + length_text(of_.book.length()) + ": it was met in the middle");
  fact("Ends unless renewed", moment(of_.book.end_lo()) + " to " + moment(of_.book.end_hi()));
  fact("Last renewal seen", of_.book.renewed() == TrueTime::min() ? "none" : ago(now_ - of_.book.renewed()));
  if (of_.book.transition() > Duration::zero())
    fact("Transition", length_text(of_.book.transition()) + ": its owner alone may renew it then");
}

void Page::put_looks() {
  const std::string counted = counted_text(row_);
  fact("Waiters", !row_.waiters ? "the store does not tell"
                                : std::to_string(*row_.waiters) + (counted.empty() ? "" : ", " + counted));
  fact("Hand-offs", fmt::format("{} in the last hour, as far as it was watched", row_.handoffs));
  fact("Looked at", ago(row_.age));
}

void Page::put_beliefs() {
  if (!of_.maker.empty()) return;  // whose processes tell nothing
  section("Beliefs, as processes tell them");
  if (of_.beliefs == nullptr || of_.beliefs->all().empty()) return fact("", no_beliefs_words(beliefs_));
  for (const ToldBelief& each : of_.beliefs->all()) {
    std::string words = belief_words(each, now_);
    if (each.owns && each.until_hi != TrueTime::max())
      words += ": from " + moment(each.since_hi) + " until " + moment(each.until_hi);
    fact(each.said.owner, fmt::format("{}; {}", words, clock_words(each, epoch_ns_)));
  }
}

void Page::put_owner(const WatchedTerm& term, std::size_t token_cells) {
  constexpr std::size_t kSince = 14, kFor = 11;
  const bool lasts = term.end == TrueTime::max(), met = term.begin_lo == TrueTime::min();
  const TrueTime end = !lasts ? term.end : known_ ? now_ : last_.answered;
  const std::string least =
      (met || (lasts && !known_) ? "≥ " : "") + length_text(std::max(Duration::zero(), end - term.begin_hi));
  const std::string whole = moment(term.begin_hi);
  const std::string begun = whole.size() <= 12 ? whole : short_moment_text(epoch_ns_, term.begin_hi, now_);
  const std::size_t others = kIndent + kSince + token_cells + 2 * kBetween;
  const std::size_t with_for = others + kFor + kBetween;
  const bool has_for = cells_ >= with_for + 12;
  LineMaker made = line();
  made.space(kIndent);
  made.put_left(term.owner.empty() ? "nobody" : names_.text(term.owner),
                cells_ - std::min(cells_, has_for ? with_for : others), term.owner.empty() ? Ink::kMuted : Ink::kPlain);
  made.space(kBetween).put_right((met ? "≤ " : "") + begun, kSince);
  if (has_for) made.space(kBetween).put_right(least, kFor);
  made.space(kBetween).put_right(number_text(term.token), token_cells);
  lines_.push_back(made.take());
}

void Page::put_owners() {
  section("Owners · since · for · token");
  std::size_t token_cells = 5;
  for (const WatchedTerm& term : of_.terms) token_cells = std::max(token_cells, std::to_string(term.token).size());
  std::for_each(of_.terms.rbegin(), of_.terms.rend(), [&](const WatchedTerm& term) { put_owner(term, token_cells); });
  if (of_.terms.empty()) fact("", "none was seen");
}

void Page::put_waiters() {
  section("Wait queue");
  if (last_.queue.empty())
    return fact("", row_.waiters == 0U ? "nobody waits" : "the store does not keep who waits, or in what order");
  for (std::size_t i = 0; i < std::min(last_.queue.size(), kMostWaiters); ++i)
    fact(std::to_string(i + 1), last_.queue[i]);
  if (last_.queue.size() > kMostWaiters) fact("", fmt::format("and {} more", last_.queue.size() - kMostWaiters));
}

void Page::put_raw() {
  if (last_.raw.empty()) return;
  section("In the store, when it was last seen");
  for (const auto& [key, value] : last_.raw) fact(key, value);
}

}  // namespace

std::vector<TextLine> mutex_page(const WatchedMutex& mutex, const WatchedStore& store, const NameTable& names,
                                 TrueTime now, std::int64_t epoch_ns, std::size_t cells, Letters letters,
                                 bool beliefs) {
  return Page(mutex, store, names, now, epoch_ns, cells, letters, beliefs).lines();
}

}  // namespace leasescope::ctl
